"""Addresses, links, files and user names as people write them."""

import time

import pytest

from linkage.detection import find_values
from linkage.language import Language
from linkage.texts import KindId

_DUTCH = Language.load("nl")


def _found(text: str, kind: str, language: Language = _DUTCH) -> list[str]:
    return [value.span.cut(text) for value in find_values(text, language) if value.kind == KindId(kind)]


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


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("STREET", "residente in Via Garibaldi 12, 47121 Forlì", ["Via Garibaldi 12"]),
        ("STREET", "abita in piazza della Repubblica, 5", ["piazza della Repubblica, 5"]),
        ("STREET", "lo studio di viale G. Verdi n. 33/A,", ["viale G. Verdi n. 33/A"]),
        ("STREET", "C.so Vittorio Emanuele II 104", ["C.so Vittorio Emanuele II 104"]),
        ("STREET", "Largo Donatori del Sangue snc", ["Largo Donatori del Sangue snc"]),
        ("STREET", "in via dei Mille c'era folla", ["via dei Mille"]),
        ("STREET", "inviato via PEC il giorno dopo", []),
        ("POSTCODE", "Via dell'Orto n. 5, 20124 Milano", ["20124"]),
        ("NATIONAL_ID", "codice fiscale RSSMRA80C52D704K", ["RSSMRA80C52D704K"]),
        ("COMPANY_NUMBER", "P. IVA 01234567890", ["01234567890"]),
        ("TIME", "visita alle ore 9 o alle 14.30", ["ore 9", "14.30"]),
        ("AGE", "Paziente di 75 anni, donna di anni 62", ["75 anni", "62"]),
        ("BIRTH_DATE", "nata a Forlì (FC) il 12 marzo 1980", ["12 marzo 1980"]),
        ("MONEY", "mutuo di 120.000 euro, 3 milioni di euro", ["120.000 euro", "3 milioni di euro"]),
    ],
)
def test_italian_spellings(kind: str, text: str, expected: list[str]) -> None:
    assert _found(text, kind, Language.load("it")) == expected


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
