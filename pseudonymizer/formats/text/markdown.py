"""Markdown: the words without the marks of emphasis between them; its head, pages in it, code as it is."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.text.html import add_attributes
from pseudonymizer.formats.text.markup import add_text
from pseudonymizer.formats.text.markup_tokens import TokenKind, inner_range, tokens
from pseudonymizer.formats.text.packed_text import add_blob, blobs
from pseudonymizer.formats.text.settings_text import add_settings
from pseudonymizer.formats.tree.nodes import Changes, TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate, text_tree
from pseudonymizer.formats.tree.textmap import Change

_HEAD: Final = re.compile(
    r"\A\ufeff?(?P<mark>---|\+\+\+)[ \t]*\r?\n(?P<head>.*?)^(?P=mark)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_FENCE: Final = re.compile(
    r"^[ \t]{0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]{0,3}(?P=fence)[`~]*[ \t]*\r?$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_CODE: Final = re.compile(r"(?P<ticks>`+)(?:(?!`).)(?:[^\n`]|`(?!(?P=ticks)))*?(?P=ticks)(?!`)")
_MARK: Final = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?<!\*)\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}(?!\*)"
    r"|(?<![\w\\_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?!\w)"
    r"|(?<!~)~~(?=[^\s~])|(?<=[^\s~])~~(?!~)"
)
# A tag with its attributes; other words in pointed brackets are said (CommonMark, section 6.6).
_TAG: Final = re.compile(
    r"<[A-Za-z][\w:-]*+"
    r"(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:\"[^\"]{0,2000}\"|'[^']{0,2000}'|[^\s\"'=<>`]++))?+){0,60}+"
    r"\s*+/?>|</[A-Za-z][\w:-]*+\s*+>|<!--.*?-->",
    re.DOTALL,
)
_ADDRESS: Final = re.compile(
    r"\]\((?P<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)|<[a-z]{2,10}:[^<>\s]+>|<[^<>\s@]+@[^<>\s]+>|https?://[^\s<>)\]]+"
)
_MARKS: Final = "*_~"


class _Piece(NamedTuple):
    """A stretch that is no running text: what it is, and what it means."""

    start: int
    end: int
    kind: str
    text: str = ""


class MarkdownNode(TextNode):
    """A text in which marks that enclose nothing any more go with what stood between them."""

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        own = changes.get(self.source)
        if not own:
            return super().render(changes, location, edits)
        widened = [self._with_marks(change) for change in own]
        return super().render({self.source: widened}, location, edits)

    def _with_marks(self, change: Change) -> Change:
        start, end = change.start, change.end
        if change.new or not self.text[start:end].strip():
            return change
        while (
            start > 0
            and end < len(self.text)
            and self.text[start - 1] == self.text[end]
            and self.text[end] in _MARKS
        ):
            start, end = start - 1, end + 1
        return Change(start, end, change.new, change.owner)


def parse(raw: bytes, reading: Reading) -> TextNode:
    """The head as settings, the rest as running text."""
    return text_tree(raw, reading, _add_all, node=MarkdownNode)


def _add_all(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    del start, end  # all of it
    add_markdown(text, source, reading)


def add_markdown(text: str, source: int, reading: Reading) -> None:
    """Add a whole text to the prose of reading; comments and titles of pictures come apart."""
    head = _HEAD.match(text)
    position = 0
    if head is not None:
        reading.prose.copied(source, text[: head.start("head")], 0)
        add_settings(text, *head.span("head"), source, reading)
        position = head.end("head")
    builder = reading.prose
    for piece in _pieces(text, position):
        if piece.start < position:
            continue
        add_text(builder, source, text, position, piece.start, collapse=False)
        if piece.kind == "code":
            builder.copied(source, text[piece.start : piece.end], piece.start)
        elif piece.kind == "escaped":
            builder.atom(source, _unescaped(text, piece), piece.start, piece.end)
        elif piece.kind == "blob":
            builder.gap(" ")
            for blob in blobs(text, piece.start, piece.end):
                prose, reading.prose = reading.prose, reading.aside
                add_blob(blob, source, reading)
                reading.aside, reading.prose = reading.prose, prose
        elif piece.kind == "tag":
            _add_tag(text, piece, source, reading)
        position = piece.end
    add_text(builder, source, text, position, len(text), collapse=False)


def _unescaped(text: str, piece: _Piece) -> str:
    """An escaped sign; one that joins two words with capitals stands for a blank."""
    joins = piece.text == "_" and text[piece.start - 1 : piece.start].islower()
    return " " if joins and text[piece.end : piece.end + 1].isupper() else piece.text


def _add_tag(text: str, piece: _Piece, source: int, reading: Reading) -> None:
    for token in tokens(text, piece.start, piece.end):
        if token.kind is TokenKind.COMMENT:
            start, end = inner_range(token)
            separate(reading.aside, "\n")
            add_text(reading.aside, source, text, start, end, collapse=False)
        elif token.kind is TokenKind.START:
            add_attributes(text, token, source, reading)


def _pieces(text: str, start: int) -> Iterator[_Piece]:
    """All that is no running text, in order; of two that overlap the first counts."""
    code = [_Piece(*found.span(), "code") for found in _FENCE.finditer(text, start)]
    inside = _Cover(code)
    code += [_Piece(*f.span(), "code") for f in _CODE.finditer(text, start) if not inside.holds(f.start())]
    blob = [_Piece(one.start, one.end, "blob") for one in blobs(text, start, len(text))]
    whole = [
        _Piece(*(f.span("target") if f["target"] is not None else f.span()), "code")
        for f in _ADDRESS.finditer(text, start)
        if "base64," not in f[0]
    ]
    tags = [_Piece(*f.span(), "tag") for f in _TAG.finditer(text, start)]
    fixed = sorted([*code, *blob, *whole, *tags])
    cover = _Cover(fixed)
    marks = [
        _Piece(*f.span(), "escaped" if f["escaped"] else "mark", f["escaped"] or "")
        for f in _MARK.finditer(text, start)
        if not cover.holds(f.start())
    ]
    yield from sorted([*fixed, *marks])


class _Cover:
    """Whether a place lies in one of these stretches."""

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._ends: list[int] = []
        self._starts: list[int] = []
        for piece in sorted(pieces):
            if not self._ends or piece.start >= self._ends[-1]:
                self._starts.append(piece.start)
                self._ends.append(piece.end)

    def holds(self, place: int) -> bool:
        at = bisect_left(self._ends, place + 1)
        return at < len(self._starts) and self._starts[at] <= place
