"""Gold mentions through a linker: who it says is who, beside who is, and its probabilities of form pairs."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from linkage.evaluation.form_pairs import PairScores, form_pairs, score_pairs
from linkage.evaluation.gold import GoldDocument, gold_mentions
from linkage.evaluation.linkage import LinkageScores, evaluate_linkage
from linkage.records import (
    Document,
    FormLink,
    KnownIdentity,
    LinkageResult,
    Mention,
    MentionId,
    NormalizedMention,
)

Normalizer = Callable[[Document, Sequence[Mention]], Sequence[NormalizedMention]]


class JudgedLinker(Protocol):
    """What is judged; linkage.linker.Linker is one."""

    @property
    def link_threshold(self) -> float: ...
    @property
    def review_threshold(self) -> float: ...
    def link(
        self, mentions: Iterable[NormalizedMention], *, known: Sequence[KnownIdentity] = ()
    ) -> LinkageResult: ...
    def compare_many(self, pairs: Sequence[tuple[str, str]]) -> Sequence[FormLink]: ...


@dataclass(frozen=True, slots=True)
class LinkedGold:
    """The mentions that count, with the entity and the identity of each."""

    mentions: tuple[Mention, ...] = field(repr=False)
    entities: Mapping[MentionId, Hashable] = field(repr=False)
    identities: Mapping[MentionId, Hashable] = field(repr=False)

    def scores(self) -> LinkageScores:
        return evaluate_linkage(self.entities, self.identities)


def link_gold(
    gold: Iterable[GoldDocument],
    normalize: Normalizer,
    linker: JudgedLinker,
    *,
    over_corpus: bool = False,
    known: Sequence[KnownIdentity] = (),
) -> LinkedGold:
    """Link the gold mentions, each document by itself, or all together where over_corpus.

    over_corpus is for gold whose entity ids hold for all its documents. known: people of a registry.
    """
    scored: list[Mention] = []
    entities: dict[MentionId, Hashable] = {}
    identities: dict[MentionId, Hashable] = {}
    waiting: list[NormalizedMention] = []
    for document in gold:
        mentions, entity_of = gold_mentions(document)
        if not mentions or not (entity_of or over_corpus):
            continue
        normalized = normalize(document.document, mentions)
        scored += (mention for mention in mentions if mention.mention_id in entity_of)
        doc_id = document.document.doc_id
        if over_corpus:
            waiting += normalized
            entities.update(entity_of)
            continue
        result = linker.link(normalized, known=known)
        for mention_id, entity in entity_of.items():
            entities[mention_id] = (doc_id, entity)
            identities[mention_id] = (doc_id, result.identity_of(mention_id).identity_id)
    if over_corpus:
        result = linker.link(waiting, known=known)
        identities = {mention_id: result.identity_of(mention_id).identity_id for mention_id in entities}
    return LinkedGold(tuple(scored), entities, identities)


def score_form_pairs(gold: Iterable[GoldDocument], linker: JudgedLinker) -> PairScores | None:
    """How well the linker's probabilities of two forms of one document agree with gold; None without pairs.

    These are judgements of two names by themselves, before any evidence of their documents.
    """
    judged = form_pairs(gold)
    if not judged:
        return None
    return score_pairs(
        [link.match_probability for link in linker.compare_many(judged.pairs)],
        judged.is_match,
        link_threshold=linker.link_threshold,
        review_threshold=linker.review_threshold,
    )
