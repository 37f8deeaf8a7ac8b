"""A tokenizer network in Stanza's shape, trained on treebanks and on text whose tokens come from rules."""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from linkage.recognition.ner_tokenizer import (
    DIGIT,
    LONGEST_CHUNK,
    SPACE,
    UPPER,
    CharacterTable,
    Tokenizer,
    chunk_bounds,
    code_points,
    tokenizer_scores,
)
from linkage.training.numbers import numbers
from linkage.training.tokens import NO_WORDS, TokenRules, tokenize
from linkage.training.windows import TextWithSpans

_NUMBERS: Final = numbers("tokenizer")
LabelledText = tuple[
    str, list[int]
]  # a chunk and a label for each character: 0 inside, 1 token end, 2 sentence end


def treebank_chunks(
    sentences: Sequence[tuple[str, list[tuple[int, int]], list[str]]], generator: random.Random
) -> list[LabelledText]:
    """Neighbouring sentences as running text."""
    chunks: list[LabelledText] = []
    at = 0
    while at < len(sentences):
        text, labels = "", []
        for sentence, spans, _ in sentences[at : at + generator.choice((1, 1, 2, 2, 3, 4))]:
            at += 1
            if text:
                text += " "
                labels.append(0)
            row = [0] * len(sentence)
            for _, end in spans:
                row[end - 1] = 1
            row[-1] = 2
            text += sentence
            labels += row
            if (
                generator.random() < _NUMBERS["lost_end"] and text[-1] in ".!?"
            ):  # a text may end without its mark
                text, labels = text[:-1].rstrip(), labels[: len(text[:-1].rstrip())]
                labels[-1] = 2
        start = 0
        while start < len(text):
            end = min(len(text), start + LONGEST_CHUNK)
            chunks.append((text[start:end], labels[start:end]))
            start = end
    return chunks


def rule_chunks(document: TextWithSpans, rules: TokenRules = NO_WORDS) -> list[LabelledText]:
    """Office text cut as it is in use; tokens by rule, a sentence end where a closing mark meets a
    capital."""
    chunks: list[LabelledText] = []
    for start, end, _ in chunk_bounds(document.text):
        text = re.sub(r"\s", " ", document.text[start:end])
        left = len(text) - len(text.lstrip(" >"))
        text = text[left:].rstrip()
        if not text:
            continue
        labels = [0] * len(text)
        spans = tokenize(text, rules)
        for i, (_, stop) in enumerate(spans):
            labels[stop - 1] = 1
            word = text[spans[i][0] : stop]
            if word in {".", "!", "?", "…"} and i + 1 < len(spans):
                follows = text[spans[i + 1][0]]
                if (follows.isupper() or follows.isdigit() or follows in "'\"“‘(-*") and spans[i + 1][
                    0
                ] > stop:
                    labels[stop - 1] = 2
        labels[-1] = 2
        chunks.append((text, labels))
    return chunks


def disturb(chunk: LabelledText, generator: random.Random) -> LabelledText:
    """Case and comma changes that tokens survive."""
    text, labels = chunk
    roll = generator.random()
    if roll < _NUMBERS["lowered"]:
        lowered = text.lower()
        text = lowered if len(lowered) == len(text) else text
    elif roll < _NUMBERS["lowered"] + _NUMBERS["raised"]:
        raised = text.upper()
        text = raised if len(raised) == len(text) else text
    if generator.random() < _NUMBERS["joined_comma"]:
        at = text.find(", ")
        if at > 0 and text[at - 1].isalpha():  # "foo, bar" -> "foo,bar"
            text, labels = text[: at + 1] + text[at + 2 :], labels[: at + 1] + labels[at + 2 :]
    return text, labels


