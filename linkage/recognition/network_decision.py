"""The decision about candidates in a language that has no decision model of its own.

The network's probability decides, and rules that hold in every language stand beside it: a name that the
text surely has elsewhere, a misspelt form of one, a name that the lists are sure of where the network sees
nothing.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from linkage.recognition.features import FEATURES

_COLUMNS: Final = {name: column for column, name in enumerate(FEATURES)}
# Shares, 0 to 1, of what a detector says that count as a probability; set, not measured.
_OF_CONSISTENT: Final = 0.8
_OF_MISSPELT: Final = 0.6
_OF_LISTED: Final = 0.5
# What is left of the lists' and of consistency's word where the network sees the name of something else.
_BESIDE_OTHER_NAME: Final = 0.5


class NetworkDecision:
    """Probabilities of candidates from the network's own. acceptance: from which one is a mention, 0 to 1."""

    def __init__(self, *, acceptance: float = 0.3) -> None:
        self._acceptance = acceptance

    @property
    def acceptance(self) -> float:
        """The probability from which a candidate is a mention."""
        return self._acceptance

    def probabilities(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The probability of each candidate, shape (n,), each from 0 to 1.

        values: its evidence, shape (n, n_features), in the order of FEATURES.
        """

        def column(name: str) -> npt.NDArray[np.float64]:
            return np.nan_to_num(values[:, _COLUMNS[name]].astype(np.float64))

        network = column("ner")
        other = np.maximum(column("other_name"), column("other_name_around"))
        told = np.maximum.reduce(
            [
                _OF_CONSISTENT * column("consistent"), _OF_MISSPELT * column("misspelt"),
                _OF_LISTED * column("listed"),
            ]
        )  # fmt: skip
        told *= 1 - (1 - _BESIDE_OTHER_NAME) * other
        small = column("case") == 0
        told = np.where(small, _BESIDE_OTHER_NAME * told, told)
        return np.clip(np.maximum(network, told), 0.0, 1.0)
