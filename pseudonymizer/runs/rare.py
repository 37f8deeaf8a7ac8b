"""Combinations of values that stay in the outputs and that few documents share."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations, islice, product
from typing import Final

from linkage.records import DocumentId, KindId
from pseudonymizer.engine.records import Label, PartPlaces
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.profiles import Profiles
from pseudonymizer.treatments.treatment import Treatment

# Treatments of which the written text still says something of a person.
_COARSER: Final = frozenset(
    {Treatment.KEEP, Treatment.MONTH, Treatment.YEAR, Treatment.BANDS, Treatment.FIRST_FIGURES}
)
_MOST_KINDS: Final = 3  # in one combination
_MOST_VALUES: Final = 4  # of one kind in one document; more of them say less of one person
_SEPARATOR: Final = " + "  # between the kinds of a combination, as totals name it
TOTAL: Final = "rare_documents"
_PREFIX: Final = "rare "


class RareCombinations:
    """Counts the documents that have a combination of values which fewer than a few documents share."""

    def __init__(self, plan: Plan) -> None:
        told = Profiles.load().rare
        self._kinds = frozenset(kind for kind in told.kinds if plan.of(kind) in _COARSER)
        self._fewer_than = told.fewer_than
        self._values: dict[DocumentId, dict[KindId, dict[str, None]]] = {}

    def note(self, parts: Iterable[PartPlaces], labels: Iterable[Label]) -> None:
        """Take what stays of the values of one file. labels: what is written in it."""
        written = {(one.part_id, one.span.start): one.label for one in labels if one.label is not None}
        for part in parts:
            for value in part.values:
                if value.kind in self._kinds:
                    of_document = self._values.setdefault(part.document, {})
                    text = written.get((part.part_id, value.start), value.normal)
                    of_document.setdefault(value.kind, {})[text] = None

    def totals(self) -> dict[str, int]:
        """The number of documents with a rare combination, and for each combination of kinds how many."""
        shared: Counter[tuple[tuple[KindId, ...], tuple[str, ...]]] = Counter()
        for values in self._values.values():
            shared.update(_combinations(values))
        found: Counter[str] = Counter()
        for values in self._values.values():
            rare = {
                kinds for kinds, texts in _combinations(values) if shared[kinds, texts] < self._fewer_than
            }
            found[TOTAL] += bool(rare)
            found.update(_PREFIX + _SEPARATOR.join(kinds) for kinds in rare)
        return {name: count for name, count in found.items() if count}


def rare_of(totals: Mapping[str, int]) -> dict[str, int]:
    """By combination of kinds, how many documents have a rare one, the most first."""
    found = {name.removeprefix(_PREFIX): n for name, n in totals.items() if name.startswith(_PREFIX)}
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def _combinations(
    values: Mapping[KindId, Mapping[str, None]],
) -> Iterable[tuple[tuple[KindId, ...], tuple[str, ...]]]:
    """The combinations of two or more kinds in one document, each once."""
    for size in range(2, _MOST_KINDS + 1):
        for kinds in combinations(sorted(values), size):
            for texts in product(*(sorted(islice(values[kind], _MOST_VALUES)) for kind in kinds)):
                yield kinds, texts
