"""The decision about candidates in a language that has no decision model of its own.

The network's probability decides, and rules that hold in every language stand beside it: a name that the
text surely has elsewhere, a misspelt form of one, a name that the lists are sure of where the network sees
nothing.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from linkage.language import Language
from linkage.language_contents import DECISION_MODEL
from linkage.recognition.decision import DecisionModel
from linkage.recognition.features import FEATURES
from linkage.shipped_data import data_directory

_COLUMNS: Final = {name: column for column, name in enumerate(FEATURES)}


@cache
def _numbers() -> Mapping[str, float]:
    with (data_directory() / "decision.toml").open("rb") as handle:
        return {name: float(value) for name, value in tomllib.load(handle).items()}


def scorer_of(language: Language, folder: Path | None) -> "DecisionModel | NetworkDecision":
    """The scorer of candidates: the decision model of another model's folder, where it has one, else that of
    the language; where there is none, the network's probabilities.

    Raises:
        ModelNotFoundError, ModelDamagedError, FeatureMismatchError
    """
    own = None if folder is None else folder / "detection.json"
    shipped = language.models([DECISION_MODEL]) / "detection.json"
    model = own if own is not None and own.is_file() else shipped
    return DecisionModel.load(model, feature_names=tuple(FEATURES)) if model.is_file() else NetworkDecision()


class NetworkDecision:
    """Probabilities of candidates from the network's own; data/decision.toml says by what numbers."""

    @property
    def acceptance(self) -> float:
        """The probability, 0 to 1, from which a candidate is a mention."""
        return _numbers()["acceptance"]

    def probabilities(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The probability of each candidate, shape (n,), each from 0 to 1.

        values: its evidence, shape (n, n_features), in the order of FEATURES.
        """

        def column(name: str) -> npt.NDArray[np.float64]:
            return np.nan_to_num(values[:, _COLUMNS[name]].astype(np.float64))

        share = _numbers()
        network = column("ner")
        other = np.maximum(column("other_name"), column("other_name_around"))
        told = np.maximum.reduce(
            [share[detector] * column(detector) for detector in ("consistent", "misspelt", "listed")]
        )
        told *= 1 - (1 - share["beside_other_name"]) * other
        told = np.where(column("case") == 0, share["in_small_letters"] * told, told)
        return np.clip(np.maximum(network, told), 0, 1)
