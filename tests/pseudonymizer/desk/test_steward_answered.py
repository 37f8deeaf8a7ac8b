"""Answers to stewards: they come as they were sent, and no repr holds a name."""

from typing import Any

import pytest

from pseudonymizer.desk.steward_answered import (
    ErasurePlanned,
    GrantGiven,
    LikelyShown,
    LookedUp,
    NameShown,
    NamesShown,
    PersonSplit,
)
from tests.pseudonymizer.desk.struct_checks import is_the_same_after_its_way

NAME = "Jan Tolsma"


@pytest.mark.parametrize(
    "answer",
    [
        NamesShown((NameShown("P", "PERSON", NAME, (NAME,)),), 3),
        GrantGiven("G"),
        PersonSplit("P", 1, 2, 3, 4),
        LookedUp(("P",), 1, (NAME,), (LikelyShown(("Q",), 0.5, 1),)),
        ErasurePlanned(1, ("P",), 2, (NAME,)),
    ],
)
def test_an_answer_comes_as_it_was_sent_and_shows_no_name(answer: Any) -> None:
    assert is_the_same_after_its_way(answer)
    assert "Tolsma" not in repr(answer)
