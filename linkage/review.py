"""Judgements about open links: what a person accepted or rejected, and a session that can be undone.

Pure logic; showing names and asking is the command line's part. A judgement holds name forms, which are
personal data: keep its file where only the user can read it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from linkage.errors import InvalidRecordError
from linkage.private_file import write_private
from linkage.records import IdentityId, LinkageResult, Mention, MentionId, PersonName, ScoredLink, fold


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
    """One open link as a person sees it: the two forms, and what else the pair is known by.

    accepted_before: it was accepted, and not kept, since something holds apart whom it would join.
    """

    link: ScoredLink
    left_form: str = field(repr=False)
    right_form: str = field(repr=False)
    accepted_before: bool = False


class ReviewSession:
    """Walks through the open links of a result, surest first.

    Left out are links rejected before, and those that an answer of this session settles: between two who were
    rejected or are one by now, and from whom was accepted as one of several to the others. What was answered
    since the result was made counts as answered in the session.
    """

    def __init__(
        self,
        result: LinkageResult,
        earlier: Sequence[Judgement] = (),
        *,
        judge: str = "",
        place_of: Callable[[MentionId], MentionPlace] | None = None,
        answered: Sequence[Judgement] = (),
    ) -> None:
        """earlier: judgements that the result was linked with. place_of: where a mention stands, so that a
        judgement can be met again in later runs. answered: judgements about mentions of the result that were
        made since.
        """
        self._judge = judge
        self._place_of = place_of
        since = {_key(j.left_mention, j.right_mention): j for j in in_force(answered)}
        before = {_key(j.left_mention, j.right_mention): j.verdict for j in in_force(earlier)}
        links = [
            link
            for link in sorted(result.open_links(), key=lambda link: (-link.match_probability, link.pair))
            if before.get(_key(link.pair.left, link.pair.right)) is not Verdict.REJECT
        ]
        self._items = tuple(
            ReviewItem(
                link,
                result.mention(link.pair.left).mention.surface,
                result.mention(link.pair.right).mention.surface,
                before.get(_key(link.pair.left, link.pair.right)) is Verdict.ACCEPT,
            )
            for link in links
            if _key(link.pair.left, link.pair.right) not in since
        )

        def sides(left: MentionId, right: MentionId) -> _Sides:
            return result.identity_of(left).identity_id, result.identity_of(right).identity_id

        self._sides = [sides(i.link.pair.left, i.link.pair.right) for i in self._items]
        self._linked = frozenset(frozenset(sides(link.pair.left, link.pair.right)) for link in links)
        self._since = [
            (sides(j.left_mention, j.right_mention), j.verdict)
            for j in since.values()
            if j.left_mention is not None and j.right_mention is not None
        ]
        # By item answered, in the order of the answers: the verdict; None where it was skipped.
        self._decisions: dict[int, Judgement | None] = {}

    def __len__(self) -> int:
        return len(self._items)

    @property
    def position(self) -> int:
        """How many items are behind: answered, skipped, or settled by an answer to another one."""
        first = next(reversed(self._decisions), -1) + 1
        settled = _Settled(self._linked)
        for sides, verdict in self._since:
            settled.add(sides, verdict)
        for number, decision in self._decisions.items():
            if decision is not None:
                settled.add(self._sides[number], decision.verdict)
        return next(
            (n for n in range(first, len(self._items)) if not settled(self._sides[n])), len(self._items)
        )

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        return tuple(decision for decision in self._decisions.values() if decision is not None)

    @property
    def settled(self) -> int:
        """How many items behind were not asked, since another answer settled them."""
        return self.position - len(self._decisions)

    def current(self) -> ReviewItem | None:
        """The item to be judged now; None when all are done."""
        position = self.position
        return self._items[position] if position < len(self._items) else None

    def accept(self, now: datetime) -> None:
        self._judge_current(Verdict.ACCEPT, now)

    def reject(self, now: datetime) -> None:
        self._judge_current(Verdict.REJECT, now)

    def skip(self) -> None:
        self._require_current()
        self._decisions[self.position] = None

    def undo(self) -> bool:
        """Take the last decision back and return to its item; False when there is none."""
        if not self._decisions:
            return False
        self._decisions.popitem()
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
        self._decisions[self.position] = Judgement(
            item.left_form, item.right_form, verdict, pair.left, pair.right, now.isoformat(), self._judge,
            None if self._place_of is None else self._place_of(pair.left),
            None if self._place_of is None else self._place_of(pair.right),
        )  # fmt: skip


_Sides = tuple[IdentityId, IdentityId]


class _Settled:
    """Which pairs of identities need no answer any more."""

    def __init__(self, linked: frozenset[frozenset[IdentityId]]) -> None:
        self._linked = linked
        self._accepted: dict[IdentityId, set[IdentityId]] = {}
        self._rejected: set[frozenset[IdentityId]] = set()

    def add(self, sides: _Sides, verdict: Verdict) -> None:
        if verdict is Verdict.REJECT:
            self._rejected.add(frozenset(sides))
            return
        for one, other in (sides, sides[::-1]):
            self._accepted.setdefault(one, set()).add(other)

    def __call__(self, sides: _Sides) -> bool:
        if frozenset(sides) in self._rejected:
            return True
        return any(
            # Accepted as this one, or as another one of whom nothing says that it may be this one too.
            other in self._accepted.get(one, ())
            or any(frozenset((a, other)) not in self._linked for a in self._accepted.get(one, ()))
            for one, other in (sides, sides[::-1])
        )


def _key(left: MentionId | None, right: MentionId | None) -> frozenset[MentionId | None]:
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


def rejected_pairs(
    result: LinkageResult, judgements: Iterable[Judgement]
) -> Iterator[tuple[MentionId, MentionId]]:
    """The mentions of a result that a judgement in force says are two."""
    here: set[MentionId] | None = None
    for judgement in in_force(judgements):
        left, right = judgement.left_mention, judgement.right_mention
        if judgement.verdict is Verdict.REJECT and left is not None and right is not None:
            if here is None:
                here = {m.mention_id for m in result.mentions}
            if left in here and right in here:
                yield left, right


def kept_and_unkept(
    result: LinkageResult, judgements: Iterable[Judgement]
) -> tuple[tuple[Judgement, ...], tuple[Judgement, ...]]:
    """The judgements in force about what is in a result that was linked with them: those that it keeps, and
    those that it does not, since what was accepted is not one person everywhere, or what was rejected is.
    """
    latest = in_force(judgements)
    accepted = {_key(j.left_mention, j.right_mention) for j in latest if j.verdict is Verdict.ACCEPT}
    here = {m.mention_id for m in result.mentions}
    kept: list[Judgement] = []
    broken: list[Judgement] = []
    for judgement in latest:
        left, right = judgement.left_mention, judgement.right_mention
        if left is not None and right is not None:
            pairs = [(left, right)] if left in here and right in here and left != right else None
        elif judgement.left_at is None:
            pairs = _of_forms(result, judgement, accepted)
        else:
            pairs = None
        if pairs is None:
            continue
        wanted = judgement.verdict is Verdict.ACCEPT
        holds = all((result.identity_of(a) is result.identity_of(b)) is wanted for a, b in pairs)
        (kept if holds else broken).append(judgement)
    return tuple(kept), tuple(broken)


def unkept(result: LinkageResult, judgements: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """The judgements in force that a result does not keep, though it was linked with them."""
    return kept_and_unkept(result, judgements)[1]


def _of_forms(
    result: LinkageResult, judgement: Judgement, accepted: set[frozenset[MentionId | None]]
) -> list[tuple[MentionId, MentionId]] | None:
    """Pairs of mentions that a judgement of two forms is about, enough to tell; None if a form is not here.

    Of a rejection only those that are one person, but for whom a judgement of their own accepts.
    """
    bearers = []
    for form in (judgement.left_form, judgement.right_form):
        written = {_folded(m.name) for m in result.mentions if fold(m.mention.surface) == fold(form)}
        bearers.append([m.mention_id for m in result.mentions if _folded(m.name) in written])
    left, right = bearers
    if not left or not right:
        return None
    if judgement.verdict is Verdict.ACCEPT:
        return [(left[0], other) for other in (*left[1:], *right) if other != left[0]]
    together: dict[IdentityId, list[MentionId]] = {}
    for mention_id in right:
        together.setdefault(result.identity_of(mention_id).identity_id, []).append(mention_id)
    return [
        (one, other)
        for one in left
        for other in together.get(result.identity_of(one).identity_id, ())
        if one != other and _key(one, other) not in accepted
    ]


def _folded(name: PersonName) -> tuple[str, ...]:
    return tuple("" if part is None else fold(part) for part in name.parts())


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
