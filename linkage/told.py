"""What a text tells of a mention besides its name, and what people judged of it: each a typed record.

Sealed values and rows of versions before 0.2 hold it as pairs of texts: a kind such as "role", and a value.
"""

import json
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Any, Final, TypeVar

import msgspec

from linkage.errors import InvalidRecordError

# Kinds of pairs that tell what has a type. All others are attributes, as ("birth_date", "1951-03-12").
_ROLE: Final = "role"  # "professional:arts"
_MARK: Final = "mark"
_JUDGED: Final = "judged"  # JSON: [pair, side, verdict, judged_at]
_TYPED: Final = frozenset({_ROLE, _MARK, _JUDGED})

Pair = tuple[str, str]
_T = TypeVar("_T")
_EMPTY: Final[frozenset[Any]] = frozenset()


class RoleClass(StrEnum):
    """What a role says about the person's side of the desk."""

    SERVED = "served"
    PROFESSIONAL = "professional"
    KIN = "kin"


class Role(msgspec.Struct, array_like=True, frozen=True, order=True, gc=False):
    """The part that a person plays in a text: of a side, under a calling, such as "arts"."""

    side: RoleClass
    calling: str


class Verdict(StrEnum):
    ACCEPT = "accept"
    REJECT = "reject"


class JudgedSide(msgspec.Struct, array_like=True, frozen=True, order=True, gc=False):
    """One side of a judgement about two mentions, as it goes along with the mention of that side.

    pair: a digest of the two, the same on both sides. side: 0 or 1. judged_at: ISO 8601, UTC, or "".
    """

    pair: str
    side: int
    verdict: Verdict
    judged_at: str


class Told(msgspec.Struct, frozen=True, gc=False):
    """What is told of a mention, sorted. marks: those of its document, kept with the first mention in it."""

    attributes: tuple[Pair, ...] = ()
    roles: tuple[Role, ...] = ()
    marks: tuple[str, ...] = ()
    judged: tuple[JudgedSide, ...] = ()

    def __repr__(self) -> str:
        return "Told(...)"


NOTHING: Final = Told()


def told_by(pairs: Collection[Pair]) -> Told:
    """What pairs tell. A role of no known side stays an attribute.

    Raises:
        InvalidRecordError: a pair of the kind judged is none.
    """
    if not pairs:
        return NOTHING
    if not any(kind in _TYPED for kind, _ in pairs):
        return Told(tuple(sorted(pairs)))
    attributes: list[Pair] = []
    roles: list[Role] = []
    marks: list[str] = []
    judged: list[JudgedSide] = []
    for kind, value in pairs:
        if kind == _MARK:
            marks.append(value)
        elif kind == _JUDGED:
            judged.append(_judged_side(value))
        elif kind == _ROLE and (role := _role(value)) is not None:
            roles.append(role)
        else:
            attributes.append((kind, value))
    return Told(tuple(sorted(attributes)), tuple(sorted(roles)), tuple(sorted(marks)), tuple(sorted(judged)))


def kept_set(values: Collection[_T]) -> frozenset[_T]:
    """The values as a set. All empty ones are one object: one of its own takes 216 bytes, and most mentions
    have six.
    """
    return frozenset(values) if values else _EMPTY


def as_pairs(
    attributes: Iterable[Pair] = (),
    roles: Iterable[Role] = (),
    marks: Iterable[str] = (),
    judged: Iterable[JudgedSide] = (),
) -> tuple[Pair, ...]:
    """The pairs that told_by makes these of, sorted."""
    pairs = list(attributes)
    pairs += [(_ROLE, f"{role.side}:{role.calling}") for role in roles]
    pairs += [(_MARK, mark) for mark in marks]
    for one in judged:
        parts = [one.pair, one.side, one.verdict.value, one.judged_at]
        pairs.append((_JUDGED, json.dumps(parts, separators=(",", ":"))))
    return tuple(sorted(pairs))


def _role(value: str) -> Role | None:
    side, colon, calling = value.partition(":")
    try:
        return Role(RoleClass(side), calling) if colon else None
    except ValueError:
        return None


def _judged_side(value: str) -> JudgedSide:
    try:
        pair, side, verdict, judged_at = json.loads(value)
        if side not in (0, 1) or not isinstance(pair, str) or not isinstance(judged_at, str):
            raise ValueError
        return JudgedSide(pair, int(side), Verdict(verdict), judged_at)
    except (ValueError, TypeError, RecursionError):
        raise InvalidRecordError("an attribute of the kind judged is none; leave it out") from None
