"""From places in the text that detection sees to places in the source that holds it.

The text of a part is put together from pieces: copied characters of a source (one to one), atoms (one
character written as several, such as "&amp;" or an accent as "=C3=A9"), and gaps, which stand in no source
(a line break between two paragraphs). A name may run over many pieces, as over the runs of a Word paragraph.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from linkage.records import Span
from pseudonymizer.errors import OverlappingReplacementsError
from pseudonymizer.formats.records import Column, Owner, PartRole, TextPart
from pseudonymizer.formats.tree.mojibake import broken, is_broken

Escape = Callable[[str], str]
_GAP = -1


def unescaped(label: str) -> str:
    """For sources that hold text as it is."""
    return label


@dataclass(frozen=True, slots=True)
class Change:
    """In one source: characters start to end become new."""

    start: int
    end: int
    new: str = field(repr=False)
    owner: Owner


class Piece(NamedTuple):
    """One stretch of a part's text. source is -1 for a gap; copied text has one source character each."""

    source: int
    start: int
    end: int
    is_copied: bool
    escape: Escape
    field_number: int


class PartMap:
    """Where each character of one part comes from."""

    __slots__ = ("attached", "pieces", "starts")

    def __init__(self, starts: list[int], pieces: list[Piece], attached: Mapping[int, list[Piece]]) -> None:
        self.starts, self.pieces, self.attached = starts, pieces, attached

    def changes(self, span: Span, label: str, owner: Owner) -> list[tuple[int, Change]]:
        """(source, change) for each stretch of source text under span.

        The label goes where the first stretch of each field was; further stretches of the same field, such
        as the second half of a name whose middle letters are bold, become empty.
        """
        found: list[tuple[int, Change]] = []
        field_number = None
        tied: list[tuple[int, Change]] = []
        index = bisect_right(self.starts, span.start) - 1
        while index < len(self.pieces) and self.starts[index] < span.end:
            piece, text_start = self.pieces[index], self.starts[index]
            for other in self.attached.get(index, ()):
                tied.append((other.source, Change(other.start, other.end, other.escape(label), owner)))  # noqa: PERF401
            index += 1
            if piece.source == _GAP:
                continue
            start, end = piece.start, piece.end
            if piece.is_copied:
                start, end = (
                    piece.start + max(span.start - text_start, 0),
                    min(piece.start + span.end - text_start, piece.end),
                )
            if found and found[-1][0] == piece.source and found[-1][1].end == start:
                source, last = found.pop()
                found.append((source, Change(last.start, end, last.new, owner)))
                continue
            is_first = piece.field_number != field_number
            field_number = piece.field_number
            found.append((piece.source, Change(start, end, piece.escape(label) if is_first else "", owner)))
        return found + tied


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text that stands packed in another one, as base64 does: source[start:end] holds it.

    It is written again as a whole when anything in it changes. pack: the new text as it is to stand there.
    """

    source: int
    start: int
    end: int
    text: str = field(repr=False)
    pack: Escape

    def changes(self, inner: Sequence[Change]) -> list[tuple[int, Change]]:
        """The one change of the outer text that these changes of the inner one make, in order."""
        pieces: list[str] = []
        position = 0
        for change in inner:
            pieces += [self.text[position : change.start], change.new]
            position = change.end
        packed = self.pack("".join([*pieces, self.text[position:]]))
        return [(self.source, Change(self.start, self.end, packed, change.owner)) for change in inner[:1]]


Derived = Mapping[int, "PartMap | Encoded"]


class TextBuilder:
    """Puts the text of one part together, piece by piece. mends: whether letters that were read in a wrong
    encoding become those that are meant.
    """

    def __init__(self, *, mends: bool = True) -> None:
        self.mends = mends
        self._texts: list[str] = []
        self._starts: list[int] = []
        self._pieces: list[Piece] = []
        self._names: list[Span] = []
        self._columns: list[Column] = []
        self._attached: dict[int, list[Piece]] = {}
        self._field_number = 0
        self.length = 0

    def new_field(self) -> None:
        """What follows is another field: a name that runs on into it is replaced in both."""
        self._field_number += 1

    def copied(self, source: int, text: str, start: int, escape: Escape = unescaped) -> None:
        """text stands in the source so, from start on; letters that were read in a wrong encoding become
        those that are meant.
        """
        if not (self.mends and is_broken(text)):
            self.verbatim(source, text, start, escape)
            return
        position = 0
        for one in broken(text):
            self.verbatim(source, text[position : one.start], start + position, escape)
            self.atom(source, one.letter, start + one.start, start + one.end, escape)
            position = one.end
        self.verbatim(source, text[position:], start + position, escape)

    def verbatim(self, source: int, text: str, start: int, escape: Escape = unescaped) -> None:
        """text stands in the source just so, from start on."""
        if text:
            self._add(
                text,
                Piece(
                    source,
                    start,
                    start + len(text),
                    is_copied=True,
                    escape=escape,
                    field_number=self._field_number,
                ),
            )

    def atom(self, source: int, text: str, start: int, end: int, escape: Escape = unescaped) -> None:
        """text is what source[start:end] means."""
        if text:
            self._add(
                text,
                Piece(source, start, end, is_copied=False, escape=escape, field_number=self._field_number),
            )

    def gap(self, text: str) -> None:
        """text that no source holds."""
        if text:
            self._add(
                text, Piece(_GAP, 0, 0, is_copied=False, escape=unescaped, field_number=self._field_number)
            )

    def attach(self, source: int, start: int, end: int, escape: Escape) -> None:
        """source[start:end] says in another way what was added last (the initials of an author): it goes
        with it."""
        piece = Piece(source, start, end, is_copied=False, escape=escape, field_number=self._field_number)
        self._attached.setdefault(len(self._pieces) - 1, []).append(piece)

    def change_gap(self, before: str, after: str) -> bool:
        """If what was added last is the gap before, make it the gap after, which must be as long."""
        if not self._pieces or self._pieces[-1].source != _GAP or self._texts[-1] != before:
            return False
        self._texts[-1] = after
        return True

    def drop_gap(self, text: str) -> None:
        """If what was added last is the gap text, take it away."""
        if self._pieces and self._pieces[-1].source == _GAP and self._texts[-1] == text:
            for added in (self._pieces, self._starts, self._texts):
                added.pop()
            self.length -= len(text)

    @property
    def piece_count(self) -> int:
        """How many pieces were added so far."""
        return len(self._pieces)

    def text_from(self, piece: int) -> str:
        """What was added from this piece on."""
        return "".join(self._texts[piece:])

    @property
    def text(self) -> str:
        """What was added so far."""
        return self.text_from(0)

    def name(self, start: int, end: int) -> None:
        """The format says that the text from start to end is a name of a person."""
        if start < end:
            self._names.append(Span(start, end))

    def column(self, column: Column) -> None:
        """The text holds this column of a table."""
        self._columns.append(column)

    def append(self, other: "TextBuilder") -> None:
        """All that another builder holds comes after what is here."""
        self._field_number += 1
        first = len(self._pieces)
        self._attached.update({first + index: pieces for index, pieces in other._attached.items()})
        for text, piece in zip(other._texts, other._pieces, strict=True):
            self._add(text, piece._replace(field_number=piece.field_number + self._field_number))
        self._field_number += other._field_number
        offset = self.length - other.length
        self._names += _moved(other._names, offset)
        self._columns += [
            replace(one, cells=_moved(one.cells, offset), titles=_moved(one.titles, offset))
            for one in other._columns
        ]

    def ends_with(self, ending: str | tuple[str, ...]) -> bool:
        return bool(self._texts) and self._texts[-1].endswith(ending)

    def part(
        self,
        part_id: str,
        role: PartRole = PartRole.PROSE,
        document_key: str | None = None,
        group: str = "",
        language: str = "",
    ) -> tuple[TextPart, PartMap]:
        text = "".join(self._texts)
        part = TextPart(
            part_id, text, role, document_key, tuple(sorted(self._names)), tuple(self._columns), group,
            language,
        )  # fmt: skip
        return part, PartMap(self._starts, self._pieces, self._attached)

    def _add(self, text: str, piece: Piece) -> None:
        self._texts.append(text)
        self._starts.append(self.length)
        self._pieces.append(piece)
        self.length += len(text)


def _moved(spans: Iterable[Span], offset: int) -> tuple[Span, ...]:
    return tuple(Span(span.start + offset, span.end + offset) for span in spans)


def collect_changes(
    maps: Mapping[str, PartMap],
    replacements: Mapping[str, Mapping[Span, str]],
    derived: Derived | None = None,
) -> tuple[dict[int, list[Change]], int]:
    """Changes by source, in order and without overlap, and the number of replacements that change nothing.

    One source text may be shown at several places (a shared string of a sheet): what is replaced at either
    place is replaced, and the first label stands. derived: sources that are texts made out of others (the
    page
    in a JSON string), each with the map to those, or
    packed in others; their changes become changes of those.

    Raises:
        OverlappingReplacementsError: an unknown part, or two replacements overlap.
    """
    changes: dict[int, list[Change]] = {}
    unplaced = 0
    for part_id, labels in replacements.items():
        if part_id not in maps:
            raise OverlappingReplacementsError(
                "replacements are given for a part that this file does not have"
            )
        read_to = 0
        for span in sorted(labels):
            if span.start < read_to:
                raise OverlappingReplacementsError(
                    f"replacement {span} starts before {read_to}, where another ends"
                )
            read_to = span.end
            made = maps[part_id].changes(span, labels[span], (part_id, span))
            unplaced += not made
            for source, change in made:
                changes.setdefault(source, []).append(change)
    for number in sorted(derived or {}, reverse=True):
        inner, place = _without_overlap(changes.pop(number, ())), (derived or {})[number]
        if isinstance(place, Encoded):
            outer = place.changes(inner)
        else:
            outer = [
                one
                for change in inner
                for one in place.changes(Span(change.start, change.end), change.new, change.owner)
            ]
        for source, moved in outer:
            changes.setdefault(source, []).append(moved)
    return {source: _without_overlap(made) for source, made in changes.items()}, unplaced


def _without_overlap(changes: Sequence[Change]) -> list[Change]:
    kept: list[Change] = []
    for change in sorted(changes, key=lambda c: (c.start, -c.end)):
        if kept and change.start < kept[-1].end:
            if change.end > kept[-1].end:
                last = kept.pop()
                kept.append(Change(last.start, change.end, last.new, last.owner))
            continue
        kept.append(change)
    return kept
