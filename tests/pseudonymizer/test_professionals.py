"""The quick look for a role says no only where there is none."""

import re

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Span
from pseudonymizer.professionals import _ROLES, acts_professionally, may_hold_role


@given(st.text(max_size=10), st.from_regex(re.compile(_ROLES, re.IGNORECASE), fullmatch=True), st.booleans())
def test_every_role_is_seen_in_any_case(before: str, role: str, in_capitals: bool) -> None:
    written = role.upper() if in_capitals else role
    assert may_hold_role(f"{before} {written} ")


def test_ordinary_words_hold_none() -> None:
    assert not may_hold_role("Het gesprek ging over de verbouwing van het huis van ")


def test_letters_of_other_scripts_are_left_to_the_patterns() -> None:
    text = "de \u017fecretaris Jan Tolsma"  # a long s
    span = Span(text.index("Jan"), len(text))
    assert acts_professionally(text, span)
