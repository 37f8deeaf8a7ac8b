"""Train Stanza's tokenizer network on the Dutch UD treebanks, and on office text whose tokens come from
rules."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

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
from ner_training.corpus import TextWithSpans, tokenize

LabelledText = tuple[
    str, list[int]
]  # a chunk and a label for each character: 0 inside, 1 token end, 2 sentence end


def read_conllu(path: Path) -> Iterator[tuple[str, list[tuple[int, int]], list[str]]]:
    """(text, tokens as (start, end), UPOS) of each sentence that has its text."""
    text, forms, tags = "", [], []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("# text = "):
            text = line[9:]
        elif line[:1].isdigit():
            columns = line.split("\t")
            if columns[0].isdigit():
                forms.append(columns[1])
                tags.append(columns[3])
        elif not line:
            if forms:
                spans, at = [], 0
                for form in forms:
                    at = text.find(form, at)
                    if at < 0:
                        break
                    spans.append((at, at + len(form)))
                    at += len(form)
                else:
                    yield text, spans, tags
            text, forms, tags = "", [], []


def read_tagged(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """(forms, UPOS) of each sentence, with or without its text."""
    forms: list[str] = []
    tags: list[str] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        columns = line.split("\t")
        if columns[0].isdigit():
            forms.append(columns[1])
            tags.append(columns[3])
        elif not line and forms:
            yield forms, tags
            forms, tags = [], []


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
            if generator.random() < 0.12 and text[-1] in ".!?":  # a text may end without its mark
                text, labels = text[:-1].rstrip(), labels[: len(text[:-1].rstrip())]
                labels[-1] = 2
        start = 0
        while start < len(text):
            end = min(len(text), start + LONGEST_CHUNK)
            chunks.append((text[start:end], labels[start:end]))
            start = end
    return chunks


_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*$")


def rule_chunks(document: TextWithSpans) -> list[LabelledText]:
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
        spans = tokenize(text)
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
    if roll < 0.06:
        lowered = text.lower()
        text = lowered if len(lowered) == len(text) else text
    elif roll < 0.10:
        raised = text.upper()
        text = raised if len(raised) == len(text) else text
    if generator.random() < 0.08:
        at = text.find(", ")
        if at > 0 and text[at - 1].isalpha():  # "foo, bar" -> "foo,bar"
            text, labels = text[: at + 1] + text[at + 2 :], labels[: at + 1] + labels[at + 2 :]
    return text, labels


def new_tokenizer(
    chunks: Sequence[LabelledText], *, hidden_size: int = 40
) -> tuple[Any, Any, dict[str, Any]]:
    from stanza.models.tokenization.model import Tokenizer as Network
    from stanza.models.tokenization.vocab import Vocab

    counts = Counter(c for text, _ in chunks for c in text)
    vocab = Vocab([[(c, 0)] for c, n in counts.items() if n >= 3], lang="nl")
    args: dict[str, Any] = {
        "lang": "nl",
        "shorthand": "nl_nymlink",
        "vocab_size": len(vocab),
        "emb_dim": 24,
        "hidden_dim": hidden_size,
        "conv_res": None,
        "hier_conv_res": False,
        "hierarchical": False,
        "hier_invtemp": 0.5,
        "input_dropout": False,
        "rnn_layers": 1,
        "use_dictionary": False,
        "feat_funcs": ["space_before", "capitalized", "numeric", "end_of_para", "start_of_para"],
        "feat_dim": 5,
        "dropout": 0.2,
        "feat_dropout": 0.05,
        "unit_dropout": 0.1,
        "feat_unit_dropout": 0.1,
        "tok_noise": 0.0,
        "max_seqlen": 300,
        "use_mwt": False,
        "skip_newline": False,
        "lr0": 0.002,
        "weight_decay": 0.0,
        "max_grad_norm": 1.0,
        "batch_size": 32,
        "charlm_forward_file": None,
        "mode": "predict",
        "num_dict_feat": 0,
    }
    network = Network(args, len(vocab), 24, hidden_size, dropout=0.2, feat_dropout=0.05)
    return network, vocab, args


def train_tokenizer(
    treebanks: Sequence[tuple[str, list[tuple[int, int]], list[str]]],
    office: Sequence[TextWithSpans],
    *,
    steps: int,
    seed: int,
    path: Path,
) -> None:
    """Write a tokenizer that Stanza loads."""
    generator = random.Random(seed)
    torch.manual_seed(seed)
    ruled = [chunk for document in office for chunk in rule_chunks(document)]
    network, vocab, args = new_tokenizer([*treebank_chunks(treebanks, generator), *ruled])
    table = CharacterTable(vocab._unit2id, vocab._unit2id["<UNK>"])
    optimizer = torch.optim.Adam(network.parameters(), lr=0.004)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.006, total_steps=steps)
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
            units[np.random.default_rng(seed + step).random(units.shape) < 0.03] = 1
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
                print(f"tokenizer step {step} loss {losses / 100:.4f}", flush=True)
                losses = 0.0
    network.eval()
    state = {k: v for k, v in network.state_dict().items() if k.split(".")[0] not in network.unsaved_modules}
    torch.save(
        {"model": state, "vocab": vocab.state_dict(), "lexicon": None, "external_dict": None, "config": args},
        path,
    )


def tokenizer_scores_on(
    path: Path, gold: Sequence[tuple[str, list[tuple[int, int]], list[str]]], *, group: int = 10
) -> tuple[float, float]:
    """(token F1, sentence F1) on running text made of `group` gold sentences each."""
    tokenizer = Tokenizer.load(path)
    texts, tokens, sentences = [], [], []
    for first in range(0, len(gold), group):
        text, spans, ends = "", set(), set()
        for sentence, own, _ in gold[first : first + group]:
            text += " " if text else ""
            offset = len(text)
            spans |= {(s + offset, e + offset) for s, e in own}
            ends.add((own[0][0] + offset, own[-1][1] + offset))
            text += sentence
        texts.append(text)
        tokens.append(spans)
        sentences.append(ends)
    hits = found = sentence_hits = sentence_found = 0
    for result, spans, ends in zip(tokenizer.tokenize(texts), tokens, sentences, strict=True):
        mine = set(zip(result.token_starts.tolist(), result.token_ends.tolist(), strict=True))
        hits, found = hits + len(mine & spans), found + len(mine)
        begins = [0, *result.sentence_ends[:-1].tolist()]
        own_ends = {
            (int(result.token_starts[a]), int(result.token_ends[b - 1]))
            for a, b in zip(begins, result.sentence_ends.tolist(), strict=True)
        }
        sentence_hits, sentence_found = sentence_hits + len(own_ends & ends), sentence_found + len(own_ends)
    n, m = sum(map(len, tokens)), sum(map(len, sentences))
    return 2 * hits / (found + n), 2 * sentence_hits / (sentence_found + m)
