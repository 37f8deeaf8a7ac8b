"""Train a small part-of-speech tagger (UPOS only) with Stanza's network on the Dutch UD treebanks."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from linkage.recognition.ner_pos import PosTagger, pos_inputs

TaggedSentence = tuple[list[str], list[str]]
_UNKNOWN, _FIRST_WORD = 1, 4  # Stanza's ids
_HIDDEN_WORDS = 0.1  # share of words whose vector is hidden in training


def kept_words(words: Sequence[str], vectors: torch.Tensor, sentences: Sequence[TaggedSentence]) -> list[int]:
    """Rows of words and their vectors, shape (n_words, n_dimensions), that the tagger keeps: those with a
    distributional vector (the last list feature says so) and those that the treebanks have more than once."""
    counts = Counter(w.lower() for row, _ in sentences for w in row)
    return [i for i, word in enumerate(words) if vectors[i, -1] > 0 or counts[word] > 1]


def new_tagger(
    sentences: Sequence[TaggedSentence], words: Sequence[str], vectors: torch.Tensor
) -> tuple[Any, Any, dict[str, Any]]:
    """An untrained tagger with the word vectors given; they lie in its own file and are not trained."""
    from stanza.models.common.vocab import CharVocab
    from stanza.models.pos.model import Tagger
    from stanza.models.pos.vocab import MultiVocab, WordVocab

    letters = Counter(c for row, _ in sentences for w in row for c in w)
    vocab = MultiVocab(
        {
            "char": CharVocab([[(c,)] for c, n in letters.items() if n >= 3], "nl"),
            "word": WordVocab([[(w,)] for w in words], "nl", cutoff=1, lower=True),
            "upos": WordVocab(
                [[(t,)] for t in sorted({t for _, tags in sentences for t in tags})], "nl", cutoff=1
            ),
        }
    )
    args: dict[str, Any] = {
        "shorthand": "nl_nymlink",
        "lang": "nl",
        "word_emb_dim": vectors.shape[1],
        "char_emb_dim": 50,
        "char_hidden_dim": 120,
        "char_num_layers": 1,
        "char_rec_dropout": 0,
        "char_bidirectional": False,
        "char": True,
        "charlm": None,
        "charlm_forward_file": None,
        "charlm_backward_file": None,
        "transformed_dim": 100,
        "pretrain": False,
        "hidden_dim": 160,
        "num_layers": 1,
        "deep_biaff_hidden_dim": 100,
        "composite_deep_biaff_hidden_dim": 50,
        "tag_emb_dim": 25,
        "share_hid": True,
        "dropout": 0.3,
        "word_dropout": 0.02,
        "rec_dropout": 0,
        "bert_model": None,
        "bert_finetune": False,
        "use_peft": False,
        "optim": "adam",
        "lr": 0.003,
        "beta2": 0.99,
        "batch_size": 3000,
        "second_optim": None,
        "tag_columns": [["upos", "upos", None, "WORD", True, []]],
    }
    network = Tagger(args, vocab, share_hid=True)
    row_of = {word: row for row, word in enumerate(words)}
    with torch.no_grad():
        network.word_emb.weight.zero_()
        for number, word in enumerate(vocab["word"]._id2unit[_FIRST_WORD:], _FIRST_WORD):
            network.word_emb.weight[number] = vectors[row_of[word]]
    network.word_emb.weight.requires_grad = False
    return network, vocab, args


def train_tagger(
    sentences: Sequence[TaggedSentence],
    words: Sequence[str],
    vectors: torch.Tensor,
    *,
    steps: int,
    seed: int,
    path: Path,
) -> None:
    """Write a tagger that Stanza loads. words (lower-cased) and vectors are those of build_vectors."""
    generator = random.Random(seed)
    torch.manual_seed(seed)
    rows_kept = kept_words(words, vectors, sentences)
    network, vocab, args = new_tagger(sentences, [words[i] for i in rows_kept], vectors[rows_kept])
    trained = [p for p in network.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(trained, lr=0.003)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.004, total_steps=steps)
    step, losses = 0, 0.0
    while step < steps:
        ordered = sorted(sentences, key=lambda s: -len(s[0]) + generator.random() * 4)
        groups = [ordered[i : i + 40] for i in range(0, len(ordered), 40)]
        generator.shuffle(groups)
        for group in groups[: steps - step]:
            rows = []
            for words, tags in sorted(group, key=lambda s: -len(s[0])):
                roll = generator.random()  # e-mail and chat neglect capitals
                change = str.lower if roll < 0.08 else str.upper if roll < 0.12 else str
                rows.append(([change(w) for w in words], tags))
            network.train()
            optimizer.zero_grad()
            ids, *others = pos_inputs(vocab, [w for w, _ in rows], [t for _, t in rows])
            hidden = (torch.rand(ids.shape) < _HIDDEN_WORDS) & (ids >= _FIRST_WORD)
            loss, _ = network(ids.masked_fill(hidden, _UNKNOWN), *others)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 2.0)
            optimizer.step()
            schedule.step()
            step += 1
            losses += loss.item()
            if step % 100 == 0:
                print(f"part of speech step {step} loss {losses / 100:.4f}", flush=True)
                losses = 0.0
    state = {n: v.half() for n, v in network.state_dict().items()}
    torch.save({"model": state, "vocab": vocab.state_dict(), "config": args}, path)


def accuracy(folder: Path, gold: Sequence[TaggedSentence]) -> float:
    tagged = PosTagger.load(folder).tag([words for words, _ in gold])
    right = sum(
        a == b for row, (_, tags) in zip(tagged, gold, strict=True) for a, b in zip(row, tags, strict=True)
    )
    return right / sum(len(tags) for _, tags in gold)
