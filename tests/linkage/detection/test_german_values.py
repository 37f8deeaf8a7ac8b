"""Values as German texts write them: dotted days, hours, amounts, streets, towns behind their postcodes."""

from functools import cache

import pytest

from linkage.detection import ValueFinder, finder_of
from linkage.detection.values import value_mentions
from linkage.own_kinds import OwnValues
from linkage.records import Document, DocumentId


@cache
def finder() -> ValueFinder:
    return finder_of(OwnValues())


def found(text: str, language: str = "de") -> dict[str, str]:
    """By the text of each value but numbers, its kind."""
    document = Document(DocumentId("d"), text, language)
    values = value_mentions(document, persons=[], finder=finder(), recognized=())
    return {one.mention.surface: str(one.kind) for one in values if one.kind != "NUMBER"}


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("Ihr Schreiben vom 9.10. liegt vor.", "9.10.", "DATE"),
        ("Besichtigung (3.3.) war gut.", "3.3.", "DATE"),
        ("02.10. 06:45 Frau gut geschlafen", "02.10.", "DATE"),
        ("Hotel, 12.–14.03.: bezahlt", "12.–14.03.", "DATE"),
        ("Wiedervorlage Di 18.3. im Büro", "Di 18.3.", "DATE"),
        ("Heute, am Freitag, dem 16. Mai 2025, kam er.", "Freitag, dem 16. Mai 2025", "DATE"),
        ("Sitzung Donnerstag, den 06.02.2025 statt", "Donnerstag, den 06.02.2025", "DATE"),
        ("Treffen 28.02.2025, 16 Uhr: Haus", "16 Uhr", "TIME"),
        ("geöffnet von 10 bis 16 Uhr", "10", "TIME"),
        ("Die Bilanzsumme stieg auf 1,84 Mrd. € an.", "1,84 Mrd. €", "MONEY"),
        ("Umsatz 14,9 Mio. € im Jahr", "14,9 Mio. €", "MONEY"),
        ("Kredit über 185 TEUR bewilligt", "185 TEUR", "MONEY"),
        ("Löbauer Straße 5, 02763 Zittau", "Löbauer Straße 5", "STREET"),
        ("wohnhaft Am Hang 2, 97320 Mainstockheim", "Am Hang 2", "STREET"),
        ("An der Ziegelei 2, 04109 Leipzig", "An der Ziegelei 2", "STREET"),
        ("Er wohnt in der Georg-Schumann-Straße seit Mai.", "Georg-Schumann-Straße", "STREET"),
        ("wohnhaft Weinsteige, 70180 Stuttgart,", "70180", "POSTCODE"),
        ("Löbauer Straße 5, 02763 Zittau", "Zittau", "CITY"),
        ("60311 Frankfurt am Main, Deutschland", "Frankfurt am Main", "CITY"),
        ("(Sägewerk), 3300 Amstetten, Ybbs", "3300", "POSTCODE"),
        ("AG Potsdam, HRB 30417 P – Kapital", "HRB 30417 P", "COMPANY_NUMBER"),
    ],
)
def test_a_value_is_found_whole(text: str, value: str, kind: str) -> None:
    assert found(text).get(value) == kind


@pytest.mark.parametrize(
    "text",
    [
        "3.1. Ziele des Vereins",
        "siehe Nr. 3.1. der Satzung",
        "Die Note war 1.3 im Schnitt",
        "Vertrag mit 12 Uhren",
        "Wir bauen eine Hauptstraße.",
        "Wir zahlten 12345 Euro",
    ],
)
def test_what_only_looks_like_one_is_left(text: str) -> None:
    kinds = set(found(text).values())
    assert kinds.isdisjoint({"DATE", "TIME", "STREET", "POSTCODE", "CITY"})


def test_these_patterns_are_not_tried_in_dutch_texts() -> None:
    text = "Het schrijven van 9.10. aan de Löbauer Straße 5 om 16 Uhr"
    assert "9.10." not in found(text, "nl")
    assert "Löbauer Straße 5" not in found(text, "nl")
