"""What was probably meant, in words that are known."""

import pytest

from linkage.meant import meant, question

KINDS = ["PERSON", "BANK_ACCOUNT", "PHONE", "POSTCODE"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [("persn", ["PERSON"]), ("bank-acount", ["BANK_ACCOUNT"]), ("Vlasbloem", []), ("", [])],
)
def test_the_nearest_known_word_is_told(typed: str, found: list[str]) -> None:
    assert meant(typed, KINDS) == found


def test_a_question_tells_known_words_alone() -> None:
    assert question("PERSN", KINDS) == "did you mean PERSON? "
    assert question("Vlasbloem", KINDS) == ""
    assert question("POSTCODES", KINDS, least=0.99) == ""
