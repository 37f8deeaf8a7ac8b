"""The work of a process of a run: the engine's, with outcomes in the shapes that a run keeps."""

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from pseudonymizer.crypto import OutputDigest, digest_sha256
from pseudonymizer.engine.failures import guarded
from pseudonymizer.engine.file_work import FileWork
from pseudonymizer.engine.records import (
    AnalyzeTask,
    RenderTask,
    SourceFailure,
    SourceFound,
    SourceRendered,
    WrittenPart,
)
from pseudonymizer.runs.codec import FoundRow
from pseudonymizer.runs.output import write_whole

_Task = TypeVar("_Task")
_Outcome = TypeVar("_Outcome")


class Worker(FileWork):
    """File work whose outcomes are encoded, and whose outputs are left in files, before they are sent."""

    _parts: Path | None = None  # the folder of this process, once it is made

    def analyze_rows(self, tasks: Sequence[AnalyzeTask]) -> list[FoundRow | SourceFailure]:
        """The outcomes of analyze, encoded here: the main process has only to seal them."""
        return [
            FoundRow.of(found) if isinstance(found, SourceFound) else found for found in self.analyze(tasks)
        ]

    def render(self, tasks: Sequence[RenderTask]) -> list[SourceRendered | SourceFailure]:
        """Rewritten files. The bytes of those whose task has a place for them are left there."""
        outcomes: list[SourceRendered | SourceFailure] = []
        notes = 0
        for task in tasks:
            outcomes.append(
                guarded(task.doc_id, self._render if task.parts is None else self._render_to, task)
            )
            notes += 1 if task.unit is None else max(task.unit.notes, 1)
            if self.told is not None:
                self.told(notes)
        return outcomes

    def _render_to(self, task: RenderTask) -> SourceRendered:
        rendered = self._render(task)
        assert task.parts is not None  # noqa: S101  render looks
        # In a folder of its own, in which no other process makes files at the same time.
        folder = task.parts / str(os.getpid())
        if folder != self._parts:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._parts = folder
        place = folder / task.doc_id
        write_whole(place, [rendered.raw], 0o666)
        plain = hashlib.sha256(rendered.raw).hexdigest()
        stored = OutputDigest(digest_sha256((rendered.raw,)))
        return replace(rendered, raw=b"", part=WrittenPart(place, len(rendered.raw), plain, stored))


# A method of Worker, such as Worker.render: a batch of tasks in, an outcome for each. Other processes get it
# by the name of the method.
Stage = Callable[[Worker, Sequence[_Task]], list[_Outcome]]
