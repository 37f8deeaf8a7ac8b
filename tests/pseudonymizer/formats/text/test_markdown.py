"""Markdown: names between marks of emphasis, in the head, in tags; code and addresses as they stand."""

import pytest

from pseudonymizer import formats
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Sanne Terpstra"


def _prose(text: str) -> str:
    return formats.read(text.encode(), name="x.md").parts[0].text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**Sanne** Terpstra", NAME), ("*Sanne* **Terpstra**", NAME),
        ("_Sanne Terpstra_ kwam", f"{NAME} kwam"),
        ("***Sanne*** ~~Terpstra~~", NAME), ("<b>Sanne</b> <i>Terpstra</i>", NAME),
        ("Terp\\-stra", "Terp-stra"),
        ("&Eacute;va", "\u00c9va"), ("snake_case_name", "snake_case_name"), ("2 * 3 * 4", "2 * 3 * 4"),
        ("* punt\n* punt", "* punt\n* punt"), ("`**code**`", "`**code**`"),
        ("[x](http://x.example/a_b_c)", "[x](http://x.example/a_b_c)"),
        ("```\n**a**\n```\n**b**", "```\n**a**\n```\nb"),
    ],
)  # fmt: skip
def test_marks_of_emphasis_are_no_words(written: str, shown: str) -> None:
    assert _prose(written) == shown


def test_names_go_and_marks_that_enclose_nothing_go_with_them() -> None:
    raw = b"*Sanne* **Terpstra** belde.\n"
    parsed, rendered = rewrite(raw, "x.md", [NAME])
    assert (
        rendered.raw.decode() == f"*{LABEL}*  belde.\n".replace("  ", " ") or LABEL in rendered.raw.decode()
    )
    assert b"****" not in rendered.raw
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw


def test_the_head_is_read_as_settings() -> None:
    raw = f'---\nauthor: {NAME}\nleden: ["Terpstra, Sanne"]\n---\n\nTekst.\n'.encode()
    part = formats.read(raw, name="x.md").parts[0]
    assert [span.cut(part.text) for span in part.names] == [NAME]
    _, rendered = rewrite(raw, "x.md", [NAME, "Terpstra, Sanne"])
    assert b"erpstra" not in rendered.raw
    assert rendered.raw.decode().startswith(f"---\nauthor: {LABEL}\n")


def test_titles_and_comments_come_apart() -> None:
    text = _prose(f"<img title='{NAME}'> tekst <!-- {NAME} -->")
    assert text.count(NAME) == 2
    assert text.startswith(" tekst ")


def test_many_open_marks_take_linear_time() -> None:
    assert len(_prose("**a " * 20_000)) > 20_000
    assert len(_prose("`a " * 20_000)) > 20_000
    assert len(_prose("<a " * 5_000)) > 5_000


def test_words_in_pointed_brackets_that_are_no_tag_are_said() -> None:
    raw = b"over <e. |\n\n- Zo zei Sanne Terpstra\n> x <b class='y'>z</b>"
    parsed = formats.read(raw, name="x.md")
    assert "Sanne Terpstra" in parsed.parts[0].text
    assert "class" not in parsed.parts[0].text
