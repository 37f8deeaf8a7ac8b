"""Document + replacements -> rewritten document, and the way back. Pure: no vault, no file, no clock."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from linkage.records import Document, DocumentId, Span
from pseudonymizer.errors import OverlappingReplacementsError, RewrittenTextChangedError


@dataclass(frozen=True, slots=True)
class Replacement:
    """A label and the place in the rewritten text where it stands."""

    span: Span
    label: str


@dataclass(frozen=True, slots=True)
class RewrittenDocument:
    """A text with labels in place of names; the spans of replacements cut the labels out of it."""

    doc_id: DocumentId
    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = ()


@dataclass(frozen=True, slots=True)
class TextEdit:
    """What stands in the rewritten text, and what stood there before: enough to undo one replacement."""

    span: Span
    label: str
    original: str = field(repr=False)


def rewrite(document: Document, labels: Mapping[Span, str]) -> RewrittenDocument:
    """Replace each span by its label; every other character stays as it was.

    Raises:
        OverlappingReplacementsError: two spans share a character, or a span goes beyond the text.
    """
    pieces: list[str] = []
    replacements: list[Replacement] = []
    read_to = written = 0
    for span in sorted(labels):
        if span.start < read_to or span.end > len(document.text):
            raise OverlappingReplacementsError(
                f"document {document.doc_id}: {span} does not lie between {read_to} and {len(document.text)}"
            )
        kept, label = document.text[read_to : span.start], labels[span]
        if not label:
            raise OverlappingReplacementsError(f"document {document.doc_id}: the label for {span} is empty")
        pieces += [kept, label]
        start = written + len(kept)
        replacements.append(Replacement(Span(start, start + len(label)), label))
        written, read_to = start + len(label), span.end
    return RewrittenDocument(document.doc_id, "".join(pieces) + document.text[read_to:], tuple(replacements))


def edits_of(
    document: Document, labels: Mapping[Span, str], rewritten: RewrittenDocument
) -> tuple[TextEdit, ...]:
    """The edits that lead from the rewritten text back to the document, in the order of the text."""
    originals = [span.cut(document.text) for span in sorted(labels)]
    return tuple(
        TextEdit(replacement.span, replacement.label, original)
        for replacement, original in zip(rewritten.replacements, originals, strict=True)
    )


def undo(text: str, edits: Iterable[TextEdit]) -> str:
    """The original of a rewritten text, character for character.

    Raises:
        RewrittenTextChangedError: a label is not where it was put, so the text was edited since.
    """
    pieces: list[str] = []
    read_to = 0
    for edit in sorted(edits, key=lambda e: e.span):
        if edit.span.start < read_to or edit.span.cut(text) != edit.label:
            raise RewrittenTextChangedError(
                f"the label at {edit.span.start} is not there; the text was edited since it was rewritten"
            )
        pieces += [text[read_to : edit.span.start], edit.original]
        read_to = edit.span.end
    return "".join(pieces) + text[read_to:]


def labels_in(text: str, look: re.Pattern[str]) -> tuple[Span, ...]:
    """Where text holds something of the look of a label, in order, never overlapping."""
    return tuple(Span(*found.span()) for found in look.finditer(text) if found.end() > found.start())


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit runs on from inside start..end to outside."""
    left_open = start > 0 and text[start].isalnum() and (text[start - 1].isalnum() or text[start - 1] == "_")
    right_open = end < len(text) and text[end - 1].isalnum() and (text[end].isalnum() or text[end] == "_")
    return not left_open and not right_open
