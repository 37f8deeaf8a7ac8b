"""Where the line of a mention begins."""

import pytest

from linkage.context.lines import line_before, line_start
from tests.linkage.context.marked import mentions_of


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_begins_behind_the_end_of_the_one_before(end: str) -> None:
    text = f"Dag.{end}Van: Fenna"
    (mention,) = mentions_of(text, "Fenna")
    assert line_start(text, mention) == len("Dag." + end)
    assert line_before(text, mention) == "Van: "


def test_a_line_without_end_is_looked_back_in_for_two_hundred_characters() -> None:
    text = "x" * 1_000 + "Fenna"
    (mention,) = mentions_of(text, "Fenna")
    assert line_start(text, mention) == 800
