"""Undo and redo of any list of commands."""

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudonymizer.desk import history
from pseudonymizer.desk.commands import Command, Reject, Step
from pseudonymizer.desk.history import History
from pseudonymizer.errors import CorrectionRefusedError
from tests.pseudonymizer.desk.test_correcting import CORRECTING, added, commands, first, step


def _given(steps: Sequence[Command]) -> list[History]:
    """The histories after each command that was not refused, the empty one first."""
    found = [History.of(first())]
    for command in steps:
        try:
            made, _ = found[-1].with_step(CORRECTING, step(command))
        except CorrectionRefusedError:
            continue
        found.append(made)
    return found


@pytest.mark.parametrize("kept", [0, 2, 50])
def test_undo_gives_each_state_before_and_redo_each_after(kept: int) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.lists(commands(), max_size=8))
    def holds(given_commands: Sequence[Command]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(history, "_KEPT", kept)
            found = _given(given_commands)
            now = found[-1]
            for before in reversed(found[:-1]):
                now = now.undo(CORRECTING)
                assert now.now == before.now
                assert now.done == before.done
            assert now.undo(CORRECTING) == now
            for later in found[1:]:
                now = now.redo(CORRECTING)
                assert now.now == later.now
            assert now.redo(CORRECTING) == now

    holds()


@settings(max_examples=60, deadline=None)
@given(st.lists(commands(), max_size=8))
def test_stored_commands_give_the_same_state_again(given_commands: Sequence[Command]) -> None:
    now = _given(given_commands)[-1]
    stored = msgspec.json.encode(now.done)
    steps = msgspec.json.decode(stored, type=tuple[Step, ...])
    assert History.replayed(CORRECTING, first(), steps).now == now.now


def test_a_new_command_gives_up_what_was_undone() -> None:
    one, _ = History.of(first()).with_step(CORRECTING, step(Reject("m2")))
    two, _ = one.undo(CORRECTING).with_step(CORRECTING, step(added("a.txt", "De Graaf")))
    assert two.undone == ()
    assert two.redo(CORRECTING) is two


def test_a_refused_command_changes_nothing() -> None:
    start = History.of(first())
    with pytest.raises(CorrectionRefusedError):
        start.with_step(CORRECTING, step(Reject("m99")))
    assert start == History.of(first())
