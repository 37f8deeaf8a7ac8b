"""The readable view of a text: what hinders reading is taken out, and every offset has a way back."""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from typing import Self

from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.records import Span

# Soft hyphen, zero-width characters, direction marks, byte order mark: drawn as nothing.
_INVISIBLE = "\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_LIGATURES = "\ufb00-\ufb06\u0132\u0133"
_FULL_WIDTH = "\uff01-\uff5e"
_COMBINING = "\u0300-\u034e\u0350-\u036f"
_ODD = re.compile(
    # A word divided at a line end: the hyphen goes where small letters meet.
    rf"(?P<divided>(?<=[^\W\d_])[\u002d\u00ad\u2010][{_INVISIBLE}]*"
    r"[ \t]*(?:\r\n|\n|\r)(?:[ \t]*>)*[ \t]*(?=[^\W\d_]))"
    rf"|(?P<quoted>(?<=[\r\n])[ \t]*>(?:[ \t]*>)*[ \t]?)"
    rf"|(?P<invisible>[{_INVISIBLE}]+)"
    rf"|(?P<line_end>\r\n?|[\u0085\u2028\u2029])"
    rf"|(?P<space>[{_SPACES}])"
    rf"|(?P<hyphen>[\u2010\u2011])"
    rf"|(?P<ligature>[{_LIGATURES}]|[{_FULL_WIDTH}])"
    rf"|(?P<composed>[^\W\d_][{_COMBINING}]+)"
)
# Nothing to do for a text without any of these characters: a quick test that most texts pass.
_ODD_CHARACTER = re.compile(
    rf"[\r>\u0085\u2010\u2011\u2028\u2029{_INVISIBLE}{_SPACES}{_LIGATURES}{_FULL_WIDTH}{_COMBINING}]"
    r"|(?<=[^\W\d_])-[ \t]*\n"
)


@dataclass(frozen=True, slots=True)
class TextView:
    """A text made readable.

    Soft hyphens, zero-width characters, quote prefixes ("> ") and hyphenation at line ends are taken out;
    ligatures, full-width letters, odd spaces, hyphens and line ends are written plainly; a letter with its
    combining accents is one character.

    span() leads from offsets of the view to the text, locate() from the text to the view.
    """

    text: str = field(repr=False)
    original_length: int
    # Where pieces begin: in the view, in the original; and whether the piece is a copy of the original.
    _view_starts: tuple[int, ...] = field(repr=False)
    _original_starts: tuple[int, ...] = field(repr=False)
    _verbatim: tuple[bool, ...] = field(repr=False)

    @classmethod
    def of(cls, text: str, language: Language) -> Self:
        if _ODD_CHARACTER.search(text) is None:
            return cls(text, len(text), (0,), (0,), (True,))
        pieces: list[str] = []
        view_starts: list[int] = []
        original_starts: list[int] = []
        verbatim: list[bool] = []
        view_length = 0

        def add(piece: str, original_start: int, *, copied: bool) -> None:
            nonlocal view_length
            pieces.append(piece)
            view_starts.append(view_length)
            original_starts.append(original_start)
            verbatim.append(copied)
            view_length += len(piece)

        read_to = 0
        for match in _ODD.finditer(text):
            start, end = match.span()
            replacement = _readable(match, text, language)
            if replacement == match.group():
                continue
            if start > read_to:
                add(text[read_to:start], read_to, copied=True)
            add(replacement, start, copied=False)
            read_to = end
        if read_to < len(text) or not pieces:
            add(text[read_to:], read_to, copied=True)
        return cls("".join(pieces), len(text), tuple(view_starts), tuple(original_starts), tuple(verbatim))

    @property
    def is_identity(self) -> bool:
        return self._verbatim == (True,)

    def span(self, view_start: int, view_end: int) -> Span:
        """The span of the original text behind view[view_start:view_end]; it may hold invisible characters.

        Raises:
            InvalidRecordError: unless 0 <= view_start < view_end.
        """
        if self.is_identity:
            return Span(view_start, view_end)
        return Span(self._start(view_start), self._end(view_end))

    def locate(self, span: Span) -> tuple[int, int]:
        """Start and end in the view of a span of the original text; equal where nothing of it is left."""
        if self.is_identity:
            return span.start, span.end
        return self._to_view(span.start, at_end=False), self._to_view(span.end, at_end=True)

    def _piece(self, position: int) -> int:
        """Index of the piece with the character at this position of the view; never an empty piece."""
        return bisect_right(self._view_starts, position) - 1

    def _piece_end(self, piece: int) -> int:
        following = piece + 1
        return (
            self._original_starts[following]
            if following < len(self._original_starts)
            else self.original_length
        )

    def _start(self, position: int) -> int:
        piece = self._piece(position)
        start = self._original_starts[piece]
        return start + position - self._view_starts[piece] if self._verbatim[piece] else start

    def _end(self, position: int) -> int:
        piece = self._piece(position - 1)
        if self._verbatim[piece]:
            return self._original_starts[piece] + position - self._view_starts[piece]
        return self._piece_end(piece)

    def _to_view(self, position: int, *, at_end: bool) -> int:
        if position >= self.original_length:
            return len(self.text)
        piece = bisect_right(self._original_starts, position) - 1
        offset = position - self._original_starts[piece]
        if self._verbatim[piece] or offset == 0:
            return self._view_starts[piece] + offset
        following = piece + 1  # inside a replaced piece: a span takes all of it
        after = self._view_starts[following] if following < len(self._view_starts) else len(self.text)
        return after if at_end else self._view_starts[piece]


def _readable(match: re.Match[str], text: str, language: Language) -> str:
    kind = match.lastgroup
    found = match.group()
    if kind == "divided":
        # "Jan-\nsen" was one word; "Anne-\nMarie" and "Jansen-\nde Boer" keep their hyphen.
        after = text[match.end()]
        keeps_hyphen = after.isupper() or _particle(language).match(text, match.end()) is not None
        return "-" if keeps_hyphen and found[0] != "\u00ad" else ""
    if kind == "line_end":
        return "\n"
    if kind == "space":
        return " "
    if kind == "hyphen":
        return "-"
    if kind == "ligature":
        return unicodedata.normalize("NFKC", found)
    if kind == "composed":
        return unicodedata.normalize("NFC", found)
    return ""


@cache
def _particle(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(language.particles(ParticleUse.LINE_END))})\b[ \t\r\n]")
