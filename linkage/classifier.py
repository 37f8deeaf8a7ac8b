"""Comparison vectors -> match probabilities, by two small LightGBM boosters and a calibration, saved as data.

One booster judges pairs of which only given names can be compared, the other all further pairs, with the
score of the first as a feature. A model is a folder: given.txt and form.txt (LightGBM's text format)
and classifier.json (features, calibration, thresholds, what it was trained on); never pickle.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from linkage.boosted_trees import BoostedTrees
from linkage.boosting_library import lightgbm
from linkage.errors import FeatureMismatchError, ModelDamagedError, ModelNotFoundError, ThresholdError
from linkage.settings import data_directory

Floats = npt.NDArray[np.float32]
Probabilities = npt.NDArray[np.float64]

FORMAT = 1
GIVEN_SCORE = "given_score"  # log-odds of the given-name booster, the last feature of the form booster
EQUAL_GIVEN_SCORE = 8.0  # log-odds of equal given names, which need no booster
_CLIP = 1e-4


@dataclass(frozen=True, slots=True)
class Calibration:
    """Isotonic calibration as points: log-odds of a booster, and the probability they turned out to mean."""

    scores: tuple[float, ...]
    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        rising = all(np.diff(self.scores) > 0) and all(np.diff(self.probabilities) >= 0)
        if len(self.scores) != len(self.probabilities) or len(self.scores) < 2 or not rising:
            raise ModelDamagedError("calibration points must rise, two at least; train the classifier again")

    def apply(self, scores: Probabilities) -> Probabilities:
        return np.interp(scores, self.scores, self.probabilities)


class PairClassifier:
    """Match probabilities of pairs of names from their comparison vectors."""

    def __init__(
        self,
        given_booster: lightgbm.Booster,
        form_booster: lightgbm.Booster,
        *,
        feature_names: Sequence[str],
        given_calibration: Calibration,
        form_calibration: Calibration,
        link_threshold: float,
        review_threshold: float,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        """feature_names are those of the vectors.

        Raises:
            FeatureMismatchError: if a booster wants a feature that the vectors do not have.
            ThresholdError: unless 0 <= review_threshold <= link_threshold <= 1.
        """
        if not 0 <= review_threshold <= link_threshold <= 1:
            raise ThresholdError(
                f"review_threshold is {review_threshold} and link_threshold "
                f"{link_threshold}; they lie from 0 to 1, the first not above the second"
            )
        self.feature_names = tuple(feature_names)
        self.link_threshold, self.review_threshold = link_threshold, review_threshold
        self.training: Mapping[str, Any] = dict(training or {})
        self._given, self._form = given_booster, form_booster
        self._given_calibration, self._form_calibration = given_calibration, form_calibration
        self._given_columns = self._columns_of(given_booster)
        self._form_columns = self._columns_of(form_booster)
        self._has_given = self._column("given_levenshtein")
        self._has_surname = self._column("surname_levenshtein")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.feature_names)} features)"

    @cached_property
    def _given_trees(self) -> BoostedTrees:
        return BoostedTrees(self._given)

    @cached_property
    def _form_trees(self) -> BoostedTrees:
        return BoostedTrees(self._form)

    @property
    def digest(self) -> str:
        """SHA-256 over both boosters and the calibration: which model this is."""
        parts = (self._given.model_to_string(), self._form.model_to_string(), json.dumps(self._described()))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    @property
    def version(self) -> str:
        """The opening of the digest, for reports."""
        return self.digest[:12]

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read a model folder; by default the shipped one.

        Raises:
            ModelNotFoundError: if a file of it is missing.
            ModelDamagedError: if a file is not what it should be.
        """
        folder = path if path is not None else data_directory() / "models" / "linkage"
        texts: dict[str, str] = {}
        for name in ("classifier.json", "given.txt", "form.txt"):
            if not (folder / name).is_file():
                raise ModelNotFoundError(f"the classifier's {name} is missing; install again or train it")
            texts[name] = (folder / name).read_text(encoding="utf-8")
        try:
            about = json.loads(texts["classifier.json"])
            boosters = [_booster(texts[name]) for name in ("given.txt", "form.txt")]
            if about["format"] != FORMAT:
                raise ModelDamagedError(f"classifier format {about['format']}, this program reads {FORMAT}")
            return cls(
                *boosters,
                feature_names=about["feature_names"],
                given_calibration=Calibration(**_points(about["calibration"]["given"])),
                form_calibration=Calibration(**_points(about["calibration"]["form"])),
                link_threshold=about["thresholds"]["link"],
                review_threshold=about["thresholds"]["review"],
                training=about["training"],
            )
        except (KeyError, TypeError, json.JSONDecodeError, lightgbm.basic.LightGBMError) as error:
            raise ModelDamagedError(f"the classifier cannot be read: {type(error).__name__}") from None

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "given.txt").write_text(self._given.model_to_string(), encoding="utf-8")
        (folder / "form.txt").write_text(self._form.model_to_string(), encoding="utf-8")
        about = json.dumps(self._described(), indent=1, ensure_ascii=False)
        (folder / "classifier.json").write_text(about + "\n", encoding="utf-8")

    def match_probabilities(self, values: Floats, feature_names: Sequence[str]) -> Probabilities:
        """Calibrated probability that two names mean one person, per row; float64 in [0, 1].

        Raises:
            FeatureMismatchError: unless the features are the model's own, in its order.
        """
        self._check(values, feature_names)
        probabilities = np.empty(len(values), dtype=np.float64)
        given_only = self._only_given(values)
        given_scores = self._given_scores(values)
        rows = np.flatnonzero(given_only)
        probabilities[rows] = self._given_calibration.apply(given_scores[rows])
        rows = np.flatnonzero(~given_only)
        if len(rows):
            scores = self._form_trees.scores(self._form_values(values, rows, given_scores))
            probabilities[rows] = self._form_calibration.apply(scores)
        return np.clip(probabilities, _CLIP, 1 - _CLIP)

    def contributions(self, values: Floats) -> Probabilities:
        """What each feature adds to the log-odds, shape (n_rows, n_features + 1); last column = base.

        What the given-name score adds in the form booster is shared out over the given-name features.
        """
        result = np.zeros((len(values), len(self.feature_names) + 1), dtype=np.float64)
        if not len(values):
            return result
        given_only = self._only_given(values)
        given_parts = self._given.predict(values[:, self._given_columns], pred_contrib=True, num_threads=1)
        given_parts = np.asarray(given_parts, dtype=np.float64)
        rows = np.flatnonzero(given_only)
        result[np.ix_(rows, self._given_columns)] = given_parts[rows, :-1]
        result[rows, -1] = given_parts[rows, -1]
        rows = np.flatnonzero(~given_only)
        if len(rows):
            inputs = self._form_values(values, rows, self._given_scores(values))
            parts = np.asarray(self._form.predict(inputs, pred_contrib=True, num_threads=1), dtype=np.float64)
            result[np.ix_(rows, self._form_columns)] = parts[:, : len(self._form_columns)]
            result[rows, -1] = parts[:, -1]
            shares = np.abs(given_parts[rows, :-1])
            shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
            result[np.ix_(rows, self._given_columns)] += shares * parts[:, len(self._form_columns), None]
        return result

    def _check(self, values: Floats, feature_names: Sequence[str]) -> None:
        if tuple(feature_names) != self.feature_names or values.shape[1:] != (len(self.feature_names),):
            missing = sorted(set(self.feature_names) - set(feature_names))
            raise FeatureMismatchError(
                f"vectors have {len(feature_names)} features in {values.shape}, the model wants "
                f"{len(self.feature_names)} in its own order; missing: {', '.join(missing[:5]) or 'none'}. "
                f"Train the classifier again with scripts/train_classifier"
            )

    def _only_given(self, values: Floats) -> npt.NDArray[np.bool_]:
        return ~np.isnan(values[:, self._has_given]) & np.isnan(values[:, self._has_surname])

    def _given_scores(self, values: Floats) -> Probabilities:
        """Log-odds of the given-name booster, NaN where a name has no given name."""
        scores = np.full(len(values), np.nan, dtype=np.float64)
        likeness = values[:, self._has_given]
        scores[likeness == 1] = EQUAL_GIVEN_SCORE
        rows = np.flatnonzero(likeness < 1)
        if len(rows):
            scores[rows] = self._given_trees.scores(values[np.ix_(rows, self._given_columns)])
        return scores

    def _form_values(
        self, values: Floats, rows: npt.NDArray[np.int64], given_scores: Probabilities
    ) -> Floats:
        """What the form booster sees of some rows, column by column in memory, as the trees read it."""
        inputs = np.empty((len(rows), len(self._form_columns) + 1), dtype=np.float32, order="F")
        for place, column in enumerate(self._form_columns.tolist()):
            inputs[:, place] = values[rows, column]
        inputs[:, -1] = given_scores[rows]
        return inputs

    def _columns_of(self, booster: lightgbm.Booster) -> npt.NDArray[np.int64]:
        wanted = [name for name in booster.feature_name() if name != GIVEN_SCORE]
        return np.array([self._column(name) for name in wanted], dtype=np.int64)

    def _column(self, name: str) -> int:
        if name not in self.feature_names:
            raise FeatureMismatchError(f"the model needs feature {name}, which the vectors do not have")
        return self.feature_names.index(name)

    def _described(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "feature_names": list(self.feature_names),
            "calibration": {"given": asdict(self._given_calibration), "form": asdict(self._form_calibration)},
            "thresholds": {"link": self.link_threshold, "review": self.review_threshold},
            "training": dict(self.training),
        }


def _booster(text: str) -> lightgbm.Booster:
    if not text.startswith("tree"):
        raise ModelDamagedError("a booster file is not LightGBM text; install again or train the classifier")
    return lightgbm.Booster(model_str=text)


def _points(about: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, ...]]:
    return {"scores": tuple(about["scores"]), "probabilities": tuple(about["probabilities"])}
