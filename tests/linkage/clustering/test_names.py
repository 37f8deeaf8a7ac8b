"""How well a part of a name fits a fuller one."""

import pytest

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import (
    BY_FULL_FORM,
    EXACT,
    OTHER_PARTICLE,
    PartLinks,
    family_fit,
    form_fit,
    initials_fit,
    suffixes_of,
)
from linkage.records import PersonName

NO_LINKS = PartLinks({}, {}, {})


def form(**parts: str) -> NameForm:
    return NameForm.of(PersonName(**parts))


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({"given": "Fenna", "family": "Woudstra"}, NameKind.FULL),
        ({"initials": "F.", "family": "Woudstra"}, NameKind.INITIALS),
        ({"family": "Woudstra"}, NameKind.FAMILY),
        ({"given": "Fenna"}, NameKind.GIVEN),
        ({"initials": "F.W."}, NameKind.LETTERS),
    ],
)
def test_kind(parts: dict[str, str], kind: NameKind) -> None:
    assert form(**parts).kind is kind


def test_repr_shows_no_name() -> None:
    assert "oudstra" not in repr(form(given="Fenna", family="Woudstra"))


def test_married_names_in_either_order_are_one() -> None:
    left = form(family="Boer", particle="de", partner_family="Woudstra")
    right = form(family="Woudstra", partner_family="Boer", partner_particle="de")
    assert family_fit(left, right, NO_LINKS) == EXACT


def test_the_same_surname_with_another_particle_fits_less() -> None:
    left, right = form(particle="van der", family="Hoeve"), form(particle="van den", family="Hoeve")
    assert family_fit(left, right, NO_LINKS) == OTHER_PARTICLE


def test_a_double_surname_is_seldom_what_the_bearer_of_one_of_them_is_called() -> None:
    double, single = form(family="Nijpels", partner_family="Woudstra"), form(family="Woudstra")
    assert form_fit(double, form(initials="E.", family="Woudstra"), NO_LINKS) < 0.5
    assert form_fit(single, form(given="Fenna", family="Nijpels", partner_family="Woudstra"), NO_LINKS) > 0.9


@pytest.mark.parametrize(
    ("letters", "given", "fits"),
    [
        (("j", "p"), "Jan Pieter", True),
        (("j", "w"), "Jan Pieter", False),
        (("th",), "Theo", True),
        (("a",), "Anne-Fleur", True),
        (("a", "f"), "Anne-Fleur", True),
        (("k",), "Theo", False),
    ],
)
def test_initials(letters: tuple[str, ...], given: str, fits: bool) -> None:
    assert (initials_fit(letters, form(given=given), NO_LINKS) > 0) is fits


def test_initials_of_the_full_form_of_a_short_name() -> None:
    links = PartLinks({}, {}, {"kees": frozenset("c")})
    assert initials_fit(("c",), form(given="Kees"), links) == BY_FULL_FORM
    assert initials_fit(("c",), form(given="Kees"), NO_LINKS) == 0.0


def test_a_lone_word_read_in_the_wrong_role_still_fits() -> None:
    full = form(given="Preben", family="Holmgaard")
    assert form_fit(form(family="Preben"), full, NO_LINKS) > 0.5
    assert form_fit(form(given="Holmgaard"), full, NO_LINKS) > 0.5
    assert form_fit(form(family="Woudstra"), full, NO_LINKS) == 0.0


def test_suffixes() -> None:
    senior, junior = form(given="Jan", family="Vosman", suffix="sr."), form(family="Vosman", suffix="jr.")
    assert [suffixes_of([number], [senior, junior]) for number in (0, 1)] == [{"sr"}, {"jr"}]
    assert form_fit(junior, senior, NO_LINKS) == 0.0


@pytest.mark.parametrize(
    ("initials", "fits"), [("F.W.", True), ("F.B.", False), ("F.Vdw.", True), ("F.", True)]
)
def test_letters_behind_a_given_name_name_the_surname(initials: str, fits: bool) -> None:
    part = form(given="Fenna", initials=initials)
    fuller = form(given="Fenna", particle="van der", family="Woudstra")
    assert (form_fit(part, fuller, NO_LINKS) > 0) is fits


def test_a_further_given_name_is_seldom_what_somebody_is_called_by() -> None:
    links = PartLinks({"wil": {"wilhelmina": 0.9}, "wilhelmina": {"wil": 0.9}}, {}, {})
    called = form(given="Wil")
    first = form_fit(called, form(given="Wilhelmina", family="Woudstra"), links)
    further = form_fit(called, form(given="Hilda Wilhelmina", family="Woudstra"), links)
    assert further < first
