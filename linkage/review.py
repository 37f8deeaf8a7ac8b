"""A session over open links: what a person accepts or rejects, and takes back.

Pure logic; showing names and asking is the command line's part. Judgements, their file, and what a result
keeps of them are told here too, for whoever reviews.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from linkage.errors import InvalidRecordError
from linkage.judgement import Judgement as Judgement
from linkage.judgement import MentionPlace as MentionPlace
from linkage.judgement import Verdict as Verdict
from linkage.judgement import at_places as at_places
from linkage.judgement import in_force as in_force
from linkage.judgement import judged_moment as judged_moment
from linkage.judgement import mention_pair
from linkage.judgement_file import read_judgements as read_judgements
from linkage.judgement_file import write_judgements as write_judgements
from linkage.kept_judgements import kept_and_unkept as kept_and_unkept
from linkage.kept_judgements import rejected_pairs as rejected_pairs
from linkage.kept_judgements import unkept as unkept
from linkage.records import IdentityId, LinkageResult, MentionId, ScoredLink


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
        since = {mention_pair(j.left_mention, j.right_mention): j for j in in_force(answered)}
        before = {mention_pair(j.left_mention, j.right_mention): j.verdict for j in in_force(earlier)}
        links = [
            link
            for link in sorted(result.open_links(), key=lambda link: (-link.match_probability, link.pair))
            if before.get(mention_pair(link.pair.left, link.pair.right)) is not Verdict.REJECT
        ]
        self._items = tuple(
            ReviewItem(
                link,
                result.mention(link.pair.left).mention.surface,
                result.mention(link.pair.right).mention.surface,
                before.get(mention_pair(link.pair.left, link.pair.right)) is Verdict.ACCEPT,
            )
            for link in links
            if mention_pair(link.pair.left, link.pair.right) not in since
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
