"""A value that is replaced at one place of a file is replaced at each, where it tells of one thing."""

import pytest

from linkage.kinds import Kinds
from linkage.records import PERSON, EntityId, KindId, Span
from pseudonymizer import formats
from pseudonymizer.engine.records import Replacement
from pseudonymizer.engine.same_values import replaced_values, with_same_values
from pseudonymizer.formats import FormatOptions

KINDS = Kinds.load()


def spread(text: str, value: str, kind: str, *, follows: bool = False) -> list[Span]:
    """The places that are replaced beside the first one, where it stands at the beginning."""
    assert text.startswith(value)
    parsed = formats.read(text.encode(), name="a.txt")
    first = Replacement("", Span(0, len(value)), "X", EntityId("1"), KindId(kind), follows)
    kept, *added = with_same_values((first,), parsed, KINDS)
    assert kept == first
    assert all((one.text, one.entity_id, one.kind) == ("X", "1", kind) for one in added)
    return [one.span for one in added]


@pytest.mark.parametrize(
    ("kind", "value", "is_spread"),
    [
        ("PHONE", "0612345678", True),
        ("STREET", "Lange Dijk 7", True),
        ("BIRTH_DATE", "12-03-1951", True),
        ("KIND_OF_THE_USER", "AB-1234", True),
        ("DATE", "12-03-2024", False),
        ("MONEY", "100.000 euro", False),
        ("CASE_NUMBER", "12345", False),  # stands anywhere
        ("CITY", "Rotterdam", False),  # one word
    ],
)
def test_values_that_tell_of_one_thing_are_replaced_again(kind: str, value: str, is_spread: bool) -> None:
    text = f"{value} en {value}."
    start = len(value) + 4
    assert spread(text, value, kind) == ([Span(start, start + len(value))] if is_spread else [])


@pytest.mark.parametrize("after", ["06123456789", "x0612345678", "612345678"])
def test_a_part_of_a_longer_value_is_another(after: str) -> None:
    assert spread(f"0612345678 {after}", "0612345678", "PHONE") == []


def test_what_follows_a_person_is_not_written_again_by_value() -> None:
    assert spread("jan@x.example jan@x.example", "jan@x.example", "EMAIL", follows=True) == []


def test_places_that_are_replaced_and_columns_that_are_left_out_stay() -> None:
    raw = b"a,b\n0612345678,0612345678\n"
    parsed = formats.read(raw, name="a.csv", options=FormatOptions(columns=("b",)))
    (part,) = parsed.parts
    start = part.text.rindex("0612345678")
    one = Replacement(part.part_id, Span(start, start + 10), "X", None, KindId("PHONE"))
    assert with_same_values((one,), parsed, KINDS) == (one,)


def test_names_are_no_values() -> None:
    parsed = formats.read(b"Jan Tolsma 7", name="a.txt")
    assert replaced_values([Replacement("", Span(0, 12), "X", None, PERSON)], parsed, KINDS) == {}
