"""Untrained networks of Stanza's classes, a few kilobytes large: they find nonsense, but at exact places."""

import json
from pathlib import Path
from typing import Any

import torch
from stanza.models.common.pretrain import PretrainedWordVocab
from stanza.models.common.vocab import CharVocab, CompositeVocab
from stanza.models.ner.model import NERTagger
from stanza.models.ner.vocab import MultiVocab
from stanza.models.pos.vocab import WordVocab
from stanza.models.tokenization.model import Tokenizer
from stanza.models.tokenization.vocab import Vocab

TAGS = ["O", *(f"{position}-{label}" for label in ("PER", "NAME") for position in "SBIE")]
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ .,'-"


def write_models(folder: Path) -> None:
    """A folder with a model.json, as data/languages/nl/models is one."""
    folder.mkdir(parents=True)
    torch.manual_seed(3)
    _write_tagger(folder)
    _write_tokenizer(folder / "tokenizer.pt")
    card = {"network": "ner.pt", "vectors": "vectors.pt", "tokenizer": "tokenizer.pt"}
    (folder / "model.json").write_text(json.dumps(card), encoding="utf-8")


def _write_tagger(folder: Path) -> None:
    words = ["de", "van", "jan", "vries"]
    vocab = MultiVocab(
        {
            "char": CharVocab([[(letter,)] for letter in LETTERS], "nl"),
            "delta": WordVocab([[("de",)], [("van",)]], "nl", cutoff=1, lower=True),
            "tag": CompositeVocab([[((tag,),) for tag in TAGS]], "nl", idx=0, sep=None),
            "word": PretrainedWordVocab(words, lower=True),
        }
    )
    args: dict[str, Any] = {
        "shorthand": "nl_tiny",
        "word_emb_dim": 6,
        "char_emb_dim": 5,
        "char_hidden_dim": 7,
        "char": True,
        "charlm": False,
        "charlm_forward_file": None,
        "charlm_backward_file": None,
        "char_num_layers": 1,
        "char_rec_dropout": 0,
        "char_lowercase": False,
        "lowercase": True,
        "hidden_dim": 8,
        "num_layers": 1,
        "dropout": 0.1,
        "word_dropout": 0.0,
        "locked_dropout": 0.0,
        "rec_dropout": 0,
        "input_transform": True,
        "emb_finetune": True,
        "scheme": "bioes",
        "train_scheme": None,
        "bert_model": None,
        "bert_hidden_layers": None,
        "bert_finetune": False,
        "use_peft": False,
        "connect_output_layers": False,
        "predict_tagset": 0,
        "optim": "adam",
        "lr": 0.001,
        "momentum": 0,
        "batch_size": 8,
    }
    matrix = torch.randn(4 + len(words), 6)
    model = NERTagger(args, vocab, emb_matrix=matrix)
    with torch.no_grad():
        model.crits[0]._transitions.normal_()
        model.tag_clfs[0].weight.normal_()
    state = {name: value for name, value in model.state_dict().items() if not name.startswith("word_emb")}
    torch.save({"model": state, "vocab": vocab.state_dict(), "config": args}, folder / "ner.pt")
    torch.save({"vocab": vocab.state_dict()["word"], "emb": matrix}, folder / "vectors.pt")


def _write_tokenizer(path: Path) -> None:
    vocab = Vocab([[(letter, 0)] for letter in LETTERS], lang="nl")
    args: dict[str, Any] = {
        "lang": "nl",
        "shorthand": "nl_tiny",
        "vocab_size": len(vocab),
        "emb_dim": 4,
        "hidden_dim": 5,
        "conv_res": None,
        "hier_conv_res": False,
        "hierarchical": False,
        "hier_invtemp": 0.5,
        "rnn_layers": 1,
        "use_dictionary": False,
        "feat_funcs": ["space_before", "capitalized", "numeric", "end_of_para", "start_of_para"],
        "feat_dim": 5,
        "dropout": 0.1,
        "feat_dropout": 0.0,
        "tok_noise": 0.0,
        "use_mwt": False,
        "lr0": 0.001,
        "weight_decay": 0.0,
        "charlm_forward_file": None,
    }
    network = Tokenizer(args, len(vocab), 4, 5, dropout=0.1, feat_dropout=0.0)
    torch.save(
        {
            "model": network.state_dict(),
            "vocab": vocab.state_dict(),
            "lexicon": None,
            "external_dict": None,
            "config": args,
        },
        path,
    )
