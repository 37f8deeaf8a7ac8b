"""Values of a text as facts about people: the kinds and forms in which linking, vaults and marks have them.

A fact of an old vault equals the fact that the same text tells today, so its form is older than the normal
form of the value and differs from it: "0612345678" for "+31612345678".
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Final

from stdnum import iban
from stdnum.nl import bsn

from linkage.language import Language
from linkage.records import KindId, ValueMention

BIRTH_DATE: Final = "birth_date"
EMAIL: Final = "email"
ACCOUNT: Final = "iban"
_NATIONAL_PREFIXES: Final = re.compile(r"\+3[12](?=\d{8,9}$)")  # a Dutch or Belgian number in full
_FEWEST_PHONE_DIGITS: Final = 9  # fewer are an extension or a number of a service
_EXTENSION: Final = re.compile(r"x\d+$")
_STREET_AND_NUMBER: Final = re.compile(
    r"(?P<street>\D.*?),?\s+(?:nr\.?\s?)?(?P<number>\d{1,5}(?:[ \t]?[a-zA-Z](?![\w]))?)"
)
_FEWEST_FILE_DIGITS: Final = 3  # "dossier 2" of a list is no number that tells one file from another
_LONG_NUMBER: Final = re.compile(r"[\w/-]*\d{6,}[\w/-]*(?=\s)")  # "10284417 CV EXPL 22-3391"
_LABEL_REACH: Final = 40  # characters before a number in which its label is looked for


@dataclass(frozen=True, slots=True)
class Fact:
    """A value in a text. kind: one of birth_date, email, bsn, dossier, phone, address, iban."""

    start: int
    end: int
    kind: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Place:
    """A value where it stands."""

    value: ValueMention
    text: str = field(repr=False)
    language: Language

    @property
    def surface(self) -> str:
        return self.value.mention.surface


def _birth_date(place: _Place) -> str | None:
    """The day, where the text names day, month and year, and the calendar has it."""
    try:
        return date.fromisoformat(place.value.normal).isoformat()
    except ValueError:
        return None


def _email(place: _Place) -> str | None:
    """The address in small letters; None for one that is cut off."""
    local, _, host = place.value.normal.lower().partition("@")
    return f"{local}@{host}" if host else None


def _citizen_number(place: _Place) -> str | None:
    number = place.value.normal
    return number if place.value.country == "NL" and bsn.is_valid(number) else None


def _file_number(place: _Place) -> str | None:
    """The number of a file about one person, as written in small letters; of a court, that of the request."""
    start = place.value.mention.span.start
    if _label(place.language).search(place.text, max(0, start - _LABEL_REACH), start) is None:
        return None
    long = _LONG_NUMBER.match(place.surface)
    number = (long[0] if long else place.surface).lower().rstrip("-/")
    return number if sum(map(str.isdigit, number)) >= _FEWEST_FILE_DIGITS else None


def _phone(place: _Place) -> str | None:
    """The figures as people in the Netherlands and Belgium dial them, with "+" and country elsewhere."""
    number = _EXTENSION.sub("", place.value.normal)
    digits = sum(map(str.isdigit, number))
    if digits < _FEWEST_PHONE_DIGITS or not number.removeprefix("+").isdigit():
        return None
    return _NATIONAL_PREFIXES.sub("0", number)


def _account(place: _Place) -> str | None:
    """The number of an account in its international form, in small letters; None for another notation."""
    number = place.value.normal.replace(" ", "").lower()
    return number if iban.is_valid(number) else None


def _address(place: _Place) -> str | None:
    """Street and number with its letter, in small letters: "oude kerkstraat 12a"; None for a post box."""
    found = _STREET_AND_NUMBER.match(place.surface)
    if found is None or _post_box(place.language).match(place.surface):
        return None
    number = "".join(found["number"].split())
    return " ".join(f"{found['street']} {number}".lower().split())


# By kind of value, the kind of fact and what makes its form; None: the value tells no such fact.
_FORMS: Final[Mapping[KindId, tuple[str, Callable[[_Place], str | None]]]] = {
    KindId("BIRTH_DATE"): (BIRTH_DATE, _birth_date),
    KindId("EMAIL"): (EMAIL, _email),
    KindId("NATIONAL_ID"): ("bsn", _citizen_number),
    KindId("CASE_NUMBER"): ("dossier", _file_number),
    KindId("PATIENT_NUMBER"): ("dossier", _file_number),
    KindId("PHONE"): ("phone", _phone),
    KindId("FAX"): ("phone", _phone),
    KindId("STREET"): ("address", _address),
    KindId("BANK_ACCOUNT"): (ACCOUNT, _account),
}


def facts_of(text: str, values: Iterable[ValueMention], language: Language) -> tuple[Fact, ...]:
    """The facts that the values of a text tell, in its order; whose they are is not decided here."""
    facts: list[Fact] = []
    for value in values:
        if value.kind in _FORMS:
            kind, form = _FORMS[value.kind]
            told = form(_Place(value, text, language))
            if told is not None:
                facts.append(Fact(value.mention.span.start, value.mention.span.end, kind, told))
    return tuple(sorted(facts, key=lambda fact: (fact.start, fact.kind)))


@cache
def _label(language: Language) -> re.Pattern[str]:
    words = language.slots.get("FILE_OF_PERSON", "(?!)")
    return re.compile(rf"\b{words}\s*:?\s*\Z", re.IGNORECASE)


@cache
def _post_box(language: Language) -> re.Pattern[str]:
    return re.compile(language.slots.get("POST_BOX", "(?!)"), re.IGNORECASE)
