"""HTML and XML as tokens with their places in the text, in a time that grows with the length alone.

What opens like a tag and never ends is text. Only a search to the end of the file can tell that. What one
search has found out about the rest of the text is kept for the next ones, so that a page of ten thousand
such beginnings is not searched to its end ten thousand times.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple


class TokenKind(Enum):
    TEXT = 1
    START = 2  # also for empty elements; see is_empty
    END = 3
    COMMENT = 4
    CDATA = 5
    OTHER = 6  # declarations and processing instructions


class Token(NamedTuple):
    """start and end bound the token; name is a tag's name, inner the range of what a comment or CDATA
    holds."""

    kind: TokenKind
    start: int
    end: int
    name: str
    is_empty: bool = False


# Characters of a tag that one expression reads at once. Nearly all tags are shorter, and a beginning without
# an end costs no more than this. Longer tags are read by _LongTokens, and so are comments and declarations.
_SHORT: Final = 250
_MAX_NAME: Final = 256  # characters of the name of a tag; what follows counts as attributes
_LETTER: Final = r"[A-Za-z_\u00c0-\U0010ffff]"
_NAME: Final = rf"{_LETTER}[^\s/>]{{0,{_MAX_NAME - 1}}}+"
_NAME_WITHOUT_QUOTES: Final = rf"{_LETTER}[^\s/>\"']{{0,{_MAX_NAME - 1}}}+"
_REST_OF_TAG: Final = r"(?:\"[^\"]*+\"|'[^']*+'|[^'\">]++)*+>"
_SHORT_TAG: Final = re.compile(
    rf"</(?P<end>[^\s/>]{{1,{_MAX_NAME}}}+)[^>]*+>"
    rf"|<(?P<start>{_NAME}){_REST_OF_TAG}"
    rf"|<(?P<bare>{_NAME_WITHOUT_QUOTES}){_REST_OF_TAG}"
)
_START_NAMES: Final = (re.compile(f"<({_NAME})"), re.compile(f"<({_NAME_WITHOUT_QUOTES})"))
_END_NAME: Final = re.compile(rf"</([^\s/>]{{1,{_MAX_NAME}}}+)")
_IN_TAG: Final = re.compile(r"[\"'>]")
_IN_DECLARATION: Final = re.compile(r"[\[\]<>\"']")
_END_OF_SUBSET: Final = re.compile(r"\]\s*+>")
_COMMENT_AND_CDATA: Final = {TokenKind.COMMENT: (4, 3), TokenKind.CDATA: (9, 3)}


def tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of text[start:end], which together are all of it."""
    position, end = start, len(text) if end is None else end
    long = _LongTokens(text, end)
    while position < end:
        if text[position] != "<":
            following = text.find("<", position, end)
            token = Token(TokenKind.TEXT, position, following if following >= 0 else end, "")
        elif (found := _SHORT_TAG.match(text, position, min(end, position + _SHORT))) is None:
            token = long.at(position) or Token(TokenKind.TEXT, position, position + 1, "")
        else:
            token = _tag(found)
        position = token.end
        yield token


def inner_range(token: Token) -> tuple[int, int]:
    """What a comment or a CDATA section holds."""
    before, after = _COMMENT_AND_CDATA[token.kind]
    return token.start + before, token.end - after


def _tag(found: re.Match[str]) -> Token:
    group = found.lastgroup or ""
    start, end = found.span()
    if group == "end":
        return Token(TokenKind.END, start, end, found[group])
    return Token(TokenKind.START, start, end, found[group], found.string[end - 2] == "/")


class _LongTokens:
    """Tokens of any length, and beginnings that are none. It remembers from where on an end is missing."""

    def __init__(self, text: str, end: int) -> None:
        self._text, self._end = text, end
        self._missing: set[str] = set()  # ends that do not stand in the rest of the text
        self._failed: dict[re.Pattern[str], set[int]] = {_IN_TAG: set(), _IN_DECLARATION: set()}
        self._gap = (0, -1)  # a stretch of text without any character of _IN_TAG
        self._subset = (0, -1)  # a stretch, at whose end the first _END_OF_SUBSET begins

    def at(self, start: int) -> Token | None:
        """The token that begins here; None: what stands here is text."""
        text = self._text
        if text.startswith("<!--", start):
            return self._until("-->", TokenKind.COMMENT, start, 4)
        if text.startswith("<![CDATA[", start):
            return self._until("]]>", TokenKind.CDATA, start, 9)
        if text.startswith("<!", start):
            end = self._end_of_declaration(start + 2)
            return None if end is None else Token(TokenKind.OTHER, start, end, "")
        if text.startswith("<?", start):
            return self._until(">", TokenKind.OTHER, start, 2)
        if (name := _END_NAME.match(text, start, self._end)) is not None:
            return self._until(">", TokenKind.END, start, name.end() - start, name[1])
        for pattern in _START_NAMES:
            if (name := pattern.match(text, start, self._end)) is None:
                return None
            if (end := self._end_of_tag(name.end())) is not None:
                return Token(TokenKind.START, start, end, name[1], text[end - 2] == "/")
        return None

    def _until(self, ending: str, kind: TokenKind, start: int, opening: int, name: str = "") -> Token | None:
        if ending in self._missing:
            return None
        found = self._text.find(ending, start + opening, self._end)
        if found < 0:
            self._missing.add(ending)
            return None
        return Token(kind, start, found + len(ending), name)

    def _end_of_tag(self, position: int) -> int | None:
        """Where a tag ends that goes on at position, outside of quotes."""
        failed, path = self._failed[_IN_TAG], []
        while (special := self._special_in_tag(position)) < self._end and special not in failed:
            character = self._text[special]
            if character == ">":
                return special + 1
            path.append(special)
            position = self._text.find(character, special + 1, self._end) + 1
            if position == 0:
                break
        failed.update(path)
        return None

    def _special_in_tag(self, position: int) -> int:
        if not self._gap[0] <= position <= self._gap[1]:
            found = _IN_TAG.search(self._text, position, self._end)
            self._gap = position, found.start() if found else self._end
        return self._gap[1]

    def _end_of_declaration(self, position: int) -> int | None:
        failed, path = self._failed[_IN_DECLARATION], []
        while (found := _IN_DECLARATION.search(self._text, position, self._end)) is not None:
            if found.start() in failed:
                break
            if found[0] == ">":
                return found.end()
            path.append(found.start())
            if found[0] in "<]":
                break
            if found[0] == "[":
                position = self._end_of_subset(found.end())
            else:
                position = self._text.find(found[0], found.end(), self._end) + 1
            if position == 0:
                break
        failed.update(path)
        return None

    def _end_of_subset(self, position: int) -> int:
        """The place of the ">" behind a declaration's brackets that opened before position; 0: none."""
        if not self._subset[0] <= position <= self._subset[1]:
            found = _END_OF_SUBSET.search(self._text, position, self._end)
            self._subset = position, found.start() if found else self._end
        if self._subset[1] == self._end:
            return 0
        return self._text.index(">", self._subset[1])
