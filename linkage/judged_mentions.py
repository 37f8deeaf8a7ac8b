"""Judgements that go along with the mentions they are about: a vault that keeps these keeps them.

A judged mention has the sides of its judgements in its context. They hold no name: a digest stands for the
pair, so that the two are met again although each was kept by another run.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from linkage.records import JudgedSide, MentionId, NormalizedMention
from linkage.review import Judgement, MentionPlace, Verdict, in_force


def with_judgements(
    mentions: Iterable[NormalizedMention],
    judgements: Iterable[Judgement],
    met: Mapping[MentionPlace, MentionId] | None = None,
) -> tuple[NormalizedMention, ...]:
    """The mentions, those that were judged with what was said of them.

    met: where mentions stand, so that a judgement goes along with the one mention of it that is here, too.
    """
    judged: dict[MentionId, set[JudgedSide]] = defaultdict(set)
    for judgement in in_force(judgements):
        for side, (mention_id, place, _) in enumerate(_sides(judgement)):
            if mention_id is None and place is not None and met is not None:
                mention_id = met.get(place)
            if mention_id is not None:
                one = JudgedSide(_digest(judgement), side, judgement.verdict, judgement.judged_at)
                judged[mention_id].add(one)
    if not judged:
        return tuple(mentions)
    return tuple(
        replace(m, context=replace(m.context, judged=m.context.judged | judged[m.mention_id]))
        if m.mention_id in judged
        else m
        for m in mentions
    )


def judgements_among(mentions: Sequence[NormalizedMention]) -> tuple[Judgement, ...]:
    """The judgements of which both mentions are here, as each of the two was kept with it."""
    pairs: dict[str, tuple[list[_Told], list[_Told]]] = defaultdict(lambda: ([], []))
    for mention in mentions:
        for one in mention.context.judged:
            pairs[one.pair][one.side].append((mention, one.verdict, one.judged_at))
    # All that either says: of two on one pair the later one counts, as everywhere.
    return tuple(
        Judgement(
            left.mention.surface, right.mention.surface, verdict, left.mention_id, right.mention_id, when
        )
        for lefts, rights in pairs.values()
        for left, left_verdict, left_when in lefts
        for right, right_verdict, right_when in rights
        for verdict, when in ((left_verdict, left_when), (right_verdict, right_when))
        if left.mention_id != right.mention_id
    )


_Told = tuple[NormalizedMention, Verdict, str]
_Side = tuple[MentionId | None, MentionPlace | None, str]


def _sides(judgement: Judgement) -> tuple[_Side, _Side]:
    """Both mentions in an order that does not depend on which was called the left one."""
    left = (judgement.left_mention, judgement.left_at, judgement.left_form)
    right = (judgement.right_mention, judgement.right_at, judgement.right_form)
    return (left, right) if _written(left) <= _written(right) else (right, left)


def _written(side: _Side) -> list[Any]:
    mention_id, place, form = side
    return [mention_id or "", 0, 0, form] if place is None else [place.document, place.start, place.end, form]


def _digest(judgement: Judgement) -> str:
    text = json.dumps([_written(side) for side in _sides(judgement)])
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
