"""The state of a workspace: sealed, stored command by command, and what is read is what was stored."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkage.judgement_file import judgements_in
from linkage.kinds import Kinds
from pseudonymizer.desk import held_state
from pseudonymizer.desk.commands import Command, Confirm, Judge, Make, Merge, Reject, Step
from pseudonymizer.desk.corrected import Corrected
from pseudonymizer.desk.held_state import (
    FOUND,
    AllFound,
    FileFound,
    HeldState,
    HeldStates,
    folded,
    judgement_file_of,
    mention_lines_of,
)
from pseudonymizer.desk.history import History
from pseudonymizer.desk.locker import Locker
from pseudonymizer.desk.store import step
from pseudonymizer.desk.workspace_asked import OfWorkspace
from pseudonymizer.errors import (
    CorrectionRefusedError,
    OutdatedCorrectionError,
    StaleRevisionError,
    UnknownWorkspaceError,
    UnsealError,
    WorkspaceStateError,
)
from pseudonymizer.mention_lines import given_mentions
from tests.pseudonymizer.desk.filled_desk import ANNA, FilledDesk

MOMENT: Final = "2026-01-02T03:04:00+00:00"


class Case:
    """An analysed workspace, and what another process reads of it."""

    def __init__(self, folder: Path) -> None:
        self.filled = FilledDesk(folder)
        self.workspace, self.ids = self.filled.analysed()
        self.opened = self.filled.workspaces.opened(ANNA, self.workspace)
        self.states = self.filled.workspaces.held_states

    def state(self) -> HeldState:
        return self.filled.state(self.workspace)

    def fresh(self) -> HeldState:
        """The state as a process reads it that has kept nothing."""
        held = self.filled.store.get(self.workspace)
        return HeldStates(self.filled.store, Kinds.load()).of(held, self.opened.locker)

    def give(self, *commands: Command, revision: int | None = None) -> HeldState:
        held = self.filled.store.get(self.workspace)

        def work(state: HeldState) -> History:
            history = state.history
            for one in commands:
                history, _ = history.with_step(state.correcting, Step(one, MOMENT, "mk"))
            return history

        at = held.revision if revision is None else revision
        return self.states.change(held, self.opened.locker, at, work)

    def rows(self) -> list[Any]:
        with self.filled.store.store.transaction() as connection:
            return list(connection.execute(sa.select(step).order_by(step.c.number)).all())


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    made = Case(tmp_path)
    yield made
    made.filled.close()


def words(state: Corrected) -> list[str]:
    return [one.text for one in state.mentions.values()]


def groups(state: Corrected) -> set[frozenset[tuple[str, int, int]]]:
    """Who is one person, by the places of mentions."""
    found: dict[str, set[tuple[str, int, int]]] = {}
    for key, person in state.persons.items():
        one = state.mentions[key]
        found.setdefault(person, set()).add((one.document, one.span.start, one.span.end))
    return set(map(frozenset, found.values()))


# -- reading and changing ------------------------------------------------------------------------------------


def test_what_was_stored_is_read_by_a_process_that_kept_nothing(case: Case) -> None:
    before = words(case.state().now)
    after = case.give(Reject("m1"), Confirm("m2"))
    again = case.fresh()
    assert again.revision == after.revision == case.filled.store.get(case.workspace).revision
    assert (again.now, again.history.done) == (after.now, after.history.done)
    assert words(again.now) == before[1:]
    assert set(again.documents) == set(case.ids.values())
    assert again.all_documents == [one for documents in again.documents.values() for one in documents]


def test_before_an_analysis_there_is_no_state(case: Case) -> None:
    workspace, _ = case.filled.received()
    with pytest.raises(WorkspaceStateError):
        case.filled.state(workspace)


def test_a_change_that_is_refused_stores_nothing(case: Case) -> None:
    case.give(Reject("m1"))
    before, rows = case.fresh(), case.rows()
    with pytest.raises(OutdatedCorrectionError):
        case.give(Confirm("m2"), Confirm("m1"))
    with pytest.raises(CorrectionRefusedError):
        case.give(Make("m5"), Merge("p99", "p99"))
    with pytest.raises(StaleRevisionError):
        case.give(Confirm("m2"), revision=before.revision - 1)
    after = case.fresh()
    assert (after.revision, after.now, case.rows()) == (before.revision, before.now, rows)
    assert case.state().now == before.now


def test_beginning_anew_makes_commands_part_of_what_was_found(case: Case) -> None:
    state = case.give(Reject("m1"))
    held, locker = case.filled.store.get(case.workspace), case.opened.locker
    with pytest.raises(StaleRevisionError):
        case.states.begin_anew(held, locker, folded(state, without=""), held.revision - 1)
    assert len(case.rows()) == 1
    assert case.states.begin_anew(held, locker, folded(state, without=""), held.revision) == held.revision + 1
    after = case.fresh()
    assert (words(after.now), after.history.done, case.rows()) == (words(state.now), (), [])
    case.filled.workspaces.delete(ANNA, OfWorkspace(workspace=case.workspace))
    for revision in (None, held.revision + 1):
        with pytest.raises(UnknownWorkspaceError):
            case.states.begin_anew(held, locker, state.found, revision)
    with pytest.raises(UnknownWorkspaceError):
        case.states.change(held, locker, held.revision + 1, lambda kept: kept.history)
    assert not case.filled.store.place_of(case.workspace).exists()


def test_commands_that_were_given_on_what_was_found_before_are_left_out(case: Case) -> None:
    state = case.give(Reject("m1"))
    other = msgspec.structs.replace(state.found, base="another")
    case.opened.locker.put(FOUND, msgspec.msgpack.encode(other))  # a process was killed before it went on
    assert len(case.rows()) == 1
    assert case.fresh().history.done == ()
    assert "m1" in case.fresh().now.mentions


def test_two_states_are_kept_at_hand_and_large_ones_are_not(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    get = Locker.get

    def counted(locker: Locker, name: str) -> bytes:
        if name == FOUND:
            read.append(name)
        return get(locker, name)

    others = [case.filled.analysed()[0] for _ in range(2)]
    monkeypatch.setattr(Locker, "get", counted)
    for _ in range(2):
        for workspace in others:
            case.filled.state(workspace)
    assert len(read) == 2
    case.state()
    case.filled.state(others[1])
    assert len(read) == 3
    case.filled.state(others[0])  # it had to go for the third
    assert len(read) == 4
    case.states.forget(others[0])
    case.filled.state(others[0])
    assert len(read) == 5
    monkeypatch.setattr(held_state, "_MOST_LETTERS", 10)
    case.state()
    case.state()
    assert len(read) == 7


# -- sealing -------------------------------------------------------------------------------------------------


def test_no_name_lies_in_the_open(case: Case) -> None:
    case.give(Reject("m1"), Confirm("m2"))
    stored = [one.read_bytes() for one in case.filled.folder.rglob("*") if one.is_file()]
    assert len(stored) > 3
    for word in (b"Tolsma", b"Els Mol", b"12345678"):
        assert not any(word in one for one in stored)
    state = case.state()
    named = FileFound(("Jan Tolsma.txt",), {"Jan Tolsma.txt": "Els Mol"})
    told = f"{state!r} {state.history!r} {state.found!r} {named!r}"
    assert not any(word in told for word in ("Tolsma", "Els Mol", "12345678"))


def test_a_command_that_was_altered_or_moved_does_not_open(case: Case) -> None:
    case.give(Confirm("m1"), Confirm("m2"))
    first, second = (bytes(one.sealed) for one in case.rows())

    def put(number: int, sealed: bytes) -> None:
        with case.filled.store.store.transaction() as connection:
            connection.execute(step.update().where(step.c.number == number).values(sealed=sealed))

    for changed in (second, first[:-1] + bytes([first[-1] ^ 1]), first[:20]):
        put(0, changed)
        with pytest.raises(UnsealError):
            case.fresh()
    put(0, first)
    assert len(case.fresh().history.done) == 2


def test_what_was_found_does_not_open_when_it_was_altered_or_is_of_another_workspace(case: Case) -> None:
    other, _ = case.filled.analysed()
    place = case.filled.store.place_of(case.workspace) / FOUND
    raw = place.read_bytes()
    stray = (case.filled.store.place_of(other) / FOUND).read_bytes()
    for changed in (raw[:-1] + bytes([raw[-1] ^ 1]), raw[: len(raw) // 2], stray):
        place.write_bytes(changed)
        with pytest.raises(UnsealError):
            case.fresh()
    place.write_bytes(raw)
    assert case.fresh().now == case.state().now


# -- folding and files ---------------------------------------------------------------------------------------


def test_without_a_file_nothing_of_it_is_left(case: Case) -> None:
    state = case.state()
    (gone,), (left,) = state.documents[case.ids["b.txt"]], state.documents[case.ids["a.txt"]]
    jan, els, _, phone, other = state.now.mentions.values()
    assert (jan.text, phone.text, other.document) == ("Jan Tolsma", "06-12345678", gone)
    places = [(one.document, one.span.start, one.span.end) for one in (jan, els, other)]
    links = ((places[0], places[1], 0.7), (places[0], places[2], 0.6), (places[2], places[1], 0.5))
    jan_is_not = [Judge(jan.mention_id, one.mention_id, "reject") for one in (els, other)]
    state = case.give(*jan_is_not)
    state = replace(state, found=msgspec.structs.replace(state.found, links=links))
    kept = folded(state, without=case.ids["b.txt"])
    assert [line["doc_id"] for line in kept.lines] == [left]
    assert {one[0] for one in kept.persons} == {left}
    assert kept.links == links[:1]
    (judgement,) = judgements_in(kept.judgements)
    assert (judgement.left_form, judgement.right_form) == ("Jan Tolsma", "Els Mol")
    assert gone not in msgspec.msgpack.encode(kept).decode("utf-8", "replace")
    assert folded(state, without="").links == links
    assert kept.base != state.found.base


def test_files_of_corrections_say_what_is_held(case: Case) -> None:
    state = case.give(Reject("m2"), Confirm("m1"))
    lines = [msgspec.json.decode(line) for line in mention_lines_of(state).splitlines()]
    assert lines == state.lines()
    read = given_mentions(lines)
    assert {(document, one.text) for document, found in read.items() for one in found} == {
        (one.document, one.text) for one in state.now.mentions.values()
    }
    state = case.give(Judge("m1", "m5", "reject"))
    assert tuple(judgements_in(judgement_file_of(state.judgements()).decode())) == state.judgements()
    assert judgement_file_of(()) == b""


MENTIONS: Final = st.sampled_from([f"m{number}" for number in range(1, 7)])
COMMANDS: Final = st.one_of(
    st.builds(Reject, MENTIONS, st.booleans()), st.builds(Confirm, MENTIONS), st.builds(Make, MENTIONS),
    st.builds(Judge, MENTIONS, MENTIONS, st.sampled_from(["accept", "reject"])),
)  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(commands=st.lists(COMMANDS, max_size=6))
def test_any_corrections_are_the_same_after_they_are_folded(case: Case, commands: Sequence[Command]) -> None:
    state = case.state()
    history = state.history
    for one in commands:
        try:
            history, _ = history.with_step(state.correcting, Step(one, MOMENT, "mk"))
        except CorrectionRefusedError:
            continue
    state = replace(state, history=history)
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(folded(state, without="")), type=AllFound).state()
    assert list(again.lines(state.all_documents)) == state.lines()
    assert groups(again) == groups(state.now)
    assert set(again.judgements()) == set(state.judgements())
