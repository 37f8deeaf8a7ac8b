"""Requests about what was found: bounded, without unknown fields, and silent about words."""

from typing import Any

import msgspec
import pytest

from pseudonymizer.desk import correction_asked
from pseudonymizer.desk.correction_asked import (
    AddWords,
    GiveCommands,
    MoveBound,
    OpenQuestions,
    ReadText,
    TakeCorrections,
)
from tests.pseudonymizer.desk.struct_checks import is_the_same_after_its_way, takes_what_it_does_not_know

NAME = "Jan Tolsma"


def test_a_field_that_there_is_not_is_refused() -> None:
    assert list(takes_what_it_does_not_know(correction_asked)) == []


@pytest.mark.parametrize(
    "asked",
    [
        ReadText(workspace="w", file="f", document=NAME),
        AddWords(workspace="w", revision=0, file="f", words=NAME),
        TakeCorrections(workspace="w", revision=0, mentions=NAME),
    ],
)
def test_a_request_comes_as_it_was_sent_and_shows_no_name(asked: Any) -> None:
    assert is_the_same_after_its_way(asked)
    assert "Tolsma" not in repr(asked)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (GiveCommands, {"workspace": "w", "revision": 0, "commands": []}),
        (GiveCommands, {"workspace": "w", "revision": -1, "commands": []}),
        (OpenQuestions, {"workspace": "w", "sure_from": 1.1}),
        (ReadText, {"workspace": "w", "file": "f", "letters": 0}),
        (MoveBound, {"workspace": "w", "revision": 0, "mention": "m", "side": "middle", "by": "wider"}),
    ],
)
def test_what_is_out_of_bounds_is_refused(kind: Any, body: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, kind)
