"""Runs of words that look like a full name, for finding names that are known from elsewhere.

A run is read by its shape alone: words with a capital and initials, blanks or underscores between them, and
particles inside. That a name stands there is not said.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from linkage.pieces import NO_LETTER
from linkage.records import Span

LONGEST: Final = 8  # words of a name that is looked for; Dutch double names with their particles have seven
_SMALL_TOGETHER: Final = 3  # particles between two words with a capital: "van 't", "van der", "van de la"
# First letters of names; beyond Latin-1 also small letters, which are told apart later.
_CAPITAL: Final = r"[A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u024f\u0370-\u052f\u1e00-\u1fff]"
_LETTER: Final = rf"[^{NO_LETTER}]"
# No letter or figure goes on; the raised figure of a note may stand behind a name.
_WORD_ENDS: Final = rf"(?!{_LETTER}|\d)"
_OTHER_INITIALS: Final = rf"[hHjJ]?\.(?:[ \u00a0]?{_CAPITAL}[hHjJ]?\.)*"
_OTHER_LETTERS: Final = rf"(?:['\u2019-]?{_LETTER})*{_WORD_ENDS}"
_INITIALS: Final = _CAPITAL + _OTHER_INITIALS
_WORD: Final = _CAPITAL + _OTHER_LETTERS
_SMALL: Final = rf"['\u2019]?[^{NO_LETTER}A-Z]{{1,6}}['\u2019]?{_WORD_ENDS}"
_BETWEEN: Final = r"(?:[ \u00a0\u202f\u2009]+|_+)"
_TOKEN: Final = re.compile(rf"{_INITIALS}|{_WORD}|{_SMALL}")
# It begins with a set of letters, so that a search passes quickly over everything else.
_RUN: Final = re.compile(
    rf"{_CAPITAL}(?<![^\W_]{_CAPITAL})"
    rf"(?:{_OTHER_INITIALS}(?={_BETWEEN}?{_CAPITAL}|{_BETWEEN}{_SMALL})|{_OTHER_LETTERS})"
    rf"(?:(?:{_BETWEEN}{_SMALL}){{0,{_SMALL_TOGETHER}}}"
    rf"(?:{_BETWEEN}{_INITIALS}|{_BETWEEN}?{_WORD}))+"
)
_NO_NAME: Final = "\n"
_POSSESSIVE: Final = re.compile(r"['\u2019][sS]?\Z")


@dataclass(frozen=True, slots=True)
class NameRun:
    """A stretch of a text in which a full name may stand. start: its first code point."""

    start: int
    text: str = field(repr=False)

    @property
    def span(self) -> Span:
        """Where it stands in its text."""
        return Span(self.start, self.start + len(self.text))


@dataclass(frozen=True, slots=True)
class Window:
    """Some successive words of a run. key: they are equal to a name with the same name_key."""

    span: Span
    key: str = field(repr=False)


def name_runs(text: str, is_particle: Callable[[str], bool]) -> Iterator[NameRun]:
    """The runs of a text, in its order and without overlap. Small words inside them are particles."""
    for found in _RUN.finditer(text):
        first = last = words = 0
        are_particles = True  # the small words since the last word with a capital
        for token in _TOKEN.finditer(text, found.start(), found.end()):
            if not token[0][0].isupper():
                are_particles = are_particles and is_particle(token[0])
                continue
            if not are_particles or not words:
                if words > 1:
                    yield NameRun(first, text[first:last])
                first, words = token.start(), 0
            words, last, are_particles = words + 1, token.end(), True
        if words > 1:
            yield NameRun(first, text[first:last])


def blanked(text: str, spans: Iterable[Span]) -> str:
    """The text with a sign that no run goes over in place of each character of these spans."""
    pieces: list[str] = []
    read_to = 0
    for span in sorted(spans):
        start = max(span.start, read_to)
        if start < span.end:
            pieces += [text[read_to:start], _NO_NAME * (span.end - start)]
            read_to = span.end
    return "".join([*pieces, text[read_to:]]) if pieces else text


def windows(run: NameRun) -> Iterator[Window]:
    """Each stretch of two or more words of a run that begins and ends with a capital, the longest first."""
    tokens = list(_TOKEN.finditer(run.text))
    for first, opening in enumerate(tokens):
        if not opening[0][0].isupper():
            continue
        for last in range(min(len(tokens), first + LONGEST) - 1, first, -1):
            closing = tokens[last]
            if not closing[0][0].isupper() or closing[0].endswith("."):
                continue
            end = closing.end()
            if owner := _POSSESSIVE.search(closing[0]):
                end -= len(owner[0])
            words = [token[0] for token in tokens[first:last]]
            words.append(run.text[closing.start() : end])
            yield Window(Span(run.start + opening.start(), run.start + end), _key(words))


def name_key(name: str) -> str | None:
    """What the words of a name have in common with each window that shows the same name; None where the name
    has another shape than a run.
    """
    found = _RUN.fullmatch(name)
    if found is None:
        return None
    return _key([token[0] for token in _TOKEN.finditer(name)])


def _key(words: list[str]) -> str:
    return " ".join(re.sub(r"[ \u00a0]", "", word) for word in words).replace("\u2019", "'")
