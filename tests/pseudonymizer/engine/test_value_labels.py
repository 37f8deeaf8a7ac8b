"""What is written in place of values: labels of the vault, texts of treatments, and what follows a person."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from linkage.gazetteer import Gazetteer
from linkage.records import DocumentId, EntityId, KindId, PersonName
from pseudonymizer.engine.records import Label, LabelledPerson, PartPlaces, PlacedValue
from pseudonymizer.engine.styling import Styling
from pseudonymizer.engine.value_labels import TreatedValues, treat_values_alone
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Scope, Style
from pseudonymizer.settings import StyleSettings
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment
from pseudonymizer.values import Value
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, make_vault

PHONE, EMAIL, FILE, DATE = KindId("PHONE"), KindId("EMAIL"), KindId("FILE"), KindId("DATE")
BANK_ACCOUNT, CASE_NUMBER, AGE = map(KindId, ("BANK_ACCOUNT", "CASE_NUMBER", "AGE"))
ELS = LabelledPerson(EntityId("e7"), "PERSOON-7KQM3", (PersonName("Els", family="Wiersma"),))

OpenVault = Callable[[], AbstractContextManager[Vault]]


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with make_vault(tmp_path)() as opened:
        opened.ensure_project(PROJECT)
        opened.commit()
        yield opened


def part(*values: tuple[KindId, str, str], document: str = "d1", part_id: str = "") -> PartPlaces:
    """A text with these values, (kind, normal form, text), one after the other."""
    placed, at = [], 0
    for kind, normal, text in values:
        placed.append(PlacedValue(at, at + len(text), kind, normal, text))
        at += len(text) + 1
    return PartPlaces(part_id, [], [], placed, DocumentId(document))


def plan(profile: str = "direct", **treat: str) -> Plan:
    return Plan.made(profile, {KindId(kind): Treatment(word) for kind, word in treat.items()}, Style.CODE)


def treated(
    vault: Vault,
    parts: Sequence[PartPlaces],
    chosen: Plan,
    people: Sequence[LabelledPerson] = (),
    scope: Scope = Scope.PROJECT,
) -> TreatedValues:
    styling = Styling(StyleSettings(Style.CODE), plan=chosen, scope=scope, lists=Gazetteer.load)
    values = styling.values_of(vault, PROJECT, parts, lambda: people)
    vault.commit()
    return values


def texts(values: TreatedValues, of: PartPlaces) -> list[str | None]:
    return [label.label for label in values.labels(of)]


def test_equal_values_have_one_label_in_all_texts_and_runs(vault: Vault) -> None:
    first = part(
        (PHONE, "31612345678", "06-12345678"), (BANK_ACCOUNT, "NL91ABNA0417164300", "NL91 ABNA 0417")
    )
    second = part((PHONE, "31612345678", "+31 6 1234 5678"), document="d2")
    values = treated(vault, [first, second], plan())
    phone, account = texts(values, first)
    assert phone is not None
    assert phone.startswith("TELEFOON-")
    assert account is not None
    assert account.startswith("REKENING-")
    assert texts(values, second) == [phone]
    later = part((PHONE, "31612345678", "0612345678"), document="d3")
    assert texts(treated(vault, [later], plan()), later) == [phone]


def test_values_are_treated_in_the_language_of_their_text(vault: Vault) -> None:
    """One value in two languages is written in each, and has one label where it has a label."""
    date, phone = (DATE, "2024-03-14", "14.03.2024"), (PHONE, "31612345678", "06-12345678")
    german = replace(part(date, phone, document="d2"), language="de")
    dutch = part(date, phone)
    chosen = plan(DATE="month")
    values = treated(vault, [dutch, german], chosen)
    (dutch_month, dutch_phone), (german_month, german_phone) = texts(values, dutch), texts(values, german)
    assert (dutch_month, german_month) == ("maart 2024", "März 2024")
    assert dutch_phone == german_phone
    alone = treat_values_alone([dutch, german], chosen, language="nl")
    assert [texts(alone, one)[0] for one in (dutch, german)] == ["maart 2024", "März 2024"]


def test_two_kinds_with_one_normal_form_are_two_values(vault: Vault) -> None:
    one = part((CASE_NUMBER, "1234567", "1234567"), (KindId("PATIENT_NUMBER"), "1234567", "1234567"))
    case, patient = texts(treated(vault, [one], plan()), one)
    assert case != patient


@pytest.mark.parametrize(
    ("scope", "labels"), [(Scope.PROJECT, 1), (Scope.DOCUMENT, 2), (Scope.OCCURRENCE, 3)]
)
def test_labels_reach_as_far_as_the_scope(vault: Vault, scope: Scope, labels: int) -> None:
    value = (PHONE, "31612345678", "06-12345678")
    parts = [part(value, value), part(value, document="d2")]
    values = treated(vault, parts, plan(), scope=scope)
    assert len({text for one in parts for text in texts(values, one)}) == labels


def test_values_that_stay_have_no_label(vault: Vault) -> None:
    one = part((DATE, "2024-03-14", "14 maart 2024"), (FILE, "verslag.pdf", "verslag.pdf"), (AGE, "42", "42"))
    assert treated(vault, [one], plan()).labels(one) == []
    assert treated(vault, [one], Plan.of_names()).labels(one) == []


def test_an_address_of_a_known_person_is_left_to_what_follows_the_person(vault: Vault) -> None:
    one = part((EMAIL, "els.wiersma@post.nl", "els.wiersma@post.nl"), (EMAIL, "info@post.nl", "info@post.nl"))
    known, unknown = treated(vault, [one], plan(), [ELS]).labels(one)
    assert (known.is_fallback, known.is_one_way, known.entity_id) == (True, True, None)
    assert (known.label is not None and set(known.label) == {"#"}) or "@" not in str(known.label)
    assert unknown.label is not None
    assert unknown.label.startswith("EMAIL-")
    assert not unknown.is_fallback
    assert not unknown.is_one_way
    found = vault.lookup_value(project=PROJECT, value=Value("EMAIL", "els.wiersma@post.nl"), purpose="x")
    assert found.pseudonyms == (), "an address that follows a person is no value of its own in the vault"


def test_where_nobody_is_known_every_address_has_a_label_of_its_own(vault: Vault) -> None:
    one = part((EMAIL, "els.wiersma@post.nl", "els.wiersma@post.nl"))
    (label,) = treated(vault, [one], plan()).labels(one)
    assert label.label is not None
    assert label.label.startswith("EMAIL-")


def test_an_address_that_the_user_keeps_has_a_label_without_a_text(vault: Vault) -> None:
    one = part((EMAIL, "els.wiersma@post.nl", "els.wiersma@post.nl"))
    (label,) = treated(vault, [one], plan(EMAIL="keep"), [ELS]).labels(one)
    assert label == Label("", label.span, None, None, kind=EMAIL)


def test_one_way_treatments_store_nothing(vault: Vault) -> None:
    one = part((CASE_NUMBER, "2024817", "2024-817"))
    (label,) = treated(vault, [one], plan(CASE_NUMBER="mask")).labels(one)
    assert label.is_one_way
    assert label.entity_id is None
    assert label.label not in (None, "2024-817")
    found = vault.lookup_value(project=PROJECT, value=Value("CASE_NUMBER", "2024817"), purpose="x")
    assert found.documents == 0


def test_random_texts_of_linked_values_belong_to_the_value(vault: Vault) -> None:
    one = part((PHONE, "31612345678", "06-12345678"), (PHONE, "31612345678", "06-12345678"))
    labels = treated(vault, [one], plan(PHONE="random")).labels(one)
    assert len({label.label for label in labels}) == 1
    assert labels[0].label != "06-12345678"
    assert labels[0].entity_id is not None
    assert not labels[0].is_one_way


def test_a_shifted_date_belongs_to_nobody_and_is_shifted_alike_in_later_runs(vault: Vault) -> None:
    one = part((DATE, "2024-03-14", "14-03-2024"))
    chosen = plan("clinical")
    (label,) = treated(vault, [one], chosen).labels(one)
    assert label.entity_id is None
    assert not label.is_one_way
    assert label.label not in (None, "14-03-2024")
    assert texts(treated(vault, [one], chosen), one) == [label.label]


def test_a_date_that_no_calendar_has_gets_a_code(vault: Vault) -> None:
    one = part((DATE, "31-02-2024", "31-02-2024"))
    (label,) = treated(vault, [one], plan("clinical")).labels(one)
    assert label.label is not None
    assert label.label.startswith("DATUM-")
    assert label.entity_id is not None


def test_deterministic_runs_mask_what_the_profile_labels_and_refuse_what_the_user_asked(vault: Vault) -> None:
    styling = Styling(
        StyleSettings(Style.TOKEN), plan=plan(), deterministic=True, lists=Gazetteer.load
    )  # fmt: skip
    one = part((PHONE, "31612345678", "06-12345678"))
    (label,) = styling.values_of(vault, PROJECT, [one], lambda: ()).labels(one)
    assert label.is_one_way
    assert label.entity_id is None
    with pytest.raises(SettingsError, match="PHONE"):
        Styling(StyleSettings(), plan=plan(PHONE="code"), deterministic=True, lists=Gazetteer.load)


WRITTEN: Mapping[str, tuple[str, bool]] = {
    "code": ("TELEFOON-", True), "token": ("F1-", True), "tag": ("<TELEFOON-1>", True),
    "category": ("[TELEFOON]", False),
}  # fmt: skip


@pytest.mark.parametrize("treatment", WRITTEN)
def test_labels_have_the_word_or_letter_of_their_kind(vault: Vault, treatment: str) -> None:
    start, is_reversible = WRITTEN[treatment]
    one = part((PHONE, "31612345678", "06-12345678"))
    (label,) = treated(vault, [one], plan(PHONE=treatment)).labels(one)
    assert label.label is not None
    assert label.label.startswith(start)
    assert label.is_one_way is not is_reversible
