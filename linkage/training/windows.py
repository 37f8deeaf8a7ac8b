"""Training text as windows of tokens with typed spans, whatever file it comes from."""

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from linkage.training.labels import ANY, KIND_OF_GOLD, NAME, PERSON

LONGEST_WINDOW = 150  # tokens
LINE_BREAK, BLANK_LINE = "¶", "¶¶"  # tokens that show the network the layout of a text


@dataclass(slots=True)
class Window:
    """Tokens and non-overlapping (start, end, label) spans over them, sorted.

    unmarked: labels that may stand where no span is, since the source does not mark them.
    """

    tokens: list[str]
    spans: list[tuple[int, int, str]]
    unmarked: frozenset[str] = frozenset()

    def rewritten(self, rewrite: Callable[[list[str], str], list[str]]) -> "Window":
        """The window with other tokens in its spans. rewrite: gives those for tokens and label of a span."""
        tokens: list[str] = []
        spans: list[tuple[int, int, str]] = []
        at = 0
        for start, end, label in self.spans:
            tokens += self.tokens[at:start]
            new = rewrite(self.tokens[start:end], label)
            spans.append((len(tokens), len(tokens) + len(new), label))
            tokens += new
            at = end
        return Window(tokens + self.tokens[at:], spans, self.unmarked)

    def tags(self) -> list[str]:
        """BIOES tags."""
        tags = ["O"] * len(self.tokens)
        for start, end, label in self.spans:
            if end - start == 1:
                tags[start] = f"S-{label}"
            else:
                tags[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 2), f"E-{label}"]
        return tags


@dataclass(slots=True)
class TextWithSpans:
    """A text with typed character spans, sorted, never overlapping."""

    doc_id: str
    text: str = field(repr=False)
    spans: list[tuple[int, int, str]] = field(repr=False)
    unmarked: frozenset[str] = frozenset()  # as in Window


def read_bio(path: Path, *, label_of: dict[str, str], unmarked: frozenset[str] = frozenset()) -> list[Window]:
    """Sentences of a BIO2 file; labels that label_of lacks become O."""
    windows: list[Window] = []
    tokens: list[str] = []
    spans: list[tuple[int, int, str]] = []
    with path.open(encoding="utf-8") as handle:
        for line in handle:
            line = line.rstrip("\n")
            if not line.strip():
                if tokens:
                    windows.append(Window(tokens, spans, unmarked))
                tokens, spans = [], []
                continue
            token, _, tag = line.partition("\t")
            if tag.startswith("B-") and tag[2:] in label_of:
                spans.append((len(tokens), len(tokens) + 1, label_of[tag[2:]]))
            elif tag.startswith("I-") and spans and spans[-1][1] == len(tokens) and tag[2:] in label_of:
                spans[-1] = (spans[-1][0], len(tokens) + 1, spans[-1][2])
            tokens.append(token)
    if tokens:
        windows.append(Window(tokens, spans, unmarked))
    return windows


def read_persons_jsonl(path: Path) -> list[TextWithSpans]:
    """Documents with persons as PER and their marked organisations, places and streets as NAME."""
    documents = []
    with path.open(encoding="utf-8") as handle:
        for line in handle:
            row = json.loads(line)
            spans = [(m["start"], m["end"], PERSON) for m in row["mentions"] if not m.get("compound")]
            spans += [
                (other["start"], other["end"], NAME)
                for other in row.get("identifiers") or ()
                if other["type"] in {"ORG", "GPE", "STREET"}
            ]
            spans += [(other["start"], other["end"], NAME) for other in row.get("names") or ()]
            kept: list[tuple[int, int, str]] = []
            # Persons first: they win overlaps.
            for span in sorted(spans, key=lambda s: (s[2] != PERSON, s[0])):
                if all(span[1] <= k[0] or k[1] <= span[0] for k in kept):
                    kept.append(span)
            documents.append(TextWithSpans(row["doc_id"], row["text"], sorted(kept)))
    return documents


def read_identifiers_jsonl(path: Path) -> list[TextWithSpans]:
    """Documents of an `.identifiers.jsonl` file with persons and the kinds of the network.

    Persons win overlaps; of an identifier that holds one, or a person's name as part of a word, nothing is
    said about the other tokens (label ANY).
    """
    with path.open(encoding="utf-8") as handle:
        return [of_record(json.loads(line)) for line in handle]


