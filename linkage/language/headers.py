"""Header words of columns: the kind of values, or the part of a name, that stands below a header."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from linkage.texts import PERSON, KindId

RUNNING_TEXT: Final = "TEXT"  # in place of a kind: anything may stand below the header
_ENDINGS: Final = ("naam", "name")  # "patient_naam" and "naam_patient" alike: the rest of the header decides
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class NamePart(StrEnum):
    """The part of a name, or of an entry of a registry of people, below a header."""

    GIVEN = "given"
    INITIALS = "initials"
    PARTICLE = "particle"
    FAMILY = "family"
    FULL = "full"
    GENERIC = "generic"  # "naam": of a person only where other columns speak of people
    ID = "id"
    ALIAS = "alias"


class About(StrEnum):
    """What a header says of its table. REGISTRY: the header counts in registries of people alone."""

    ANYTHING = ""
    PERSON = "person"
    REGISTRY = "registry"


@dataclass(frozen=True, slots=True)
class Header:
    """A header word. kind: None where running text stands below it. part: of a name, for the kind PERSON."""

    text: str
    kind: KindId | None
    part: NamePart | None = None
    about: About = About.ANYTHING


class Headers:
    """The header words of a language, in the order of their table."""

    def __init__(self, headers: Iterable[Header]) -> None:
        self._headers = tuple(headers)

    def __iter__(self) -> Iterator[Header]:
        return iter(self._headers)

    def find(self, title: str) -> Header | None:
        """The header word that a title is, or that it begins or ends with; None: the title says nothing.

        Signs, figures and accents do not count: "Geb.datum 1" is "geb datum".
        """
        letters = bare(title)
        if (exact := self._by_letters.get(letters)) is not None:
            return exact
        if letters.endswith(_ENDINGS):
            rest = self._by_letters.get(letters[:-4])
            is_full = rest is not None and rest.part is NamePart.FULL
            return Header(title, PERSON, NamePart.FULL if is_full else NamePart.GENERIC)
        words = [word.lower() for word in _WORD.findall(_ascii(title))]
        for count in range(len(words) - 1, 0, -1):
            first = self._by_letters.get("".join(words[:count]))
            if first is not None and first.kind == PERSON and first.part in _PARTS:
                return Header(title, PERSON, NamePart.FULL)  # of one of several people in a row
            for found in (first, self._by_letters.get("".join(words[-count:]))):
                if found is not None and found.kind not in (None, PERSON):
                    return found
        return None

    def of_registry(self, kind: KindId, *parts: NamePart) -> tuple[str, ...]:
        """The bare letters of the headers of a kind, or of parts of a name, those to prefer first."""
        return tuple(
            bare(header.text)
            for part in parts or (None,)
            for header in self._headers
            if header.kind == kind and header.part == part
        )

    @cached_property
    def _by_letters(self) -> Mapping[str, Header]:
        return {bare(h.text): h for h in self._headers if h.about is not About.REGISTRY}


_PARTS: Final = frozenset({NamePart.GIVEN, NamePart.INITIALS, NamePart.FAMILY})


def bare(title: str) -> str:
    """The letters of a title: small, without accents, signs, figures and blanks."""
    return "".join(character for character in _ascii(title).lower() if character.isalpha())


def _ascii(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title)
    return "".join(character for character in plain if character.isascii())
