"""The quick look for a role says no only where there is none."""

from linkage.language import Language
from linkage.language.people import Use, used
from linkage.records import Span
from pseudonymizer.professionals import acts_professionally, may_hold_role


def test_every_role_is_seen_in_any_case() -> None:
    roles = list(used(Language.load("nl").people, Use.ACTS))
    assert len(roles) > 100
    assert "logopedist" in roles
    assert [role for role in roles if not (may_hold_role(role) and may_hold_role(role.upper()))] == []


def test_ordinary_words_hold_none() -> None:
    assert not may_hold_role("Het gesprek ging over de verbouwing van het huis van ")


def test_letters_of_other_scripts_are_left_to_the_patterns() -> None:
    text = "de \u017fecretaris Jan Tolsma"  # a long s
    span = Span(text.index("Jan"), len(text))
    assert acts_professionally(text, span)
