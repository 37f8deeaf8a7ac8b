"""The first pass: what is planned is read and searched, by all processes, and kept in the work file."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from linkage.records import DocumentId
from pseudonymizer.engine.progress import Progress
from pseudonymizer.engine.records import AnalyzeTask, SourceFailure
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.runs.codec import FoundRow
from pseudonymizer.runs.notes import counted, notes_of, rejected_of
from pseudonymizer.runs.stages import Worker
from pseudonymizer.runs.tasks import PORTION_BYTES, GivenMentions, TaskRunner, portions
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_rows import SourceState
from pseudonymizer.runs.writing import lost


@dataclass(frozen=True, slots=True, eq=False)
class DetectingTools:
    """What detection works with. before: mentions that take its place. keeps_rejected: whether lines that are
    left out are kept, for an output folder. processes: how many search at once.
    """

    work: WorkFile
    sources: Mapping[DocumentId, SourceFile] = field(repr=False)
    content_key: bytes = field(repr=False)
    before: GivenMentions | None = field(repr=False)
    progress: Progress
    processes: int
    keeps_rejected: bool


class Detecting:
    """Searches everything that is planned, within limits. Killed at any moment, it goes on after."""

    def __init__(self, tools: DetectingTools, *, limit: int | None, time_limit: float | None) -> None:
        """limit: at most so many sources. time_limit: in seconds; what is at work is ended."""
        self._tools = tools
        self._work, self._sources, self._progress = tools.work, tools.sources, tools.progress
        self._limit, self._time_limit = limit, time_limit
        self.seconds = 0.0

    def detect(self, workers: TaskRunner) -> None:
        """Search what is planned now; called again, what was planned since."""
        started = time.perf_counter()
        todo = self._work.ids(SourceState.PLANNED, self._limit)
        notes = {doc_id: notes_of(self._sources[doc_id]) for doc_id in todo}
        self._progress.begin("detect", sum(notes.values()), counted(notes.values()))
        for outcomes in workers.run(Worker.analyze_rows, self._batches(todo, started), lost):
            found = [outcome for outcome in outcomes if isinstance(outcome, FoundRow)]
            self._work.save_detected(found)
            self._keep_rejected(found)
            for outcome in outcomes:
                if isinstance(outcome, SourceFailure):
                    self._work.save_failed(outcome.doc_id, SourceState.FAILED, outcome.error, outcome.reason)
            self._progress.advance(sum(notes[outcome.doc_id] for outcome in outcomes))
        self._work.fail_with_units()
        self.seconds += time.perf_counter() - started

    def _batches(self, todo: Sequence[DocumentId], started: float) -> Iterator[list[AnalyzeTask]]:
        tools = self._tools
        tasks = (
            AnalyzeTask(
                doc_id,
                self._sources[doc_id].path,
                tools.content_key,
                None if tools.before is None else tools.before.of(self._sources[doc_id]),
                self._sources[doc_id].relative,
                unit=self._sources[doc_id].unit,
            )
            for doc_id in todo
        )
        for batch in portions(tasks, self._portion_of, count=len(todo), workers=tools.processes):
            if self._time_limit is not None and time.perf_counter() - started >= self._time_limit:
                return
            yield batch

    def _portion_of(self, task: AnalyzeTask) -> int:
        """How much of a portion of work a task is, in bytes: a unit is one, for it is noted by itself."""
        size = self._sources[task.doc_id].size
        return max(size, PORTION_BYTES) if task.unit is not None else size

    def _keep_rejected(self, found: Sequence[FoundRow]) -> None:
        """Seal the lines that are left out of outputs, of files that were just read."""
        if self._tools.keeps_rejected:
            self._work.keep_rejected(
                {
                    one.doc_id: rejected_of(
                        self._sources[one.doc_id],
                        one.counts.format_name or "",
                        set(map(int, one.counts.rejected)),
                    )
                    if one.counts.rejected
                    else {}
                    for one in found
                }
            )
