"""Two given names alone of which the lexicon lacks one: whether they are forms of one name, by their letters.

The model of a language is two files: `variants.npz`, the weights of edits (linkage.comparison.edits), and
`variants.json`: a small booster over them and over the given-name features, with its calibration. It was
trained with whole families of names unknown to the lexicon, so it judges names that no list holds by how one
is made of the other.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import lightgbm
import numpy as np
import numpy.typing as npt

from linkage.boosted_trees import BoostedTrees
from linkage.classifier import Calibration
from linkage.comparison.edits import EDIT_SCORES, EditTable, EditWeights
from linkage.comparison.features import FEATURES
from linkage.comparison.words import Floats
from linkage.errors import ModelDamagedError, ModelNotFoundError

FORMAT: Final = 1
WEIGHTS_FILE: Final = "variants.npz"
MODEL_FILE: Final = "variants.json"
# Name vectors know by heart the pairs that trained them, and are trained on another split.
LEARNED_FROM: Final = tuple(
    name for name, feature in FEATURES.items() if feature.part == "given" and name != "given_embedding"
)
VARIANT_FEATURES: Final = (*LEARNED_FROM, *EDIT_SCORES)


class VariantModel:
    """Judges pairs of given names of one word."""

    def __init__(
        self,
        weights: EditWeights,
        booster: lightgbm.Booster,
        calibration: Calibration,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        """training: what the model was trained on, for people.

        Raises:
            ModelDamagedError: the booster wants other features than VARIANT_FEATURES.
        """
        if tuple(booster.feature_name()) != VARIANT_FEATURES:
            raise ModelDamagedError(
                "the model of name variants wants other features than this program has; install again, or "
                "run scripts/train_variants"
            )
        self.weights, self.calibration = weights, calibration
        self.training: Mapping[str, Any] = dict(training or {})
        self._booster = booster

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(VARIANT_FEATURES)} features)"

    @cached_property
    def _trees(self) -> BoostedTrees:
        return BoostedTrees(self._booster)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the model of a folder.

        Raises:
            ModelNotFoundError: a file of it is missing.
            ModelDamagedError: a file is not what it should be.
        """
        weights = EditWeights.load(folder / WEIGHTS_FILE)
        if not (folder / MODEL_FILE).is_file():
            raise ModelNotFoundError(
                f"the {MODEL_FILE} of the model of name variants is missing; install again, or run "
                f"scripts/train_variants"
            )
        try:
            about = json.loads((folder / MODEL_FILE).read_text(encoding="utf-8"))
            if about["format"] != FORMAT or not about["booster"].startswith("tree"):
                raise ModelDamagedError(
                    f"the model of name variants has format {about['format']}, this program reads {FORMAT}; "
                    f"install again, or run scripts/train_variants"
                )
            points = {name: tuple(values) for name, values in about["calibration"].items()}
            booster = lightgbm.Booster(model_str=about["booster"])
            return cls(weights, booster, Calibration(**points), about["training"])
        except (KeyError, TypeError, AttributeError, ValueError, lightgbm.basic.LightGBMError) as error:
            if isinstance(error, ModelDamagedError):
                raise
            raise ModelDamagedError(
                f"the model of name variants cannot be read: {type(error).__name__}; install again, or run "
                f"scripts/train_variants"
            ) from None

    def save(self, folder: Path) -> None:
        """Write both files."""
        folder.mkdir(parents=True, exist_ok=True)
        self.weights.save(folder / WEIGHTS_FILE)
        about = {
            "format": FORMAT,
            "calibration": asdict(self.calibration),
            "training": dict(self.training),
            "booster": self._booster.model_to_string(),
        }
        (folder / MODEL_FILE).write_text(
            json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n"
        )

    def probabilities(
        self, words: Sequence[tuple[str, str]], vectors: Floats, feature_names: Sequence[str]
    ) -> npt.NDArray[np.float64]:
        """Calibrated probability in [0, 1] that two names are forms of one, for each pair of words (letters).

        vectors: the comparison vectors of the same pairs, columns as in feature_names.
        """
        values = variant_values(self.weights.scores(EditTable(words)), vectors, feature_names)
        return self.calibration.apply(self._trees.scores(values))

    def contributions(
        self, words: tuple[str, str], vector: Floats, feature_names: Sequence[str]
    ) -> tuple[float, Mapping[str, tuple[float, float]]]:
        """Log-odds of an unknown pair; by feature its value for this pair, and the log-odds that it adds."""
        values = variant_values(self.weights.scores(EditTable([words])), vector[None], feature_names)
        added = np.asarray(self._booster.predict(values, pred_contrib=True, num_threads=1), dtype=np.float64)
        rows = zip(VARIANT_FEATURES, values[0].tolist(), added[0].tolist(), strict=False)
        return float(added[0, -1]), {name: (value, log_odds) for name, value, log_odds in rows}


def variant_values(scores: Floats, vectors: Floats, feature_names: Sequence[str]) -> Floats:
    """The columns of VARIANT_FEATURES: given-name features of comparison vectors, then scores of edits."""
    place = {name: number for number, name in enumerate(feature_names)}
    known = vectors[:, [place[name] for name in LEARNED_FROM]]
    return np.asfortranarray(np.column_stack([known, scores]), dtype=np.float32)
