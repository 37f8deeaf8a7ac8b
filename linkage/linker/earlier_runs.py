"""Linking of a run together with what earlier runs kept, whatever puts the people together."""

from collections.abc import Callable, Iterable, Sequence

from linkage.judged_mentions import judgements_among, with_judgements
from linkage.records import KnownIdentity, LinkageResult, NormalizedMention
from linkage.review import Judgement, rejected_pairs
from linkage.sightings import EarlierMentions

# (mentions, known people who are none of them, judgements) -> who is who among all of them
Resolve = Callable[
    [tuple[NormalizedMention, ...], Sequence[KnownIdentity], Sequence[Judgement]], LinkageResult
]


def link_with_earlier(
    mentions: Iterable[NormalizedMention],
    known: Sequence[KnownIdentity],
    judgements: Sequence[Judgement],
    resolve: Resolve,
) -> LinkageResult:
    """The result for the mentions of a run, linked anew with those that known people were met as.

    resolve gets the mentions of both, and the judgements of both. Judgements of the run go along with the
    mentions of the result, so that later runs keep them, too.
    """
    run = with_judgements(mentions, judgements)
    earlier = EarlierMentions.of(known, run)
    everything = (*run, *earlier.mentions)
    judgements = (*earlier.rejections, *judgements_among(everything), *judgements)
    result = resolve(everything, earlier.known, judgements)
    return earlier.without(result, rejected_pairs(result, judgements))
