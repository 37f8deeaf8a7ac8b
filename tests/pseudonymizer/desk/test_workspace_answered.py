"""Answers about workspaces: they come as they were sent, and no repr holds a path or a text."""

from typing import Any

import pytest

from pseudonymizer.desk.workspace_answered import (
    ExampleForeseen,
    FileShown,
    FilesShown,
    JobShown,
    KindForeseen,
    PieceGiven,
)
from tests.pseudonymizer.desk.struct_checks import is_the_same_after_its_way

NAME = "Jan Tolsma"


@pytest.mark.parametrize(
    "answer",
    [
        FilesShown((FileShown("f", 1, NAME, 3, "received"),), 1),
        PieceGiven(NAME.encode(), NAME, 1, 10),
        KindForeseen("PERSON", "code", 1, (ExampleForeseen(NAME, None, stays=True),)),
        JobShown("j", "w", "write", "done", ""),
    ],
)
def test_an_answer_comes_as_it_was_sent_and_shows_no_name(answer: Any) -> None:
    assert is_the_same_after_its_way(answer)
    assert "Tolsma" not in repr(answer)
