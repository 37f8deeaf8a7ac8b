"""What the text says about a mention besides its name, and when two such pieces exclude each other."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from linkage.records import Gender, NormalizedMention, Role, RoleClass

# One person has one of these; two different values are two people. An e-mail address or a file number is not
# such a thing: people have several.
DECISIVE_KINDS = frozenset({"birth_date", "bsn"})
# Sides of the desk: a person is seldom met on both in the papers of one matter.
_SIDES = frozenset({RoleClass.SERVED, RoleClass.PROFESSIONAL})


@dataclass(slots=True)
class Evidence:
    """Gathered over the mentions of one person; grows as mentions join."""

    gender: Gender | None = None
    person_ids: set[str] = field(default_factory=set, repr=False)
    attributes: set[tuple[str, str]] = field(default_factory=set, repr=False)
    roles: set[Role] = field(default_factory=set, repr=False)

    @classmethod
    def of(cls, mention: NormalizedMention) -> Self:
        person_id, context = mention.mention.person_id, mention.context
        ids = {person_id} if person_id else set()
        return cls(mention.gender, ids, set(context.attributes), set(context.roles))

    def add(self, other: "Evidence") -> None:
        if self.gender is None or self.gender is Gender.BOTH:
            self.gender = other.gender or self.gender
        self.person_ids |= other.person_ids
        self.attributes |= other.attributes
        self.roles |= other.roles

    def decisive(self) -> frozenset[tuple[str, str]]:
        if not self.attributes:
            return frozenset()
        return frozenset(pair for pair in self.attributes if pair[0] in DECISIVE_KINDS)

    def sides(self) -> frozenset[RoleClass]:
        """Which sides of the desk the person is met on: served, professional, mostly none."""
        if not self.roles:  # most people; asked millions of times
            return frozenset()
        return frozenset(role.side for role in self.roles) & _SIDES

    def excludes(self, other: "Evidence", *, by_gender: bool = True, by_side: bool = True) -> bool:
        """Whether the two are not one person: another registry id, birth date, gender or side of the desk."""
        if self.person_ids and other.person_ids:
            return not self.person_ids & other.person_ids
        if by_gender and self.gender is not other.gender and sexes_differ(self.gender, other.gender):
            return True
        return self._attributes_exclude(other) or (by_side and self.on_other_side(other))

    def _attributes_exclude(self, other: "Evidence") -> bool:
        if not self.attributes or not other.attributes:
            return False
        for kind in DECISIVE_KINDS:
            mine = values_of(self.attributes, kind)
            theirs = values_of(other.attributes, kind)
            if mine and theirs and not mine & theirs:
                return True
        return False

    def on_other_side(self, other: "Evidence") -> bool:
        """Whether one is served and the other a professional; who shares a birth date is one all the same."""
        if not self.roles or not other.roles:
            return False
        sides, others = self.sides(), other.sides()
        return len(sides) == len(others) == 1 and sides != others and not self.shares_decisive(other)

    def shares_decisive(self, other: "Evidence") -> bool:
        """Whether both have one and the same value of a decisive kind."""
        return bool(self.decisive() & other.decisive())


def sexes_differ(left: Gender | None, right: Gender | None) -> bool:
    """Whether one is a woman and the other a man."""
    return (left is Gender.FEMALE and right is Gender.MALE) or (
        left is Gender.MALE and right is Gender.FEMALE
    )


def values_of(attributes: Iterable[tuple[str, str]], kind: str) -> set[str]:
    return {value for found, value in attributes if found == kind}
