"""Answers about what was found: they come as they were sent, and no repr holds words."""

from typing import Any

import pytest

from pseudonymizer.desk.correction_answered import (
    CorrectionFile,
    FormShown,
    LinkShown,
    MentionShown,
    Passage,
    PersonShown,
    TextShown,
)
from tests.pseudonymizer.desk.struct_checks import is_the_same_after_its_way

NAME = "Jan Tolsma"
MENTION = MentionShown("m1", "d", 0, 10, NAME, "PERSON", "ner", 0.9, judged=False, person="p1")


@pytest.mark.parametrize(
    "answer",
    [
        TextShown(1, (), "d", 0, 10, NAME, (MENTION,)),
        PersonShown("p1", (FormShown(NAME, 2),), ("m1",), 2, ("f",), 0),
        LinkShown(MENTION, MENTION, 0.5),
        Passage(MENTION, "f", "a.txt", 0, NAME, NAME),
        CorrectionFile(NAME.encode()),
    ],
)
def test_an_answer_comes_as_it_was_sent_and_shows_no_name(answer: Any) -> None:
    assert is_the_same_after_its_way(answer)
    assert "Tolsma" not in repr(answer)
