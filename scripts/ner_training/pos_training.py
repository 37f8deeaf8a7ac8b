"""Train a small part-of-speech tagger (UPOS only) with Stanza's network on the Dutch UD treebanks."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from linkage.recognition.ner_pos import PosTagger, pos_inputs

TaggedSentence = tuple[list[str], list[str]]


def new_tagger(sentences: Sequence[TaggedSentence]) -> tuple[Any, Any, dict[str, Any]]:
    from stanza.models.common.vocab import CharVocab
    from stanza.models.pos.model import Tagger
    from stanza.models.pos.vocab import MultiVocab, WordVocab

    counts = Counter(w.lower() for words, _ in sentences for w in words)
    letters = Counter(c for words, _ in sentences for w in words for c in w)
    vocab = MultiVocab(
        {
            "char": CharVocab([[(c,)] for c, n in letters.items() if n >= 3], "nl"),
            "word": WordVocab(
                [[(w,)] for w in sorted(w for w, n in counts.items() if n >= 3)], "nl", cutoff=1, lower=True
            ),
            "upos": WordVocab(
                [[(t,)] for t in sorted({t for _, tags in sentences for t in tags})], "nl", cutoff=1
            ),
        }
    )
    args: dict[str, Any] = {
        "shorthand": "nl_nymlink",
        "lang": "nl",
        "word_emb_dim": 50,
        "char_emb_dim": 40,
        "char_hidden_dim": 80,
        "char_num_layers": 1,
        "char_rec_dropout": 0,
        "char_bidirectional": False,
        "char": True,
        "charlm": None,
        "charlm_forward_file": None,
        "charlm_backward_file": None,
        "transformed_dim": 80,
        "pretrain": False,
        "hidden_dim": 100,
        "num_layers": 1,
        "deep_biaff_hidden_dim": 100,
        "composite_deep_biaff_hidden_dim": 50,
        "tag_emb_dim": 25,
        "share_hid": True,
        "dropout": 0.2,
        "word_dropout": 0.1,
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
    return Tagger(args, vocab, share_hid=True), vocab, args


def train_tagger(sentences: Sequence[TaggedSentence], *, steps: int, seed: int, path: Path) -> None:
    """Write a tagger that Stanza loads."""
    generator = random.Random(seed)
    torch.manual_seed(seed)
    network, vocab, args = new_tagger(sentences)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.003)
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
            loss, _ = network(*pos_inputs(vocab, [w for w, _ in rows], [t for _, t in rows]))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
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
