"""Tasks and outcomes of a run as rows, and the work on them: stages.Worker over Arrow batches."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from linkage.codec import Codec, Row
from linkage.records import DocumentId, EntityId
from pseudonymizer.engine.failures import FAULTS_OF_THE_RUN
from pseudonymizer.engine.records import (
    Analyzer,
    AnalyzeTask,
    GivenFor,
    LabelledPerson,
    RenderTask,
    SourceFailure,
    SourceRendered,
)
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import Edit, FormatOptions
from pseudonymizer.formats.units import Unit
from pseudonymizer.runs.codec import FoundRow, LabelRow
from pseudonymizer.runs.stages import Stage, Worker
from pseudonymizer.runs.tasks import portions
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.settings import StyleSettings
from pseudonymizer.spark.batches import Batches, rows_of, table_of

TASKS: Final = "task binary, content binary"
OUTCOMES: Final = "kind string, head binary, raw binary, originals array<binary>"
_FOUND, _FAILURE, _RENDERED, _FAULT = "found", "failure", "rendered", "fault"

Task = AnalyzeTask | RenderTask
Outcome = FoundRow | SourceFailure | SourceRendered
_Row = tuple[str, bytes, bytes | None, list[bytes] | None]


class AnalyzeHead(Row, array_like=True, frozen=True, gc=False):
    """An AnalyzeTask without the bytes of its file."""

    doc_id: DocumentId
    path: str
    content_key: bytes
    given: GivenFor | None
    relative: str | None
    unit: Unit | None


class RenderHead(Row, array_like=True, frozen=True, gc=False):
    """A RenderTask without the bytes of its file, and without a folder for those of its output: an executor
    may be another machine, and sends them back.
    """

    doc_id: DocumentId
    path: str
    relative: str
    digest: bytes
    labels: tuple[LabelRow, ...]
    styles: StyleSettings
    is_output: bool
    unit: Unit | None


class TaskHead(Row, array_like=True, frozen=True, gc=False):
    """One of the two."""

    analyze: AnalyzeHead | None = None
    render: RenderHead | None = None


class FoundHead(Row, array_like=True, frozen=True, gc=False):
    """A FoundRow without its analysis."""

    doc_id: DocumentId
    counts: SourceCounts


class EditRow(Row, array_like=True, frozen=True, gc=False):
    """An edit of a rewritten file without the bytes that stood there, and the entity that owns it."""

    location: str
    start: int
    end: int
    entity_id: EntityId | None


class RenderedHead(Row, array_like=True, frozen=True, gc=False):
    """A SourceRendered without the bytes of its output and of what stood in its edits."""

    doc_id: DocumentId
    format_name: str
    relative: str
    identifiers: int
    unplaced: int
    seconds: float
    edits: tuple[EditRow, ...]
    is_marked: bool
    replaced: dict[str, int]
    one_way: int = 0
    reversible: int = 0
    keeps_path: bool = True
    crowded: int = 0


class FaultHead(Row, array_like=True, frozen=True, gc=False):
    """An error of models, lists or settings, which no file would escape."""

    error: str
    reason: str


_TASK: Final = Codec(TaskHead)
_FOUND_HEAD: Final = Codec(FoundHead)
_FAILURE_HEAD: Final = Codec(SourceFailure)
_RENDERED_HEAD: Final = Codec(RenderedHead)
_FAULT_HEAD: Final = Codec(FaultHead)


def encode_task(task: Task) -> tuple[bytes, bytes | None]:
    """Its head, and the bytes of its file where it has them."""
    if isinstance(task, RenderTask):
        render = RenderHead(
            task.doc_id, str(task.path), task.relative, task.digest, tuple(map(LabelRow.of, task.labels)),
            task.styles, task.is_output, task.unit,
        )  # fmt: skip
        return _TASK.encode(TaskHead(render=render)), task.content
    analyze = AnalyzeHead(task.doc_id, str(task.path), task.content_key, task.given, task.relative, task.unit)
    return _TASK.encode(TaskHead(analyze=analyze)), task.content


def decode_task(head: bytes, content: bytes | None) -> Task:
    told = _TASK.decode(head)
    if (render := told.render) is not None:
        return RenderTask(
            render.doc_id, Path(render.path), render.relative, render.digest,
            tuple([row.as_label() for row in render.labels]), content, render.styles, render.is_output,
            render.unit,
        )  # fmt: skip
    if (analyze := told.analyze) is None:
        raise BatchError("a task of Spark is empty; driver and workers need one version of nymlink")
    return AnalyzeTask(
        analyze.doc_id, Path(analyze.path), analyze.content_key, analyze.given, analyze.relative, content,
        analyze.unit,
    )  # fmt: skip


def encode_outcome(outcome: Outcome) -> _Row:
    if isinstance(outcome, FoundRow):
        return _FOUND, _FOUND_HEAD.encode(FoundHead(outcome.doc_id, outcome.counts)), outcome.analysis, None
    if isinstance(outcome, SourceFailure):
        return _FAILURE, _FAILURE_HEAD.encode(outcome), None, None
    edits = tuple(EditRow(edit.location, edit.start, edit.end, owner) for edit, owner in outcome.edits)
    head = RenderedHead(
        outcome.doc_id, outcome.format_name, outcome.relative, outcome.identifiers, outcome.unplaced,
        outcome.seconds, edits, outcome.is_marked, dict(outcome.replaced), outcome.one_way,
        outcome.reversible, outcome.keeps_path, outcome.crowded,
    )  # fmt: skip
    originals = [edit.original for edit, _ in outcome.edits]
    return _RENDERED, _RENDERED_HEAD.encode(head), outcome.raw, originals


def encode_fault(error: Exception) -> _Row:
    """An error that every file would meet."""
    return _FAULT, _FAULT_HEAD.encode(FaultHead(type(error).__name__, str(error))), None, None


def decode_outcome(kind: str, head: bytes, raw: bytes | None, originals: Sequence[bytes] | None) -> Outcome:
    """Raises BatchError for a fault of models, lists or settings, which no file would escape."""
    told, content = bytes(head), bytes(raw or b"")
    if kind == _FAULT:
        fault = _FAULT_HEAD.decode(told)
        raise BatchError(f"the run cannot go on: {fault.error}: {fault.reason}")
    if kind == _FAILURE:
        return _FAILURE_HEAD.decode(told)
    if kind == _FOUND:
        found = _FOUND_HEAD.decode(told)
        return FoundRow(found.doc_id, found.counts, content)
    rendered = _RENDERED_HEAD.decode(told)
    edits = tuple(
        (Edit(place.location, place.start, place.end, bytes(original)), place.entity_id)
        for place, original in zip(rendered.edits, originals or (), strict=True)
    )
    return SourceRendered(
        rendered.doc_id, rendered.format_name, content, edits, rendered.relative, rendered.identifiers,
        rendered.unplaced, rendered.seconds, rendered.is_marked, replaced=rendered.replaced,
        one_way=rendered.one_way, reversible=rendered.reversible, keeps_path=rendered.keeps_path,
        crowded=rendered.crowded,
    )  # fmt: skip


def work_on(
    stage: Stage[Any, Any],
    load: Callable[[], Analyzer],
    options: FormatOptions | None = None,
    people: Sequence[LabelledPerson] = (),
) -> Callable[[Batches], Batches]:
    """A function for mapInArrow: TASKS -> OUTCOMES, by a Worker that loads models once."""

    def work(batches: Batches) -> Batches:
        worker = Worker(load, options)
        worker.follow(people)
        for batch in batches:
            tasks = (decode_task(head, content) for head, content in rows_of(batch))
            rows = [row for portion in portions(tasks, _size) for row in _rows(worker, stage, portion)]
            yield table_of(
                ("kind", "head", "raw", "originals"),
                rows,
                (pa.string(), pa.binary(), pa.binary(), pa.list_(pa.binary())),
            )

    return work


def _rows(worker: Worker, stage: Stage[Any, Any], portion: Sequence[Task]) -> Iterator[_Row]:
    try:
        outcomes = stage(worker, portion)
    except FAULTS_OF_THE_RUN as error:
        yield encode_fault(error)
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
