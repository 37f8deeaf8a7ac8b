"""Letters written in another way: what is none stays as it is."""

import pytest

from pseudonymizer.formats.text.escapes import (
    CODES,
    EMPHASIS,
    JOINED,
    PERCENT,
    QUOTED,
    WIDE,
    add_escaped,
    code_point,
)
from pseudonymizer.formats.tree.textmap import TextBuilder


def _shown(text: str) -> str:
    builder = TextBuilder()
    add_escaped(builder, 0, text, 0, len(text), ways=(PERCENT, CODES, EMPHASIS, JOINED, QUOTED, WIDE))
    return builder.text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Ren%C3%A9e", "Ren\u00e9e"), ("Ren%E9e", "Ren\u00e9e"), ("50%", "50%"),
        ("\\u00e9\\xe9", "\u00e9\u00e9"),
        ("&#233;&#xE9;&eacute;", "\u00e9\u00e9&eacute;"), ("\\ud83d\\u0001", "\\ud83d\\u0001"),
        ("**Jan** _de Vries_", "Jan de Vries"), ("2*3 a_b x__y *", "2*3 a_b x__y *"),
        ("\uff2a\uff41\uff4e", "Jan"),
        ("C:\\_x\\*y", "C:\\_x\\*y"), ("/_site/*.md", "/_site/*.md"),
        ("Jan_de_Vries belde", "Jan de Vries belde"),
        ("/Jan_Vries.docx a=Jan_Vries", "/Jan_Vries.docx a=Jan Vries"),
        ("Bouwma_Roelien.docx", "Bouwma_Roelien.docx"),
        ("Jan=20Vries Ren=C3=A9e a=20", "Jan Vries Ren\u00e9e a=20"),
    ],
)  # fmt: skip
def test_letters_by_what_they_mean(written: str, shown: str) -> None:
    assert _shown(written) == shown


def test_a_code_of_no_letter_is_none() -> None:
    assert code_point("&#0;") is None
    assert code_point("\\ud800") is None
    assert code_point("&#x110000;") is None
    assert code_point("nothing") is None
