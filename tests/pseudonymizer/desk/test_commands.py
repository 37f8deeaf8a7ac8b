"""Commands of corrections: told apart by `do`, bounded, stored as they are, and silent about words."""

from typing import Any, get_args

import msgspec
import pytest

from pseudonymizer.desk.commands import Add, Command, Judge, Reject, Split, Step

NAME = "Jan Tolsma"


def test_every_command_has_a_name_of_its_own() -> None:
    kinds = get_args(Command)
    assert len({kind.__struct_config__.tag for kind in kinds}) == len(kinds) == 13


@pytest.mark.parametrize(
    "command",
    [Add("d", 0, 3, NAME, everywhere=True), Reject("m1"), Split(("m1", "m2")), Judge("m1", "m2", "accept")],
)
def test_a_stored_step_is_the_command_that_was_given(command: Any) -> None:
    step = Step(command, "2026-11-01T00:00:00+00:00", "anna")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(step), type=Step) == step
    assert "Tolsma" not in repr(step)


@pytest.mark.parametrize(
    "body",
    [
        {"do": "none", "mention": "m1"}, {"mention": "m1"}, {"do": "reject"}, {"do": "reject", "mention": ""},
        {"do": "reject", "mention": "m1", "Tolsma": 1}, {"do": "split", "mentions": []},
        {"do": "add", "document": "d", "start": -1, "end": 3, "text": "x"},
        {"do": "judge", "left": "m1", "right": "m2", "verdict": "maybe"},
    ],
)  # fmt: skip
def test_what_is_no_command_is_refused(body: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, Command)
