"""Marked texts in brat's standoff format: a `.txt` with the text, beside it an `.ann` with the marks."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from linkage.errors import GoldFormatError, InvalidRecordError
from linkage.evaluation.marked import FLAGS, GoldMention, Labels, MarkedText, by_place
from linkage.private_file import write_private
from linkage.records import DocumentId, Span


def from_brat(text: str, annotation: str, labels: Labels, *, doc_id: DocumentId, role: str) -> MarkedText:
    """A text with the marks of its .ann file. A span in several pieces counts from its first to its last end.

    Attributes named unsure, ambiguous, group, compound and typo are read; relations and notes are not.
    role: what an error calls the .ann file.

    Raises:
        GoldFormatError: a line breaks the format; the message holds its number, never text.
    """
    marks: list[tuple[str, GoldMention]] = []
    left_out = 0
    flags: dict[str, set[str]] = defaultdict(set)
    for number, line in enumerate(annotation.splitlines(), start=1):
        fields = line.split("\t")
        if line.startswith("A") and len(fields) > 1:
            name, _, mark_id = fields[1].partition(" ")
            flags[mark_id.strip()].add(name)
        if not line.startswith("T"):
            continue
        try:
            label, _, offsets = fields[1].partition(" ")
            numbers = [int(offset) for piece in offsets.split(";") for offset in piece.split()]
            span = Span(min(numbers), max(numbers))
        except (IndexError, ValueError, InvalidRecordError) as error:
            raise GoldFormatError(
                f"{role}, line {number}: {type(error).__name__}; expected 'T1<TAB>Label 0 5'"
            ) from None
        kind = labels.kind(label)
        if kind is None:
            left_out += 1
            continue
        if span.end > len(text):
            raise GoldFormatError(
                f"{role}, line {number}: {span} ends after the text of {len(text)} code points; the .ann and "
                "the .txt file do not belong together, or line ends were changed"
            )
        marks.append((fields[0], GoldMention(span, kind=kind)))
    told = (_flagged(mark, flags.get(mark_id, ())) for mark_id, mark in marks)
    return MarkedText(doc_id, text, by_place(told), left_out=left_out, place=role)


def _flagged(mark: GoldMention, flags: Collection[str]) -> GoldMention:
    return replace(
        mark, unsure="unsure" in flags, ambiguous="ambiguous" in flags, group="group" in flags,
        compound="compound" in flags, typo="typo" in flags,
    )  # fmt: skip


def write_brat(folder: Path, texts: Sequence[MarkedText]) -> None:
    """One .txt and one .ann a text, numbered in their order, since an id may hold the name of a person.

    The files are readable by their owner only. Who is who, and alternatives of a span, are not kept.

    Raises:
        GoldFormatError: the folder holds files already, or a text is not there.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise GoldFormatError("the folder for brat files is not empty; give one that is new or empty")
    for number, marked in enumerate(texts, start=1):
        if marked.text is None:
            raise GoldFormatError("brat files need the texts, and the marks were read without them")
        write_private(folder / f"{number:06d}.txt", [marked.text])
        write_private(folder / f"{number:06d}.ann", _annotation_lines(marked.text, marked.marks))


def _annotation_lines(text: str, marks: Sequence[GoldMention]) -> Iterator[str]:
    attributes = 0
    for number, mark in enumerate(marks, start=1):
        places = ";".join(f"{piece.start} {piece.end}" for piece in _pieces(mark.span, text))
        yield f"T{number}\t{mark.kind} {places}\t{' '.join(mark.span.cut(text).split())}\n"
        for flag in FLAGS:
            if getattr(mark, flag):
                attributes += 1
                yield f"A{attributes}\t{flag} T{number}\n"


def _pieces(span: Span, text: str) -> list[Span]:
    """The pieces of a span between line breaks: brat shows no span that runs over one."""
    pieces: list[Span] = []
    position = span.start
    for line in span.cut(text).splitlines(keepends=True):
        body = len(line.rstrip("\r\n"))
        if body:
            pieces.append(Span(position, position + body))
        position += len(line)
    if not pieces or (pieces[0].start, pieces[-1].end) != (span.start, span.end):
        return [span]
    return pieces
