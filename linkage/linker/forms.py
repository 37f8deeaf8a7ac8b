"""The distinct name forms of a corpus, and their scored pairs: compared once a form, not once a mention."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA

from linkage.blocking import BlockedForms, PartTable
from linkage.blocking.forms import Variants, neighbours
from linkage.clustering.name_forms import NameForm
from linkage.clustering.names import PartLinks
from linkage.linker.dense_documents import DenseForms
from linkage.linker.scoring import Indexes, NameTable, PairScorer, Probabilities
from linkage.records import PersonName
from linkage.records import form_key as form_key

PART_FLOOR = 0.1  # part pairs below this probability count as different
_SHORTEST_SURNAME = 5
_PAIRS_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class FormTable:
    """Distinct forms in the order of their keys: their numbers do not depend on the order of mentions."""

    names: tuple[PersonName, ...] = field(repr=False)
    number_of: dict[PersonName, int] = field(repr=False)

    @classmethod
    def of(cls, names: Iterable[PersonName]) -> "FormTable":
        """Names with equal folded parts are one form; its name is the first by spelling."""
        by_key: dict[tuple[str, ...], list[PersonName]] = defaultdict(list)
        for name in set(names):
            by_key[form_key(name)].append(name)
        ordered = sorted(by_key.items())
        number_of = {name: number for number, (_, found) in enumerate(ordered) for name in found}
        return cls(tuple(min(found, key=spelling) for _, found in ordered), number_of)

    def find(self, name: PersonName) -> int | None:
        """The number of the form with the same folded parts; None if the corpus has none."""
        return self.number_of_key.get(form_key(name))

    @cached_property
    def number_of_key(self) -> dict[tuple[str, ...], int]:
        return {form_key(name): number for number, name in enumerate(self.names)}

    def name_forms(self) -> list[NameForm]:
        return [NameForm.of(name) for name in self.names]


def spelling(name: PersonName) -> tuple[str, ...]:
    """Sorts the names of one form; the first stands for it."""
    return tuple(part or "" for part in name.parts())


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs of forms that the classifier judged: left < right, in the order of forms, each once."""

    left: Indexes
    right: Indexes
    probabilities: Probabilities
    blocked_pairs: int  # how many pairs blocking proposed

    def only(self, kept: npt.NDArray[np.bool_]) -> "ScoredPairs":
        """The pairs for which kept is true; shape (pairs,)."""
        return ScoredPairs(self.left[kept], self.right[kept], self.probabilities[kept], self.blocked_pairs)

    def adjacency(self, floor: float) -> dict[int, dict[int, float]]:
        """form -> other form -> probability, symmetric, of the pairs from floor up."""
        found: dict[int, dict[int, float]] = defaultdict(dict)
        worth = np.flatnonzero(self.probabilities >= floor)
        for left, right, probability in zip(
            self.left[worth].tolist(),
            self.right[worth].tolist(),
            self.probabilities[worth].tolist(),
            strict=True,
        ):
            found[left][right] = found[right][left] = probability
        return found


def score_parts(
    table: PartTable,
    scorer: PairScorer,
    *,
    given: bool,
    variants: Variants | None,
    dense: DenseForms | None = None,
) -> ScoredPairs:
    """Scored pairs of given names, or of surnames, that blocking proposes and judged_parts keeps."""
    judge = scorer.table(part_names(table.parts, given=given))
    lefts: list[Indexes] = []
    rights: list[Indexes] = []
    scores: list[Probabilities] = []
    blocked = 0
    for left, right in table.candidate_pairs(variants):
        blocked += len(left)
        if dense:
            worth = ~dense.parts_differ(table.parts, left, right)
            left, right = left[worth], right[worth]
        scored = judged_parts(judge, table.parts, left, right)
        lefts.append(scored.left)
        rights.append(scored.right)
        scores.append(scored.probabilities)
    if not lefts:
        return _nothing(blocked)
    return ScoredPairs(np.concatenate(lefts), np.concatenate(rights), np.concatenate(scores), blocked)


def part_names(parts: Iterable[str], *, given: bool) -> list[PersonName]:
    """Given names, or surnames, as names that have nothing else."""
    return [PersonName(given=part) if given else PersonName(family=part) for part in parts]


