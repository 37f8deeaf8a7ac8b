"""Answers about texts: they come as they were sent, and no repr holds a text."""

from typing import Any

import pytest

from pseudonymizer.desk.answered import (
    RestoredOne,
    StreamBegun,
    StreamedPiece,
    StreamEnded,
    WrittenText,
    WrittenTexts,
)
from tests.pseudonymizer.desk.struct_checks import is_the_same_after_its_way

NAME = "Jan Tolsma"


@pytest.mark.parametrize(
    "answer",
    [
        WrittenTexts((WrittenText("a", NAME, (), 0, {}, None),), "nyr_x", 1),
        RestoredOne("a", NAME, "exact"),
        StreamBegun(),
        StreamedPiece(NAME, 3),
        StreamEnded(NAME, 1, ("X",), (), 7),
    ],
)
def test_an_answer_comes_as_it_was_sent_and_shows_no_name(answer: Any) -> None:
    assert is_the_same_after_its_way(answer)
    assert "Tolsma" not in repr(answer)
