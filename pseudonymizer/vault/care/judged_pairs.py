"""Judgements kept with mentions, after a curator said of their people what outweighs them.

Taking two people apart, and saying that two pseudonyms are one person, is a judgement too: the latest one.
It is written on the pairs that were judged before, so that a file with the earlier judgement changes nothing
when it is given again.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from linkage.records import JudgedSide, Sighting
from linkage.told import Verdict
from pseudonymizer.vault.rows.forms import Fact

__all__ = ["judged_anew"]


def judged_anew(
    one: Sequence[Fact], other: Sequence[Fact], verdict: Verdict, when: datetime
) -> tuple[list[Fact], list[Fact]]:
    """The facts of two people, in which each pair of a mention of either that was judged otherwise is judged
    so at this moment.
    """
    pairs = _judged(one, verdict) & _judged(other, verdict)
    if not pairs:
        return list(one), list(other)
    first, second = ([_with(fact, pairs, verdict, when) for fact in facts] for facts in (one, other))
    return first, second


def _judged(facts: Iterable[Fact], verdict: Verdict) -> set[str]:
    """The pairs of which the facts have a side that says the opposite."""
    sides = (side for fact in facts if isinstance(fact, Sighting) for side in fact.judged)
    return {side.pair for side in sides if side.verdict is not verdict}


def _with(fact: Fact, pairs: set[str], verdict: Verdict, when: datetime) -> Fact:
    if not isinstance(fact, Sighting) or not any(side.pair in pairs for side in fact.judged):
        return fact
    anew = (
        JudgedSide(side.pair, side.side, verdict, when.isoformat()) if side.pair in pairs else side
        for side in fact.judged
    )
    return msgspec.structs.replace(fact, judged=tuple(sorted(set(anew))))
