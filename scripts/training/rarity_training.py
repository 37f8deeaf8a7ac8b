"""Training of the surname rarity model: ridge regression of log counts on hashed n-grams."""

import csv
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import lsmr

from linkage.comparison.embedding import n_gram_rows
from linkage.comparison.rarity import SurnameRarity
from linkage.comparison.words import name_letters

BUCKETS = 1 << 15  # of the table that the boosters learn with
# Of the one that shares come from: in the smaller one a rare name may meet a common one by its hash.
SHARE_BUCKETS = 1 << 18
_PEOPLE = 16_500_000  # inhabitants of the Netherlands when the surnames were counted (2007)
_DAMPING = 3.0


def train_rarity(data: Path, buckets: int = BUCKETS) -> SurnameRarity:
    """Weights from the counts of surnames in the Netherlands, those with different particles together."""
    counts: dict[str, int] = {}
    with (data / "names" / "surnames_nl.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            word = name_letters(row["core"])
            if word:
                counts[word] = counts.get(word, 0) + int(row["count_nl_2007"] or row["count_be"] or 3)
    words = sorted(counts)
    rarity = -np.log10(np.array([counts[word] for word in words]) / _PEOPLE)
    rows = [n_gram_rows(word, buckets) for word in words]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    columns = np.fromiter((c for row in rows for c in row), dtype=np.int64, count=int(starts[-1]))
    matrix = csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(words), buckets))
    # A common name must come out common: it weighs as the logarithm of its bearers does.
    weight = 1 + np.log10(np.array([counts[word] for word in words])) ** 2
    base = float(np.average(rarity, weights=weight))
    scaled = diags(np.sqrt(weight)) @ matrix
    solution = lsmr(scaled, np.sqrt(weight) * (rarity - base), damp=_DAMPING, maxiter=200)[0]
    return SurnameRarity(solution.astype(np.float32), base)
