"""What is told of mentions comes back from pairs of texts as it was. All names are invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import InvalidRecordError
from linkage.told import NOTHING, JudgedSide, Role, RoleClass, Told, Verdict, as_pairs, told_by

texts = st.text(st.characters(exclude_categories=()), max_size=6)
attributes = st.tuples(st.sampled_from(["birth_date", "email", ""]), texts)
roles = st.builds(Role, st.sampled_from(RoleClass), texts)
judged = st.builds(JudgedSide, texts, st.integers(0, 1), st.sampled_from(Verdict), texts)


@given(st.sets(attributes, max_size=3), st.sets(roles), st.sets(texts), st.sets(judged, max_size=3))
def test_pairs_tell_what_they_were_made_of(
    given_attributes: set[tuple[str, str]],
    given_roles: set[Role],
    given_marks: set[str],
    given_judged: set[JudgedSide],
) -> None:
    pairs = as_pairs(given_attributes, given_roles, given_marks, given_judged)
    assert told_by(pairs) == Told(
        tuple(sorted(given_attributes)), tuple(sorted(given_roles)), tuple(sorted(given_marks)),
        tuple(sorted(given_judged)),
    )  # fmt: skip
    assert list(pairs) == sorted(pairs)


@given(st.sets(st.tuples(st.sampled_from(["role", "mark", "email"]), texts)))
def test_no_pair_is_lost(pairs: set[tuple[str, str]]) -> None:
    told = told_by(pairs)
    assert set(as_pairs(told.attributes, told.roles, told.marks, told.judged)) == pairs


def test_pairs_are_as_earlier_versions_sealed_them() -> None:
    told = told_by(
        [("mark", "code:nk 25"), ("role", "professional:arts"), ("judged", '["0a",1,"reject","2026-01-02"]')]
    )
    assert told.roles == (Role(RoleClass.PROFESSIONAL, "arts"),)
    assert told.marks == ("code:nk 25",)
    assert told.judged == (JudgedSide("0a", 1, Verdict.REJECT, "2026-01-02"),)
    assert as_pairs(told.attributes, told.roles, told.marks, told.judged) == (
        ("judged", '["0a",1,"reject","2026-01-02"]'), ("mark", "code:nk 25"), ("role", "professional:arts"),
    )  # fmt: skip


@pytest.mark.parametrize("value", ["oom", "uncle:oom", ""])
def test_a_role_of_no_known_side_stays_an_attribute(value: str) -> None:
    assert told_by([("role", value)]) == Told((("role", value),))


@pytest.mark.parametrize(
    "value",
    ["", "[]", '["a", 2, "reject", ""]', '["a", 0, "perhaps", ""]', "[1, 0, 2]", "[" * 100_000],
)
def test_a_judgement_that_is_none_is_refused_without_its_value(value: str) -> None:
    with pytest.raises(InvalidRecordError, match="kind judged"):
        told_by([("judged", value)])


def test_what_is_told_shows_nothing() -> None:
    assert repr(Told((("email", "j@tolsma.example"),))) == "Told(...)"
    assert told_by([]) is NOTHING
