"""Kinds under the labels of coarser schemes."""

import pytest

from linkage.evaluation.marked import PERSON
from linkage.evaluation.schemes import scheme_of
from linkage.kinds import Kinds

KINDS = Kinds.load()


def test_of_all_kinds_each_is_its_own_label() -> None:
    scheme = scheme_of(KINDS, "all")
    assert (scheme.label("STREET"), scheme.label("LITERAL"), scheme.label("XYZ")) == ("STREET", None, None)
    assert set(scheme.labels) == set(KINDS) - {"LITERAL"}


@pytest.mark.parametrize(
    ("name", "kind", "label"),
    [
        ("core", "SCHOOL", "ORGANIZATION"), ("core", "PROFESSION", None), ("core", "URL", "URL"),
        ("mortgage", "GROUP", "GPE"), ("mortgage", "PROFESSION", "DEP"), ("mortgage", "PHONE", None),
        ("financial", "PRODUCT", "PROD"), ("financial", "TIME", "DATE"), ("financial", "MONEY", "NUM"),
        ("i2b2", "REGION", "STATE"), ("i2b2", "BIRTH_DATE", "DATE"), ("i2b2", "MONEY", None),
        ("mapa", "AGE", "PERSON"), ("mapa", "CITY", "ADDRESS"), ("mapa", "PATIENT_NUMBER", None),
    ],
)  # fmt: skip
def test_kinds_under_the_labels_of_a_scheme(name: str, kind: str, label: str | None) -> None:
    assert scheme_of(KINDS, name).label(kind) == label


def test_gold_may_have_the_labels_of_the_scheme_itself() -> None:
    scheme = scheme_of(KINDS, "mortgage")
    assert (scheme.label("GPE"), scheme.category("GPE"), scheme.category("WEBSITE")) == (
        "GPE",
        "GPE",
        "CONTACT",
    )
    assert (scheme.is_direct("ID"), scheme.is_direct("DATE"), scheme.is_direct("BIRTH_DATE")) == (
        True,
        False,
        True,
    )
    labels = scheme.file_labels()
    assert (labels.kind("per"), labels.kind("gpe"), labels.kind("City")) == (PERSON, "GPE", "CITY")
    assert scheme_of(KINDS, "core").file_labels().kind("GPE") is None


def test_a_part_of_a_scheme_keeps_labels_and_drops_the_rest() -> None:
    part = scheme_of(KINDS, "mortgage").only({"CITY", "PERSON"})
    assert (part.labels, part.label("CITY"), part.label("REGION")) == (("GPE", "PER"), "GPE", None)


def test_what_may_stand_inside_what_follows_the_table() -> None:
    scheme = scheme_of(KINDS, "all")
    assert scheme.may_hold("EMAIL", PERSON)
    assert not scheme.may_hold(PERSON, "EMAIL")
    assert not scheme.may_hold("DATE", PERSON)


def test_a_post_box_is_a_street_that_one_scheme_counts_with_post_codes() -> None:
    mortgage, core = scheme_of(KINDS, "mortgage"), scheme_of(KINDS, "core")
    box = mortgage.part("STREET", "Postbus 90151")
    assert (mortgage.label(box), mortgage.category(box), mortgage.is_direct(box)) == (
        "POST",
        "LOCATION",
        True,
    )
    assert mortgage.label(mortgage.part("STREET", "Postbusstraat 9")) == "STREET"
    assert core.label(core.part("STREET", "Postbus 90151")) == "STREET"
    assert mortgage.only({"STREET"}).labels == ("POST", "STREET")
