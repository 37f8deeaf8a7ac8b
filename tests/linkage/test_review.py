"""A review session and the file of judgements."""

import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from linkage.errors import InvalidRecordError
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import LinkageResult, PersonName
from linkage.review import Judgement, ReviewSession, Verdict, read_judgements, write_judgements
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, Writer

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


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
    session.accept(NOW)
    session.skip()
    assert session.current() is None
    assert [j.verdict for j in session.judgements] == [Verdict.ACCEPT]
    with pytest.raises(InvalidRecordError):
        session.reject(NOW)
    assert session.undo()
    session.reject(NOW)
    assert [j.verdict for j in session.judgements] == [Verdict.ACCEPT, Verdict.REJECT]
    assert session.undo()
    assert session.undo()
    assert not session.undo()


def test_what_was_judged_before_is_not_asked_again(result: LinkageResult) -> None:
    session = ReviewSession(result)
    session.accept(NOW)
    assert len(ReviewSession(result, session.judgements)) == 1


def test_file_keeps_judgements_and_is_the_users_alone(result: LinkageResult, tmp_path: Path) -> None:
    session = ReviewSession(result)
    session.accept(NOW)
    session.reject(NOW)
    path = tmp_path / "judgements.jsonl"
    write_judgements(path, session.judgements)
    assert read_judgements(path) == session.judgements
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "oudstra" not in repr(session.judgements)


def test_a_damaged_line_is_named_by_number_only(tmp_path: Path) -> None:
    path = tmp_path / "judgements.jsonl"
    path.write_text('{"left": "Fenna Woudstra"}\n', encoding="utf-8")
    with pytest.raises(InvalidRecordError, match="line 1") as caught:
        read_judgements(path)
    assert "oudstra" not in str(caught.value)


def test_a_judgement_names_both_mentions_or_neither(result: LinkageResult) -> None:
    one = result.mentions[0].mention_id
    with pytest.raises(InvalidRecordError):
        Judgement("A", "B", Verdict.ACCEPT, one, None)
