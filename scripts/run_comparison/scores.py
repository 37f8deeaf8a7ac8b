"""Scores of a recorded set against its gold, by the project's own measures. Counts and shares only."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from linkage.evaluation.detection import evaluate_detection
from linkage.evaluation.gold import GoldDocument, gold_mentions, read_gold
from linkage.evaluation.linkage import evaluate_linkage
from linkage.records import DocumentId, Span
from run_comparison.inputs import gold_file
from run_comparison.records import DoorRun, LinkedGold, SetRecord

# What a refit of the models moves by itself: F1 in [0, 1], and the share of letters.
F1_NOISE: Final = 0.003
LEAK_NOISE: Final = 0.001
_F1: Final = frozenset({"detection F1", "corpus B3 F1", "document B3 F1"})
_LEAKS: Final = frozenset({"leaked python", "leaked files", "leaked text"})
Scores = dict[str, float]


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """One score before and after, a share in [0, 1]."""

    name: str
    old: float
    new: float

    @property
    def is_worse(self) -> bool:
        """Whether an F1 fell or a leak rose by more than the noise of a refit."""
        if self.name in _F1:
            return self.old - self.new > F1_NOISE
        return self.name in _LEAKS and self.new - self.old > LEAK_NOISE


def score_changes(name: str, shared: Path, old: SetRecord, new: SetRecord) -> list[ScoreChange]:
    """Scores of both records; none where the gold is not here, or a record has other texts than the gold."""
    found = gold_file(name, shared)
    if found is None or not found[0].is_file():
        return []
    gold = read_gold(found[0])
    texts = {
        f"{name}/{item.document.doc_id}.txt": hashlib.sha256(item.document.text.encode()).hexdigest()[:32]
        for item in gold
    }
    if texts != old.inputs or texts != new.inputs:
        return []
    before, after = scores(gold, old), scores(gold, new)
    return [ScoreChange(key, before[key], after[key]) for key in before if key in after]


def scores(gold: Sequence[GoldDocument], record: SetRecord) -> Scores:
    """Detection F1 (strict) and leaked letters by door; B-cubed F1 and pairwise precision and recall."""
    found: dict[DocumentId, list[Span]] = {}
    for linked in record.python:
        for doc_id, start, end, _, _ in linked.mentions:
            found.setdefault(DocumentId(doc_id.removesuffix(".txt")), []).append(Span(start, end))
    python = evaluate_detection(gold, found)
    made: Scores = {"detection F1": python.strict.f_beta(1), "leaked python": python.letters_leaked}
    for door, runs in (("leaked files", record.files), ("leaked text", record.text)):
        made[door] = evaluate_detection(gold, _changed_spans(runs)).letters_leaked
    if record.gold is not None:
        made |= _linkage_scores(gold, record.gold)
    return made


def _changed_spans(runs: Sequence[DoorRun]) -> dict[DocumentId, list[Span]]:
    """The stretches that a door changed; a name counts as covered where its letters are gone."""
    return {
        DocumentId(name.removesuffix(".txt")): [
            Span(start, end) for start, end in output.stretches or () if start < end
        ]
        for run in runs
        for name, output in run.outputs.items()
    }


def _linkage_scores(gold: Sequence[GoldDocument], linked: LinkedGold) -> Scores:
    entities: dict[tuple[str, int, int], tuple[str, str]] = {}
    for item in gold:
        mentions, entity_of = gold_mentions(item)
        doc_id = str(item.document.doc_id)
        entities |= {
            (doc_id, m.span.start, m.span.end): (doc_id, entity_of[m.mention_id])
            for m in mentions
            if m.mention_id in entity_of
        }
    keys = [(doc_id, start, end) for doc_id, start, end in linked.mentions]
    made = _partition_scores(
        "document", entities, dict(zip(keys, linked.per_document, strict=True)), lambda e: e
    )
    if linked.over_corpus is not None:
        corpus = dict(zip(keys, linked.over_corpus, strict=True))
        made |= _partition_scores("corpus", entities, corpus, lambda entity: entity[1])
    return made


def _partition_scores(
    word: str,
    entities: Mapping[tuple[str, int, int], tuple[str, str]],
    found: Mapping[tuple[str, int, int], int],
    cluster_of: Callable[[tuple[str, str]], object],
) -> Scores:
    told = evaluate_linkage({key: str(cluster_of(entity)) for key, entity in entities.items()}, found)
    return {
        f"{word} B3 F1": told.b_cubed.f1,
        f"{word} pair P": told.pairwise.precision,
        f"{word} pair R": told.pairwise.recall,
    }
