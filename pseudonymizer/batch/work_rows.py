"""What is known about one source of a run, and about a file from its units."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from linkage.records import DocumentId
from pseudonymizer.batch.units import file_id, is_unit


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
    counts: dict[str, Any]
    output: str | None = field(repr=False)
    output_size: int | None


def as_file(units: Sequence[SourceRow]) -> SourceRow:
    """The row of a file from those of its units. Some counts of units cannot be added, and are left out."""
    first = units[0]
    if not is_unit(first.doc_id):
        return first
    states = [row.state for row in units]
    failed = next((row for row in units if row.state is SourceState.FAILED), None)
    state = next((s for s in states if s is not SourceState.DONE), SourceState.DONE)
    counts: dict[str, Any] = {}
    for row in units:
        for name, value in row.counts.items():
            if isinstance(value, dict):
                sums = counts.setdefault(name, {})
                for kind, count in value.items():
                    sums[kind] = sums.get(kind, 0) + count
            elif isinstance(value, bool):
                counts[name] = counts.get(name, True) and value
            elif isinstance(value, (int, float)):
                counts[name] = counts.get(name, 0) + value
            else:
                counts[name] = value
    for name in ("people", "people_readable"):
        counts.pop(name, None)
    counts["units"] = len(units)
    return replace(
        first,
        doc_id=file_id(first.doc_id),
        state=failed.state if failed is not None else state,
        size=sum(row.size for row in units),
        error=failed.error if failed is not None else None,
        reason=failed.reason if failed is not None else None,
        counts=counts,
        output_size=sum(row.output_size or 0 for row in units) if state is SourceState.DONE else None,
    )
