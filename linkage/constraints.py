"""Constraints: mentions that must be one person, or cannot be, whatever their names say, with the reason.

Likeness never overrules a constraint. All rules stand here; clustering and the linker ask them, and `explain`
shows them. What a text tells of a person beside the name is gathered in Evidence.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice, product
from typing import Final, Self

from linkage.records import Gender, MentionId, NormalizedMention, Role, RoleClass
from linkage.told import Verdict

# Sides of the desk: a person is seldom met on both in the papers of one matter.
_SIDES: Final = frozenset({RoleClass.SERVED, RoleClass.PROFESSIONAL})
_MOST_PAIRS: Final = 10_000  # pairs of mentions that are looked at to explain two people


class Reason(StrEnum):
    """The reason for which two mentions are one person or two.

    TOLD: the text sets the two apart, as "X en Y" does. SAID: it says that they are one, "X, roepnaam Y".
    KNOWN: the project has two people. BIRTH_DATE and CITIZEN_NUMBER are the kinds of the attributes.
    """

    REGISTRY = "registry"
    JUDGEMENT = "judgement"
    BIRTH_DATE = "birth_date"
    CITIZEN_NUMBER = "bsn"
    GENDER = "gender"
    ROLES = "roles"
    SUFFIX = "suffix"
    TOLD = "told"
    SAID = "said"
    KNOWN = "known"


# Kinds of attributes of which one person has one; two different values are two people. An e-mail address or a
# file number is not such a thing: people have several.
DECISIVE_KINDS: Final = frozenset({Reason.BIRTH_DATE.value, Reason.CITIZEN_NUMBER.value})


class ConstraintKind(StrEnum):
    """Whether two mentions must be one person, or cannot be."""

    MUST_LINK = "must_link"
    CANNOT_LINK = "cannot_link"


@dataclass(frozen=True, slots=True)
class Constraint:
    """A pair of mentions that must be one person or cannot be, with the reason."""

    left: MentionId
    right: MentionId
    kind: ConstraintKind
    reason: Reason


# What does not hold apart where it would: people of two papers, whom a judgement accepted, and lone names.
OF_TWO_MATTERS: Final = frozenset({Reason.ROLES})  # a patient may be a doctor in the papers of another matter
OF_ACCEPTED: Final = frozenset({Reason.GENDER, Reason.ROLES})
OF_LISTED_GENDER: Final = frozenset({Reason.GENDER})  # all that is known of it is what lists say of the name
NONE: Final[frozenset[Reason]] = frozenset()
_NO_SUFFIXES: Final[tuple[frozenset[str], frozenset[str]]] = (frozenset(), frozenset())


@dataclass(slots=True)
class Evidence:
    """Facts gathered over the mentions of one person; grows as mentions join."""

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
        """The sides of the desk on which the person is met: served, professional, mostly none."""
        if not self.roles:  # most people; asked millions of times
            return frozenset()
        return frozenset(role.side for role in self.roles) & _SIDES

    def on_other_side(self, other: "Evidence") -> bool:
        """Whether one is served and the other a professional; who shares a birth date is one all the same."""
        if not self.roles or not other.roles:
            return False
        sides, others = self.sides(), other.sides()
        return len(sides) == len(others) == 1 and sides != others and not self.shares_decisive(other)

    def shares_decisive(self, other: "Evidence") -> bool:
        """Whether both have one and the same value of a decisive kind."""
        return bool(self.decisive() & other.decisive())


# -- two people ----------------------------------------------------------------------------------------------


def reason_apart(
    left: Evidence,
    right: Evidence,
    spared: Set[Reason] = NONE,
    *,
    is_told: bool = False,
    is_known: bool = False,
    suffixes: tuple[Set[str], Set[str]] = _NO_SUFFIXES,
) -> Reason | None:
    """The strongest reason for which two people cannot be one; None where there is none.

    spared: reasons that do not hold here. is_told: whether a text sets the two apart. is_known: whether the
    project has them as two. suffixes: the generation suffixes of either. One registry id in common outweighs
    what texts tell of the persons.
    """
    if is_told:
        return Reason.TOLD
    if not left.person_ids or not right.person_ids:
        if (reason := _reason_of_facts(left, right, spared)) is not None:
            return reason
    elif not left.person_ids & right.person_ids:
        return Reason.REGISTRY
    if is_known:
        return Reason.KNOWN
    return Reason.SUFFIX if suffixes[0] and suffixes_differ(*suffixes) else None


def _reason_of_facts(left: Evidence, right: Evidence, spared: Set[Reason]) -> Reason | None:
    sexes = left.gender is not right.gender and sexes_differ(left.gender, right.gender)
    if sexes and Reason.GENDER not in spared:
        return Reason.GENDER
    if left.attributes and right.attributes:
        for reason in (Reason.BIRTH_DATE, Reason.CITIZEN_NUMBER):
            if _values_differ(left, right, reason):
                return reason
    return Reason.ROLES if Reason.ROLES not in spared and left.on_other_side(right) else None


def suffixes_differ(left: Iterable[str | None], right: Iterable[str | None]) -> bool:
    """Whether both have a generation suffix such as "jr." and these are not one and the same."""
    mine, theirs = set(left) - {None}, set(right) - {None}
    return bool(mine and theirs) and len(mine | theirs) > 1


def sexes_differ(left: Gender | None, right: Gender | None) -> bool:
    """Whether one is a woman and the other a man."""
    return (left is Gender.FEMALE and right is Gender.MALE) or (
        left is Gender.MALE and right is Gender.FEMALE
    )


def _values_differ(left: Evidence, right: Evidence, kind: str) -> bool:
    """Whether both have attributes of a kind, and none in common."""
    mine = {value for found, value in left.attributes if found == kind}
    theirs = {value for found, value in right.attributes if found == kind}
    return bool(mine and theirs) and not mine & theirs


# -- shown ---------------------------------------------------------------------------------------------------


def constraints_between(
    people: Iterable[tuple[Sequence[NormalizedMention], Sequence[NormalizedMention]]],
) -> tuple[Constraint, ...]:
    """The constraints between these pairs of people: of each kind and reason the first pair of mentions.

    people: all mentions of either; one person's own mentions may be given twice.
    """
    found: dict[tuple[ConstraintKind, Reason], Constraint] = {}
    for left, right in people:
        for one, other in islice(product(left, right), _MOST_PAIRS):
            if one.mention_id == other.mention_id:
                continue
            for kind, reason in _of_pair(one, other):
                found.setdefault((kind, reason), Constraint(one.mention_id, other.mention_id, kind, reason))
    return tuple(sorted(found.values(), key=lambda c: (c.kind, c.reason)))


def _of_pair(one: NormalizedMention, other: NormalizedMention) -> Iterator[tuple[ConstraintKind, Reason]]:
    for mine, theirs in product(one.context.judged, other.context.judged):
        if mine.pair == theirs.pair and mine.side != theirs.side:
            accepted = mine.verdict is Verdict.ACCEPT
            yield (ConstraintKind.MUST_LINK if accepted else ConstraintKind.CANNOT_LINK), Reason.JUDGEMENT
    mine_told, theirs_told = Evidence.of(one), Evidence.of(other)
    if mine_told.person_ids & theirs_told.person_ids:
        yield ConstraintKind.MUST_LINK, Reason.REGISTRY
    if other.mention_id in one.context.same_as or one.mention_id in other.context.same_as:
        yield ConstraintKind.MUST_LINK, Reason.SAID
    is_told = other.mention_id in one.context.joined_with or one.mention_id in other.context.joined_with
    if is_told:
        yield ConstraintKind.CANNOT_LINK, Reason.TOLD
    suffixes = ({one.name.suffix or ""} - {""}, {other.name.suffix or ""} - {""})
    if (reason := reason_apart(mine_told, theirs_told, suffixes=suffixes)) is not None:
        yield ConstraintKind.CANNOT_LINK, reason
