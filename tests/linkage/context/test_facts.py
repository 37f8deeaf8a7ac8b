"""Values of a text as facts about people: their forms stay those of older vaults. All people are invented."""

import pytest

from linkage.context.facts import facts_of
from linkage.detection.values import value_mentions
from linkage.language import Language
from linkage.records import Document, DocumentId


def told(text: str) -> list[tuple[str, str]]:
    document = Document(DocumentId("d"), text)
    facts = facts_of(text, value_mentions(document), Language.load("nl"))
    return [(fact.kind, fact.value) for fact in facts]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Jan Bosma, geb. 12-03-1951", ("birth_date", "1951-03-12")),
        ("Jan Bosma, geboren op 12 mrt 1951", ("birth_date", "1951-03-12")),
        ("born 3 March 1960", ("birth_date", "1960-03-03")),
        ("Geboortedatum: 1951-03-12", ("birth_date", "1951-03-12")),
        ("* 12-3-51", ("birth_date", "1951-03-12")),
        ("d.o.b. 12/03/26", ("birth_date", "2026-03-12")),
        ("BSN: 111222333", ("bsn", "111222333")),
        ("burgerservicenummer 111.222.333", ("bsn", "111222333")),
        ("Mail J.Bosma@Voorbeeld.example", ("email", "j.bosma@voorbeeld.example")),
        ("tel. 06-12345678", ("phone", "0612345678")),
        ("tel. +31 6 12345678", ("phone", "0612345678")),
        ("tel. 0031 58 212 34 56", ("phone", "0582123456")),
        ("dossier 2024-0117", ("dossier", "2024-0117")),
        ("Klantnummer: KL/88213", ("dossier", "kl/88213")),
        ("woont Oude Kerkstraat 12 A, Grou", ("address", "oude kerkstraat 12a")),
        ("Adres: Burg. Wuiteweg 7", ("address", "burg. wuiteweg 7")),
    ],
)
def test_a_fact_has_the_form_that_vaults_of_0_1_hold(text: str, fact: tuple[str, str]) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("zaaknummer 10284417 CV EXPL 22-3391", ("dossier", "10284417")),
        ("polisnr. 880.412-03", ("dossier", "880.412-03")),
        ("tel. 02 217 45 90", ("phone", "022174590")),
        ("tel. +44 7700 900461", ("phone", "+447700900461")),
        ("IBAN NL91 ABNA 0417 1643 00", ("iban", "nl91abna0417164300")),
    ],
)
def test_a_value_that_older_versions_did_not_read_whole_is_a_fact_too(
    text: str, fact: tuple[str, str]
) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "BSN: 111222334",  # the check digit is wrong: it may be anybody's
        "factuur 2024-0117",  # a bill is of one purchase, not of a person
        "dossier 2",
        "Postbus 212, 3000 AA Utrecht",
        "IBAN NL91ABNA0417164301",  # the check digits are wrong
        "rekening 41.71.64.300",  # a number of before 2014: in no international form
        "tel. toestel 4411",
        "Geboren in 1951",
    ],
)
def test_what_points_to_nobody_is_no_fact(text: str) -> None:
    assert told(text) == []


def test_facts_stand_in_the_order_of_the_text() -> None:
    text = "Jan Bosma, geb. 12-03-1951, tel. 06-12345678, BSN 111222333"
    assert [kind for kind, _ in told(text)] == ["birth_date", "phone", "bsn"]
