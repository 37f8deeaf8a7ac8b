"""Presidio's own engines with our operators; recognizer results as mentions and back."""

import logging
import re
from dataclasses import replace
from itertools import pairwise

import pytest

pytest.importorskip("presidio_anonymizer", reason="needs the extra nymlink[presidio]")

from hypothesis import given
from hypothesis import strategies as st
from presidio_anonymizer import AnonymizerEngine, DeanonymizeEngine
from presidio_anonymizer.entities import InvalidParamError, OperatorConfig, RecognizerResult

from linkage.records import Document, DocumentId, LinkageResult
from pseudonymizer.assignment import one_person_a_key
from pseudonymizer.errors import InvalidRecordError, PurposeRequiredError, UnknownPseudonymError
from pseudonymizer.policy import Role
from pseudonymizer.presidio import (
    PSEUDONYMIZE,
    VaultNames,
    VaultPseudonymize,
    VaultReveal,
    mentions_of,
    recognize,
    recognizer_results,
)
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import Style
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from tests.fakes import simple_name
from tests.pseudonymizer.batch_fakes import load_fake
from tests.pseudonymizer.conftest import VaultPlace

TEXT = "Jan Tolsma belde Els Kok op 06-12345678. JAN TOLSMA mailde."


def results(text: str, *found: tuple[str, str]) -> list[RecognizerResult]:
    return [
        RecognizerResult(kind, text.index(part), text.index(part) + len(part), 0.9) for part, kind in found
    ]


FOUND = results(
    TEXT,
    ("Jan Tolsma", "PERSON"),
    ("Els Kok", "PERSON"),
    ("06-12345678", "PHONE_NUMBER"),
    ("JAN TOLSMA", "PERSON"),
)


@pytest.fixture
def engine() -> AnonymizerEngine:
    made = AnonymizerEngine()  # type: ignore[no-untyped-call]
    made.add_anonymizer(VaultPseudonymize)
    return made


@pytest.fixture
def back() -> DeanonymizeEngine:
    made = DeanonymizeEngine()  # type: ignore[no-untyped-call]
    made.add_deanonymizer(VaultReveal)
    return made


@pytest.fixture
def names(vault: Vault) -> VaultNames:
    return VaultNames(vault, "p", purpose="toets", parse=simple_name)


@pytest.mark.parametrize("style", [Style.TOKEN, Style.CODE, Style.TAG])
def test_there_and_back_through_presidios_engines(
    engine: AnonymizerEngine, back: DeanonymizeEngine, names: VaultNames, style: Style
) -> None:
    names.style = style
    result = engine.anonymize(TEXT, FOUND, names.operators())
    labels = [item.text for item in sorted(result.items, key=lambda item: item.start)]
    assert len(set(labels)) == 3
    assert labels[0] == labels[3]
    assert result.text == TEXT.replace("Jan Tolsma", labels[0]).replace("Els Kok", labels[1]).replace(
        "06-12345678", labels[2]
    ).replace("JAN TOLSMA", labels[0])
    vault = names.vault
    assert isinstance(vault, Vault)
    before = sum(event.action == "reveal" for event in vault.audit_events())
    restored = back.deanonymize(result.text, result.items, names.revealing(result.items))
    assert restored.text.casefold() == TEXT.casefold()
    assert "06-12345678" in restored.text
    reveals = [event for event in vault.audit_events() if event.action == "reveal"][before:]
    assert [(event.purpose, set(event.subjects)) for event in reveals] == [("toets", set(labels))]


def test_a_label_that_was_written_in_small_letters_is_revealed(names: VaultNames) -> None:
    names.style = Style.CODE
    label = names.label("Jan Tolsma", is_person=True)
    assert names.name(label.lower()) == "Jan Tolsma"


def test_the_same_person_in_a_later_text_by_another_engine(
    engine: AnonymizerEngine, names: VaultNames
) -> None:
    first = engine.anonymize("Els Kok", results("Els Kok", ("Els Kok", "PERSON")), names.operators())
    later = VaultNames(names.vault, "p", parse=simple_name)
    text = "Vraag els kok."
    second = engine.anonymize(text, results(text, ("els kok", "PERSON")), later.operators())
    assert second.text == f"Vraag {first.text}."


