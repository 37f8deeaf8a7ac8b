"""The names of Presidio for kinds: the shipped table, in both directions, and damaged ones."""

import re
from pathlib import Path

import pytest

from linkage.detection import value_mentions
from linkage.detection.finder import shipped_finder
from linkage.errors import KindsError
from linkage.kinds import PERSON, KindId, Kinds
from linkage.records import Document, DocumentId
from pseudonymizer.presidio_entities import PresidioEntities

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "kinds.md"
NAMED = {
    "Bel 06-12345678.": "PHONE_NUMBER",
    "Mail naar info@bakker.nl.": "EMAIL_ADDRESS",
    "Rekening NL91 ABNA 0417 1643 00.": "IBAN_CODE",
    "Rekeningnummer 123456789.": "BANK_ACCOUNT",
    "Kaart 4111 1111 1111 1111.": "CREDIT_CARD",
    "Op 5 augustus 2024.": "DATE_TIME",
    "Om 14.30 uur.": "DATE_TIME",
    "Zie https://www.bakker.nl/contact.": "URL",
    "Van 192.168.2.14.": "IP_ADDRESS",
    "Apparaat 00:1B:44:11:3A:B7.": "MAC_ADDRESS",
    "BSN 111222333.": "NATIONAL_ID",
    "SSN 536-90-4399.": "US_SSN",
    "National insurance number AB 12 34 56 C.": "UK_NINO",
    "Codice fiscale RSSMRA85T10A562S.": "IT_FISCAL_CODE",
    "Kenteken XX-123-B.": "VEHICLE",
}


@pytest.mark.parametrize("text", NAMED)
def test_a_value_has_the_name_that_presidio_knows_or_that_of_its_kind(text: str) -> None:
    values = value_mentions(Document(DocumentId("d"), text), persons=(), finder=shipped_finder())
    assert [PresidioEntities.load().name_of(value) for value in values] == [NAMED[text]]


@pytest.mark.parametrize(
    ("entity_type", "text", "kind"),
    [
        ("PERSON", "Jan", "PERSON"),
        ("DATE_TIME", "12-03-2024", "DATE"),
        ("DATE_TIME", "14.30 uur", "TIME"),
        ("DATE_TIME", "vanmiddag", "DATE"),
        ("US_SSN", "536-90-4399", "NATIONAL_ID"),
        ("LOCATION", "Zwolle", "CITY"),
        ("BIRTH_DATE", "12-03-1951", "BIRTH_DATE"),
        ("SOMETHING_ELSE", "x", None),
    ],
)
def test_the_kind_of_what_presidio_found(entity_type: str, text: str, kind: str | None) -> None:
    assert PresidioEntities.load().kind_of(entity_type, text, shipped_finder()) == kind


def test_every_name_leads_to_a_kind_and_a_kind_of_its_own_back_to_it() -> None:
    entities = PresidioEntities.load()
    for name, row in entities.rows.items():
        assert entities.kind_of(name, "x", shipped_finder()) in row.kinds
    assert PERSON in Kinds.load()
    assert not {KindId(name) for name in entities.rows} & (
        Kinds.load().keys() - {"PERSON", "URL", "IP_ADDRESS"}
    )


@pytest.mark.parametrize(
    "table", ["entities", "[entities]\nX = { kinds = [] }", '[entities]\nX = { kinds = ["NOTHING"] }']
)
def test_a_damaged_table_is_refused(table: str) -> None:
    with pytest.raises(KindsError, match=r"presidio\.toml"):
        PresidioEntities.of_toml(table.encode())


def test_the_page_of_kinds_shows_the_table() -> None:
    shown = re.findall(
        r"^\| `([A-Z_]+)` \| ([A-Z_, ]+) \|",
        PAGE.read_text("utf-8").split("## Names of Presidio\n")[1],
        re.MULTILINE,
    )
    rows = {name: ", ".join(row.kinds) for name, row in PresidioEntities.load().rows.items()}
    assert dict(shown) == rows
