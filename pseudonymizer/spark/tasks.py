"""Tasks and outcomes of a run as rows, and the work on them: stages.Worker over Arrow batches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from linkage.records import Detector, DocumentId, EntityId, Span
from pseudonymizer.batch.codec import from_bytes, to_bytes
from pseudonymizer.batch.stages import Worker
from pseudonymizer.batch.tasks import FoundRow, portions
from pseudonymizer.engine.failures import FAULTS_OF_THE_RUN
from pseudonymizer.engine.records import (
    Analyzer,
    AnalyzeTask,
    GivenFor,
    GivenMention,
    Label,
    LabelledPerson,
    RenderTask,
    SourceFailure,
    SourceRendered,
)
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import Edit, FormatOptions
from pseudonymizer.formats.units import Unit
from pseudonymizer.settings import StyleSettings
from pseudonymizer.spark.batches import Batches, rows_of, table_of

TASKS: Final = "task binary, content binary"
OUTCOMES: Final = "kind string, head binary, raw binary, originals array<binary>"
_FOUND, _FAILURE, _RENDERED, _FAULT = "found", "failure", "rendered", "fault"

Task = AnalyzeTask | RenderTask
Outcome = FoundRow | SourceFailure | SourceRendered
_Row = tuple[str, bytes, bytes | None, list[bytes] | None]


def encode_task(task: Task) -> tuple[bytes, bytes | None]:
    """A folder to leave bytes in stays behind: an executor may be another machine, and sends them back."""
    if isinstance(task, RenderTask):
        labels = [[x.part_id, x.span.start, x.span.end, x.label, x.entity_id, x.person] for x in task.labels]
        more: object = [labels, task.styles.to_mapping(), task.is_output]
        head = ["render", task.doc_id, str(task.path), task.relative, task.digest.hex(), more]
    else:
        more = None
        if task.given is not None:
            more = [
                {
                    name: [
                        [m.span.start, m.span.end, m.text, m.detector, m.confidence, m.typo_of] for m in some
                    ]
                    for name, some in named.items()
                }
                for named in (task.given.parts, task.given.keys)
            ]
        head = ["analyze", task.doc_id, str(task.path), task.relative, task.content_key.hex(), more]
    if task.unit is not None:
        head.append(astuple(task.unit))
    return to_bytes(head), task.content


def decode_task(head: bytes, content: bytes | None) -> Task:
    kind, doc_id, path, relative, key, more, *cut = from_bytes(head)
    unit = Unit(*cut[0]) if cut else None
    if kind == "render":
        labels = tuple(
            Label(part, Span(start, end), label, None if owner is None else EntityId(owner), person)
            for part, start, end, label, owner, person in more[0]
        )
        styles = StyleSettings.from_mapping(more[1])
        return RenderTask(
            DocumentId(doc_id),
            Path(path),
            relative,
            bytes.fromhex(key),
            labels,
            content,
            styles,
            more[2],
            unit,
        )
    given = None
    if more is not None:
        parts, keys = (
            {
                name: tuple(
                    GivenMention(Span(start, end), text, Detector(detector), confidence, typo_of)
                    for start, end, text, detector, confidence, typo_of in some
                )
                for name, some in named.items()
            }
            for named in more
        )
        given = GivenFor(parts, keys)
    return AnalyzeTask(DocumentId(doc_id), Path(path), bytes.fromhex(key), given, relative, content, unit)


def encode_outcome(outcome: Outcome) -> _Row:
    if isinstance(outcome, FoundRow):
        return _FOUND, to_bytes([outcome.doc_id, outcome.counts]), outcome.analysis, None
    if isinstance(outcome, SourceFailure):
        return _FAILURE, to_bytes([outcome.doc_id, outcome.error, outcome.reason]), None, None
    edits = [[edit.location, edit.start, edit.end, entity_id] for edit, entity_id in outcome.edits]
    head = [
        outcome.doc_id, outcome.format_name, outcome.relative, outcome.identifiers, outcome.unplaced,
        outcome.seconds, edits, outcome.is_marked, outcome.addresses,
    ]  # fmt: skip
    return _RENDERED, to_bytes(head), outcome.raw, [edit.original for edit, _ in outcome.edits]


def decode_outcome(kind: str, head: bytes, raw: bytes | None, originals: Sequence[bytes] | None) -> Outcome:
    """Raises BatchError for a fault of models, lists or settings, which no file would escape."""
    fields: list[Any] = from_bytes(bytes(head))
    if kind == _FAULT:
        raise BatchError(f"the run cannot go on: {fields[0]}: {fields[1]}")
    if kind == _FAILURE:
        return SourceFailure(DocumentId(fields[0]), fields[1], fields[2])
    content = bytes(raw or b"")
    if kind == _FOUND:
        return FoundRow(DocumentId(fields[0]), fields[1], content)
    doc_id, format_name, relative, identifiers, unplaced, seconds, places, is_marked, addresses = fields
    edits = tuple(
        (Edit(location, start, end, bytes(original)), None if owner is None else EntityId(owner))
        for (location, start, end, owner), original in zip(places, originals or (), strict=True)
    )
    return SourceRendered(
        DocumentId(doc_id), format_name, content, edits, relative, identifiers, unplaced, seconds, is_marked,
        addresses=addresses,
    )  # fmt: skip


def work_on(
    method: str,
    load: Callable[[], Analyzer],
    options: FormatOptions | None = None,
    people: Sequence[LabelledPerson] = (),
) -> Callable[[Batches], Batches]:
    """A function for mapInArrow: TASKS -> OUTCOMES, by a method of stages.Worker, which loads models once."""

    def work(batches: Batches) -> Batches:
        worker = Worker(load, options)
        worker.follow(people)
        for batch in batches:
            tasks = (decode_task(head, content) for head, content in rows_of(batch))
            rows = [row for portion in portions(tasks, _size) for row in _rows(worker, method, portion)]
            yield table_of(
                ("kind", "head", "raw", "originals"),
                rows,
                (pa.string(), pa.binary(), pa.binary(), pa.list_(pa.binary())),
            )

    return work


def _rows(worker: Worker, method: str, portion: Sequence[Task]) -> Iterator[_Row]:
    try:
        outcomes = getattr(worker, method)(portion)
    except FAULTS_OF_THE_RUN as error:
        yield _FAULT, to_bytes([type(error).__name__, str(error)]), None, None
        return
    yield from map(encode_outcome, outcomes)


def _size(task: Task) -> int:
    if task.unit is not None:
        return len(task.unit)
    if task.content is not None:
        return len(task.content)
    try:
        return task.path.stat().st_size
    except OSError:
        return 0
