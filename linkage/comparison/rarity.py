"""How rare a surname is, judged by its letters with a model learned from counts of surnames."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from linkage.comparison.embedding import n_gram_rows
from linkage.comparison.tables import read_weights
from linkage.comparison.words import Floats

_RAREST, _COMMONEST = 7.5, 2.0  # -log10 shares: two people in the country; one in a hundred


class SurnameRarity:
    """-log10 of the share of people who bear a surname: a sum of learned weights of its character n-grams.

    The n-grams include the whole name, so that the commonest names are known one by one; others are judged by
    what they are made of. Values lie between 2 (one person in a hundred) and 7.5.
    """

    def __init__(self, weights: Floats, base: float) -> None:
        self._weights, self._base = weights, base

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the .npz with int8 "codes", float32 "scale" and "base".

        Raises:
            ModelNotFoundError: if the file is not there.
            ModelDamagedError: if it is not such a table.
        """
        return cls(*read_weights(path, what="surname rarity"))

    def save(self, path: Path) -> None:
        """Write the table with one byte a weight."""
        scale = float(np.abs(self._weights).max()) / 127 + 1e-12
        codes: npt.NDArray[np.int8] = np.round(self._weights / scale).astype(np.int8)
        np.savez_compressed(path, codes=codes, scale=np.float32(scale), base=np.float32(self._base))

    def of(self, words: Sequence[str]) -> Floats:
        """Rarity of each name, given as letters; float32."""
        sums = [float(self._weights[n_gram_rows(word, len(self._weights))].sum()) for word in words]
        values = np.array(sums, dtype=np.float32) + np.float32(self._base)
        return np.asarray(np.clip(values, _COMMONEST, _RAREST), dtype=np.float32)
