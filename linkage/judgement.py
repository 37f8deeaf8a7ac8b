"""What a person decided about two mentions, and for which mentions of a run it holds.

A judgement holds name forms, which are personal data.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from linkage.errors import InvalidRecordError
from linkage.records import Mention, MentionId, fold
from linkage.told import Verdict as Verdict


@dataclass(frozen=True, slots=True)
class MentionPlace:
    """Where a mention stands: a document by the name the user knows it by, and code points of its text."""

    document: str = field(repr=False)
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person decided about two mentions, with their name forms as written.

    It holds for the two mentions where they are met again: in one run by id, in later ones by place. Where it
    names neither ids nor places it holds for the two forms wherever they occur.
    """

    left_form: str = field(repr=False)
    right_form: str = field(repr=False)
    verdict: Verdict
    left_mention: MentionId | None = None
    right_mention: MentionId | None = None
    judged_at: str = ""  # ISO 8601, UTC
    judge: str = ""
    left_at: MentionPlace | None = None
    right_at: MentionPlace | None = None

    def __post_init__(self) -> None:
        if (self.left_mention is None) != (self.right_mention is None):
            raise InvalidRecordError("a judgement names both mentions or neither")
        if (self.left_at is None) != (self.right_at is None):
            raise InvalidRecordError("a judgement says where both mentions stand or neither")
        if not self.left_form or not self.right_form:
            raise InvalidRecordError("a judgement needs both name forms")


def mention_pair(left: MentionId | None, right: MentionId | None) -> frozenset[MentionId | None]:
    """The two mentions in whatever order, as a key."""
    return frozenset((left, right))


def judged_moment(judgement: Judgement) -> datetime:
    """When it was judged; before all others where that is not known."""
    try:
        moment = datetime.fromisoformat(judgement.judged_at)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def in_force(judgements: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """The latest judgement about each pair; of two of one moment the rejection."""
    latest: dict[tuple[str, frozenset[object]], Judgement] = {}
    for judgement in sorted(judgements, key=lambda j: (judged_moment(j), j.verdict is Verdict.REJECT)):
        pair: tuple[str, frozenset[object]]
        if judgement.left_mention is not None:
            pair = ("mentions", frozenset((judgement.left_mention, judgement.right_mention)))
        elif judgement.left_at is not None:
            pair = ("places", frozenset((judgement.left_at, judgement.right_at)))
        else:
            pair = ("forms", frozenset((fold(judgement.left_form), fold(judgement.right_form))))
        latest[pair] = judgement
    return tuple(latest.values())


def at_places(
    judgements: Iterable[Judgement], mentions: Mapping[MentionPlace, Mention]
) -> tuple[Judgement, ...]:
    """Judgements as they hold for these mentions. One whose places are not all there, or where another text
    stands by now, is left out; one that names no places stays as it is.
    """
    kept: list[Judgement] = []
    for judgement in judgements:
        if judgement.left_at is None or judgement.right_at is None:
            kept.append(judgement)
            continue
        left, right = mentions.get(judgement.left_at), mentions.get(judgement.right_at)
        if left is None or right is None:
            continue
        if (left.surface, right.surface) == (judgement.left_form, judgement.right_form):
            kept.append(replace(judgement, left_mention=left.mention_id, right_mention=right.mention_id))
    return tuple(kept)
