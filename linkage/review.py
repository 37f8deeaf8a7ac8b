"""Judgements about open links: what a person accepted or rejected, and a session that can be undone.

Pure logic; showing names and asking is the command line's part. A judgement holds name forms, which are
personal data: keep its file where only the user can read it.
"""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from linkage.errors import InvalidRecordError
from linkage.records import LinkageResult, MentionId, ScoredLink


class Verdict(StrEnum):
    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person decided about two mentions, with their name forms as written.

    It holds for the two mentions where they are met again, by id. Where left_mention or right_mention is
    None it holds for the two forms wherever they occur.
    """

    left_form: str = field(repr=False)
    right_form: str = field(repr=False)
    verdict: Verdict
    left_mention: MentionId | None = None
    right_mention: MentionId | None = None
    judged_at: str = ""  # ISO 8601, UTC
    judge: str = ""

    def __post_init__(self) -> None:
        if (self.left_mention is None) != (self.right_mention is None):
            raise InvalidRecordError("a judgement names both mentions or neither")
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

    def __init__(self, result: LinkageResult, earlier: Sequence[Judgement] = (), *, judge: str = "") -> None:
        self._judge = judge
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
                item.left_form, item.right_form, verdict, pair.left, pair.right, now.isoformat(), self._judge
            )
        )  # fmt: skip


def _key(left: MentionId | None, right: MentionId | None) -> frozenset[MentionId | None]:
    return frozenset((left, right))


def write_judgements(path: Path, judgements: Iterable[Judgement]) -> None:
    """Write one JSON object a line, readable by the user alone (mode 0600)."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as lines:
        for j in judgements:
            row = {
                "left": j.left_form, "right": j.right_form, "verdict": str(j.verdict),
                "left_mention": j.left_mention, "right_mention": j.right_mention,
                "judged_at": j.judged_at, "judge": j.judge,
            }  # fmt: skip
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_judgements(path: Path) -> tuple[Judgement, ...]:
    """Judgements that write_judgements wrote.

    Raises:
        InvalidRecordError: for a line that is no judgement; it names the line's number, not its text.
    """
    judgements = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            judgements.append(
                Judgement(
                    row["left"], row["right"], Verdict(row["verdict"]), row.get("left_mention"),
                    row.get("right_mention"), row.get("judged_at", ""), row.get("judge", ""),
                )
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InvalidRecordError(
                f"line {number} of the judgements file is no judgement; see `nymlink review --help`"
            ) from None
    return tuple(judgements)
