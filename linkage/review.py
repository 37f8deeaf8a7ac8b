"""Judgements about open links: what a person accepted or rejected, and a session that can be undone.

Pure logic; showing names and asking is the command line's part. A judgement holds name forms, which are
personal data: keep its file where only the user can read it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from linkage.errors import InvalidRecordError
from linkage.private_file import write_private
from linkage.records import LinkageResult, Mention, MentionId, ScoredLink


class Verdict(StrEnum):
    ACCEPT = "accept"
    REJECT = "reject"


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


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One open link as a person sees it: the two forms, and what else the pair is known by."""

    link: ScoredLink
    left_form: str = field(repr=False)
    right_form: str = field(repr=False)


class ReviewSession:
    """Walks through the open links of a result, surest first; links judged before are left out."""

    def __init__(
        self,
        result: LinkageResult,
        earlier: Sequence[Judgement] = (),
        *,
        judge: str = "",
        place_of: Callable[[MentionId], MentionPlace] | None = None,
    ) -> None:
        """place_of: where a mention stands, so that a judgement can be met again in later runs."""
        self._judge = judge
        self._place_of = place_of
        judged = {_key(j.left_mention, j.right_mention) for j in earlier if j.left_mention is not None}
        links = sorted(result.open_links(), key=lambda link: (-link.match_probability, link.pair))
        self._items = tuple(
            ReviewItem(
                link,
                result.mention(link.pair.left).mention.surface,
                result.mention(link.pair.right).mention.surface,
            )
            for link in links
            if _key(link.pair.left, link.pair.right) not in judged
        )
        self._decisions: list[Judgement | None] = []  # one an item seen; None where it was skipped

    def __len__(self) -> int:
        return len(self._items)

    @property
    def position(self) -> int:
        """How many items have been judged or skipped."""
        return len(self._decisions)

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        return tuple(decision for decision in self._decisions if decision is not None)

    def current(self) -> ReviewItem | None:
        """The item to be judged now; None when all are done."""
        return self._items[self.position] if self.position < len(self._items) else None

    def accept(self, now: datetime) -> None:
        self._judge_current(Verdict.ACCEPT, now)

    def reject(self, now: datetime) -> None:
        self._judge_current(Verdict.REJECT, now)

    def skip(self) -> None:
        self._require_current()
        self._decisions.append(None)

    def undo(self) -> bool:
        """Take the last decision back and return to its item; False when there is none."""
        if not self._decisions:
            return False
        self._decisions.pop()
        return True

    def _require_current(self) -> ReviewItem:
        item = self.current()
        if item is None:
            raise InvalidRecordError(
                f"all {len(self._items)} open links are judged; nothing is left to decide"
            )
        return item

    def _judge_current(self, verdict: Verdict, now: datetime) -> None:
        item = self._require_current()
        pair = item.link.pair
        self._decisions.append(
            Judgement(
                item.left_form, item.right_form, verdict, pair.left, pair.right, now.isoformat(), self._judge,
                None if self._place_of is None else self._place_of(pair.left),
                None if self._place_of is None else self._place_of(pair.right),
            )
        )  # fmt: skip


def _key(left: MentionId | None, right: MentionId | None) -> frozenset[MentionId | None]:
    return frozenset((left, right))


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


def write_judgements(path: Path, judgements: Iterable[Judgement]) -> None:
    """Write one JSON object a line, whole or not at all, readable by the user alone (mode 0600)."""
    write_private(path, (json.dumps(_row(j), ensure_ascii=False) + "\n" for j in judgements))


def _row(j: Judgement) -> dict[str, object]:
    row: dict[str, object] = {
        "left": j.left_form, "right": j.right_form, "verdict": str(j.verdict),
        "left_mention": j.left_mention, "right_mention": j.right_mention,
        "judged_at": j.judged_at, "judge": j.judge,
    }  # fmt: skip
    if j.left_at is not None and j.right_at is not None:
        row |= {"left_at": _place_row(j.left_at), "right_at": _place_row(j.right_at)}
    return row


def read_judgements(path: Path) -> tuple[Judgement, ...]:
    """Judgements that write_judgements wrote.

    Raises:
        InvalidRecordError: for a file that cannot be read, or a line that is no judgement; it names the
            line's number, not its text.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidRecordError(
            f"the judgements file cannot be read: {error.strerror or type(error).__name__}"
        ) from None
    except UnicodeDecodeError:
        raise InvalidRecordError("the judgements file is no text in UTF-8") from None
    judgements = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            judgements.append(
                Judgement(
                    row["left"], row["right"], Verdict(row["verdict"]), row.get("left_mention"),
                    row.get("right_mention"), row.get("judged_at", ""), row.get("judge", ""),
                    _place(row.get("left_at")), _place(row.get("right_at")),
                )
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError, InvalidRecordError):
            raise InvalidRecordError(
                f"line {number} of the judgements file is no judgement; see `nymlink review --help`"
            ) from None
    return tuple(judgements)


def _place_row(place: MentionPlace) -> dict[str, object]:
    return {"document": place.document, "start": place.start, "end": place.end}


def _place(row: Mapping[str, object] | None) -> MentionPlace | None:
    if row is None:
        return None
    document, start, end = row["document"], row["start"], row["end"]
    if not isinstance(document, str) or not isinstance(start, int) or not isinstance(end, int):
        raise TypeError("a place has a document, a start and an end")
    return MentionPlace(document, start, end)
