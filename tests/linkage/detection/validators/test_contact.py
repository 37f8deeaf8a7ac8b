"""Addresses, links, files and user names as people write them."""

import time

import pytest

from linkage.detection import find_values
from linkage.language import Language
from linkage.texts import KindId

_DUTCH = Language.load("nl")


def _found(text: str, kind: str) -> list[str]:
    return [value.span.cut(text) for value in find_values(text, _DUTCH) if value.kind == KindId(kind)]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("EMAIL", "Mail jan.mol@post.example.", ["jan.mol@post.example"]),
        ("EMAIL", "mail jan.mol [at] post.example", ["jan.mol [at] post.example"]),
        ("URL", "zie https://x.example/a_(b)?c=1, of www.x.nl.", ["https://x.example/a_(b)?c=1", "www.x.nl"]),
        ("URL", "op x.nl/pad staat", ["x.nl/pad"]),
        ("FILE", "bijlage (akte_jan_2024.pdf)", ["akte_jan_2024.pdf"]),
        ("FILE", r"in C:\Users\jan\brief.docx staat", [r"C:\Users\jan\brief.docx"]),
        ("USERNAME", "zegt @jan_88 dan", ["@jan_88"]),
        ("USERNAME", '{"user": "lverhage"}', ["lverhage"]),
        ("USERNAME", "de gebruiker van lijn 4", []),
        ("STREET", "woont aan de Kwattaweg 412.", ["Kwattaweg 412"]),
        ("STREET", "Jan van Eykelenweg 2-III, Bunnik", ["Jan van Eykelenweg 2-III"]),
        ("STREET", "Het Rond 12, 3701 HS Zeist", ["Het Rond 12"]),
        ("STREET", "Postbus 90151, 5000 LC Tilburg", ["Postbus 90151"]),
        ("STREET", "Kerkdreef 7 bus 3, 8570 Anzegem", ["Kerkdreef 7 bus 3"]),
        ("STREET", "In Rotterdam 12 mensen", []),
        ("POSTCODE", "3701 HS Zeist", ["3701 HS"]),
        ("POSTCODE", "Kerkdreef 7, 8570 Anzegem", ["8570"]),
        ("POSTCODE", "in 2024 EN 2025", []),
    ],
)
def test_spellings(kind: str, text: str, expected: list[str]) -> None:
    assert _found(text, kind) == expected


def test_an_address_in_disguise_has_the_normal_form_of_the_plain_one() -> None:
    plain, disguised = "jan@post.example", "jan [at] post [punt] example"
    assert {find_values(text, _DUTCH)[0].normal for text in (plain, disguised)} == {plain}


@pytest.mark.parametrize("unit", ["a.", "@a", "A ", "Jan van ", "1-", "straat ", "a@", "/a", "x.nl", "1234 "])
def test_time_is_linear(unit: str) -> None:
    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        started = time.process_time()
        find_values(text, _DUTCH, kinds={KindId(k) for k in ("EMAIL", "URL", "FILE", "STREET", "POSTCODE")})
        return time.process_time() - started

    seconds(1_000)
    short, long = seconds(50_000), seconds(100_000)
    assert long < 3 * short + 0.1  # seconds; the square takes four times as long
