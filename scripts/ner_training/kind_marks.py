"""Texts with every identifier marked inside, as records of `.identifiers.jsonl` files.

A document begins with a line `=== <its id> domain=care genre=letter storyline=s1 group=s1-dossier-3` (all but
the id may be left out) and runs to the next such line. `[CITY:Zwolle]` marks an identifier of a kind,
`[PERSON:Jan de Vries|p1]` a person with the id that holds over the document or its storyline. A mark may hold
another: `[ORGANIZATION:Bakkerij [PERSON:Jansen|p3]]`. Flags stand behind a person's id, as in
`[PERSON:Jan de Vreis|p1,typo]`: typo, compound (a part of a longer word), unsure (neither required nor
punished), ambiguous and group; the last two with several ids, `[PERSON:De Vries|p1/p2,ambiguous]`.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from linkage.kinds import Kinds
from ner_training.marked_text import MarkedTextError, split_documents

_OPEN: Final = re.compile(r"\[([A-Z_]{3,}):")
_PERSON: Final = "PERSON"
_FLAGS: Final = frozenset({"typo", "compound", "unsure", "ambiguous", "group"})
_SEVERAL: Final = frozenset({"ambiguous", "group"})
_HEAD_FIELDS: Final = ("domain", "genre", "storyline", "group", "language")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
# Shapes that hardly ever stand in a text without being an identifier.
_SHAPES: Final = {
    "EMAIL": re.compile(r"\S+@\S+\.\w{2,}"),
    "BANK_ACCOUNT": re.compile(r"\b[A-Z]{2}\d{2} ?[A-Z]{4} ?\d{4}"),
    "PHONE": re.compile(r"\b0\d[\d \-]{7,}\d"),
    "POSTCODE": re.compile(r"\b[1-9]\d{3} [A-Z]{2}\b"),
    "DATE": re.compile(r"\b\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d\b"),
    "MONEY": re.compile(r"€ ?\d"),
    "URL": re.compile(r"\bwww\.\w"),
}


@dataclass(frozen=True, slots=True)
class KindMark:
    """A marked identifier: start and end count code points of the text without marks."""

    start: int
    end: int
    kind: str
    note: str = ""


@dataclass(slots=True)
class MarkedDocument:
    """A document with its marks, sorted by start, the longer one first."""

    doc_id: str
    text: str = field(repr=False)
    marks: list[KindMark] = field(repr=False)
    fields: dict[str, str] = field(default_factory=dict)


def read_kind_marks(path: Path) -> Iterator[MarkedDocument]:
    """Documents of a file, in order.

    Raises:
        MarkedTextError: for text before the first head, an id used twice, or a mark against the rules.
    """
    for doc_id, head, marked in split_documents(path):
        text, marks = parse_kind_marks(doc_id, marked + "\n")
        yield MarkedDocument(doc_id, text, marks, _fields(doc_id, head))


def parse_kind_marks(doc_id: str, marked: str) -> tuple[str, list[KindMark]]:
    """A text without its marks, and the marks.

    Raises:
        MarkedTextError: a mark does not close, begins or ends with a space, or has a note that cannot be.
    """
    pieces: list[str] = []
    marks: list[KindMark] = []
    open_marks: list[tuple[str, int]] = []  # kind, and where its text begins
    at = length = 0
    while at < len(marked):
        head = _OPEN.match(marked, at)
        if head:
            open_marks.append((head.group(1), length))
            at = head.end()
        elif open_marks and marked[at] in "|]":
            kind, start = open_marks.pop()
            end_at = marked.find("]", at)
            if end_at < 0:
                raise MarkedTextError(f"{doc_id}: a mark of {kind} does not close")
            note = marked[at + 1 : end_at] if marked[at] == "|" else ""
            _check_note(doc_id, kind, note)
            marks.append(KindMark(start, length, kind, note))
            at = end_at + 1
        else:
            pieces.append(marked[at])
            length += 1
            at += 1
    text = "".join(pieces)
    if open_marks:
        raise MarkedTextError(f"{doc_id}: a mark of {open_marks[-1][0]} does not close")
    for mark in marks:
        surface = text[mark.start : mark.end]
        if not surface or surface != surface.strip():
            raise MarkedTextError(f"{doc_id}: a mark of {mark.kind} is empty, or begins or ends with a space")
    return text, sorted(marks, key=lambda mark: (mark.start, -mark.end))


def record_of(document: MarkedDocument) -> dict[str, Any]:
    """The document as a line of an `.identifiers.jsonl` file has it."""
    mentions: list[dict[str, Any]] = []
    identifiers: list[dict[str, Any]] = []
    for mark in document.marks:
        place: dict[str, Any] = {
            "start": mark.start, "end": mark.end, "text": document.text[mark.start : mark.end],
        }  # fmt: skip
        if mark.kind != _PERSON:
            identifiers.append({**place, "kind": mark.kind})
            continue
        ids, *flags = mark.note.split(",")
        several = [_entity(document, one) for one in ids.split("/")]
        who: dict[str, Any] = {"entity": several[0]} if len(several) == 1 else {"candidates": several}
        mentions.append({**place, **who, **dict.fromkeys(flags, True)})
    return {
        "doc_id": document.doc_id, **document.fields, "text": document.text, "mentions": mentions,
        "identifiers": identifiers,
    }  # fmt: skip


def doubts(document: MarkedDocument) -> list[str]:
    """What a reader should look at again: words of marked names, and shapes of identifiers, outside marks."""
    inside = [False] * len(document.text)
    words: set[str] = set()
    for mark in document.marks:
        inside[mark.start : mark.end] = [True] * (mark.end - mark.start)
        if mark.kind == _PERSON:
            words.update(
                word for word in _WORD.findall(document.text[mark.start : mark.end]) if word[0].isupper()
            )
    found = [
        f"{document.doc_id}: '{match.group()}' at {match.start()} stands outside marks"
        for match in _WORD.finditer(document.text)
        if match.group() in words and not inside[match.start()]
    ]
    for kind, shape in _SHAPES.items():
        found += [
            f"{document.doc_id}: '{match.group()}' at {match.start()} looks like {kind}"
            for match in shape.finditer(document.text)
            if not inside[match.start()]
        ]
    return found


def _entity(document: MarkedDocument, name: str) -> str:
    return f"{document.fields.get('storyline', document.doc_id)}-{name}"


def _fields(doc_id: str, written: str) -> dict[str, str]:
    fields = dict(word.partition("=")[::2] for word in written.split())
    if wrong := set(fields) - set(_HEAD_FIELDS):
        raise MarkedTextError(f"{doc_id}: a head has no field {sorted(wrong)[0]}")
    return fields


def _check_note(doc_id: str, kind: str, note: str) -> None:
    if kind != _PERSON:
        if note:
            raise MarkedTextError(f"{doc_id}: a mark of {kind} has no note")
        return
    ids, *flags = note.split(",")
    if not ids or set(flags) - _FLAGS:
        raise MarkedTextError(f"{doc_id}: a person has an id, then flags: {', '.join(sorted(_FLAGS))}")
    if ("/" in ids) != bool(_SEVERAL & set(flags)):
        raise MarkedTextError(f"{doc_id}: several ids stand with ambiguous or group, and only there")


def main() -> None:
    """Write the documents of marked files as lines of JSON, and what should be looked at again on stderr."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, help="the file to write; without it only doubts are told")
    arguments = parser.parse_args()
    records, kinds = [], {str(kind) for kind in Kinds.load()}
    for path in arguments.files:
        for document in read_kind_marks(path):
            wrong = {mark.kind for mark in document.marks} - kinds
            told = doubts(document) + [
                f"{document.doc_id}: there is no kind {kind}" for kind in sorted(wrong)
            ]
            for line in told:
                print(line, file=sys.stderr)
            records.append(record_of(document))
    if arguments.out:
        arguments.out.write_text(
            "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8"
        )
    mentions = sum(len(record["mentions"]) for record in records)
    others = sum(len(record["identifiers"]) for record in records)
    words = sum(len(record["text"].split()) for record in records)
    print(
        f"{len(records)} documents, {words} words, {mentions} persons' mentions, {others} other identifiers"
    )


if __name__ == "__main__":
    main()