def test_a_linker_finds_variants_of_known_people(engine: AnonymizerEngine, names: VaultNames) -> None:
    first = engine.anonymize("Els Kok", results("Els Kok", ("Els Kok", "PERSON")), names.operators())

    class EverybodyIsTheFirst:
        def link(self, mentions: object, *, known: object = (), judgements: object = ()) -> LinkageResult:
            assert isinstance(mentions, list)
            assert isinstance(known, tuple)
            assert not judgements
            plain = one_person_a_key(mentions, lambda m: m.name)
            people = tuple(replace(one, entity_id=known[0].entity_id) for one in plain.identities)
            return replace(plain, identities=people)

    linked = VaultNames(names.vault, "p", linker=EverybodyIsTheFirst, parse=simple_name)
    second = engine.anonymize("Elsje", results("Elsje", ("Elsje", "PERSON")), linked.operators())
    assert second.text == first.text


def test_without_purpose_or_right_nothing_is_revealed(place: VaultPlace, back: DeanonymizeEngine) -> None:
    with place.create() as vault:
        label = VaultNames(vault, "p", parse=simple_name).label("Els Kok", is_person=True)
        nobody = VaultNames(vault, "p")
        with pytest.raises(PurposeRequiredError):
            nobody.name(label)
        with pytest.raises(UnknownPseudonymError):
            VaultNames(vault, "p", purpose="toets").name("P1-" + "0" * 20)
        give_role(vault, "ana", Role.ANALYST)
        vault.commit()
    with place.open("ana") as vault:
        analyst = VaultNames(vault, "p", purpose="toets", parse=simple_name)
        assert analyst.label("Els Kok", is_person=True) == label
        with pytest.raises(PermissionError):
            analyst.name(label)
    assert back.get_deanonymizers()


def test_operators_want_a_vault(engine: AnonymizerEngine) -> None:
    with pytest.raises(InvalidParamError):
        engine.anonymize(TEXT, FOUND, {"DEFAULT": OperatorConfig(PSEUDONYMIZE, {})})


def test_no_name_in_logs_or_repr(
    engine: AnonymizerEngine, names: VaultNames, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        engine.anonymize(TEXT, FOUND, names.operators())
    assert "Tolsma" not in caplog.text
    assert "Tolsma" not in repr(names)
    assert "Tolsma" not in repr(names.operators()["DEFAULT"].params)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6), st.floats(0, 1)), max_size=8))
def test_mentions_of_results_never_overlap_and_come_back(spans: list[tuple[int, int, float]]) -> None:
    document = Document(DocumentId("d"), "x" * 40)
    found = [RecognizerResult("PERSON", start, start + length, score) for start, length, score in spans]
    found.append(RecognizerResult("LOCATION", 30, 35, 1.0))
    mentions = mentions_of(document, found)
    assert all(a.span.end <= b.span.start for a, b in pairwise(mentions))
    assert all(m.span.end <= 30 for m in mentions)
    again = recognizer_results(mentions)
    assert mentions_of(document, again) == mentions
    assert {(r.start, r.end, r.score) for r in again} <= {(r.start, r.end, r.score) for r in found}
    assert bool(mentions) == bool(spans)


LETTER = (
    "Jan Tolsma (geboren 12-03-1951, BSN 111222333) mailt j.tolsma@ziggo.nl of info@garage-bakker.nl, "
    "belt 06-12345678 en betaalt met NL91 ABNA 0417 1643 00. Hij woont in Zwolle."
)
LETTER_FOUND = results(
    LETTER,
    ("Jan Tolsma", "PERSON"),
    ("12-03-1951", "BIRTH_DATE"),
    ("111222333", "NATIONAL_ID"),
    ("j.tolsma@ziggo.nl", "EMAIL_ADDRESS"),
    ("info@garage-bakker.nl", "EMAIL_ADDRESS"),
    ("06-12345678", "PHONE_NUMBER"),
    ("NL91 ABNA 0417 1643 00", "IBAN_CODE"),
    ("Zwolle", "LOCATION"),
)


@pytest.fixture
def direct(vault: Vault) -> VaultNames:
    return VaultNames(vault, "p", purpose="toets", parse=simple_name, profile="direct", style=Style.CODE)


def test_kinds_are_treated_by_the_profile_and_an_address_follows_its_person(
    engine: AnonymizerEngine, direct: VaultNames
) -> None:
    result = engine.anonymize(LETTER, LETTER_FOUND, direct.operators_for(LETTER, LETTER_FOUND))
    code = r"-[0-9A-Z]{5}"
    assert re.fullmatch(
        rf"(PERSOON{code}) \(geboren GEBOORTEDATUM{code}, BSN BURGERNUMMER{code}\) "
        rf"mailt \1@nymlink\.example of EMAIL{code}, belt TELEFOON{code} "
        rf"en betaalt met REKENING{code}\. Hij woont in Zwolle\.",
        result.text,
    ), result.text


