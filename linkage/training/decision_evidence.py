"""Evidence that a decision model learns from: candidates of documents, and what gold says of each."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from linkage.evaluation.detection import DetectionScores, evaluate_detection
from linkage.evaluation.gold import GoldDocument
from linkage.language import Language
from linkage.pieces import CutText
from linkage.recognition.combine import combine, with_support
from linkage.recognition.detector import DetectionState
from linkage.recognition.features import FEATURES
from linkage.recognition.name_slots import NameSlots
from linkage.records import Mention
from linkage.training.numbers import numbers

SLOT_COLUMNS: Final = [list(FEATURES).index(name) for name in ("slot_left", "slot_right")]
_CONFIDENCE: Final = [list(FEATURES).index(name) for name in ("ner", "listed", "consistent", "misspelt")]

Floats = npt.NDArray[np.float64]


class Untrained:
    """A scorer that stands in while there is no model: it trusts the most confident detector."""

    @property
    def acceptance(self) -> float:
        """The confidence, 0 to 1, from which a candidate is a mention."""
        return numbers("decision")["untrained_acceptance"]

    def probabilities(self, values: npt.NDArray[np.float32]) -> Floats:
        """The highest confidence of each candidate, shape (n,), 0 to 1."""
        return np.asarray(values[:, _CONFIDENCE].max(axis=1), dtype=np.float64)


def targets(state: DetectionState, gold: GoldDocument) -> tuple[Floats, Floats]:
    """1 where a candidate is exactly a gold mention; and a weight, 0 where the gold is unsure."""
    exact = {span for mention in gold.mentions for span in mention.accepted if not mention.unsure}
    unsure = [mention.span for mention in gold.mentions if mention.unsure]
    wanted, weights = [], []
    for candidate in state.candidates:
        span = state.view.span(candidate.span.start, candidate.span.end)
        wanted.append(float(span in exact))
        weights.append(0.0 if any(span.overlaps(other) for other in unsure) else 1.0)
    return np.array(wanted), np.array(weights)


def slot_columns(state: DetectionState, table: Mapping[str, float]) -> npt.NDArray[np.float32]:
    """The columns SLOT_COLUMNS of the state's candidates by another table; shape (n_candidates, 2)."""
    slots = NameSlots(table, CutText.of(state.scanned.text))
    rows = [
        [slots.score(side, candidate.span.start, candidate.span.end) for side in ("L", "R")]
        for candidate in state.candidates
    ]
    return np.array(rows, dtype=np.float32).reshape(len(rows), 2)


def decided(state: DetectionState, probabilities: Floats, acceptance: float) -> tuple[Mention, ...]:
    """The mentions as detection would choose them."""
    language = Language.load(state.document.language)
    raised = with_support(state.candidates, probabilities, state.readable.text, language)
    return combine(state.readable, state.candidates, raised, acceptance=acceptance)


def scores(
    states: Sequence[DetectionState],
    golds: Sequence[GoldDocument],
    parts: Sequence[Floats],
    acceptance: float,
) -> DetectionScores:
    """Scores of what would be chosen. parts: the probabilities of each document's candidates."""
    found = {}
    for state, gold, probabilities in zip(states, golds, parts, strict=True):
        mentions = decided(state, probabilities, acceptance)
        found[gold.document.doc_id] = [state.view.span(m.span.start, m.span.end) for m in mentions]
    return evaluate_detection(golds, found)


def trees_of(booster: Any) -> tuple[list[dict[str, list[float]]], int]:
    """The trees of a booster of LightGBM, as a decision model stores them, and the depth of the deepest.

    Raises:
        ValueError: a tree splits in another way than by a threshold.
    """
    trees = []
    deepest = 1
    for info in booster.dump_model()["tree_info"]:
        tree: dict[str, list[float]] = {
            key: [] for key in ("feature", "threshold", "left", "right", "nan_left")
        }
        deepest = max(deepest, _place(info["tree_structure"], 0, tree)[1])
        trees.append(tree)
    return trees, deepest


def _place(node: dict[str, Any], level: int, tree: dict[str, list[float]]) -> tuple[int, int]:
    """The number of a node put into a tree, with all below it, and the deepest level of these."""
    number = len(tree["feature"])
    for column in tree.values():
        column.append(0)
    if "leaf_value" in node:
        tree["feature"][number], tree["threshold"][number] = -1, float(node["leaf_value"])
        return number, level
    if node["decision_type"] != "<=":
        raise ValueError("unexpected kind of split")
    tree["feature"][number] = node["split_feature"]
    tree["threshold"][number] = float(node["threshold"])
    # Without missing values in training LightGBM reads NaN as 0.
    zero_left = float(node["threshold"]) >= 0
    tree["nan_left"][number] = int(node["default_left"] if node["missing_type"] == "NaN" else zero_left)
    tree["left"][number], deep = _place(node["left_child"], level + 1, tree)
    tree["right"][number], deeper = _place(node["right_child"], level + 1, tree)
    return number, max(deep, deeper)
