"""A scorer that needs no model, and mentions built by hand. All names are invented."""

from collections.abc import Mapping, Sequence

import numpy as np
from rapidfuzz.distance import OSA

from linkage.explanation import FeatureContribution
from linkage.linker.scoring import Indexes, Probabilities
from linkage.records import (
    Detector,
    DocumentId,
    Gender,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    Role,
    Span,
    fold,
    mention_id_at,
)

VARIANTS = {frozenset(pair) for pair in (("bert", "robert"), ("bert", "albert"), ("piet", "pieter"))}


class FakeTable:
    def __init__(self, names: Sequence[PersonName]) -> None:
        self._names = names

    def _one(self, left: PersonName, right: PersonName) -> float:
        probability = 0.99
        for a, b in ((left.given, right.given), (left.family, right.family)):
            if a is None or b is None or fold(a) == fold(b):
                continue
            near = OSA.distance(fold(a), fold(b)) == 1 and len(a) > 5
            listed = frozenset((fold(a), fold(b))) in VARIANTS
            probability *= 0.95 if near or listed else 0.01
        return probability

    def probabilities(self, left: Indexes, right: Indexes) -> Probabilities:
        pairs = zip(left.tolist(), right.tolist(), strict=True)
        return np.array([self._one(self._names[a], self._names[b]) for a, b in pairs], dtype=np.float64)

    def every_probability(self, left: Indexes, right: Indexes) -> Probabilities:
        return self.probabilities(left, right)

    def variant_kinds(self, left: Indexes, right: Indexes) -> Sequence[str | None]:
        return [None] * min(len(left), len(right))

    def partial_ratios(self, left: Indexes, right: Indexes) -> Probabilities:
        return np.ones(min(len(left), len(right)))


class FakeScorer:
    link_threshold = 0.8
    review_threshold = 0.35
    version = "fake"

    def table(self, names: Sequence[PersonName]) -> FakeTable:
        return FakeTable(names)

    def contributions(self, left: PersonName, right: PersonName) -> tuple[float, list[FeatureContribution]]:
        probability = float(FakeTable([left, right]).probabilities(np.array([0]), np.array([1]))[0])
        return 0.0, [FeatureContribution("given_levenshtein", probability, 3.0)]

    def surname_shares(self, families: Sequence[str]) -> Mapping[str, float]:
        return {family: 4e-3 if family == "bakker" else 1e-6 for family in families}


class Writer:
    """Writes mentions one after the other, each in a place of its own."""

    def __init__(self) -> None:
        self._next: dict[str, int] = {}

    def __call__(
        self,
        document: str,
        name: PersonName,
        *,
        gender: Gender | None = None,
        person_id: str | None = None,
        attributes: frozenset[tuple[str, str]] = frozenset(),
        joined_with: frozenset[MentionId] = frozenset(),
        same_as: frozenset[MentionId] = frozenset(),
        roles: frozenset[Role] = frozenset(),
        marks: frozenset[str] = frozenset(),
    ) -> NormalizedMention:
        text = " ".join(part for part in name.parts() if part)
        start = self._next.get(document, 0)
        self._next[document] = start + len(text) + 1
        span, doc_id = Span(start, start + len(text)), DocumentId(document)
        mention = Mention(
            mention_id_at(doc_id, span), doc_id, span, text, detector=Detector.NER, person_id=person_id
        )
        context = MentionContext(
            attributes=attributes, joined_with=joined_with, same_as=same_as, roles=roles, marks=marks
        )
        return NormalizedMention(mention, name, gender=gender, context=context)
