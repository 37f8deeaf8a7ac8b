"""Words that parts of files are announced by."""

import pytest

from pseudonymizer.formats.vocabulary import label, words


def test_a_part_is_announced_by_the_words_of_the_language() -> None:
    assert label("author") == "Auteur: "
    assert label("changed_by") == "Laatst gewijzigd door: "


def test_an_unknown_part_is_a_fault_of_the_code() -> None:
    with pytest.raises(KeyError):
        label("colour")


def test_words_are_cut_at_blanks() -> None:
    assert words("p  h\n text") == {"p", "h", "text"}
