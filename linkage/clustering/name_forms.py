"""The structure of a name as clustering needs it: its pieces, folded, and what it consists of."""

import re
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

from linkage.records import PersonName, fold


class NameKind(IntEnum):
    """What a form consists of, the most telling last."""

    LETTERS = 0  # "J.", "MvdH"
    GIVEN = 1
    FAMILY = 2
    INITIALS = 3  # initials and a family name
    FULL = 4  # given and family name


@dataclass(frozen=True)
class NameForm:
    """A PersonName in folded pieces. families are cores without particle; glued has it, without spaces."""

    kind: NameKind
    given: tuple[str, ...] = field(repr=False)
    nickname: str | None = field(repr=False)
    letters: tuple[str, ...] = field(repr=False)
    families: tuple[str, ...] = field(repr=False)
    glued: frozenset[str] = field(repr=False)
    particles: frozenset[str] = field(repr=False)
    suffix: str | None = field(repr=False)

    @classmethod
    def of(cls, name: PersonName) -> "NameForm":
        given = tuple(read_through(fold(name.given)).split()) if name.given else ()
        letters = tuple(fold(part) for part in (name.initials or "").split(".") if fold(part))
        nickname = fold(name.nickname) if name.nickname else None
        surnames = [
            (fold(particle) if particle else "", read_through(fold(family)))
            for particle, family in (
                (name.particle, name.family),
                (name.partner_particle, name.partner_family),
            )
            if family
        ]
        families = tuple(dict.fromkeys(family for _, family in surnames if family))
        if families:
            kind = NameKind.FULL if given or nickname else NameKind.INITIALS if letters else NameKind.FAMILY
        else:
            kind = NameKind.GIVEN if given or nickname else NameKind.LETTERS
        return cls(
            kind,
            given,
            nickname,
            letters,
            families,
            frozenset(re.sub(r"[ -]", "", particle + family) for particle, family in surnames),
            frozenset(particle for particle, _ in surnames if particle),
            fold(name.suffix) if name.suffix else None,
        )

    @cached_property
    def call_names(self) -> tuple[str, ...]:
        """Every name the person may be called by: given names and nickname."""
        return (*self.given, self.nickname) if self.nickname else self.given

    @cached_property
    def surname_letters(self) -> str:
        """The letters that stand for the surname in "Geert K.", "Jeltsje H-W" or "Ton vdH"; mostly none."""
        if self.kind is not NameKind.GIVEN or not self.given:
            return ""
        own = tuple(word[0] for word in self.given)
        return "".join(self.letters[len(own) :]) if self.letters[: len(own)] == own else ""

    @cached_property
    def words(self) -> frozenset[str]:
        """All words but particles, whatever role they were read in."""
        return frozenset(word for part in (*self.call_names, *self.families) for word in part.split())

    @cached_property
    def family_ends(self) -> frozenset[str]:
        """First and last words of surnames of several: "jelles" and "abma" where both were read as one."""
        several = (family.split() for family in self.families if " " in family)
        return frozenset(word for words in several for word in (words[0], words[-1]))

    @cached_property
    def surname_keys(self) -> frozenset[str]:
        """Surnames in all their writings: shorter names look for fuller ones by these."""
        return frozenset({*self.families, *self.glued, *self.family_ends})

    @cached_property
    def keys(self) -> frozenset[str]:
        """What the form is looked up by inside a document: its words, parts, and the initial with a dot."""
        keys = {*self.words, *self.families, *self.glued, *self.call_names}
        if self.kind is NameKind.INITIALS:
            keys.add(f"{self.letters[0][0]}.")
        elif self.kind is NameKind.GIVEN and self.given:
            keys.add(f"{self.given[0][0]}.")
        if len(self.families) == 2:
            keys.add(" ".join(self.families[::-1]))
        if len(self.given) > 1:
            keys.add(self.given_text)
        return frozenset(keys)

    @cached_property
    def given_text(self) -> str:
        """Given names as one part for comparison; the nickname where there are none."""
        return " ".join(self.given) or self.nickname or ""


def is_full(name: PersonName) -> bool:
    """Whether a name is of the kind FULL."""
    return NameForm.of(name).kind is NameKind.FULL


def read_through(word: str) -> str:
    """A word with the digits that text recognition put for letters: "soerdjp0s" is read with an o."""
    if not _DIGIT.search(word) or not _LETTER.search(word):
        return word
    return word.translate(_DIGITS)


_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")
_DIGITS = str.maketrans({"0": "o", "1": "l", "5": "s", "8": "b"})
