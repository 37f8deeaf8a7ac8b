"""What is written where in a file: labels, identifiers that follow a person; and what cannot be undone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from linkage.records import PERSON, Span
from linkage.spans import SpanCover, SpanIndex
from pseudonymizer.engine.following import Follower
from pseudonymizer.engine.records import Label, RenderTask, Replacement
from pseudonymizer.engine.spelled import PATH_PART
from pseudonymizer.engine.table_mentions import untreated
from pseudonymizer.formats import Edit, ParsedFile, PartRole, TextPart
from pseudonymizer.identifiers import KIND_OF, IdentifierKind
from pseudonymizer.settings import ONE_WAY, StyleSettings

_LEAST_TOLD = 3  # bytes of a value that an edit without an owner must not hold; shorter ones stand anywhere


def replacements_in(task: RenderTask, parsed: ParsedFile, follower: Follower) -> tuple[Replacement, ...]:
    """The replacements in a file, none of which overlap.

    A label of a value goes before everything inside it. An identifier around a person's mention is replaced
    whole, by one that follows the person; a fallback is written where no person was followed.
    """
    by_part: dict[str, list[Label]] = {}
    for label in task.labels:
        if label.part_id != PATH_PART:  # the follower writes paths
            by_part.setdefault(label.part_id, []).append(label)
    found: list[Replacement] = []
    for part in parsed.parts:
        found += _in_part(part, by_part.pop(part.part_id, ()), task.styles, follower)
    for labels in by_part.values():  # of parts that the file lacks: rendering says so
        found += [_replacement(label, label.label) for label in labels if label.label is not None]
    return tuple(found)


def _in_part(
    part: TextPart, labels: Sequence[Label], styles: StyleSettings, follower: Follower
) -> Iterable[Replacement]:
    values = SpanCover(label.span for label in labels if label.kind != PERSON and not label.is_fallback)
    named: dict[Span, Replacement] = {}
    for label in labels:
        is_inside = label.kind == PERSON and values.overlaps(label.span)
        if label.label is not None and not label.is_fallback and not is_inside:
            named[label.span] = _replacement(label, label.label)
    spans = list(named)
    around = SpanIndex(spans)
    left = SpanCover(untreated(part))
    for found in follower.index.find(part.text, technical=part.role is PartRole.TECHNICAL, taken=spans):
        if left.overlaps(found.span) or values.overlaps(found.span):
            continue
        if (followed := follower.follow(found)) is None:
            continue
        # An address that holds a mention is replaced whole, by one that follows the pseudonym.
        for number in around.overlapping(found.span):
            named.pop(spans[number], None)
        entity_id, text = followed
        named[found.span] = Replacement(
            part.part_id, found.span, text, entity_id, KIND_OF[found.kind], follows=True,
            is_one_way=styles.of_kind(found.kind.value) in ONE_WAY,
        )  # fmt: skip
    written = SpanCover(named)
    for label in labels:
        if label.is_fallback and label.label is not None and not written.overlaps(label.span):
            named[label.span] = _replacement(label, label.label)
    return named.values()


def _replacement(label: Label, text: str) -> Replacement:
    return Replacement(
        label.part_id, label.span, text, label.entity_id, label.kind, is_one_way=label.is_one_way
    )


def is_path_one_way(task: RenderTask) -> bool:
    """Whether what is replaced in the path of the file has no way back."""
    in_path = (label for label in task.labels if label.part_id == PATH_PART)
    return task.styles.of_kind(IdentifierKind.PATH.value) in ONE_WAY or any(
        label.is_one_way for label in in_path
    )


@dataclass(frozen=True, slots=True)
class OneWayPlaces:
    """The places of a file whose replacements have no way back, and the texts that stood there."""

    places: frozenset[tuple[str, Span]]
    texts: tuple[bytes, ...] = field(repr=False)

    @classmethod
    def of(cls, replacements: Iterable[Replacement], parsed: ParsedFile) -> Self:
        places = frozenset((one.part_id, one.span) for one in replacements if one.is_one_way)
        if not places:
            return cls(places, ())
        text_of = {part.part_id: part.text for part in parsed.parts}
        texts = {span.cut(text_of[part_id]) for part_id, span in places if part_id in text_of}
        return cls(places, tuple(sorted(text.encode("utf-8", "surrogatepass") for text in texts)))

    def are_told_by(self, edit: Edit) -> bool:
        """Whether what undoes this edit tells what stood at one of these places."""
        if edit.owner is not None:
            return edit.owner in self.places
        return any(len(text) >= _LEAST_TOLD and text in edit.original for text in self.texts)
