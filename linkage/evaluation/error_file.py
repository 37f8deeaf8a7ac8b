"""Errors with their texts, for a file that the user names and nothing else: they hold names."""

import json
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import combinations
from pathlib import Path

from linkage.evaluation.kind_comparison import FoundSpan, KindComparison
from linkage.private_file import write_private
from linkage.records import DocumentId, Mention, MentionId, Span


class ErrorKind(StrEnum):
    MISSED = "missed"
    FALSE = "false"
    BOUNDS = "bounds"
    WRONG_KIND = "wrong kind"


@dataclass(frozen=True, slots=True)
class KindError:
    """One error, with its text: for a file the user names only. gold_kind is None of a FALSE one.

    kind: MISSED, FALSE, BOUNDS (right kind, wrong bounds) or WRONG_KIND. found: kinds and spans there.
    """

    kind: ErrorKind
    doc_id: DocumentId
    gold_kind: str | None
    gold: Span | None
    found: tuple[tuple[str, Span], ...]
    surface: str = field(repr=False)
    context: str = field(repr=False)


def kind_errors(comparison: KindComparison, *, context_length: int = 40) -> list[KindError]:
    """Every strict error of one document with up to context_length code points of text on each side."""
    marks, spans = comparison.labelled
    right = {(span, label) for label, group in comparison.by_label.items() for span in group.exact}
    doc_id = comparison.gold.document.doc_id
    errors: list[KindError] = []
    told: set[FoundSpan] = set()

    def add(kind: ErrorKind, span: Span, label: str | None, touching: Sequence[FoundSpan]) -> None:
        around = comparison.text[max(0, span.start - context_length) : span.end + context_length]
        found = tuple((one.kind, one.span) for one in touching)
        gold = None if label is None else span
        errors.append(KindError(kind, doc_id, label, gold, found, span.cut(comparison.text), around))

    for mark in marks:
        if mark.unsure or (mark.span, mark.kind) in right:
            continue
        touching = [one for one in spans if one.span.overlaps(mark.span)]
        kind = ErrorKind.WRONG_KIND if touching else ErrorKind.MISSED
        if any(one.kind == mark.kind for one in touching):
            kind = ErrorKind.BOUNDS
        told.update(touching)
        add(kind, mark.span, mark.kind, touching)
    for label, group in comparison.by_label.items():
        for span in group.touching_nothing:
            if (false := FoundSpan(span, label)) not in told:
                add(ErrorKind.FALSE, span, None, [false])
    return errors


class PairErrorKind(StrEnum):
    MERGED = "merged"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class PairError:
    """Two gold mentions put together though two people are meant (MERGED), or the other way round (SPLIT)."""

    kind: PairErrorKind
    left_doc_id: DocumentId
    left: Span
    left_surface: str = field(repr=False)
    right_doc_id: DocumentId
    right: Span
    right_surface: str = field(repr=False)


def linkage_errors(
    mentions: Iterable[Mention], gold: Mapping[MentionId, Hashable], found: Mapping[MentionId, Hashable]
) -> tuple[PairError, ...]:
    """Wrong pairs of the mentions that gold and found hold, each given as the cluster of every mention.

    Of all pairs with the same two forms and the same four clusters only the first is kept.
    """
    first: dict[tuple[Hashable, Hashable, str], Mention] = {}
    for mention in sorted(mentions, key=lambda m: (m.doc_id, m.span)):
        if mention.mention_id in gold:
            key = (gold[mention.mention_id], found[mention.mention_id], mention.surface)
            first.setdefault(key, mention)
    by_gold: dict[Hashable, list[Mention]] = defaultdict(list)
    by_found: dict[Hashable, list[Mention]] = defaultdict(list)
    for (gold_cluster, found_cluster, _), mention in first.items():
        by_gold[gold_cluster].append(mention)
        by_found[found_cluster].append(mention)
    errors = [
        PairError(kind, a.doc_id, a.span, a.surface, b.doc_id, b.span, b.surface)
        for kind, together, apart in (
            (PairErrorKind.MERGED, by_found, gold), (PairErrorKind.SPLIT, by_gold, found)
        )
        for members in together.values()
        for a, b in combinations(members, 2)
        if apart[a.mention_id] != apart[b.mention_id]
    ]  # fmt: skip
    return tuple(sorted(errors, key=lambda e: (e.left_doc_id, e.left, e.right_doc_id, e.right, e.kind)))


def write_errors(path: Path, errors: Iterable[KindError | PairError]) -> None:
    """One JSON object a line; whole or not at all, and readable by the owner only, because it holds names."""
    write_private(path, (json.dumps(asdict(error), ensure_ascii=False) + "\n" for error in errors))
