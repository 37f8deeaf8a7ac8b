"""Values, and words that may be a full name, in all that a file says."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import ahocorasick

from linkage.recognition.name_runs import name_runs
from pseudonymizer.formats.records import ReadAgain
from pseudonymizer.leaks.containers import Limits, texts_of

_JOINED: Final = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " "})


def read_again(
    raw: bytes, values: Sequence[str], left: Collection[str] = (), *, most_bytes: int
) -> ReadAgain:
    """What the file with these bytes says. values: texts that are looked for. left: the kinds of content that
    the report tells to be unread (UnreadContent): such content is not looked into. most_bytes: how much is
    unpacked at most.
    """
    limits = Limits(frozenset(left), most_bytes)
    search = Search(values)
    for place, text in texts_of(raw, limits):
        search.look_into(place, text)
    return search.found


class Search:
    """Looks for values and for name runs in texts, one after the other."""

    def __init__(self, values: Sequence[str]) -> None:
        self._runs: dict[str, str] = {}
        self._values: dict[int, str] = {}
        self._automaton = ahocorasick.Automaton()
        for number, value in enumerate(values):
            for spelled in {value, "".join(value.split())}:
                self._automaton.add_word(spelled, (number, len(spelled)))
        self._has_values = bool(values)
        if self._has_values:
            self._automaton.make_automaton()

    def look_into(self, place: str, text: str) -> None:
        """Look into one more text. place: where it stands, in words of ours."""
        for run in name_runs(text, _any_particle):
            self._runs.setdefault(run.text, place)
        if self._has_values:
            self._values.update({n: self._values.get(n, place) for n in self._numbers(text)})

    def _numbers(self, text: str) -> Iterable[int]:
        plain = text.translate(_JOINED)
        for last, (number, length) in self._automaton.iter(plain):
            first = last + 1 - length
            if not (_goes_on(plain, first - 1, first) or _goes_on(plain, last, last + 1)):
                yield number

    @property
    def found(self) -> ReadAgain:
        """All that was found so far."""
        return ReadAgain(tuple(self._runs.items()), tuple(sorted(self._values.items())))


def _any_particle(text: str) -> bool:
    """A run may hold any small words: it is compared with names that are known."""
    del text
    return True


def _goes_on(text: str, left: int, right: int) -> bool:
    """Whether a word or number goes on from one of these characters to the other."""
    return left >= 0 and right < len(text) and text[left].isalnum() and text[right].isalnum()
