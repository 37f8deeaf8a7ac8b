"""What a form says about treatments: only what differs from the project is asked of the engine."""

import pytest

from pseudonymizer.desk.answered import KindInUse, KindsInUse
from pseudonymizer.desk.workspace_asked import MakeWorkspace
from pseudonymizer.web.choices import checked, offered, other_kinds, treated
from pseudonymizer.web.forms import Fields
from pseudonymizer.web.problems import ProblemError


def _kind(kind: str, treatment: str, *, found: bool = True, ways: int = 2) -> KindInUse:
    treatments = ("keep", "pseudonym")[-ways:]
    return KindInUse(kind, "ID", kind, ("pattern",) if found else (), treatment, "text", treatments, kind[:1])


KINDS = [_kind("EMAIL", "pseudonym"), _kind("PHONE", "keep")]


def test_kinds_that_nothing_finds_or_that_have_one_treatment_are_not_offered() -> None:
    known = KindsInUse(
        (*KINDS, _kind("AGE", "keep", found=False), _kind("FAX", "keep", ways=1), _kind("FILE", "keep"))
    )
    assert [one.kind for one in offered(known)] == ["EMAIL", "PHONE", "FILE"]
    assert [one.kind for one in offered(known, without="FILE")] == ["EMAIL", "PHONE"]


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ([], None),
        ([("kinds", "PHONE")], None),  # no boxes were offered
        ([("offered", "yes"), ("kinds", "EMAIL")], None),  # as the project has it
        ([("offered", "yes")], ()),
        ([("offered", "yes"), ("kinds", "PHONE"), ("kinds", "EMAIL")], ("EMAIL", "PHONE")),
        ([("offered", "yes"), ("kinds", "NONE")], ()),
    ],
)
def test_kinds_are_told_where_they_differ(
    fields: list[tuple[str, str]], kinds: tuple[str, ...] | None
) -> None:
    assert other_kinds(Fields(tuple(fields)), KINDS) == kinds


def test_empty_choices_are_those_of_the_project() -> None:
    assert treated(Fields((("style", ""), ("profile", ""))), KINDS) == {
        "kinds": None, "profile": None, "treatments": {}, "style": None, "restyle": False,
    }  # fmt: skip
    told = treated(Fields((("style", "mask"), ("restyle", "yes"))), KINDS)
    assert (told["style"], told["restyle"]) == ("mask", True)
    one = KINDS[0].kind
    assert treated(Fields(((f"treat:{one}", "mask"), ("treat:NONE", "mask"))), KINDS)["treatments"] == {
        one: "mask"
    }


def test_a_wrong_value_is_a_problem_that_does_not_repeat_it() -> None:
    with pytest.raises(ProblemError) as caught:
        checked({"keep_hours": "Jan Tolsma"}, MakeWorkspace)
    assert "Tolsma" not in str(caught.value)
    assert checked({"keep_hours": 2}, MakeWorkspace).keep_hours == 2
