"""Documents with so many names that chance likeness outweighs typing errors, such as a register."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA

from linkage.clustering.misspelling import DENSE_FROM
from linkage.clustering.name_forms import NameForm
from linkage.linker.scoring import Indexes
from linkage.records import DocumentId, NormalizedMention, PersonName, fold

_SAMPLE = 300
_MOST_NEAR = 20.0  # so many misspelt forms no name has


def families_of_dense_documents(
    mentions: Sequence[NormalizedMention], form_of: Sequence[int], forms: Sequence[NameForm]
) -> frozenset[str]:
    """Family names of the documents in which a family name has, on average, more than 20 others near it.

    Near is what a typing error can do: one slip, or two from six letters on. Measured on a sample.
    """
    by_document: dict[DocumentId, set[str]] = defaultdict(set)
    for mention, number in zip(mentions, form_of, strict=True):
        by_document[mention.mention.doc_id].update(forms[number].families)
    dense: set[str] = set()
    for families in by_document.values():
        if len(families) >= DENSE_FROM and _mean_near(sorted(families)) > _MOST_NEAR:
            dense |= families
    return frozenset(dense)


def _mean_near(words: Sequence[str]) -> float:
    sample = words[:: max(1, len(words) // _SAMPLE)]
    distances = process.cdist(sample, words, scorer=OSA.distance, score_cutoff=2, dtype=np.uint8)
    lengths = np.array([len(word) for word in sample])[:, None]
    near = (distances == 1) | ((distances == 2) & (lengths >= 6))
    return float(near.sum()) / len(sample)


class DenseForms:
    """Tells which pairs of forms, or of family names, differ in two family names of dense documents."""

    def __init__(self, families: frozenset[str]) -> None:
        self._families = families

    def __bool__(self) -> bool:
        return bool(self._families)

    def parts_differ(self, parts: Sequence[str], left: Indexes, right: Indexes) -> npt.NDArray[np.bool_]:
        """For each pair of positions in parts, whether both are such names."""
        used = np.unique(np.concatenate((left, right)))
        dense = np.zeros(len(parts), dtype=np.bool_)
        dense[used] = [parts[position] in self._families for position in used.tolist()]
        return np.logical_and(dense[left], dense[right])

    def forms_differ(
        self, names: Sequence[PersonName], left: Indexes, right: Indexes
    ) -> npt.NDArray[np.bool_]:
        """For each pair of positions in names, whether each has one such family name, and these differ."""
        numbers: dict[str, int] = {}
        own = np.full(len(names), -1, dtype=np.int64)
        for position in np.unique(np.concatenate((left, right))).tolist():
            name = names[position]
            if name.family and not name.partner_family and fold(name.family) in self._families:
                own[position] = numbers.setdefault(fold(name.family), len(numbers))
        both = (own[left] >= 0) & (own[right] >= 0)
        differ: npt.NDArray[np.bool_] = both & (own[left] != own[right])
        return differ
