"""Settings: quoted values by what they mean, names by their keys; nothing else changes."""

import tomllib

import pytest

from pseudonymizer import formats
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "J\u00fcrgen de Boer"


def _part(text: str, name: str = "x.yaml") -> formats.TextPart:
    return formats.read(text.encode(), name=name).parts[0]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('a: "J\\u00fcrgen\\x20de Boer"', f'a: "{NAME}"'), ("a: 'd''Ancona'", "a: 'd'Ancona'"),
        ("it's Jan's", "it's Jan's"), ('a = """x\\ty"""', 'a = """x\ty"""'), ("a: b # c", "a: b # c"),
        ('path = "C:\\\\Users"', 'path = "C:\\Users"'),
    ],
)  # fmt: skip
def test_quoted_values_are_read_by_what_they_mean(written: str, shown: str) -> None:
    assert _part(written).text == shown


def test_the_value_of_a_key_that_says_so_is_a_name() -> None:
    part = _part('auteur: J\u00fcrgen de Boer\nachternaam: "Hoekema"\nplaats: Grou\n')
    assert [span.cut(part.text) for span in part.names] == [NAME, "Hoekema"]


def test_names_go_and_the_file_still_parses() -> None:
    raw = 'naam = "J\\u00fcrgen de Boer"\ntekst = """\nJ\u00fcrgen de Boer belde\n"""\n'.encode()
    parsed, rendered = rewrite(raw, "x.toml", [NAME])
    assert tomllib.loads(rendered.raw.decode()) == {"naam": LABEL, "tekst": f"{LABEL} belde\n"}
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw


def test_a_label_opens_nothing_in_a_bare_value() -> None:
    parsed = formats.read(b"auteur: Bas Hoekema\nx: 1\n", name="x.yml")
    part = parsed.parts[0]
    rendered = parsed.render({"": {part.names[0]: "[PERSOON-1]: x"}})
    assert rendered.raw == b"auteur: PERSOON-1] x\nx: 1\n"


def test_packed_values_are_told() -> None:
    parsed = formats.read(
        b'key: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v"\n', name="x.yml"
    )
    assert [one.kind for one in parsed.unread] == ["encoded content"]


@pytest.mark.parametrize(
    "line", ["naam=Zo\\u00eb Vos", 'naam = "Zo\\U000000EB Vos"', "naam = 'Zo\\u00eb Vos'"]
)
def test_letters_as_codes_are_read(line: str) -> None:
    assert "Zoë Vos" in formats.read(line.encode(), name="x.properties").parts[0].text
