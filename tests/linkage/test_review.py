"""A review session: what is asked, settled, taken back."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from linkage.errors import InvalidRecordError
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import (
    CandidatePair,
    Identity,
    IdentityId,
    LinkageResult,
    LinkDecision,
    PersonName,
    ScoredLink,
)
from linkage.review import ReviewSession, Verdict
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, Writer

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
LATER = datetime(2026, 1, 2, 3, 5, tzinfo=UTC)


@pytest.fixture
def result() -> LinkageResult:
    write = Writer()
    mentions = [
        write("a", PersonName(given=given, family="Woudstra") if given else PersonName(family="Woudstra"))
        for given in ("Fenna", "Inge", "")
    ]
    return Linker(LinkingSettings(), Gazetteer.load(), FakeScorer()).link(mentions)


def test_accept_reject_skip_undo(result: LinkageResult) -> None:
    session = ReviewSession(result, judge="reviewer")
    assert len(session) == 2
    session.reject(NOW)
    session.skip()
    assert session.current() is None
    assert [j.verdict for j in session.judgements] == [Verdict.REJECT]
    with pytest.raises(InvalidRecordError):
        session.reject(NOW)
    assert session.undo()
    assert session.position == 1
    session.accept(NOW)
    assert [j.verdict for j in session.judgements] == [Verdict.REJECT, Verdict.ACCEPT]
    assert session.undo()
    assert session.undo()
    assert not session.undo()
    assert session.position == 0


def test_once_one_candidate_is_accepted_the_others_are_not_asked(result: LinkageResult) -> None:
    session = ReviewSession(result)
    session.accept(NOW)
    assert session.current() is None
    assert session.position == len(session) == 2
    assert session.settled == 1
    assert session.undo()
    assert session.settled == 0
    session.skip()
    assert session.current() is not None


def corpus(groups: Sequence[str], links: Sequence[tuple[str, str]]) -> LinkageResult:
    """Identities by the letters of their mentions, each a name of one letter, and open links between."""
    write = Writer()
    mention = {letter: write("a", PersonName(given=letter)) for group in groups for letter in group}
    number = {letter: n for n, group in enumerate(groups) for letter in group}
    ends = [sorted(mention[letter].mention_id for letter in link) for link in links]
    pairs = [CandidatePair(left, right) for left, right in ends]
    open_links = [ScoredLink(pair, 0.6 - n / 100, LinkDecision.POSSIBLE_LINK) for n, pair in enumerate(pairs)]
    return LinkageResult(
        tuple(mention.values()),
        tuple(
            Identity(
                IdentityId(f"p{n}"),
                frozenset(mention[letter].mention_id for letter in group),
                open_links=tuple(
                    found for found, link in zip(open_links, links, strict=True) if n in map(number.get, link)
                ),
            )
            for n, group in enumerate(groups)
        ),
    )


def asked(session: ReviewSession) -> str:
    item = session.current()
    return "" if item is None else "".join(sorted(item.left_form + item.right_form))


def test_a_rejection_settles_every_pair_of_the_two_people() -> None:
    session = ReviewSession(corpus(["ab", "c", "d"], [("a", "c"), ("b", "c"), ("b", "d")]))
    session.reject(NOW)
    assert asked(session) == "bd"
    assert session.settled == 1
    assert session.undo()
    assert asked(session) == "ac"


def test_who_may_be_both_that_were_accepted_is_still_asked() -> None:
    session = ReviewSession(corpus(["a", "b", "c", "d"], [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c")]))
    session.accept(NOW)
    assert asked(session) == "ac"
    session.accept(NOW)
    assert asked(session) == "bc"


def test_a_rejected_pair_is_not_asked_again(result: LinkageResult) -> None:
    session = ReviewSession(result)
    session.reject(NOW)
    assert len(ReviewSession(result, session.judgements)) == 1


def test_an_accepted_pair_that_was_not_kept_is_asked_again_and_marked(result: LinkageResult) -> None:
    session = ReviewSession(result)
    session.accept(NOW)
    again = ReviewSession(result, session.judgements)
    assert len(again) == 2
    item = again.current()
    assert item is not None
    assert item.accepted_before
    again.reject(LATER)
    third = ReviewSession(result, [*session.judgements, *again.judgements])
    assert len(third) == 1


def test_what_was_answered_since_settles_as_an_answer_of_the_session_does() -> None:
    groups, links = ["ab", "c", "d"], [("a", "c"), ("b", "c"), ("a", "d")]
    first = ReviewSession(corpus(groups, links))
    first.reject(NOW)
    left = asked(first)
    rest = len(first) - first.position
    again = ReviewSession(corpus(groups, links), answered=first.judgements)
    assert asked(again) == left
    assert len(again) - again.position == rest
    assert again.judgements == ()


def test_an_accepted_pair_that_was_answered_since_is_not_asked_again(result: LinkageResult) -> None:
    first = ReviewSession(result)
    first.accept(NOW)
    again = ReviewSession(result, answered=first.judgements)
    assert len(again) == len(first) - 1
    assert again.position == first.position - 1
