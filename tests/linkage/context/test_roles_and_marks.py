"""Roles, marks of documents, form labels and signature letters. All names are invented."""

import pytest

from linkage.context.marks import group_mark
from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from linkage.normalization import normalize
from linkage.records import Detector, Document, DocumentId, Mention, NormalizedMention, Span


@pytest.fixture(scope="module")
def gazetteer() -> Gazetteer:
    return Gazetteer.load()


def read(text: str, names: list[str], gazetteer: Gazetteer) -> tuple[NormalizedMention, ...]:
    """The names in the order of the text, each looked for after the one before."""
    document, mentions, start = Document(DocumentId("d"), text), [], 0
    for name in names:
        start = text.index(name, start)
        span = Span(start, start + len(name))
        mentions.append(Mention.at(document, span, detector=Detector.NER, confidence=1.0))
        start = span.end
    return normalize(document, mentions, gazetteer)


def values(mention: NormalizedMention, kind: str) -> set[str]:
    return {value for found, value in mention.context.attributes if found == kind}


def callings(mention: NormalizedMention) -> set[str]:
    return {f"{role.side}:{role.calling}" for role in mention.context.roles}


@pytest.mark.parametrize(
    ("text", "name", "role"),
    [
        ("Zie huisarts Woudstra.", "Woudstra", "professional:arts"),
        ("Zie dr. Woudstra.", "Woudstra", "professional:arts"),
        ("Zie 2huisarts Woudstra.", "Woudstra", "professional:arts"),
        ("P. Woudstra, huisarts te Grou", "P. Woudstra", "professional:arts"),
        ("P. Woudstra (apotheker) belt", "P. Woudstra", "professional:apotheker"),
        ("Patiënt  : WOUDSTRA, P", "WOUDSTRA, P", "served:served"),
        ("cliënt mevr. Woudstra", "Woudstra", "served:served"),
        ("Volgens vader Woudstra niet", "Woudstra", "kin:vader"),
    ],
)
def test_the_words_beside_a_name_tell_its_role(text: str, name: str, role: str, gazetteer: Gazetteer) -> None:
    (mention,) = read(text, [name], gazetteer)
    assert callings(mention) == {role}


@pytest.mark.parametrize("text", ["Een andere patiënt. Fenna haalt die eruit.", "zoon Piet, dochter Fenna"])
def test_a_role_of_another_sentence_or_name_is_not_taken(text: str, gazetteer: Gazetteer) -> None:
    name = "Fenna" if "patiënt" in text else "Piet"
    (mention,) = read(text, [name], gazetteer)
    assert callings(mention) <= {"kin:zoon"}


def test_a_date_behind_a_name_is_a_birth_date_if_long_past(gazetteer: Gazetteer) -> None:
    text = "Woudstra, Piet;14-02-1979\nZandvliet, Inge;14-02-2025\n"
    old, new = read(text, ["Woudstra, Piet", "Zandvliet, Inge"], gazetteer)
    assert values(old, "birth_date") == {"1979-02-14"}
    assert values(new, "birth_date") == set()


def test_the_lines_of_a_form_are_one_person(gazetteer: Gazetteer) -> None:
    text = (
        "Achternaam ....: WOUDSTRA\nVoorletters ...: P.\nRoepnaam ......: Piet\nGeboortedatum .: 14-02-1979\n"
    )
    family, letters, called = read(text, ["WOUDSTRA", "P.", "Piet"], gazetteer)
    assert {letters.mention_id, called.mention_id} <= family.context.same_as
    assert values(called, "birth_date") | values(family, "birth_date") == {"1979-02-14"}


def test_the_first_mention_carries_what_the_document_is_about(gazetteer: Gazetteer) -> None:
    text = "Betreft NK-25-0117, mail aan info@noorderkring.example over Piet Woudstra en Inge Zandvliet"
    first, second = read(text, ["Piet Woudstra", "Inge Zandvliet"], gazetteer)
    assert {"code:nk 25 0117", "domain:noorderkring.example"} <= first.context.marks
    assert second.context.marks == set()


def test_the_group_of_a_document_is_one_of_its_marks(gazetteer: Gazetteer) -> None:
    document = Document(DocumentId("d"), "Fenna belde.", group="Dossier 12")
    mention = Mention.at(document, Span(0, 5), detector=Detector.NER, confidence=1.0)
    (found,) = normalize(document, [mention], gazetteer)
    assert group_mark("dossier  12") in found.context.marks
    assert not any("dossier" in mark for mark in found.context.marks)
    assert "12" not in repr(document)


def test_a_small_number_is_no_file_number(gazetteer: Gazetteer) -> None:
    (mention,) = read("Piet Woudstra, cliënt 2, belde", ["Piet Woudstra"], gazetteer)
    assert values(mention, "dossier") == set()


@pytest.mark.parametrize(
    ("text", "letters"), [("RvdS", "R.V.D.S."), ("TdJ", "T.D.J."), ("EW", "E.W."), ("WJV", "W.J.V.")]
)
def test_signature_letters_are_initials(text: str, letters: str, gazetteer: Gazetteer) -> None:
    name = parse_name(text, gazetteer)
    assert name.initials == letters
    assert name.family is None


@pytest.mark.parametrize("text", ["Jo", "JAN", "BOS", "McBain"])
def test_short_names_are_no_signatures(text: str, gazetteer: Gazetteer) -> None:
    assert parse_name(text, gazetteer).initials is None


@pytest.mark.parametrize(
    ("text", "is_role"),
    [
        ("Aanwezig: ASPEREN, Woudstra, leerling, vader", False),
        ("Aanwezig: Woudstra, leerling en vader", False),
        ("Gezien door Woudstra, huisarts, en de zuster", True),
        ("met Zandwijk, P. Woudstra, huisarts te Grou, en haar", True),
    ],
)
def test_a_word_of_a_list_is_one_more_who_was_there(text: str, is_role: bool, gazetteer: Gazetteer) -> None:
    name = "P. Woudstra" if "P. W" in text else "Woudstra"
    (mention,) = read(text, [name], gazetteer)
    assert bool(mention.context.roles) is is_role