def test_what_a_project_stores_is_what_the_operators_do(engine: AnonymizerEngine, vault: Vault) -> None:
    vault.ensure_project("p", ProjectSettings.of_new_project())
    vault.commit()
    names = VaultNames(vault, "p", parse=simple_name)
    result = engine.anonymize(LETTER, LETTER_FOUND, names.operators_for(LETTER, LETTER_FOUND))
    assert "REKENING-" in result.text
    assert "Zwolle" in result.text


def test_a_whole_text_that_was_kept_comes_back_letter_by_letter(
    engine: AnonymizerEngine, direct: VaultNames
) -> None:
    direct.treat = {"PHONE": "random", "BIRTH_DATE": "shift"}
    result = engine.anonymize(LETTER, LETTER_FOUND, direct.operators_for(LETTER, LETTER_FOUND))
    assert not re.search("Tolsma|1951-03-12|06-12345678|0417", result.text)
    direct.keep(LETTER, result)
    project = Project.open(direct.vault, "p")
    assert project.restore(result.text, purpose="toets").decode() == LETTER


def test_labels_and_the_one_address_of_a_person_come_back_in_presidios_engine(
    engine: AnonymizerEngine, back: DeanonymizeEngine, direct: VaultNames
) -> None:
    result = engine.anonymize(LETTER, LETTER_FOUND, direct.operators_for(LETTER, LETTER_FOUND))
    direct.keep(LETTER, result)
    again = replace(direct, _names={})
    assert back.deanonymize(result.text, result.items, again.revealing(result.items)).text == LETTER


def test_what_has_no_way_back_stays_as_it_was_written(
    engine: AnonymizerEngine, back: DeanonymizeEngine, direct: VaultNames
) -> None:
    direct.treat = {"NATIONAL_ID": "mask"}
    result = engine.anonymize(LETTER, LETTER_FOUND, direct.operators_for(LETTER, LETTER_FOUND))
    direct.keep(LETTER, result)
    masked = next(item.text for item in result.items if item.entity_type == "NATIONAL_ID")
    assert "111222333" not in result.text
    restored = back.deanonymize(result.text, result.items, direct.revealing(result.items))
    assert restored.text == LETTER.replace("111222333", masked)


def test_a_result_of_another_text_is_not_kept(engine: AnonymizerEngine, direct: VaultNames) -> None:
    result = engine.anonymize(LETTER, LETTER_FOUND, direct.operators_for(LETTER, LETTER_FOUND))
    with pytest.raises(InvalidRecordError) as refused:
        direct.keep(LETTER.replace("woont", "werkt"), result)
    assert "Tolsma" not in str(refused.value)


def test_a_later_text_has_the_labels_of_the_first(engine: AnonymizerEngine, direct: VaultNames) -> None:
    first = engine.anonymize(LETTER, LETTER_FOUND, direct.operators_for(LETTER, LETTER_FOUND))
    later = replace(direct, _written={}, _keys={})
    text = "Op NL91ABNA0417164300 van Jan Tolsma."
    found = results(text, ("NL91ABNA0417164300", "IBAN_CODE"), ("Jan Tolsma", "PERSON"))
    second = engine.anonymize(text, found, later.operators())
    labels = {item.entity_type: item.text for item in first.items}
    assert second.text == f"Op {labels['IBAN_CODE']} van {labels['PERSON']}."


def test_what_is_found_here_has_the_names_that_presidio_knows(engine: AnonymizerEngine, vault: Vault) -> None:
    project = Project.open(vault, "p", ProjectOptions(load=load_fake))
    text = LETTER.replace("Jan Tolsma", "Els Douma").replace("j.tolsma", "els.douma")
    found = recognize(project, text)
    assert [(one.entity_type, text[one.start : one.end]) for one in found] == [
        ("PERSON", "Els Douma"),
        ("BIRTH_DATE", "12-03-1951"),
        ("NATIONAL_ID", "111222333"),
        ("EMAIL_ADDRESS", "els.douma@ziggo.nl"),
        ("PERSON", "els.douma"),
        ("EMAIL_ADDRESS", "info@garage-bakker.nl"),
        ("PHONE_NUMBER", "06-12345678"),
        ("IBAN_CODE", "NL91 ABNA 0417 1643 00"),
    ]
    names = VaultNames(vault, "p", parse=simple_name, profile="direct")
    result = engine.anonymize(text, found, names.operators_for(text, found))
    assert not re.search("(?i)douma|ziggo|bakker|1951|111222333|0417|06-1234", result.text)