def of_record(row: dict[str, Any]) -> TextWithSpans:
    """A document of a record as `read_identifiers_jsonl` gives it."""
    persons = [(m["start"], m["end"], ANY if m.get("compound") else PERSON) for m in row["mentions"]]
    kept: list[tuple[int, int, str]] = []
    for span in sorted(persons, key=lambda one: (one[2] == ANY, one[0])):
        if all(span[1] <= other[0] or other[1] <= span[0] for other in kept):
            kept.append(span)
    for other in row["identifiers"]:
        label = KIND_OF_GOLD.get(other["kind"])
        if label is None:
            continue
        inner = sorted(one for one in kept if one[0] < other["end"] and other["start"] < one[1])
        if not inner:
            kept.append((other["start"], other["end"], label))
            continue
        at = other["start"]
        for start, end, _ in [*inner, (other["end"], other["end"], "")]:
            if at < start:
                kept.append((at, start, ANY))
            at = max(at, end)
    return TextWithSpans(row["doc_id"], row["text"], sorted(kept))


def is_tuning(doc_id: str, *, share: int = 10) -> bool:
    """Whether a document belongs to a part that does not train, for tuning or for measuring: one in `share`,
    by the first byte of its id's SHA-256.
    """
    return hashlib.sha256(doc_id.encode()).digest()[0] % share == 0


_COLUMN_GAP = re.compile(r"[^\S\r\n]*\t[^\S\r\n]*|[^\S\r\n]{3,}")
_BREAK = re.compile(r"[ \t]*(\r?\n)[\s>]*")


def document_pieces(document: TextWithSpans, tokens: Sequence[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """(start, end, token) of a document, with tokens for line breaks and blank lines."""
    text = document.text
    pieces = [(s, e, text[s:e]) for s, e in tokens]
    pieces.sort()
    # A wide gap parts two columns of a table; as in use, it looks like a line break to the network.
    columns = [
        (before[1], after[0], LINE_BREAK)
        for before, after in pairwise(pieces)
        if _COLUMN_GAP.fullmatch(text, before[1], after[0])
    ]
    breaks = [
        (match.start(), match.end(), BLANK_LINE if match.group().count("\n") > 1 else LINE_BREAK)
        for match in _BREAK.finditer(text)
    ]
    return sorted(pieces + columns + breaks)


def document_window(document: TextWithSpans, tokens: Sequence[tuple[int, int]]) -> Window:
    """One window over a whole document."""
    pieces = document_pieces(document, tokens)
    spans: list[tuple[int, int, str]] = []
    at = 0
    for start, end, label in document.spans:
        while at < len(pieces) and pieces[at][1] <= start:
            at += 1
        first = at
        while at < len(pieces) and pieces[at][0] < end:
            at += 1
        if first < at and (not spans or spans[-1][1] <= first):
            spans.append((first, at, label))
    return Window([p[2] for p in pieces], spans, document.unmarked)


def without_breaks(text: str) -> str:
    """The text, as long as before, with spaces for line breaks and for quote marks after them."""
    return _BREAK.sub(lambda m: " " * len(m.group()), text)


def cut(window: Window, generator: random.Random, *, shortest: int, longest: int) -> Iterator[Window]:
    """Parts of a window at sentence ends, each of a random length; no span is cut."""
    inside = {i for s, e, _ in window.spans for i in range(s + 1, e)}
    good = [
        i + 1
        for i, token in enumerate(window.tokens)
        if (token in {".", "!", "?", LINE_BREAK, BLANK_LINE}) and i + 1 not in inside
    ]
    begin, n = 0, len(window.tokens)
    while begin < n:
        goal = begin + generator.randint(shortest, longest)
        if goal >= n:
            end = n
        else:
            near = [g for g in good if begin + shortest // 2 < g <= goal + 10]
            end = near[-1] if near else goal
            while end in inside:
                end += 1
        yield Window(
            window.tokens[begin:end],
            [(s - begin, e - begin, label) for s, e, label in window.spans if begin <= s and e <= end],
            window.unmarked,
        )
        begin = end


def join(windows: Sequence[Window], separator: str | None) -> Window:
    """Several sentences as one window."""
    tokens: list[str] = []
    spans: list[tuple[int, int, str]] = []
    for window in windows:
        if tokens and separator:
            tokens.append(separator)
        offset = len(tokens)
        tokens += window.tokens
        spans += [(s + offset, e + offset, label) for s, e, label in window.spans]
    return Window(tokens, spans, frozenset().union(*(window.unmarked for window in windows)))


def cut_all(versions: list[list[Window]], generator: random.Random) -> list[Window]:
    """Parts of all windows, cut at sentence ends to random lengths."""
    parts: list[Window] = []
    for version in versions:
        for window in version:
            parts += cut(window, generator, shortest=generator.choice((15, 40, 60)), longest=110)
    return parts


def bounded(windows: list[Window]) -> list[Window]:
    """The windows, each without its tokens behind LONGEST_WINDOW."""
    return [
        w
        if len(w.tokens) <= LONGEST_WINDOW
        else Window(w.tokens[:LONGEST_WINDOW], [s for s in w.spans if s[1] <= LONGEST_WINDOW], w.unmarked)
        for w in windows
    ]
