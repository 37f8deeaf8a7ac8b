"""A name taken apart, and the key under which two spellings of one name meet."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from linkage.errors import InvalidRecordError

# Letters that no Unicode decomposition takes apart, and marks that join or set off parts of a name.
_FOLDED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i", "ħ": "h"}
    | {"ß": "ss"}
    | dict.fromkeys("'`´\u2018\u2019\u201b\u02bc\u2032.\"\u00ad\u200b\u200c\u200d\u2060\ufeff", "")
    | dict.fromkeys("-\u2010\u2011\u2012\u2013\u2014_/,", " ")
)


def fold(text: str) -> str:
    """Key under which two spellings of one name meet: no case, accents, ligatures, apostrophes or dots.

    Hyphens, commas and runs of white space become one space. fold(fold(x)) == fold(x).
    """
    if text.isascii():  # most words: nothing to take apart
        return " ".join(text.lower().translate(_FOLDED).split())
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    letters = "".join(character for character in decomposed if not unicodedata.combining(character))
    return " ".join(letters.translate(_FOLDED).split())


class Gender(StrEnum):
    FEMALE = "f"
    MALE = "m"
    BOTH = "u"


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name taken apart. An absent part is None, never ""; parts are normalized, titles are left out.

    initials are the letters as in "J.P." with their dots; particle goes with family, partner_particle with
    partner_family (the name taken over from a partner, in whatever order they were written).
    """

    given: str | None = field(default=None, repr=False)
    initials: str | None = field(default=None, repr=False)
    particle: str | None = field(default=None, repr=False)
    family: str | None = field(default=None, repr=False)
    partner_particle: str | None = field(default=None, repr=False)
    partner_family: str | None = field(default=None, repr=False)
    suffix: str | None = field(default=None, repr=False)
    nickname: str | None = field(default=None, repr=False)  # the call name in 'Johannes "Hans" de Boer'

    def __post_init__(self) -> None:
        if "" in self.parts():
            raise InvalidRecordError("an absent part of a name is None, never an empty string")

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> "PersonName":
        """A name of at most 8 texts in order, "" for an absent part. Quick: a vault of a million people
        goes through it, and an empty part cannot come out of it."""
        given, initials, particle, family, partner_particle, partner_family, suffix, nickname = (
            texts if len(texts) == 8 else (*texts, *[""] * (8 - len(texts)))
        )
        name = object.__new__(cls)
        put = _PUT_PARTS
        put[0](name, given or None)
        put[1](name, initials or None)
        put[2](name, particle or None)
        put[3](name, family or None)
        put[4](name, partner_particle or None)
        put[5](name, partner_family or None)
        put[6](name, suffix or None)
        put[7](name, nickname or None)
        return name

    def parts(self) -> tuple[str | None, ...]:
        return (
            self.given, self.initials, self.particle, self.family,
            self.partner_particle, self.partner_family, self.suffix, self.nickname,
        )  # fmt: skip

    @property
    def is_full(self) -> bool:
        """Whether it has a family name and a given name or initials."""
        return self.family is not None and (self.given is not None or self.initials is not None)


def form_key(name: PersonName) -> tuple[str, ...]:
    """The folded parts of a name: names with equal ones are one form."""
    return tuple(["" if part is None else fold(part) for part in name.parts()])


_PUT_PARTS: Final = [PersonName.__dict__[part].__set__ for part in PersonName.__slots__]
