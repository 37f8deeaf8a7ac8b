"""Learned vectors of names: forms of one name lie close together, also for names nobody listed.

A name is the sum of the vectors of its character n-grams (fastText's way: Bojanowski et al. 2017,
doi:10.1162/tacl_a_00051), which were trained so that listed variants meet. The file holds numbers only.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Self
from zlib import crc32

import numpy as np
import numpy.typing as npt

from linkage.comparison.tables import read_arrays

N_GRAM_LENGTHS = (2, 3, 4)


def n_gram_rows(word: str, buckets: int) -> list[int]:
    """Bucket numbers of the n-grams of a word between marks, and of the word itself."""
    marked = f"<{word}>"
    grams = [marked[i : i + n] for n in N_GRAM_LENGTHS for i in range(len(marked) - n + 1)]
    return [crc32(gram.encode()) % buckets for gram in (*grams, marked)]


class NameEmbedding:
    """Vectors of length 1, shape (n_words, dimensions), float32."""

    def __init__(self, table: npt.NDArray[np.float32]) -> None:
        self._table = table

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the n-gram table: an .npz with int8 "codes" and float32 "scales" (one a dimension).

        Raises:
            ModelNotFoundError: if the file is not there.
            ModelDamagedError: if it is not such a table.
        """
        codes, scales = read_arrays(path, "codes", "scales", what="name vectors")
        return cls(codes.astype(np.float32) * scales.astype(np.float32))

    def save(self, path: Path) -> None:
        """Write the table with one byte a number."""
        codes, scales = self._coded()
        np.savez_compressed(path, codes=codes, scales=scales)

    def rounded(self) -> Self:
        """The table as load reads it from what save wrote, so that what is trained on is what is used."""
        codes, scales = self._coded()
        return type(self)(codes.astype(np.float32) * scales)

    def _coded(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
        scales = np.abs(self._table).max(axis=0) / 127 + 1e-12
        codes: npt.NDArray[np.int8] = np.round(self._table / scales).astype(np.int8)
        return codes, scales.astype(np.float32)

    def vectors(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        buckets, dimensions = self._table.shape
        rows = [n_gram_rows(word, buckets) for word in words]
        lengths = np.array([len(row) for row in rows])
        if not len(rows):
            return np.zeros((0, dimensions), dtype=np.float32)
        flat = np.fromiter(
            (bucket for row in rows for bucket in row), dtype=np.int64, count=int(lengths.sum())
        )
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        sums = np.zeros((len(rows), dimensions), dtype=np.float32)
        filled = lengths > 0
        step = 20_000  # words at a time, so that the gathered rows stay small
        filled_rows = np.flatnonzero(filled)
        for begin in range(0, len(filled_rows), step):
            part = filled_rows[begin : begin + step]
            first, last = starts[part[0]], starts[part[-1]] + lengths[part[-1]]
            sums[part] = np.add.reduceat(self._table[flat[first:last]], starts[part] - first, axis=0)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        return (sums / np.where(norms > 0, norms, 1.0)).astype(np.float32)
