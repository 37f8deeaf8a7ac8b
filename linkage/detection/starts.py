"""Where in a text a pattern may begin, by the sign that it needs: so that few places are tried."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from linkage.kinds import Sign
from linkage.language import Language
from linkage.language.expressions import any_of

_SIGNS: Final[Mapping[Sign, re.Pattern[str]]] = {
    Sign.DIGIT: re.compile(r"\d"),
    Sign.FIGURE: re.compile(r"\d"),
    Sign.NEAR: re.compile(r"\d"),
    Sign.CLOSE: re.compile(r"\d"),
    Sign.DOTTED: re.compile(r"\d\.\d"),
    Sign.WORD: re.compile(r"\d"),
    Sign.ADDRESS: re.compile(r"\d"),
    Sign.AT: re.compile(r"@"),
    Sign.COLON: re.compile(r":"),
    Sign.DOT: re.compile(r"[\w)]\.\w|://"),
    Sign.SLASH: re.compile(r"[/\\]"),
    Sign.ANY: re.compile(r""),
}
_FIRST_FIGURE: Final = re.compile(r"(?<!\w)\d")
_FIGURES: Final = re.compile(r"\d+")
_WORD_BEFORE_FIGURE: Final = re.compile(r"(?<!\w)\w(?=[^\d\n]{0,23}(?:\n[^\d\n]{0,8})?\d|(?<=\d))")
_WORD_START: Final = re.compile(r"(?<!\w)\w")
_WORD_TO_FIGURE: Final = 33  # characters at most, as _WORD_BEFORE_FIGURE counts them
_CAPITAL: Final = re.compile(r"(?<![\w'\u2019.@/-])['\u2019A-Z\u00c0-\u00de]")
_WORD: Final = re.compile(r"(?<!\w)['\u2019]?\w")
# Characters from the first word of an address to its number, or to the end of the name of its street: longer
# than "Burgemeester van Tuyll van Serooskerkenlaan". An address that is longer is not found.
_LONGEST_STREET: Final = 80


@cache
def _end_of_street(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?<=[^\W\d_]|[-])(?:{any_of(language.endings_for('start'))})(?!\w)")


@dataclass(frozen=True, slots=True)
class Starts:
    """The places of one text, found when a sign is first asked for."""

    text: str = field(repr=False)
    language: Language
    _known: dict[Sign, list[int]] = field(default_factory=dict, repr=False)

    def hold(self, sign: Sign) -> bool:
        """Whether the text has what a pattern with this sign needs."""
        expression = _end_of_street(self.language) if sign is Sign.STREET else _SIGNS[sign]
        return expression.search(self.text) is not None

    def matches(self, pattern: re.Pattern[str], sign: Sign) -> Iterator[re.Match[str]]:
        """The matches of a pattern, in order and without overlap."""
        if sign not in _FINDERS:
            yield from pattern.finditer(self.text)
            return
        if sign not in self._known:
            self._known[sign] = list(_FINDERS[sign](self.text, self.language))
        read_to = 0
        for place in self._known[sign]:
            if place >= read_to and (match := pattern.match(self.text, place)) is not None:
                yield match
                read_to = match.end()


def _figures(text: str, _: Language) -> Iterator[int]:
    return (match.start() for match in _FIRST_FIGURE.finditer(text))


def _near_figures(text: str, _: Language) -> Iterator[int]:
    return _among_first(text, 8)


def _close_to_figures(text: str, _: Language) -> Iterator[int]:
    return _among_first(text, 24)


def _among_first(text: str, characters: int) -> Iterator[int]:
    """Where a figure is among so many characters, and no letter and no figure stands before them."""
    read_to = 0
    for figures in _FIGURES.finditer(text):
        first = figures.start()
        for place in range(max(first - characters + 1, read_to), first + 1):
            if place == 0 or not text[place - 1].isalnum():
                yield place
        read_to = figures.end()


def _words_before_figures(text: str, _: Language) -> Iterator[int]:
    """Words that a figure begins or follows, by _WORD_BEFORE_FIGURE: looked for before figures alone."""
    read_to = 0
    for figures in _FIGURES.finditer(text):
        first = figures.start()
        for word in _WORD_START.finditer(text, max(first - _WORD_TO_FIGURE, read_to), first + 1):
            if _WORD_BEFORE_FIGURE.match(text, word.start()):
                yield word.start()
        read_to = figures.end()


def _addresses(text: str, _: Language) -> Iterator[int]:
    """Words with a capital that a figure follows."""
    return _before(_CAPITAL, [match.start() for match in _FIRST_FIGURE.finditer(text)], text)


def _streets(text: str, language: Language) -> Iterator[int]:
    """Words before the end of a name of a street."""
    return _before(_WORD, [match.end() for match in _end_of_street(language).finditer(text)], text)


def _before(start: re.Pattern[str], ends: list[int], text: str) -> Iterator[int]:
    """Where start matches no further than the length of a street before one of these places."""
    read_to = 0
    for end in ends:
        yield from (match.start() for match in start.finditer(text, max(end - _LONGEST_STREET, read_to), end))
        read_to = max(read_to, end)


_FINDERS: Final = {
    Sign.FIGURE: _figures,
    Sign.NEAR: _near_figures,
    Sign.CLOSE: _close_to_figures,
    Sign.WORD: _words_before_figures,
    Sign.ADDRESS: _addresses,
    Sign.STREET: _streets,
}
