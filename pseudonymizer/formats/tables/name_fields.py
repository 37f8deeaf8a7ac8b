"""Which fields of tables and records hold names of people, told by their headers, and how their parts go
together."""

from collections.abc import Iterable, Mapping
from enum import Enum

from linkage.detection.columns import may_be_name
from linkage.kept_words import remembered
from linkage.kinds import PERSON
from linkage.language import Language
from linkage.language.headers import About, Header


class NameField(Enum):
    """What a field holds, in the order in which the parts of a name are written."""

    GIVEN = 1
    INITIALS = 2
    PARTICLE = 3
    FAMILY = 4
    FULL = 5
    GENERIC = 6  # "naam": of a person only where other fields speak of a person


@remembered(4096)
def header_of(title: str, language: str = "nl") -> Header | None:
    """The header word of the language that a title is; None: it says nothing."""
    return Language.load(language).headers.find(title)


def name_field(title: str, language: str = "nl") -> NameField | None:
    """What the header of a field says about names, None if nothing."""
    header = header_of(title, language)
    if header is None or header.kind != PERSON or header.part is None:
        return None
    return NameField[header.part.name]


def name_columns(titles: Iterable[str], language: str = "nl") -> dict[int, NameField]:
    """Column number -> what it holds, for the columns that hold names of people."""
    headers = list(titles)
    roles = {
        number: role
        for number, title in enumerate(headers)
        if (role := name_field(title, language)) is not None
    }
    of_persons = any(role is not NameField.GENERIC for role in roles.values()) or any(
        header.about is About.PERSON
        for title in headers
        if (header := header_of(title, language)) is not None
    )
    return {
        number: NameField.FULL if role is NameField.GENERIC else role
        for number, role in roles.items()
        if role is not NameField.GENERIC or of_persons
    }


def looks_like_name(value: str, role: NameField, language: str = "nl") -> bool:
    """Whether a value of such a field can be a name at all: not "ja", "n.v.t.", "P001" or a sentence.

    Fields for one part of a name may hold it in lower case; fields for a person as a whole may hold other
    things.
    """
    return may_be_name(value, Language.load(language), with_capital=role is NameField.FULL)


def composed(roles: Mapping[int, NameField]) -> tuple[int, ...]:
    """The columns that together hold one name, in the order in which a name is written; empty if there are
    none.

    More than one column of a kind (a second person in the same row) cannot be put together with certainty.
    """
    parts = {number: role for number, role in roles.items() if role is not NameField.FULL}
    if len(parts) < 2 or len(set(parts.values())) < len(parts) or NameField.FAMILY not in parts.values():
        return ()
    if {NameField.GIVEN, NameField.INITIALS} <= set(parts.values()):
        # Given name and initials say the same; the initials stand on their own.
        parts = {number: role for number, role in parts.items() if role is not NameField.INITIALS}
    return tuple(sorted(parts, key=lambda number: parts[number].value))
