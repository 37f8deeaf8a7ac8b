"""Two processes hold the state of one workspace: what one stores, the other catches up with."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linkage.kinds import Kinds
from pseudonymizer.crypto import new_key
from pseudonymizer.desk.commands import Command, Confirm, Reject, Step
from pseudonymizer.desk.correcting import Correcting
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.held_state import AllFound, HeldState, HeldStates
from pseudonymizer.desk.history import History
from pseudonymizer.desk.locker import Locker
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.workspaces import Workspace, WorkspaceStore
from pseudonymizer.errors import StaleRevisionError

LINE: dict[str, Any] = {
    "doc_id": "a",
    "mentions": [
        {
            "start": 4 * n,
            "end": 4 * n + 3,
            "text": "Jan",
            "kind": "PERSON",
            "detector": "ner",
            "confidence": 0.5,
        }
        for n in range(6)
    ],
}


class Desk:
    """A workspace with one text, and what each of two processes keeps of it."""

    def __init__(self, folder: Path) -> None:
        self.store = WorkspaceStore(DeskStore.open(folder / "workspaces.db"), folder)
        made = self.store.make(
            Caller("anna"), "p", intent="write", keep_hours=1, seal=lambda workspace_id: workspace_id.encode()
        )
        self.workspace_id = made.workspace_id
        self.locker = Locker(self.store.place_of(self.workspace_id), self.workspace_id, new_key())
        kinds = Kinds.load()
        self.one, self.other = HeldStates(self.store, kinds), HeldStates(self.store, kinds)
        self.one.begin_anew(self.held, self.locker, AllFound((LINE,)))

    @property
    def held(self) -> Workspace:
        return self.store.get(self.workspace_id)

    def state(self, states: HeldStates) -> HeldState:
        return states.of(self.held, self.locker)

    def fresh(self) -> HeldState:
        """The state as a process reads it that has kept nothing."""
        return self.state(HeldStates(self.store, Kinds.load()))

    def change(self, states: HeldStates, work: Callable[[HeldState], History]) -> HeldState:
        return states.change(self.held, self.locker, self.held.revision, work)

    def give(self, states: HeldStates, command: Command) -> HeldState:
        def work(state: HeldState) -> History:
            return state.history.with_step(state.correcting, Step(command, "2026-01-01", "anna"))[0]

        return self.change(states, work)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def _same(one: HeldState, other: HeldState) -> bool:
    return (
        one.revision == other.revision
        and dict(one.now.mentions) == dict(other.now.mentions)
        and one.history.done == other.history.done
        and one.history.undone == other.history.undone
    )


def test_each_sees_what_the_other_did(desk: Desk) -> None:
    assert len(desk.state(desk.one).now.mentions) == len(desk.state(desk.other).now.mentions) == 6
    for states, there, command in (
        (desk.one, desk.other, Reject("m1")), (desk.other, desk.one, Confirm("m2")),
        (desk.one, desk.other, Reject("m3")), (desk.one, desk.other, Reject("m4")),
    ):  # fmt: skip
        desk.give(states, command)
        assert _same(desk.state(there), desk.fresh())
    for _ in range(3):
        desk.change(desk.other, lambda state: state.history.undo(state.correcting))
        assert _same(desk.state(desk.one), desk.fresh())
    desk.change(desk.one, lambda state: state.history.redo(state.correcting))
    assert _same(desk.state(desk.other), desk.fresh())
    desk.give(desk.other, Reject("m6"))  # what was taken back is given up
    assert _same(desk.state(desk.one), desk.fresh())
    assert desk.state(desk.one).history.undone == ()


def test_steps_alone_are_read_and_not_all_that_was_found(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.state(desk.other)
    desk.give(desk.one, Reject("m1"))

    def read(*_: object) -> None:
        pytest.fail("it was read anew")

    with monkeypatch.context() as patch:
        patch.setattr(Correcting, "__init__", read)
        patch.setattr(Locker, "get", read)
        assert len(desk.state(desk.other).now.mentions) == 5
    assert _same(desk.state(desk.other), desk.fresh())


def test_what_was_found_anew_is_read_anew(desk: Desk) -> None:
    desk.give(desk.one, Reject("m1"))
    desk.state(desk.other)
    desk.one.begin_anew(desk.held, desk.locker, AllFound(({**LINE, "mentions": LINE["mentions"][:2]},)))
    assert len(desk.state(desk.other).now.mentions) == 2
    assert _same(desk.state(desk.other), desk.fresh())
    with pytest.raises(StaleRevisionError):
        desk.other.change(desk.held, desk.locker, 0, lambda state: state.history)
