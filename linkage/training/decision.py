"""A decision model for a language, from the gold that trained its network.

The model begins with the trees of another language, if there are some, for evidence speaks no language, and
grows trees of its own behind them. How many, and from which probability on a candidate is a mention, is
chosen by cross-validation on documents that the network did not learn from.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from linkage.evaluation.detection import DetectionScores
from linkage.evaluation.gold import GoldDocument
from linkage.gazetteer import Gazetteer
from linkage.pieces import CutText
from linkage.recognition.decision import DecisionModel
from linkage.recognition.detector import DetectionState, MentionDetector
from linkage.recognition.evidence import Surroundings
from linkage.recognition.features import FEATURES, feature_values
from linkage.recognition.name_slots import NameSlots
from linkage.recognition.names_list import NamesList
from linkage.recognition.stanza_ner import StanzaRecognizer
from linkage.recognition.typos import TypoFinder
from linkage.recognition.words import Lexicon
from linkage.settings import RecognitionSettings
from linkage.training.acceptance import choose_acceptance
from linkage.training.decision_evidence import (
    SLOT_COLUMNS,
    Floats,
    Untrained,
    decided,
    scores,
    slot_columns,
    targets,
    trees_of,
)
from linkage.training.numbers import numbers
from linkage.training.slot_counting import FoldedSlots

_FOLDS: Final = 6
_TURNS: Final = 2  # candidates before any decision, then those that follow from a first model's decisions
_GROWTHS: Final = (0, 25, 50, 100, 200, 400)  # numbers of trees that are tried

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class DecisionGold:
    """Gold for a decision. unseen: documents that the network did not learn from; seen: those that it did.

    has_own_slots: whether the language's table of what stands beside names was counted on these documents:
    then each is scored by a table that was counted without it.
    """

    unseen: Sequence[GoldDocument] = field(repr=False)
    seen: Sequence[GoldDocument] = field(repr=False)
    has_own_slots: bool = True


@dataclass(frozen=True, slots=True)
class FittedDecision:
    """A decision model as it is stored. scores: cross-validated, on the unseen documents; before: those of
    the trees that it began with, None where it began with none. own_trees: how many it grew.
    """

    stored: Mapping[str, Any] = field(repr=False)
    scores: DetectionScores
    before: DetectionScores | None
    own_trees: int


def undecided_detector(settings: RecognitionSettings) -> MentionDetector:
    """A detector with the models and lists of these settings, but without a decision model."""
    gazetteer = Gazetteer.load(settings.language)
    lexicon = Lexicon(gazetteer)
    return MentionDetector(
        StanzaRecognizer.load(settings), NamesList.load(gazetteer, settings), lexicon,
        TypoFinder.load(lexicon, settings, gazetteer), Untrained(), settings,
    )  # fmt: skip


def fit_decision(
    detector: MentionDetector, gold: DecisionGold, start: Path | None, *, seed: int, report: Report
) -> FittedDecision:
    """The decision model that fits the gold.

    detector: one without a decision model. start: file of the decision model to begin with.
    """
    stored = None if start is None else json.loads(start.read_text(encoding="utf-8"))
    fit = _Fit(detector, gold, stored, seed)
    for turn in range(_TURNS):
        fit.learn()
        chosen = fit.scores()
        report(
            f"decision, round {turn + 1}: {fit.trees} trees of its own, acceptance {fit.acceptance:.3f}, "
            f"F1 {chosen.strict.f_beta(1):.3f}, leaked {100 * chosen.letters_leaked:.2f} %"
        )
        if turn + 1 < _TURNS:
            fit.propose()
    return FittedDecision(fit.stored(), chosen, fit.scores_before(), fit.trees)


class _Fit:
    """The states of all documents, and rows of evidence that grow from round to round."""

    def __init__(
        self, detector: MentionDetector, gold: DecisionGold, start: dict[str, Any] | None, seed: int
    ) -> None:
        self._detector, self._seed, self._start = detector, seed, start
        self._golds = [*gold.unseen, *gold.seen]
        self._unseen = len(gold.unseen)
        self._states = detector.prepare([one.document for one in self._golds])
        self._folds = np.array([_fold_of(str(one.document.doc_id)) for one in self._golds])
        self._slots = FoldedSlots(self._golds, folds=_FOLDS, fold_of=_fold_of) if gold.has_own_slots else None
        if self._slots is not None:
            for state, fold in zip(self._states, self._folds.tolist(), strict=True):
                table = NameSlots(self._slots.table(without=[fold]), CutText.of(state.scanned.text))
                state.scanned = replace(state.scanned, name_slots=table)
        self._base = (
            None if start is None else DecisionModel.from_mapping(start, feature_names=tuple(FEATURES))
        )
        self._rows: list[npt.NDArray[np.float32]] = []
        self._targets: list[Floats] = []
        self._weights: list[Floats] = []
        self._owners: list[Floats] = []
        self._without: list[list[npt.NDArray[np.float32]]] = [[] for _ in range(_FOLDS)]
        self._parts: list[Floats] = []
        self.trees = 0
        self.acceptance = 0.0

    def learn(self) -> None:
        """Take the candidates of this round in, and choose trees and acceptance by cross-validation."""
        values = [_values(state) for state in self._states]
        self._take(values)
        rows, wanted, weights, owners = self._all()
        grown: dict[int, list[Floats]] = {growth: [np.zeros(len(v)) for v in values] for growth in _GROWTHS}
        for fold in range(_FOLDS):
            outside = (self._folds[owners] != fold) & (weights > 0)
            learned = rows[outside]
            if self._slots is not None:
                learned[:, SLOT_COLUMNS] = np.concatenate(self._without[fold])[outside]
            if not len(learned):
                continue
            booster = self._grown(learned, wanted[outside], weights[outside], max(_GROWTHS))
            for number in np.flatnonzero(self._folds == fold).tolist():
                if len(values[number]):
                    for growth, parts in grown.items():
                        parts[number] = self._told(values[number], booster, growth)
        tried = grown if self._start is not None else {g: p for g, p in grown.items() if g}
        if not (weights > 0).any():  # a network that finds nothing has left nothing to learn from
            tried = {0: grown[0]}
        self.trees = min(tried, key=lambda growth: self._loss(tried[growth]))
        self._parts = grown[self.trees]
        self._before = grown[0]
        self.acceptance = self._chosen_acceptance()

    def propose(self) -> None:
        """Let the candidates follow from what this round's probabilities decide."""
        for state, probabilities in zip(self._states, self._parts, strict=True):
            self._detector.propose(state, decided(state, probabilities, self.acceptance))

    def scores(self) -> DetectionScores:
        return self._scores(self._parts, self.acceptance)

    def scores_before(self) -> DetectionScores | None:
        return None if self._start is None else self._scores(self._before, float(self._start["acceptance"]))

    def stored(self) -> dict[str, Any]:
        """The model from the rows of all rounds, as it is stored."""
        rows, wanted, weights, _ = self._all()
        keep = weights > 0
        own: list[dict[str, list[float]]] = []
        depth = 0
        if self.trees:
            own, depth = trees_of(self._grown(rows[keep], wanted[keep], weights[keep], self.trees))
        start = self._start or {"base": 0.0, "trees": [], "depth": 1}
        return {
            "format": 1, "feature_names": list(FEATURES), "base": start["base"],
            "depth": max(int(start["depth"]), depth + 1), "acceptance": round(self.acceptance, 3),
            "trees": [*start["trees"], *own],
        }  # fmt: skip

    def _take(self, values: Sequence[npt.NDArray[np.float32]]) -> None:
        for number, (state, gold) in enumerate(zip(self._states, self._golds, strict=True)):
            wanted, weight = targets(state, gold)
            self._rows.append(values[number])
            self._targets.append(wanted)
            seen = number >= self._unseen
            self._weights.append(weight * (numbers("decision")["seen_weight"] if seen else 1.0))
            self._owners.append(np.full(len(wanted), number))
            if self._slots is not None:
                for fold, columns in enumerate(self._without):
                    left_out = {fold, int(self._folds[number])}
                    columns.append(slot_columns(state, self._slots.table(without=left_out)))

    def _all(self) -> tuple[npt.NDArray[np.float32], Floats, Floats, npt.NDArray[np.int64]]:
        owners = np.concatenate(self._owners).astype(np.int64)
        return (
            np.concatenate(self._rows), np.concatenate(self._targets), np.concatenate(self._weights), owners
        )  # fmt: skip

    def _grown(self, rows: npt.NDArray[np.float32], wanted: Floats, weights: Floats, growth: int) -> Any:
        import lightgbm

        told = numbers("decision")
        parameters = {
            "objective": "binary", "num_leaves": 16, "min_data_in_leaf": 12, "max_depth": 8,
            "bagging_freq": 1, "verbosity": -1, "extra_trees": True, "num_threads": 1, "deterministic": True,
            "force_row_wise": True, "seed": self._seed,
            **{
                name: told[name]
                for name in ("learning_rate", "feature_fraction", "bagging_fraction", "lambda_l2")
            },
        }  # fmt: skip
        data = lightgbm.Dataset(
            rows, wanted, weight=weights, feature_name=list(FEATURES),
            init_score=None if self._base is None else _log_odds(self._base.probabilities(rows)),
        )  # fmt: skip
        return lightgbm.train(parameters, data, growth)

    def _told(self, values: npt.NDArray[np.float32], booster: Any, growth: int) -> Floats:
        """The probabilities of candidates by the trees begun with and the first trees of a booster."""
        raw = np.zeros(len(values)) if self._base is None else _log_odds(self._base.probabilities(values))
        if growth:
            raw = raw + np.asarray(booster.predict(values, raw_score=True, num_iteration=growth))
        return np.asarray(1 / (1 + np.exp(-raw)))

    def _loss(self, parts: Sequence[Floats]) -> float:
        """The mean log loss of the unseen documents' candidates of this round."""
        first = len(self._targets) - len(self._golds)
        losses, total = 0.0, 0.0
        for number in range(self._unseen):
            told = _bounded(parts[number])
            wanted, weights = self._targets[first + number], self._weights[first + number]
            losses -= float((weights * np.log(np.where(wanted > 0, told, 1 - told))).sum())
            total += float(weights.sum())
        return losses / max(total, 1.0)

    def _chosen_acceptance(self) -> float:
        told = numbers("decision")
        low, high, step = (told[n] for n in ("lowest_acceptance", "highest_acceptance", "acceptance_step"))
        tried = {round(float(a), 3): self._scores(self._parts, float(a)) for a in np.arange(low, high, step)}
        stories = [str(one.document.doc_id) for one in self._golds[: self._unseen]]
        least = choose_acceptance(tried, stories, seed=self._seed).acceptance
        above = [a for a in tried if a >= least and tried[a].letters_leaked <= told["most_leaked"]]
        return max([least, *above], key=lambda a: tried[a].strict.f_beta(1))

    def _scores(self, parts: Sequence[Floats], acceptance: float) -> DetectionScores:
        count = self._unseen
        return scores(self._states[:count], self._golds[:count], parts[:count], acceptance)


def _values(state: DetectionState) -> npt.NDArray[np.float32]:
    return feature_values(Surroundings.of(state.scanned, state.candidates, state.recognized))


def _log_odds(probabilities: Floats) -> Floats:
    bounded = _bounded(probabilities)
    return np.asarray(np.log(bounded / (1 - bounded)))


def _bounded(probabilities: Floats) -> Floats:
    """The probabilities, a little away from 0 and 1."""
    least = numbers("decision")["least_probability"]
    return np.clip(probabilities, least, 1 - least)


def _fold_of(doc_id: str) -> int:
    return hashlib.sha256(doc_id.encode()).digest()[2] % _FOLDS
