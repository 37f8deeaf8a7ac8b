"""What the passes of a run hand to each other, as rows: for the sealed work file and for Spark."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Self

import msgspec

from linkage.codec import Codec, FormLinkRow, IdentityRow, MentionRow, NameRow, Row
from linkage.recognition.name_runs import NameRun
from linkage.records import DocumentId, EntityId, KindId, MentionId, Span
from pseudonymizer.engine.known_names import AddedNames, KnownNames, SearchedPart
from pseudonymizer.engine.records import (
    NO_DOCUMENT,
    Label,
    LabelledPerson,
    PartPlaces,
    PlacedValue,
    SourceFound,
    unit_of,
)
from pseudonymizer.runs.work_counts import SourceCounts


class LookRow(Row, array_like=True, frozen=True, gc=False):
    """Text of a part that looks like a label of the project; code points, half-open."""

    start: int
    end: int
    text: str


class ValueRow(Row, array_like=True, frozen=True, gc=False):
    """A PlacedValue."""

    start: int
    end: int
    kind: KindId
    normal: str
    text: str
    holds_person: bool = False
    country: str = ""

    @classmethod
    def of(cls, value: PlacedValue) -> Self:
        return cls(
            value.start, value.end, value.kind, value.normal, value.text, value.holds_person, value.country
        )

    def value(self) -> PlacedValue:
        return PlacedValue(
            self.start, self.end, self.kind, self.normal, self.text, self.holds_person, self.country
        )


class RunRow(Row, array_like=True, frozen=True, gc=False):
    """A NameRun."""

    start: int
    text: str


class PartRow(Row, array_like=True, frozen=True, gc=False):
    """What was found in one text of a file. key: what the file calls this text. document: its id, "" where it
    holds no mention. rows, language: as of PartPlaces. runs, content: as in a PartFound.
    """

    part_id: str
    key: str | None
    mentions: tuple[MentionRow, ...]
    looks: tuple[LookRow, ...]
    values: tuple[ValueRow, ...] = ()
    document: DocumentId = NO_DOCUMENT
    rows: tuple[int, ...] = ()
    runs: tuple[RunRow, ...] = ()
    content: DocumentId = NO_DOCUMENT
    language: str = ""

    @property
    def searched(self) -> SearchedPart:
        """The text, to be searched for known names."""
        return SearchedPart(
            self.part_id, self.content, [NameRun(run.start, run.text) for run in self.runs],
            [(Span(row.start, row.end), row.id()) for row in self.mentions],
            [row.value() for row in self.values],
        )  # fmt: skip

    def with_names(self, added: AddedNames) -> "PartRow":
        """The text with these mentions in it."""
        kept = [row for row in self.mentions if row.id() not in added.inside]
        mentions = sorted([*kept, *map(MentionRow.of, added.mentions)], key=lambda row: (row.start, row.end))
        values: list[ValueRow] = []
        for row in self.values:
            span = Span(row.start, row.end)
            if span not in added.lost:
                holds = row.holds_person or span in added.holders
                values.append(msgspec.structs.replace(row, holds_person=holds))
        document = self.document or added.mentions[0].mention.doc_id
        return msgspec.structs.replace(
            self, mentions=tuple(mentions), values=tuple(values), document=document
        )

    @property
    def places(self) -> PartPlaces:
        """Where labels may go in it."""
        return PartPlaces(
            self.part_id,
            [(row.start, row.end, row.id()) for row in self.mentions],
            [(look.start, look.end, look.text) for look in self.looks],
            tuple([row.value() for row in self.values]),
            self.document,
            unit_of(self.document, self.key),
            self.rows,
            self.language,
        )


class Analysis(Row, array_like=True, frozen=True, gc=False):
    """What was found in one file. digest: SHA-256 of its bytes, which the work file seals with the rest.

    professionals: mentions of people who act by profession.
    """

    digest: bytes
    parts: tuple[PartRow, ...]
    professionals: tuple[MentionId, ...] = ()

    @classmethod
    def of(cls, found: SourceFound) -> Self:
        return cls(
            found.digest,
            tuple(
                PartRow(
                    part.part_id,
                    part.key,
                    tuple(map(MentionRow.of, part.mentions)),
                    tuple(LookRow(*look) for look in part.places.looks),
                    tuple(map(ValueRow.of, part.placed_values)),
                    part.document,
                    part.rows,
                    tuple(RunRow(run.start, run.text) for run in part.runs),
                    part.content,
                    part.language,
                )
                for part in found.parts
            ),
            found.professionals,
        )

    def with_names(self, known: KnownNames) -> Self:
        """This with mentions of the names that are known; the same object where nothing is added."""
        parts: list[PartRow] = []
        professionals = set(self.professionals)
        is_changed = False
        for part in self.parts:
            if added := known.added(part.searched) if part.runs else None:
                is_changed = True
                professionals |= {new for old, new in added.inside.items() if old in professionals}
                parts.append(part.with_names(added))
            else:
                parts.append(part)
        if not is_changed:
            return self
        told = tuple(sorted(professionals))
        return msgspec.structs.replace(self, parts=tuple(parts), professionals=told)


class LabelRow(Row, array_like=True, frozen=True, gc=False):
    """A Label."""

    part_id: str
    start: int
    end: int
    label: str | None
    entity_id: EntityId | None
    person: str | None = None
    kind: KindId = KindId("PERSON")
    is_one_way: bool = False
    is_fallback: bool = False

    @classmethod
    def of(cls, label: Label) -> Self:
        span = label.span
        return cls(
            label.part_id, span.start, span.end, label.label, label.entity_id, label.person, label.kind,
            label.is_one_way, label.is_fallback,
        )  # fmt: skip

    def as_label(self) -> Label:
        span = Span(self.start, self.end)
        return Label(
            self.part_id, span, self.label, self.entity_id, self.person, self.kind, self.is_one_way,
            self.is_fallback,
        )  # fmt: skip


class SourceLabels(Row, array_like=True, frozen=True, gc=False):
    """What to write in one file. digest: of the bytes that were read. labels None: the file is an output of
    the project, and stays as it is.
    """

    digest: bytes
    labels: tuple[LabelRow, ...] | None

    @classmethod
    def of(cls, digest: bytes, labels: Iterable[Label]) -> Self:
        return cls(digest, tuple(map(LabelRow.of, labels)))

    def as_labels(self) -> tuple[Label, ...]:
        return tuple([row.as_label() for row in self.labels or ()])


class PersonRow(Row, array_like=True, frozen=True, gc=False):
    """A LabelledPerson without its entity."""

    label: str
    names: tuple[NameRow, ...]
    kinds: dict[str, str]

    @classmethod
    def of(cls, person: LabelledPerson) -> Self:
        return cls(person.label, tuple(map(NameRow.of, person.names)), dict(person.kinds))

    def person(self, entity_id: EntityId) -> LabelledPerson:
        return LabelledPerson(entity_id, self.label, tuple([row.name() for row in self.names]), self.kinds)


ANALYSIS: Final = Codec(Analysis)
LABELS: Final = Codec(SourceLabels)
PERSON: Final = Codec(PersonRow)
SOURCES: Final = Codec(list[DocumentId])
IDENTITIES: Final = Codec(list[IdentityRow])
SEEN_THROUGH: Final = Codec(list[int])  # one number
FORM_LINKS: Final = Codec(list[FormLinkRow])
MENTIONS: Final = Codec(list[MentionRow])


@dataclass(frozen=True, slots=True)
class FoundRow:
    """What was found in one file, as the work file or a data frame holds it: counts without personal data,
    and an Analysis in bytes.
    """

    doc_id: DocumentId
    counts: SourceCounts
    analysis: bytes = field(repr=False)

    @classmethod
    def of(cls, found: SourceFound) -> Self:
        return cls(found.doc_id, SourceCounts.of_found(found), ANALYSIS.encode(Analysis.of(found)))
