"""Two words alike that a document has again and again are two names: Anna and Anne, both of them twice."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from linkage.clustering.name_forms import NameForm
from linkage.clustering.names import PartLinks, Similar

Contrasts = Mapping[tuple[str, str], float]  # pair of words, either way -> what is left of their likeness

_AGAIN = 2
_LEFT = 0.4


def contrasts_of(
    words: Collection[str],
    counts: Mapping[str, int],
    links: PartLinks,
    are_called: Callable[[str, str], bool],
) -> Contrasts:
    """Pairs of words of a document that are alike and occur at least twice each.

    are_called tells of two words that one is what bearers of the other are called, as Piet of Pieter: a
    document may have both of one person.
    """
    again = {word for word in words if counts.get(word, 0) >= _AGAIN}
    return {
        (left, right): _LEFT
        for left in again
        for right in links.similar(left)
        if right in again and right != left and not are_called(left, right)
    }


def with_contrasts(links: PartLinks, contrasts: Contrasts) -> PartLinks:
    """The links between words, those of pairs in contrast with a lower probability."""

    def less(table: Similar) -> Similar:
        changed: dict[str, Mapping[str, float]] = {}
        for left, right in contrasts:
            if right in table.get(left, {}):
                row = changed.get(left, table[left])
                changed[left] = {**row, right: row[right] * contrasts[left, right]}
        return _Overlaid(table, changed) if changed else table

    return replace(links, given=less(links.given), family=less(links.family), misspelt=less(links.misspelt))


class _Overlaid(Mapping[str, Mapping[str, float]]):
    """The table of a whole corpus, not copied for one document, with some of its rows changed."""

    def __init__(self, table: Similar, changed: Similar) -> None:
        self._table, self._changed = table, changed

    def __getitem__(self, part: str) -> Mapping[str, float]:
        return self._table[part] if (row := self._changed.get(part)) is None else row

    def __contains__(self, part: object) -> bool:
        return part in self._table

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


def of_full_names(left: NameForm, right: NameForm, contrasts: Contrasts) -> float:
    """What the contrasts leave of the likeness of two full names, in (0, 1]."""
    given = contrasts.get((left.call_names[0], right.call_names[0]), 1.0)
    if set(left.families) & set(right.families):
        return given
    return given * contrasts.get((left.families[0], right.families[0]), 1.0)
