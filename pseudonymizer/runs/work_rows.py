"""What is known about one source of a run, and about a file from its units."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from linkage.records import DocumentId
from pseudonymizer.runs.units import file_id, is_unit
from pseudonymizer.runs.work_counts import SourceCounts


class SourceState(StrEnum):
    PLANNED = "planned"
    DETECTED = "detected"  # its mentions are in the work file
    LABELLED = "labelled"  # its pseudonyms are durable in the vault and in the work file
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source of the plan with what is known about it. counts hold no personal data."""

    doc_id: DocumentId
    state: SourceState
    path: str = field(repr=False)
    size: int
    modified_ns: int
    error: str | None
    reason: str | None
    counts: SourceCounts
    output: str | None = field(repr=False)
    output_size: int | None


@dataclass(frozen=True, slots=True)
class PlannedSource:
    """A source of a run. path: of the input; size in bytes; time of change in nanoseconds."""

    doc_id: DocumentId
    path: str = field(repr=False)
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class DoneSource:
    """A source whose output is in place: its path in the output, and its size in bytes. The path is "" for a
    unit whose file is not put together yet.
    """

    doc_id: DocumentId
    place: str = field(repr=False)
    size: int
    counts: SourceCounts


@dataclass(frozen=True, slots=True)
class IntendedOutput:
    """An output that is put at this path next. plain: SHA-256 of its bytes, in hexadecimal."""

    doc_id: DocumentId
    place: str = field(repr=False)
    plain: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlacedOutput:
    """An output that lies at this path; size in bytes."""

    doc_id: DocumentId
    place: str = field(repr=False)
    size: int


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit of a file. size: bytes of its output, 0 while there is none."""

    doc_id: DocumentId
    state: SourceState
    size: int


def as_file(units: Sequence[SourceRow]) -> SourceRow:
    """The row of a file from those of its units. Some counts of units cannot be added, and are left out."""
    first = units[0]
    if not is_unit(first.doc_id):
        return first
    states = [row.state for row in units]
    failed = next((row for row in units if row.state is SourceState.FAILED), None)
    state = next((s for s in states if s is not SourceState.DONE), SourceState.DONE)
    return replace(
        first,
        doc_id=file_id(first.doc_id),
        state=failed.state if failed is not None else state,
        size=sum(row.size for row in units),
        error=failed.error if failed is not None else None,
        reason=failed.reason if failed is not None else None,
        counts=SourceCounts.of_units([row.counts for row in units]),
        output_size=sum(row.output_size or 0 for row in units) if state is SourceState.DONE else None,
    )
