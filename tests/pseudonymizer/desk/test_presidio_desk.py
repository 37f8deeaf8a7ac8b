"""Presidio's services over this engine: findings by its names, its operators, and pseudonyms of the vault."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkage.kinds import LITERAL
from pseudonymizer.desk.asked import GivenText, RestoreTexts
from pseudonymizer.desk.models import Models
from pseudonymizer.desk.presidio_asked import (
    OPERATORS,
    Analyze,
    Anonymize,
    Anonymized,
    EntitiesOfPresidio,
    ResultGiven,
)
from pseudonymizer.desk.presidio_desk import PresidioDesk
from pseudonymizer.desk.text_options import ServiceSettings, WrongOptionError
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.errors import AccessRefusedError, NoPresidioError, UnknownProjectError
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake

pytest.importorskip("presidio_anonymizer", reason="needs the extra nymlink[presidio]")

PROJECT: Final = "study"
TEXT: Final = "Jan Tolsma belde Els Mol op 06-12345678."


@pytest.fixture
def desk() -> PresidioDesk:
    return PresidioDesk(TextDesk(ServiceSettings(), Models(load_fake), [PROJECT]))


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with Vault.create(f"sqlite:///{tmp_path}/vault.db", FileKey(tmp_path / "kek.key"), actor="web:anna") as v:
        v.commit()
        yield v


def found_in(desk: PresidioDesk, text: str) -> tuple[ResultGiven, ...]:
    (shown,) = desk.analyze(Analyze(text)).texts
    return tuple(ResultGiven(one.start, one.end, one.entity_type, one.score) for one in shown)


def anonymized(
    desk: PresidioDesk, vault: Vault, text: str = TEXT, anonymizers: dict[str, dict[str, Any]] | None = None
) -> Anonymized:
    return desk.anonymize(vault, PROJECT, Anonymize(text, found_in(desk, text), anonymizers))


# -- analyze -------------------------------------------------------------------------------------------------


def test_what_is_found_has_presidios_names(desk: PresidioDesk) -> None:
    first, second = desk.analyze(Analyze((TEXT, "niemand"))).texts
    assert [(one.entity_type, TEXT[one.start : one.end]) for one in first] == [
        ("PERSON", "Jan Tolsma"), ("PERSON", "Els Mol"), ("PHONE_NUMBER", "06-12345678"),
    ]  # fmt: skip
    assert second == ()


def test_entities_and_a_threshold_narrow_what_is_shown(desk: PresidioDesk) -> None:
    (only,) = desk.analyze(Analyze(TEXT, entities=("PHONE_NUMBER", "NONE"))).texts
    assert [one.entity_type for one in only] == ["PHONE_NUMBER"]
    (none,) = desk.analyze(Analyze(TEXT, entities=())).texts
    assert none == ()
    (at_it,) = desk.analyze(Analyze(TEXT, score_threshold=0.9, entities=("PERSON",))).texts
    assert [one.score for one in at_it] == [0.9, 0.9]
    (above,) = desk.analyze(Analyze(TEXT, score_threshold=0.91, entities=("PERSON",))).texts
    assert above == ()


def test_recognizers_of_a_request_are_not_run(desk: PresidioDesk) -> None:
    with pytest.raises(WrongOptionError) as caught:
        desk.analyze(Analyze(TEXT, ad_hoc_recognizers=({"deny_list": ["Tolsma"]},)))
    assert caught.value.field == "ad_hoc_recognizers"
    assert "Tolsma" not in str(caught.value)
    assert desk.analyze(Analyze(TEXT, ad_hoc_recognizers=())) == desk.analyze(Analyze(TEXT))


# -- anonymize -----------------------------------------------------------------------------------------------


def test_pseudonyms_stand_where_the_items_say_and_the_text_comes_back(
    desk: PresidioDesk, vault: Vault
) -> None:
    made = anonymized(desk, vault)
    assert not any(word in made.text for word in ("Tolsma", "Mol", "12345678"))
    assert sorted(one.entity_type for one in made.items) == ["PERSON", "PERSON", "PHONE_NUMBER"]
    for one in made.items:
        assert made.text[one.start : one.end] == one.text
        assert one.operator == "replace"
    back = desk.texts.restore(vault, PROJECT, RestoreTexts(texts=(GivenText(made.text),), purpose="c 7"))
    assert back.texts[0].text == TEXT
    assert anonymized(desk, vault).text == made.text


def test_a_person_has_one_pseudonym_in_all_texts(desk: PresidioDesk, vault: Vault) -> None:
    (first,) = (one.text for one in anonymized(desk, vault, "Jan Tolsma kwam.").items)
    both = {one.text for one in anonymized(desk, vault, "Els Mol zag Jan Tolsma.").items}
    assert first in both
    assert len(both) == 2


def test_operators_of_presidio_stand_beside_pseudonyms(desk: PresidioDesk, vault: Vault) -> None:
    asked: dict[str, dict[str, Any]] = {
        "PHONE_NUMBER": {"type": "mask", "masking_char": "*", "chars_to_mask": 8, "from_end": True},
        "PERSON": {"type": "nymlink"},
    }
    made = anonymized(desk, vault, anonymizers=asked)
    assert made.text.endswith(" op 06-********.")
    assert "Tolsma" not in made.text
    assert sorted(one.operator for one in made.items) == ["mask", "replace", "replace"]


def test_what_no_anonymizer_is_given_for_gets_a_pseudonym(desk: PresidioDesk, vault: Vault) -> None:
    made = anonymized(desk, vault, anonymizers={"PHONE_NUMBER": {"type": "keep"}})
    assert made.text.endswith(" op 06-12345678.")
    assert "Tolsma" not in made.text
    kept = anonymized(desk, vault, anonymizers={"DEFAULT": {"type": "keep"}})
    assert kept.text == TEXT


@pytest.mark.parametrize(
    ("anonymizer", "shown"),
    [
        ({"type": "redact"}, " kwam."),
        ({"type": "replace", "new_value": "X"}, "X kwam."),
        ({"type": "replace"}, "<PERSON> kwam."),
        ({"type": "keep"}, "Jan Tolsma kwam."),
    ],
)
def test_each_operator_writes_what_presidio_says(
    desk: PresidioDesk, vault: Vault, anonymizer: dict[str, Any], shown: str
) -> None:
    text = "Jan Tolsma kwam."
    assert anonymized(desk, vault, text, {"DEFAULT": anonymizer}).text == shown
    assert vault.known(PROJECT).people == ()  # nobody was stored for it


@pytest.mark.parametrize("span", [(0, 0), (3, 2), (0, len(TEXT) + 1), (len(TEXT), len(TEXT) + 1)])
def test_a_result_outside_the_text_is_refused_before_anything_is_stored(
    desk: PresidioDesk, vault: Vault, span: tuple[int, int]
) -> None:
    with pytest.raises(WrongOptionError) as caught:
        desk.anonymize(vault, PROJECT, Anonymize(TEXT, (ResultGiven(*span, "PERSON"),)))
    assert caught.value.field == "analyzer_results"
    assert vault.projects() == ()


@pytest.mark.parametrize(
    "anonymizer",
    [
        {},
        {"type": "custom"},
        {"type": "custom", "lambda": "lambda x: x"},
        {"type": "custom", "lambda": str.upper},
        {"type": ["mask"]},
        {"type": "nymlink_pseudonymize"},
        {"type": "none", "new_value": "Tolsma"},
        {"type": "mask"},
        {"type": "mask", "masking_char": "Tolsma", "chars_to_mask": 1, "from_end": True},
        {"type": "encrypt", "key": "short"},
        {"type": "hash", "hash_type": "md5"},
    ],
)
def test_an_anonymizer_that_cannot_be_is_refused(
    desk: PresidioDesk, vault: Vault, anonymizer: dict[str, Any]
) -> None:
    with pytest.raises(WrongOptionError) as caught:
        anonymized(desk, vault, anonymizers={"PERSON": anonymizer})
    assert caught.value.field == "anonymizers"
    assert "Tolsma" not in str(caught.value)


def test_who_may_not_pseudonymize_gets_nothing(desk: PresidioDesk, vault: Vault) -> None:
    desk.texts.make(vault, PROJECT)
    vault.give_role("web:anna", Role.REQUESTER)
    vault.commit()
    with pytest.raises(AccessRefusedError):
        anonymized(desk, vault)


def test_a_project_that_the_service_does_not_make_is_unknown(desk: PresidioDesk, vault: Vault) -> None:
    with pytest.raises(UnknownProjectError):
        desk.anonymize(vault, "other", Anonymize(TEXT, found_in(desk, TEXT)))
    assert vault.projects() == ()


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.integers(0, 39), st.integers(1, 12), st.sampled_from(["PERSON", "PHONE_NUMBER", "X"])),
        max_size=5,
    ),
    st.sampled_from([one for one in OPERATORS if one in ("keep", "redact", "replace")]),
)
def test_any_results_give_items_that_lie_in_the_new_text(
    desk: PresidioDesk, vault: Vault, results: list[tuple[int, int, str]], operator: str
) -> None:
    given_results = tuple(
        ResultGiven(start, min(len(TEXT), start + length), kind) for start, length, kind in results
    )
    asked = Anonymize(TEXT, given_results, {"PHONE_NUMBER": {"type": operator}, "X": {"type": "redact"}})
    made = desk.anonymize(vault, PROJECT, asked)
    assert all(made.text[one.start : one.end] == one.text for one in made.items)
    if not results:
        assert made == Anonymized(TEXT, ())


# -- what there is -------------------------------------------------------------------------------------------


def test_all_that_may_be_found_is_named_once(desk: PresidioDesk) -> None:
    names = desk.entities(EntitiesOfPresidio()).names
    assert list(names) == sorted(set(names))
    assert {"PERSON", "PHONE_NUMBER", "EMAIL_ADDRESS", "IBAN_CODE"} <= set(names)
    assert {str(LITERAL), "PHONE", "EMAIL"}.isdisjoint(names)  # these have Presidio's names
    text = "Jan Tolsma, j.tolsma@ziggo.nl, NL91ABNA0417164300, 06-12345678, geboren 12-03-1951."
    assert {one.entity_type for one in found_in(desk, text)} <= set(names)


def test_without_the_extra_it_says_what_to_install(
    desk: PresidioDesk, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pseudonymizer

    monkeypatch.delattr(pseudonymizer, "presidio", raising=False)
    monkeypatch.setitem(sys.modules, "pseudonymizer.presidio", None)  # an import says that it is not there
    for call in (
        lambda: desk.analyze(Analyze(TEXT)),
        lambda: desk.anonymize(vault, PROJECT, Anonymize(TEXT)),
    ):
        with pytest.raises(NoPresidioError, match="pip install"):
            call()
    assert vault.projects() == ()
    assert "PERSON" in desk.entities(EntitiesOfPresidio()).names  # a list needs nothing of Presidio