def judged_parts(judge: NameTable, parts: Sequence[str], left: Indexes, right: Indexes) -> ScoredPairs:
    """Those of these pairs of parts that are worth keeping. judge: a table of part_names.

    Pairs that are spelt alike are kept whatever their probability: a misspelt surname says little by itself,
    but much beside an equal given name.
    """
    found = np.nan_to_num(judge.probabilities(left, right), nan=0.0)
    scored = ScoredPairs(left, right, found, len(left))
    alike = spelt_alike([parts[n] for n in left], [parts[n] for n in right])
    return scored.only(alike | (found >= PART_FLOOR))


def spelt_alike(left: Sequence[str], right: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Whether two parts are one letter apart, or two to three where they are long; lengths in letters."""
    distances = process.cpdist(left, right, scorer=OSA.distance, score_cutoff=3, dtype=np.uint8)
    lengths = np.maximum([len(text) for text in left], [len(text) for text in right])
    return np.asarray(
        ((distances <= 1) & (lengths >= 4))
        | ((distances <= 2) & (lengths >= 6))
        | ((distances <= 3) & (lengths >= 9))
    )


def score_forms(
    blocked: BlockedForms,
    given: ScoredPairs,
    family: ScoredPairs,
    table: NameTable,
    dense: DenseForms | None = None,
) -> ScoredPairs:
    """Scored pairs of full forms that are alike in given name and surname, or in their words."""
    similar = [neighbours(zip(p.left.tolist(), p.right.tolist(), strict=True)) for p in (given, family)]
    pairs = blocked.candidate_pairs(similar[0], similar[1])
    if dense:
        pairs = _without_differing(pairs, dense, blocked.names)
    return judged_forms(pairs, table, len(blocked.names))


def _without_differing(
    batches: Iterator[tuple[Indexes, Indexes]], dense: DenseForms, names: Sequence[PersonName]
) -> Iterator[tuple[Indexes, Indexes]]:
    for left, right in batches:
        worth = ~dense.forms_differ(names, left, right)
        yield left[worth], right[worth]


def _nothing(blocked_pairs: int) -> ScoredPairs:
    empty = np.zeros(0, dtype=np.int64)
    return ScoredPairs(empty, empty, np.zeros(0), blocked_pairs)


def judged_forms(batches: Iterable[tuple[Indexes, Indexes]], table: NameTable, size: int) -> ScoredPairs:
    """Those of these pairs of full forms that no cheap filter rules out. size: how many forms there are."""
    lefts: list[Indexes] = []
    rights: list[Indexes] = []
    scores: list[Probabilities] = []
    blocked = 0
    for left, right in batches:
        blocked += len(left)
        for start in range(0, len(left), _PAIRS_AT_ONCE):
            a, b = left[start : start + _PAIRS_AT_ONCE], right[start : start + _PAIRS_AT_ONCE]
            found = table.probabilities(a, b)
            judged = ~np.isnan(found)
            lefts.append(a[judged])
            rights.append(b[judged])
            scores.append(found[judged])
    if not lefts:
        return _nothing(blocked)
    left, right, probabilities = np.concatenate(lefts), np.concatenate(rights), np.concatenate(scores)
    _, first = np.unique(left * size + right, return_index=True)  # a pair may have been proposed twice
    return ScoredPairs(left[first], right[first], probabilities[first], blocked)


def part_links(
    blocked: BlockedForms, given: ScoredPairs, family: ScoredPairs, full_initials: dict[str, frozenset[str]]
) -> PartLinks:
    """The scored parts under their text."""
    # A short surname by itself is too little to judge: one letter makes another name.
    families = {
        left: {right: p for right, p in found.items() if len(right) >= _SHORTEST_SURNAME}
        for left, found in _by_text(blocked.family, family).items()
        if len(left) >= _SHORTEST_SURNAME
    }
    return PartLinks(_by_text(blocked.given, given), families, full_initials)


def _by_text(table: PartTable, pairs: ScoredPairs) -> dict[str, dict[str, float]]:
    return {
        table.parts[left]: {table.parts[right]: p for right, p in found.items()}
        for left, found in pairs.adjacency(PART_FLOOR).items()
    }


def full_initials(parts: Sequence[str], variants: Variants) -> dict[str, frozenset[str]]:
    """First letters of what each given name may be short for, other than its own."""
    return {
        part: letters for part in parts if (letters := frozenset(v[:1] for v in variants(part)) - {part[:1]})
    }
