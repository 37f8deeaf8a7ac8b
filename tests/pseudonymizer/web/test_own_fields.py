"""A problem names a field that is ours, and never one that a caller made up."""

import pytest
from litestar.exceptions import ValidationException

from pseudonymizer.web.own_fields import field_at_fault, own_field


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("texts[0].text", "texts[0].text"), ("texts[0].Jan Tolsma", "texts[0]"), ("Tolsma", ""), ("", ""),
        ("purpose.x", "purpose"),
    ],
)  # fmt: skip
def test_only_our_fields_are_shown(place: str, shown: str) -> None:
    assert own_field(place) == shown


def test_the_first_field_of_ours_is_at_fault() -> None:
    error = ValidationException(extra=[{"key": "tolsma"}, "x", {"key": "texts[3]"}])
    assert field_at_fault(error) == "texts[3]"
    assert field_at_fault(ValidationException()) == ""
