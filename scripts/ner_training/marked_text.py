"""Texts with names marked inside: `[P:Jan de Vries]` is a person, `[N:Rotterdam]` any other name.

A document begins with a line `=== <its id>` and runs to the next such line. What follows a `|` inside a mark
(ids, flags) is not read here.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from ner_training.corpus import NAME, PERSON, TextWithSpans

_HEAD = re.compile(r"^=== (\S+)[^\n]*\n", re.MULTILINE)
_MARK = re.compile(r"\[([PN]):([^\[\]|]+)(?:\|[^\[\]]*)?\]")
_LABELS = {"P": PERSON, "N": NAME}


class MarkedTextError(ValueError):
    """A marked text breaks the rules of its format."""


def read_marked_text(path: Path) -> Iterator[TextWithSpans]:
    """Documents of a file, in order.

    Raises:
        MarkedTextError: for text before the first head, an id used twice, or a mark that is left over.
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
        yield parse_marked_text(doc_id, content[head.end() : end].strip("\n"))


def parse_marked_text(doc_id: str, marked: str) -> TextWithSpans:
    """A text without its marks, and where the marked names stand in it."""
    pieces: list[str] = []
    spans: list[tuple[int, int, str]] = []
    at = length = 0
    for mark in _MARK.finditer(marked):
        before, surface = marked[at : mark.start()], mark.group(2)
        if surface != surface.strip():
            raise MarkedTextError(f"{doc_id}: a mark at character {mark.start()} begins or ends with a space")
        pieces += [before, surface]
        length += len(before)
        spans.append((length, length + len(surface), _LABELS[mark.group(1)]))
        length += len(surface)
        at = mark.end()
    text = "".join([*pieces, marked[at:]])
    if "[P:" in text or "[N:" in text:
        raise MarkedTextError(f"{doc_id}: a mark does not close, or holds another")
    return TextWithSpans(doc_id, text, spans)