def new_tokenizer(
    chunks: Sequence[LabelledText], *, hidden_size: int = 40, language: str = "nl"
) -> tuple[Any, Any, dict[str, Any]]:
    """An untrained tokenizer with its characters and arguments."""
    from stanza.models.tokenization.model import Tokenizer as Network
    from stanza.models.tokenization.vocab import Vocab

    counts = Counter(c for text, _ in chunks for c in text)
    vocab = Vocab([[(c, 0)] for c, n in counts.items() if n >= 3], lang=language)
    args: dict[str, Any] = {
        "lang": language,
        "shorthand": f"{language}_nymlink",
        "vocab_size": len(vocab),
        "emb_dim": 24,
        "hidden_dim": hidden_size,
        "conv_res": None,
        "hier_conv_res": False,
        "hierarchical": False,
        "hier_invtemp": _NUMBERS["hierarchy"],
        "input_dropout": False,
        "rnn_layers": 1,
        "use_dictionary": False,
        "feat_funcs": ["space_before", "capitalized", "numeric", "end_of_para", "start_of_para"],
        "feat_dim": 5,
        "dropout": _NUMBERS["dropout"],
        "feat_dropout": _NUMBERS["feature_dropout"],
        "unit_dropout": _NUMBERS["unit_dropout"],
        "feat_unit_dropout": _NUMBERS["unit_dropout"],
        "tok_noise": 0.0,
        "max_seqlen": 300,
        "use_mwt": False,
        "skip_newline": False,
        "lr0": 2 / 1000,
        "weight_decay": 0.0,
        "max_grad_norm": 1.0,
        "batch_size": 32,
        "charlm_forward_file": None,
        "mode": "predict",
        "num_dict_feat": 0,
    }
    network = Network(
        args,
        len(vocab),
        24,
        hidden_size,
        dropout=_NUMBERS["dropout"],
        feat_dropout=_NUMBERS["feature_dropout"],
    )
    return network, vocab, args


def train_tokenizer(
    treebanks: Sequence[tuple[str, list[tuple[int, int]], list[str]]],
    ruled: Sequence[LabelledText],
    *,
    steps: int,
    seed: int,
    path: Path,
    language: str = "nl",
    report: Callable[[str], None] = print,
) -> None:
    """Write a tokenizer that Stanza loads.

    treebanks: (text, tokens as (start, end), tags) of sentences; ruled: chunks whose tokens come from rules.
    """
    generator = random.Random(seed)  # noqa: S311 - a seeded training
    torch.manual_seed(seed)
    network, vocab, args = new_tokenizer([*treebank_chunks(treebanks, generator), *ruled], language=language)
    table = CharacterTable(vocab._unit2id, vocab._unit2id["<UNK>"])
    optimizer = torch.optim.Adam(network.parameters(), lr=_NUMBERS["top_rate"])
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=_NUMBERS["top_rate"], total_steps=steps)
    step, losses = 0, 0.0
    while step < steps:
        chunks = [disturb(c, generator) for c in [*treebank_chunks(treebanks, generator), *ruled]]
        chunks.sort(key=lambda c: len(c[0]) + generator.random() * 20)
        groups = [chunks[i : i + 64] for i in range(0, len(chunks), 64)]
        generator.shuffle(groups)
        for group in groups[: steps - step]:
            longest = max(len(t) for t, _ in group)
            units = np.zeros((len(group), longest), dtype=np.int64)
            features = np.zeros((len(group), longest, 5), dtype=np.float32)
            labels = np.full((len(group), longest), -1, dtype=np.int64)
            for row, (text, label) in enumerate(group):
                points, n = code_points(text), len(text)
                flags = table.flags(points)
                units[row, :n] = table.ids(points)
                features[row, :n, 0] = flags & SPACE
                features[row, :n, 1] = (flags & UPPER) > 0
                features[row, :n, 2] = (flags & DIGIT) > 0
                features[row, n - 1, 3] = features[row, 0, 4] = 1
                labels[row, :n] = label
            units[np.random.default_rng(seed + step).random(units.shape) < _NUMBERS["unknown"]] = 1
            network.train()
            optimizer.zero_grad()
            scores = tokenizer_scores(network, torch.from_numpy(units), torch.from_numpy(features))
            loss = torch.nn.functional.nll_loss(
                scores.reshape(-1, 3), torch.from_numpy(labels).reshape(-1), ignore_index=-1
            )
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            step += 1
            losses += loss.item()
            if step % 100 == 0:
                report(f"tokenizer step {step} loss {losses / 100:.4f}")
                losses = 0.0
    network.eval()
    state = {k: v for k, v in network.state_dict().items() if k.split(".")[0] not in network.unsaved_modules}
    torch.save(
        {"model": state, "vocab": vocab.state_dict(), "lexicon": None, "external_dict": None, "config": args},
        path,
    )


def trained_tokens(documents: Sequence[TextWithSpans], tokenizer: Tokenizer) -> list[list[tuple[int, int]]]:
    """By document, the tokens as (start, end) that a trained tokenizer finds.

    Quote marks at the start of a line are layout, here as in use.
    """
    found = []
    for document, read in zip(documents, tokenizer.tokenize([d.text for d in documents]), strict=True):
        tokens = zip(read.token_starts.tolist(), read.token_ends.tolist(), strict=True)
        found.append([t for t in tokens if document.text[t[0] : t[1]] != ">"])
    return found
