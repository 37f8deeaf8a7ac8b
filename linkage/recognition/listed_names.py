"""The one listed name near a word that no list knows: an index by first and last letters.

One slip leaves the first or the last letters of a name alone, so a name at one edit shares its beginning or
its end with the word: only those are compared.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

from linkage.kept_words import KeptWords
from linkage.recognition.edit_distance import typing_distance

_SHORTEST = 5
_MOST_KEPT = 50_000  # answers for words that come again; about 10 MB


class ListedNames:
    """Names of the lists, found by a form with one edit."""

    def __init__(self, given_names: Mapping[str, object], surnames: Mapping[str, object]) -> None:
        """Keys are folded names; a value may have a .frequency, which breaks ties."""
        self._sources = (given_names, surnames)
        self._by_end: dict[str, list[str]] | None = None
        self._near: KeptWords[tuple[str, ...]] = KeptWords()

    def near(self, key: str) -> tuple[str, ...]:
        """The listed names at one edit of the folded form, nearest first."""
        if len(key) < _SHORTEST:
            return ()
        known = self._near.get(key)
        if known is None:
            if len(self._near) >= _MOST_KEPT:
                self._near.clear()
            known = self._near[key] = self._look_for(key)
        return known

    def _look_for(self, key: str) -> tuple[str, ...]:
        if self._by_end is None:
            self._by_end = _by_ends(name for source in self._sources for name in source)
        lengths = range(len(key) - 1, len(key) + 2)
        ends = (end for length in lengths for end in _ends(key, length))
        candidates = sorted({name for end in ends for name in self._by_end.get(end, ())})
        found = process.extract(key, candidates, scorer=OSA.distance, score_cutoff=1, limit=None)
        return tuple(sorted((name for name, _, _ in found), key=lambda n: (typing_distance(key, n), n)))

    def only_near(self, key: str, *, given: bool) -> str | None:
        """The one listed name near, or the clearly commonest of several; None if it stays open."""
        names = self.near(key)
        if not names:
            return None
        source = self._sources[0] if given else self._sources[1]
        fitting = [name for name in names if name in source] or list(names)
        if len(fitting) == 1:
            return fitting[0]
        ranked = sorted(fitting, key=self._frequency, reverse=True)
        first, second = self._frequency(ranked[0]), self._frequency(ranked[1])
        return ranked[0] if first >= 50 and first > 20 * max(second, 1) else None

    def _frequency(self, name: str) -> int:
        return max(int(getattr(source.get(name), "frequency", 0) or 0) for source in self._sources)


def _by_ends(names: Iterable[str]) -> dict[str, list[str]]:
    by_end: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if len(name) >= _SHORTEST - 1 and " " not in name:
            for end in _ends(name, len(name)):
                by_end[end].append(name)
    return dict(by_end)


def _ends(name: str, length: int) -> tuple[str, str]:
    return f"{length}{name[:2]}", f"{length}*{name[-2:]}"
