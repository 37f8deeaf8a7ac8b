"""Text in the exact form of a code."""

import pytest

from pseudonymizer.styles.looks import code_looks, is_code_look, kind_words


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("voor PERSOON-7KQM3.", ["PERSOON-7KQM3"]),
        ("(PERSON-7KQM3)KENTEKEN-7KQM34 PERSOON-7KQM34567X", ["PERSON-7KQM3", "KENTEKEN-7KQM34"]),
        ("JANSEN-A1234.pdf, DOSSIER-2023B", []),
        ("persoon-7KQM3 XPERSOON-7KQM3 PERSOON-7KQM3X9PQR PERSOON-KAART PERSOON-12345", []),
    ],
)
def test_codes_are_told_by_the_words_of_kinds(text: str, looks: list[str]) -> None:
    assert [span.cut(text) for span in code_looks(text)] == looks


def test_a_code_with_a_word_of_the_users_own_has_the_form_too() -> None:
    assert "PERSOON" in kind_words()
    assert [is_code_look(text) for text in ("CLIENT-7KQM3", "CLIENT-7KQM", "<PERSOON-3>")] == [
        True, False, False,
    ]  # fmt: skip
