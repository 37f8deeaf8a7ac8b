"""Figures of the model of name variants: each fold judged by a model of the other folds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.metrics import roc_auc_score

from linkage.classifier import Calibration
from linkage.evaluation.linkage import calibration
from training.name_pairs import NamePair, dutch_variants
from training.variant_pairs import NOISY
from training.variant_training import GENDER_COLUMN, FoldTest, VariantTraining, calibration_of

__all__ = ["Judged", "Row", "measure", "scored"]


@dataclass(frozen=True, slots=True)
class Judged:
    """Pairs of a fold with the probability that a model of the other folds gives, calibrated on those."""

    pairs: Sequence[NamePair] = field(repr=False)
    probability: npt.NDArray[np.float64] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Row:
    """Figures of one kind of negatives, as many as there are variants where there are enough."""

    pairs: int
    auc: float
    accuracy: float
    calibration_error: float


def scored(
    judged: Judged, positives: npt.NDArray[np.bool_], negatives: npt.NDArray[np.bool_], *, seed: int
) -> Row:
    """AUC, accuracy at 0.5 and calibration error of these variants and as many of these negatives, drawn."""
    rows = np.flatnonzero(negatives)
    drawn = np.random.default_rng(seed).permutation(rows)[: int(positives.sum())]
    chosen = np.concatenate([np.flatnonzero(positives), drawn])
    truth = np.array([judged.pairs[row].is_variant for row in chosen.tolist()], dtype=bool)
    found = judged.probability[chosen]
    return Row(
        len(chosen),
        float(roc_auc_score(truth, found)),
        float(((found >= 0.5) == truth).mean()),
        calibration(found, truth).expected_error,
    )


def measure(data: Path, training: VariantTraining, tests: Sequence[FoldTest]) -> None:
    """Print a table: each fold and their mean, for Dutch lists and all, random and hard negatives, with the
    gender of the names known to the lists and unknown.
    """
    dutch = dutch_variants(data)
    table: dict[tuple[str, str, str], list[Row]] = {}
    for number, test in enumerate(tests):
        curve = calibration_of([other for other in tests if other is not test])
        masks = _masks(test.pairs, dutch, training.examples[number].with_gender[:, GENDER_COLUMN])
        for gender, scores in (("no list has them", test.unknown), ("lists tell gender", test.with_gender)):
            judged = Judged(test.pairs, _calibrated(curve, scores))
            for variants in ("Dutch lists", "all lists"):
                for negatives in ("random", "hard", "hard, same gender", "hard, other gender"):
                    row = scored(judged, masks[variants], masks[negatives], seed=number)
                    table.setdefault((variants, negatives, gender), []).append(row)
    print("| variants of | negatives | names | pairs | AUC (by fold) | accuracy | calibration error |")
    print("|---|---|---|---|---|---|---|")
    for title, rows in table.items():
        by_fold = " ".join(f"{row.auc:.3f}" for row in rows)
        mean = [float(np.mean(column)) for column in zip(
            *((row.auc, row.accuracy, row.calibration_error) for row in rows), strict=True
        )]  # fmt: skip
        print(
            f"| {' | '.join(title)} | {sum(row.pairs for row in rows):,} | {mean[0]:.4f} ({by_fold}) "
            f"| {mean[1]:.4f} | {mean[2]:.4f} |"
        )


def _masks(
    pairs: Sequence[NamePair], dutch: frozenset[tuple[str, str]], gender: npt.NDArray[np.float32]
) -> dict[str, npt.NDArray[np.bool_]]:
    kinds = np.array([pair.kind for pair in pairs])
    listed = np.array([pair.is_variant and pair.kind not in NOISY for pair in pairs], dtype=bool)
    return {
        "all lists": listed,
        "Dutch lists": listed & np.array([pair.key in dutch for pair in pairs], dtype=bool),
        "random": kinds == "random",
        "hard": kinds == "hard",
        "hard, same gender": (kinds == "hard") & (gender == 1),
        "hard, other gender": (kinds == "hard") & (gender == 0),
    }


def _calibrated(curve: Calibration, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.clip(curve.apply(scores), 1e-4, 1 - 1e-4)
