"""What makes mentions one person or two, each with its reason. All names are invented."""

from dataclasses import replace

import pytest

from linkage.constraints import (
    OF_ACCEPTED,
    OF_TWO_MATTERS,
    Constraint,
    ConstraintKind,
    Evidence,
    Reason,
    constraints_between,
    reason_apart,
    suffixes_differ,
)
from linkage.records import Gender, JudgedSide, NormalizedMention, PersonName, Role, RoleClass
from linkage.told import Verdict
from tests.linkage.linker.linker_fakes import Writer

MAN, WOMAN = Evidence(Gender.MALE), Evidence(Gender.FEMALE)
PATIENT = Evidence(roles={Role(RoleClass.SERVED, "served")})
DOCTOR = Evidence(roles={Role(RoleClass.PROFESSIONAL, "arts")})
NAME = PersonName(given="Roelien", family="Woudstra")


def told(kind: str, value: str) -> Evidence:
    return Evidence(attributes={(kind, value)})


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        (Evidence(person_ids={"1"}), Evidence(person_ids={"2"}), Reason.REGISTRY),
        (MAN, WOMAN, Reason.GENDER),
        (told("birth_date", "1950-01-02"), told("birth_date", "1951-01-02"), Reason.BIRTH_DATE),
        (told("bsn", "1"), told("bsn", "2"), Reason.CITIZEN_NUMBER),
        (PATIENT, DOCTOR, Reason.ROLES),
        (MAN, Evidence(Gender.BOTH), None),
        (MAN, Evidence(), None),
        (told("email", "a@x.nl"), told("email", "b@x.nl"), None),
        (told("birth_date", "1950-01-02"), told("bsn", "1"), None),
        (PATIENT, PATIENT, None),
    ],
)
def test_facts_that_two_people_cannot_share(left: Evidence, right: Evidence, reason: Reason | None) -> None:
    assert reason_apart(left, right) is reason
    assert reason_apart(right, left) is reason


def test_reasons_that_hold_only_somewhere_are_spared() -> None:
    assert reason_apart(PATIENT, DOCTOR, OF_TWO_MATTERS) is None
    assert reason_apart(MAN, WOMAN, OF_TWO_MATTERS) is Reason.GENDER
    assert reason_apart(MAN, WOMAN, OF_ACCEPTED) is None
    dates = told("birth_date", "1950-01-02"), told("birth_date", "1951-01-02")
    assert reason_apart(*dates, OF_ACCEPTED) is Reason.BIRTH_DATE


def test_one_registry_id_outweighs_what_texts_tell_and_nothing_else() -> None:
    man, woman = Evidence(Gender.MALE, {"1"}), Evidence(Gender.FEMALE, {"1", "2"})
    assert reason_apart(man, woman) is None
    assert reason_apart(man, woman, is_told=True) is Reason.TOLD
    assert reason_apart(man, woman, is_known=True) is Reason.KNOWN
    assert reason_apart(man, woman, suffixes=(frozenset({"sr"}), frozenset({"jr"}))) is Reason.SUFFIX


@pytest.mark.parametrize(
    ("left", "right", "differ"),
    [
        (("sr",), ("jr",), True), (("sr",), (None,), False), ((), ("jr",), False), (("jr",), ("jr",), False),
        (("jr", None), ("jr", "sr"), True),
    ],
)  # fmt: skip
def test_suffixes(left: tuple[str | None, ...], right: tuple[str | None, ...], *, differ: bool) -> None:
    assert suffixes_differ(left, right) is differ


@pytest.fixture
def write() -> Writer:
    return Writer()


def reasons(left: NormalizedMention, right: NormalizedMention) -> list[tuple[ConstraintKind, Reason]]:
    return [(c.kind, c.reason) for c in constraints_between([([left], [right])])]


def test_the_first_pair_stands_for_each_reason(write: Writer) -> None:
    born = [frozenset({("birth_date", f"195{n}-01-02")}) for n in range(2)]
    first = write("a", NAME, attributes=born[0])
    others = [write("b", NAME, attributes=born[1]), write("b", NAME, attributes=born[1])]
    expected = Constraint(
        first.mention_id, others[0].mention_id, ConstraintKind.CANNOT_LINK, Reason.BIRTH_DATE
    )
    assert constraints_between([([first], others)]) == (expected,)
    assert constraints_between([([first], [first])]) == ()


def test_what_the_text_and_people_say_of_two_mentions(write: Writer) -> None:
    first = write("a", NAME)
    beside = write("a", NAME, joined_with=frozenset({first.mention_id}))
    same = write("a", NAME, same_as=frozenset({first.mention_id}))
    assert reasons(first, beside) == [(ConstraintKind.CANNOT_LINK, Reason.TOLD)]
    assert reasons(same, first) == [(ConstraintKind.MUST_LINK, Reason.SAID)]
    for verdict, kind in (
        (Verdict.ACCEPT, ConstraintKind.MUST_LINK), (Verdict.REJECT, ConstraintKind.CANNOT_LINK),
    ):  # fmt: skip
        sides = [
            replace(m, context=replace(m.context, judged=frozenset({JudgedSide("00", number, verdict, "")})))
            for number, m in enumerate((first, write("b", NAME)))
        ]
        assert reasons(*sides) == [(kind, Reason.JUDGEMENT)]
    elder, younger = (write("b", replace(NAME, suffix=suffix)) for suffix in ("sr.", "jr."))
    assert reasons(elder, younger) == [(ConstraintKind.CANNOT_LINK, Reason.SUFFIX)]
    registered = [write("c", NAME, person_id="7") for _ in range(2)]
    assert reasons(*registered) == [(ConstraintKind.MUST_LINK, Reason.REGISTRY)]
