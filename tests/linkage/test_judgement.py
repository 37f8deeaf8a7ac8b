"""Which judgement about a pair is in force, and for which mentions of a run one by place holds."""

from dataclasses import replace

import pytest

from linkage.errors import InvalidRecordError
from linkage.judgement import Judgement, MentionPlace, Verdict, at_places, in_force
from linkage.records import Detector, DocumentId, Mention, MentionId, Span

ONE, OTHER = MentionId("a@1"), MentionId("b@2")
ACCEPTED = Judgement("Fenna", "Woudstra", Verdict.ACCEPT, ONE, OTHER, "2026-01-02T03:04:00+00:00")


def test_a_judgement_names_both_ends_or_neither() -> None:
    with pytest.raises(InvalidRecordError):
        Judgement("A", "B", Verdict.ACCEPT, ONE, None)
    with pytest.raises(InvalidRecordError):
        Judgement("A", "B", Verdict.ACCEPT, left_at=MentionPlace("a.txt", 0, 1))
    with pytest.raises(InvalidRecordError):
        Judgement("", "B", Verdict.ACCEPT)


def test_the_latest_about_a_pair_is_in_force_and_of_one_moment_the_rejection() -> None:
    later = replace(
        ACCEPTED, left_mention=OTHER, right_mention=ONE, verdict=Verdict.REJECT,
        judged_at="2026-01-02T04:05:00+01:00",  # a minute later than the other, in another zone
    )  # fmt: skip
    undated = replace(ACCEPTED, verdict=Verdict.REJECT, judged_at="")
    rejected = replace(ACCEPTED, verdict=Verdict.REJECT)
    assert in_force([later, ACCEPTED]) == (later,)
    assert in_force([ACCEPTED, undated]) == (ACCEPTED,)
    assert in_force([rejected, ACCEPTED]) == in_force([ACCEPTED, rejected]) == (rejected,)
    by_form = Judgement("FENNA", "Woudstra", Verdict.REJECT)
    assert set(in_force([ACCEPTED, by_form])) == {ACCEPTED, by_form}, "another pair: one of forms"


def test_a_judgement_by_place_holds_where_the_same_text_still_stands() -> None:
    left, right = MentionPlace("a.txt", 0, 5), MentionPlace("b.txt", 2, 10)
    judged = Judgement("Fenna", "Woudstra", Verdict.ACCEPT, left_at=left, right_at=right)

    def mention(mention_id: MentionId, place: MentionPlace, surface: str) -> Mention:
        doc_id = DocumentId(place.document)
        return Mention(mention_id, doc_id, Span(place.start, place.end), surface, detector=Detector.LIST)

    here = {left: mention(ONE, left, "Fenna"), right: mention(OTHER, right, "Woudstra")}
    assert at_places([judged], here) == (replace(judged, left_mention=ONE, right_mention=OTHER),)
    assert at_places([judged], {left: here[left]}) == ()
    assert at_places([judged], {**here, right: mention(OTHER, right, "Woudsma_")}) == ()
    assert at_places([ACCEPTED], {}) == (ACCEPTED,)
