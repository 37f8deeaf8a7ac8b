"""Linking of a run together with what earlier runs kept, whatever puts the people together."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from linkage.judged_mentions import judgements_among, with_judgements
from linkage.records import Beyond, KnownIdentity, LinkageResult, NormalizedMention
from linkage.review import Judgement, rejected_pairs
from linkage.sightings import EarlierMentions


class Resolve(Protocol):
    """Who is who among all mentions, and known people who are none of them."""

    def __call__(
        self,
        everything: tuple[NormalizedMention, ...],
        known: Sequence[KnownIdentity],
        judgements: Sequence[Judgement],
        *,
        beyond: Beyond | None,
    ) -> LinkageResult: ...


def link_with_earlier(
    mentions: Iterable[NormalizedMention],
    known: Sequence[KnownIdentity],
    judgements: Sequence[Judgement],
    resolve: Resolve,
    beyond: Beyond | None = None,
) -> LinkageResult:
    """The result for the mentions of a run, linked anew with those that known people were met as.

    resolve gets the mentions of both, and the judgements of both. Judgements of the run go along with the
    mentions of the result, so that later runs keep them, too. beyond: what is known beside these people.
    """
    run = with_judgements(mentions, judgements)
    earlier = EarlierMentions.of(known, run)
    run = tuple(_judged_before(mention, earlier) for mention in run) if earlier.judged else run
    everything = (*run, *earlier.mentions)
    judgements = (*earlier.rejections, *judgements_among(everything), *judgements)
    if earlier.further:
        beyond = replace(beyond or Beyond(), further=earlier.further)
    result = resolve(everything, earlier.known, judgements, beyond=beyond)
    return earlier.without(result, rejected_pairs(result, judgements))


def _judged_before(mention: NormalizedMention, earlier: EarlierMentions) -> NormalizedMention:
    """A mention of the run with what was judged of it in earlier runs."""
    if (judged := earlier.judged.get(mention.mention_id)) is None:
        return mention
    return replace(mention, context=replace(mention.context, judged=mention.context.judged | judged))
