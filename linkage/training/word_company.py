"""Vectors of words by their company: words that are used alike get vectors that are alike."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from linkage.training.numbers import numbers

_NUMBERS: Final = numbers("company")
_PLACES: Final = (-2, -1, 1, 2)  # of company beside a word


def company_vectors(
    texts: Iterable[Sequence[str]], words: Sequence[str], *, width: int
) -> npt.NDArray[np.float32]:
    """Vectors of words in small letters by the company that they keep in tokenized texts: one row a word.

    The shape is (n_words, width). All rows are of one length, but that of a word that stands too seldom is
    zero. They are the leading directions of the positive pointwise mutual information of words
    and their neighbours, told apart by place (Levy, Goldberg and Dagan 2015, doi:10.1162/tacl_a_00134), with
    its root taken. The same texts and words give the same vectors, on the same machine.
    """
    from scipy.sparse.linalg import svds

    lowered = [[token.lower() for token in text] for text in texts]
    uses = Counter(token for text in lowered for token in text)
    made = np.zeros((len(words), width), dtype=np.float32)
    kept = [at for at, word in enumerate(words) if uses[word] >= _NUMBERS["least_uses"]]
    rows = {words[at]: row for row, at in enumerate(kept)}
    leading = sorted(uses, key=lambda word: (-uses[word], word))[: int(_NUMBERS["neighbours"])]
    columns = {word: column for column, word in enumerate(leading)}
    counts = _counts(lowered, rows, columns)
    shared = min(width, *(size - 1 for size in counts.shape))
    if shared < 1 or not counts.nnz:
        return made
    weights = _information(counts)
    start = np.random.default_rng(1).standard_normal(min(weights.shape))
    left, strengths, _ = svds(weights, k=shared, v0=start)
    vectors = left * np.sqrt(strengths)
    vectors *= np.where(vectors.sum(axis=0) < 0, -1, 1)  # a direction and its opposite say the same
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    made[kept, :shared] = _NUMBERS["length"] * vectors / np.where(lengths > 0, lengths, 1)
    return made


def _counts(texts: Sequence[Sequence[str]], rows: Mapping[str, int], columns: Mapping[str, int]) -> Any:
    """How often each neighbour stands in each place beside each word, sparse."""
    from scipy.sparse import coo_array

    shape = (len(rows), len(_PLACES) * len(columns))
    total = coo_array(shape, dtype=np.float64).tocsr()
    for text in texts:
        own = np.array([rows.get(token, -1) for token in text], dtype=np.int64)
        beside = np.array([columns.get(token, -1) for token in text], dtype=np.int64)
        for number, place in enumerate(_PLACES):
            size = len(text) - abs(place)
            if size < 1:
                continue
            words = own[:size] if place > 0 else own[-place:]
            company = beside[place:] if place > 0 else beside[:size]
            known = (words >= 0) & (company >= 0)
            at = (words[known], company[known] + number * len(columns))
            total += coo_array((np.ones(int(known.sum())), at), shape=shape).tocsr()
    return total


def _information(counts: Any) -> Any:
    """The roots of the positive pointwise mutual information, sparse; frequent neighbours are held back."""
    found = counts.tocoo()
    of_words = np.asarray(counts.sum(axis=1)).ravel()
    of_company = np.asarray(counts.sum(axis=0)).ravel() ** _NUMBERS["held_back"]
    expected = of_words[found.row] * of_company[found.col] / of_company.sum()
    found.data = np.sqrt(np.maximum(np.log(found.data / expected), 0))
    return found.tocsr()
