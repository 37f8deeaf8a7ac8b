"""The numbers of data/who.toml: what speaks for each person whom a name fits, and for somebody unknown."""

import tomllib
from functools import cache

import msgspec

from linkage.shipped_data import data_directory


class PersonNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers that make the weight of a person; data/who.toml says what each number is."""

    presence: float
    no_habit: float
    formal: float
    role: float
    other_side: float


class NobodyNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers that make the weight of somebody unknown; data/who.toml says what each number is."""

    known_about: float
    one_letter: float
    letters: float
    given: float
    given_more: float
    family: float
    family_more: float
    initials: float
    initials_more: float
    circle: float
    circle_of_initials: float


class OpenNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of names that stay open, and of what is said then; data/who.toml says what each one is."""

    doubtful_share: float
    most_open: float
    most_in_doubt: float
    equally: float
    one_person_fit: float
    by_attribute: float


class WhoNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts of data/who.toml."""

    person: PersonNumbers
    nobody: NobodyNumbers
    open: OpenNumbers


@cache
def who_numbers() -> WhoNumbers:
    """The numbers that are shipped.

    Raises:
        msgspec.ValidationError: the table lacks a number or has one that nothing asks for.
    """
    with (data_directory() / "who.toml").open("rb") as handle:
        return msgspec.convert(tomllib.load(handle), WhoNumbers)
