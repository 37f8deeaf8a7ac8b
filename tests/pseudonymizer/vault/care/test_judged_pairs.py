"""Judgements kept with mentions, after a curator said what outweighs them."""

from datetime import UTC, datetime

import msgspec

from linkage.records import JudgedSide, Sighting
from linkage.sightings import sighting_of
from linkage.told import Verdict
from pseudonymizer.vault.care.judged_pairs import judged_anew
from tests.fakes import linkage_result

RESULT = linkage_result({"a": "Jan Tolsma, Johan Kok"}, [[("a", "Jan Tolsma")], [("a", "Johan Kok")]])
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def judged(number: int, *sides: JudgedSide) -> Sighting:
    return msgspec.structs.replace(sighting_of(RESULT.mentions[number]), judged=sides)


def test_pairs_of_both_are_judged_anew_and_others_stay() -> None:
    both = JudgedSide("01", 0, Verdict.ACCEPT, "2026-01-01")
    theirs = JudgedSide("01", 1, Verdict.ACCEPT, "2026-01-01")
    lone = JudgedSide("02", 0, Verdict.ACCEPT, "2026-01-01")
    one, other = judged_anew([judged(0, both, lone)], [judged(1, theirs)], Verdict.REJECT, NOW)
    rejected = JudgedSide("01", 0, Verdict.REJECT, NOW.isoformat())
    assert one == [judged(0, rejected, lone)]
    assert other == [judged(1, JudgedSide("01", 1, Verdict.REJECT, NOW.isoformat()))]


def test_facts_stay_where_nothing_was_judged_otherwise() -> None:
    one = [judged(0, JudgedSide("01", 0, Verdict.REJECT, ""))]
    other = [judged(1, JudgedSide("01", 1, Verdict.REJECT, ""))]
    assert judged_anew(one, other, Verdict.REJECT, NOW) == (one, other)
