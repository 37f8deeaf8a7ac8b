"""Texts with names marked inside: `[P:Jan de Vries]` is a person, `[N:Rotterdam]` any other name.

A document begins with a line `=== <its id>` and runs to the next such line. What follows a `|` inside a mark
is a note (ids, flags); in the held-out texts it is the right form of a misspelt name.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from linkage.training.labels import NAME, PERSON
from ner_training.corpus import TextWithSpans

_HEAD = re.compile(r"^=== (\S+)([^\n]*)\n", re.MULTILINE)
_MARK = re.compile(r"\[([PN]):([^\[\]|]+)(?:\|([^\[\]]*))?\]")
_LABELS = {"P": PERSON, "N": NAME}


class MarkedTextError(ValueError):
    """A marked text breaks the rules of its format."""


class Mark(NamedTuple):
    """A marked name: start and end count code points of the text without marks; note is what follows `|`."""

    start: int
    end: int
    label: str
    note: str | None


def read_marked_text(path: Path) -> Iterator[TextWithSpans]:
    """Documents of a file, in order.

    Raises:
        MarkedTextError: for text before the first head, an id used twice, or a mark that is left over.
    """
    for doc_id, text, marks in read_marks(path):
        yield TextWithSpans(doc_id, text, [mark[:3] for mark in marks])


def read_marks(path: Path) -> Iterator[tuple[str, str, list[Mark]]]:
    """Id, text without marks, and marks of each document of a file, in order.

    Raises:
        MarkedTextError: as read_marked_text.
    """
    for doc_id, _, marked in split_documents(path):
        yield doc_id, *parse_marks(doc_id, marked)


def split_documents(path: Path) -> Iterator[tuple[str, str, str]]:
    """Id, rest of the head's line, and marked text without outer line breaks of each document, in order.

    Raises:
        MarkedTextError: for text before the first head, or an id used twice.
    """
    content = path.read_text(encoding="utf-8")
    heads = list(_HEAD.finditer(content))
    if not heads or content[: heads[0].start()].strip():
        raise MarkedTextError(f"{path.name}: a file begins with a line `=== <id>`")
    seen: set[str] = set()
    for number, head in enumerate(heads):
        doc_id = head.group(1)
        if doc_id in seen:
            raise MarkedTextError(f"{path.name}: two documents are called {doc_id}")
        seen.add(doc_id)
        end = heads[number + 1].start() if number + 1 < len(heads) else len(content)
        yield doc_id, head.group(2), content[head.end() : end].strip("\n")


def parse_marked_text(doc_id: str, marked: str) -> TextWithSpans:
    """A text without its marks, and where the marked names stand in it."""
    text, marks = parse_marks(doc_id, marked)
    return TextWithSpans(doc_id, text, [mark[:3] for mark in marks])


def parse_marks(doc_id: str, marked: str) -> tuple[str, list[Mark]]:
    """A text without its marks, and the marks with their notes."""
    pieces: list[str] = []
    marks: list[Mark] = []
    at = length = 0
    for match in _MARK.finditer(marked):
        before, surface = marked[at : match.start()], match.group(2)
        if surface != surface.strip():
            raise MarkedTextError(
                f"{doc_id}: a mark at character {match.start()} begins or ends with a space"
            )
        pieces += [before, surface]
        length += len(before)
        marks.append(Mark(length, length + len(surface), _LABELS[match.group(1)], match.group(3)))
        length += len(surface)
        at = match.end()
    text = "".join([*pieces, marked[at:]])
    if "[P:" in text or "[N:" in text:
        raise MarkedTextError(f"{doc_id}: a mark does not close, or holds another")
    return text, marks
