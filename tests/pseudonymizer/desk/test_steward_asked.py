"""Requests of stewards: bounded, without unknown fields, and silent about names."""

from typing import Any

import msgspec
import pytest

from pseudonymizer.desk import steward_asked
from pseudonymizer.desk.steward_asked import (
    AskForNames,
    AuditPage,
    AuditSearch,
    LookUp,
    RevealNames,
    SplitPerson,
)
from tests.pseudonymizer.desk.struct_checks import is_the_same_after_its_way, takes_what_it_does_not_know

NAME = "Jan Tolsma"


def test_a_field_that_there_is_not_is_refused() -> None:
    assert list(takes_what_it_does_not_know(steward_asked)) == []


@pytest.mark.parametrize(
    "asked",
    [
        LookUp(name=NAME, purpose="p"),
        SplitPerson(pseudonym="P", forms=(NAME,), purpose="p"),
        AuditSearch(account=NAME),
        RevealNames(pseudonyms=("P",), purpose="p"),
    ],
)
def test_a_request_comes_as_it_was_sent_and_shows_no_name(asked: Any) -> None:
    assert is_the_same_after_its_way(asked)
    assert "Tolsma" not in repr(asked)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (AskForNames, {"pseudonyms": [], "purpose": "p"}),
        (AskForNames, {"pseudonyms": ["P"], "purpose": ""}),
        (SplitPerson, {"pseudonym": "P", "forms": [], "purpose": "p"}),
        (AuditPage, {"limit": 0}),
        (AuditPage, {"after": -1}),
    ],
)
def test_what_is_out_of_bounds_is_refused(kind: Any, body: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, kind)
