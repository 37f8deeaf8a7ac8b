"""What a user writes of treatments."""

import pytest

from linkage.kinds import LITERAL, PERSON, KindId, Kinds
from pseudonymizer.errors import SettingsError
from pseudonymizer.treatments.choices import chosen_treatments, treatment_named, written_choices
from pseudonymizer.treatments.treatment import Treatment

KINDS = Kinds.load()


def chosen(*texts: str) -> dict[KindId, Treatment]:
    return chosen_treatments(written_choices(texts), KINDS)


@pytest.mark.parametrize(
    ("texts", "kinds"),
    [
        (["person=token"], {"PERSON": "token"}),
        (["Bank-Account = MASK"], {"BANK_ACCOUNT": "mask"}),
        (["date=shift,birth_date=year"], {"DATE": "shift", "BIRTH_DATE": "year"}),
        (["date=shift", "birth_date=year"], {"DATE": "shift", "BIRTH_DATE": "year"}),
        (["date=shift", "DATE=month"], {"DATE": "month"}),
        (["money=round,money=keep"], {"MONEY": "keep"}),
        (["postcode=First-Figures"], {"POSTCODE": "first_figures"}),
        (["name=mask"], {"PERSON": "mask", "USERNAME": "mask"}),
        (["name=mask,person=tag"], {"USERNAME": "mask", "PERSON": "tag"}),
        (["person=tag,name=mask"], {"PERSON": "mask", "USERNAME": "mask"}),
        (["age=keep"], {"AGE": "keep"}),
        (["role=category"], {"PROFESSION": "category", "GROUP": "category"}),
        ([""], {}),
        (["phone=mask,"], {"PHONE": "mask"}),
    ],
)
def test_kinds_and_categories_are_read_in_any_case_and_the_later_holds(
    texts: list[str], kinds: dict[str, str]
) -> None:
    assert chosen(*texts) == kinds


def test_all_is_every_kind_but_the_fixed_ones() -> None:
    assert set(chosen("all=mask")) == set(KINDS) - {LITERAL}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("person", "treat takes KIND=TREATMENT"),
        ("=mask", "treat takes KIND=TREATMENT"),
        ("person=", "treat takes KIND=TREATMENT"),
        ("persn=mask", "unknown kind 'persn' of treat; did you mean 'person'?"),
        ("person=maks", "unknown treatment 'maks' of treat; did you mean 'mask'?"),
        ("person=random", "treat: PERSON cannot have the treatment random; it can have keep, code, token, "
         "tag, surrogate, initials, mask"),
        ("id=shift", "treat: NATIONAL_ID cannot have the treatment shift"),
        ("literal=code", "treat: LITERAL cannot have the treatment code; it can have token"),
        ("person=model", "there is no treatment model: a language model writes the names"),
        ("person=Masked-Language-Model", "there is no treatment masked_language_model: a language model"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(text: str, message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        chosen(text)
    assert str(raised.value).startswith(message)


def test_no_error_shows_what_may_be_a_name() -> None:
    with pytest.raises(SettingsError) as raised:
        chosen("Zoë Tolsma=mask")
    assert "olsma" not in str(raised.value)


@pytest.mark.parametrize("treatment", Treatment)
def test_every_treatment_is_known_by_its_name(treatment: Treatment) -> None:
    assert treatment_named(treatment.value.replace("_", "-").upper()) is treatment


def test_no_treatment_is_refused() -> None:
    assert chosen("person=keep") == {PERSON: Treatment.KEEP}
