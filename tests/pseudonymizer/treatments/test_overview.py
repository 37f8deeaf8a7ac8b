"""The table of all kinds with their treatments."""

from dataclasses import replace

from linkage.kinds import PERSON, KindId, Kinds
from pseudonymizer.treatments.asked import AskedTreatments
from pseudonymizer.treatments.overview import TreatedKind, treated_kinds
from pseudonymizer.treatments.treatment import Treatment, WayBack

KINDS = Kinds.load()
OWN = replace(KINDS[KindId("PHONE")], key=KindId("PROJECT_CODE"), words={"en": "PROJECT"}, default="mask")


def rows(*asked: tuple[str, AskedTreatments], kinds: Kinds = KINDS) -> dict[str, TreatedKind]:
    return {row.kind: row for row in treated_kinds(dict(asked), language="nl", kinds=kinds)}


def test_every_kind_has_a_row_with_its_plan() -> None:
    said = AskedTreatments("direct")
    found = rows(("project", said))
    assert list(found) == list(KINDS)
    plan = said.plan()
    assert all(row.treatment is plan.of(KindId(kind)) for kind, row in found.items())
    assert all(row.way_back is plan.way_back(KindId(kind)) for kind, row in found.items())
    assert found["BANK_ACCOUNT"].word == "REKENING"


def test_the_origin_is_the_last_place_that_says_something() -> None:
    found = rows(
        ("project", AskedTreatments("clinical", (("id", "mask"), ("date", "year")))),
        ("settings", AskedTreatments(choices=(("phone", "keep"), ("case_number", "keep")))),
        ("command line", AskedTreatments(choices=(("case_number", "code"),))),
    )
    origins = {kind: found[kind].origin for kind in ("VEHICLE", "DATE", "PHONE", "CASE_NUMBER")}
    assert origins == {
        "VEHICLE": "project", "DATE": "project", "PHONE": "settings", "CASE_NUMBER": "command line",
    }  # fmt: skip
    assert found["CASE_NUMBER"].treatment is Treatment.CODE
    assert found["CITY"].origin == "default"  # as kinds.toml has it
    assert found["REGION"].origin == "profile"  # the profile differs
    assert found["MONEY"].origin == "profile"  # the profile does not treat it


def test_it_says_what_finds_a_kind() -> None:
    found = rows(("project", AskedTreatments()))
    assert found[PERSON].found == ("network", "list")
    assert found["BANK_ACCOUNT"].found == found["FAX"].found == found["LITERAL"].found == ("rule",)
    assert found["ORGANIZATION"].found == ("network",)
    assert found["STREET"].found == found["CITY"].found == ("network", "rule")


def test_kinds_of_the_user_come_from_the_settings() -> None:
    found = rows(("project", AskedTreatments()), kinds=KINDS.with_user_kinds([OWN]))[OWN.key]
    assert (found.treatment, found.way_back, found.origin) == (Treatment.MASK, WayBack.NONE, "settings")
    assert found.word == "PROJECT"
