"""The last pass: rewritten files, each after its way back is durable in the vault."""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from linkage.records import DocumentId
from pseudonymizer.engine.failures import guarded
from pseudonymizer.engine.records import AnalyzeTask, RenderTask, SourceFailure, SourceRendered
from pseudonymizer.engine.way_back import (
    ONE_WAY_FORMAT,
    linked_source_id,
    output_id_by_digest,
    plain_digest,
    rewrite_of,
)
from pseudonymizer.records import Rewrite
from pseudonymizer.runs.assembling import Assembly, WritingTools
from pseudonymizer.runs.notes import counted
from pseudonymizer.runs.stages import Worker
from pseudonymizer.runs.tasks import TaskRunner, portions
from pseudonymizer.runs.units import is_unit
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.runs.work_rows import DoneSource, IntendedOutput, SourceState

_COMMIT_FILES: Final = 512  # rewritten files whose way back is made durable in one transaction
_COMMIT_BYTES: Final = 8_000_000


class Writing:
    """Rewrites everything that has labels. Killed at any moment, it leaves whole files and goes on after."""

    def __init__(self, tools: WritingTools) -> None:
        self._tools = tools
        self._work, self._vault, self._output = tools.work, tools.vault, tools.output
        self._project, self._sources, self._progress = tools.project, tools.sources, tools.progress
        self._assembly = Assembly(tools, partial(output_id_by_digest, tools.vault, tools.project))
        self._content: dict[DocumentId, str] = {}  # of sources on their way, as linked_source_id takes it
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def write(self, workers: TaskRunner, *, count: int = 1) -> None:
        """count: how many workers there are."""
        started = time.perf_counter()
        todo = self._assembly.ready(self._work.ids(SourceState.LABELLED))
        if not todo:
            self._assembly.end()
            return
        notes = [self._tools.notes([doc_id]) for doc_id in todo]
        self._progress.begin("rewrite", sum(notes), counted(notes))
        ready: list[SourceRendered] = []
        batches = portions(
            self._tasks(todo), lambda task: self._sources[task.doc_id].size, count=len(todo), workers=count
        )
        for outcomes in workers.run(Worker.render, batches, lost):
            for outcome in outcomes:
                if isinstance(outcome, SourceFailure):
                    self._work.save_failed(outcome.doc_id, SourceState.FAILED, outcome.error, outcome.reason)
                    self._progress.advance(self._tools.notes([outcome.doc_id]))
                else:
                    ready.append(outcome)
            if len(ready) >= _COMMIT_FILES or sum(r.size for r in ready) >= _COMMIT_BYTES:
                self._finish(ready)
                ready.clear()
        self._finish(ready)
        self._assembly.end()
        self.seconds["rewrite"] += time.perf_counter() - started

    def _tasks(self, todo: Sequence[DocumentId]) -> Iterator[RenderTask]:
        for doc_id in todo:
            stored = self._work.labels(doc_id)
            source = self._sources[doc_id]
            if source.unit is None:
                self._content[doc_id] = stored.digest.hex()
            yield RenderTask(
                doc_id, source.path, source.relative, stored.digest, stored.as_labels(),
                styles=self._tools.styles, is_output=stored.labels is None, unit=source.unit,
                parts=self._output.parts if source.unit is None else None,
            )  # fmt: skip

    def _finish(self, rendered: Sequence[SourceRendered]) -> None:
        """The way back first, then the files, then the note that they are done."""
        units = [one for one in rendered if is_unit(one.doc_id)]
        if units:
            self._progress.advance(self._assembly.take(units, self._counts))
        ready = [one for one in rendered if not is_unit(one.doc_id)]
        if not ready:
            return
        started = time.perf_counter()
        placed = self._placed(ready)
        # A file that stays as it is needs no way back; noted, it would hide the way back of a file that was
        # pseudonymized before, is input now, and has the same bytes.
        changed = [
            (self._rewrite_of(one, place), one.raw if one.part is None else one.part.stored)
            for one, place in placed
            if one.is_changed or place != self._sources[one.doc_id].relative
        ]
        for one in ready:
            self._content.pop(one.doc_id, None)
        self._vault.store_rewrites(self._project, changed)
        self._vault.commit()
        self._work.save_intended(
            IntendedOutput(one.doc_id, place, plain_digest(one)) for one, place in placed
        )
        self.seconds["store"] += time.perf_counter() - started
        done: list[DoneSource] = []
        for one, place in placed:
            failed = guarded(one.doc_id, self._put, place, one)
            if isinstance(failed, SourceFailure):
                self._work.save_failed(one.doc_id, SourceState.FAILED, failed.error, failed.reason)
                continue
            done.append(DoneSource(one.doc_id, place, one.size, self._counts(one)))
        self._work.save_done(done, self._tools.now())
        self._progress.advance(self._tools.notes(one.doc_id for one in ready))

    def _placed(self, ready: Sequence[SourceRendered]) -> list[tuple[SourceRendered, str]]:
        """Each output with its place; those where a file of somebody else lies fail."""
        placed: list[tuple[SourceRendered, str]] = []
        for one in ready:
            place = guarded(one.doc_id, self._tools.places.choose, one)
            if isinstance(place, SourceFailure):
                self._work.save_failed(one.doc_id, SourceState.FAILED, place.error, place.reason)
                if one.part is not None:
                    one.part.place.unlink(missing_ok=True)
            else:
                placed.append((one, place))
        return placed

    def _put(self, place: str, one: SourceRendered) -> None:
        if one.part is None:
            self._output.write(place, one.raw)
        else:
            self._output.take(place, one.part.place)
        before = self._work.output_of(one.doc_id)
        if before is not None and before != place:
            self._output.remove(before)

    def _counts(self, one: SourceRendered) -> SourceCounts:
        return self._work.counts_of(one.doc_id).with_rendered(one)

    def _rewrite_of(self, rendered: SourceRendered, place: str) -> Rewrite:
        path = self._sources[rendered.doc_id].relative
        rewrite = rewrite_of(self._vault, self._project, rendered, place=place, path=path)
        if rewrite.format_name == ONE_WAY_FORMAT:
            return rewrite
        content = self._content[rendered.doc_id]
        return replace(rewrite, source=linked_source_id(self._vault, self._project, path, content))


def lost(task: AnalyzeTask | RenderTask) -> SourceFailure:
    """What is said of a file whose process was killed."""
    reason = "the process that treated this file was killed; is memory short?"
    return SourceFailure(task.doc_id, "WorkerLostError", reason)
