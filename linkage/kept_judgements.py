"""Which judgements a linkage result keeps, and which it does not."""

from collections.abc import Iterable, Iterator

from linkage.judgement import Judgement, Verdict, in_force, mention_pair
from linkage.records import IdentityId, LinkageResult, MentionId, fold, form_key


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
    accepted = {mention_pair(j.left_mention, j.right_mention) for j in latest if j.verdict is Verdict.ACCEPT}
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
        written = {form_key(m.name) for m in result.mentions if fold(m.mention.surface) == fold(form)}
        bearers.append([m.mention_id for m in result.mentions if form_key(m.name) in written])
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
        if one != other and mention_pair(one, other) not in accepted
    ]
