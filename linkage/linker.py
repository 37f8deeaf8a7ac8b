"""Linker: from normalized mentions to identities."""

from collections.abc import Iterable, Sequence
from typing import Self

from linkage.explanation import Explanation
from linkage.gazetteer import Gazetteer
from linkage.records import (
    FormLink,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    LinkDecision,
    MentionId,
    NormalizedMention,
    fold,
)
from linkage.review import Judgement
from linkage.settings import LinkingSettings


class Linker:
    """First version, to build against: equal full names are one person, everything else stands alone."""

    model_version = "none"

    def __init__(self, settings: LinkingSettings, gazetteer: Gazetteer) -> None:
        self.settings = settings
        self.gazetteer = gazetteer

    @classmethod
    def load(cls, settings: LinkingSettings, gazetteer: Gazetteer) -> Self:
        return cls(settings, gazetteer)

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        everything = tuple(mentions)
        groups: dict[tuple[str | None, ...], set[MentionId]] = {}
        for mention in everything:
            key: tuple[str | None, ...] = tuple(p and fold(p) for p in mention.name.parts())
            if not mention.name.is_full:
                key = (*key, mention.mention.doc_id)
            groups.setdefault(key, set()).add(mention.mention_id)
        members = sorted((frozenset(group) for group in groups.values()), key=min)
        identities = tuple(
            Identity(IdentityId(f"p{n:06d}"), group) for n, group in enumerate(members, start=1)
        )
        return LinkageResult(everything, identities)

    def compare_many(self, pairs: Sequence[tuple[str, str]]) -> tuple[FormLink, ...]:
        equal = [fold(left) == fold(right) for left, right in pairs]
        return tuple(
            FormLink(left, right, float(same), LinkDecision.LINK if same else LinkDecision.NON_LINK)
            for (left, right), same in zip(pairs, equal, strict=True)
        )

    def compare(self, left: str, right: str) -> FormLink:
        return self.compare_many([(left, right)])[0]

    def explain(self, left: str, right: str) -> Explanation:
        link = self.compare(left, right)
        return Explanation(
            left, right, link.match_probability, link.decision, link.variant, link.partial_ratio, 0.0, ()
        )
