"""Large files put together from their rewritten units: whole or not there, like any other output."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from linkage.records import DocumentId
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.engine.failures import SourceChangedError, guarded
from pseudonymizer.engine.progress import Progress
from pseudonymizer.engine.records import SourceFailure, SourceRendered
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.engine.way_back import ONE_WAY_FORMAT, in_units, linked_source_id, rewrite_of
from pseudonymizer.identifiers import IdentifierKind
from pseudonymizer.records import Rewrite
from pseudonymizer.runs.notes import notes_of
from pseudonymizer.runs.output import OutputFolder
from pseudonymizer.runs.places import Places
from pseudonymizer.runs.units import (
    UNITS_FORMAT,
    blocks,
    digests_of,
    file_id,
    unit_edits,
    unit_number,
    unit_place,
)
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.runs.work_rows import DoneSource, IntendedOutput, SourceState
from pseudonymizer.settings import ONE_WAY, StyleSettings

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


@dataclass(frozen=True, slots=True)
class _FirstUnit:
    """The first unit of a file, rewritten: it is noted as done when the file is there."""

    rendered: SourceRendered = field(repr=False)  # without its bytes and edits
    size: int
    counts: SourceCounts


@dataclass(frozen=True, slots=True, eq=False)
class WritingTools:
    """What the last pass works with: where things come from, where they go, and what is noted."""

    work: WorkFile
    vault: "VaultApi"
    output: OutputFolder
    places: Places
    project: str
    sources: Mapping[DocumentId, SourceFile]
    progress: Progress
    now: Callable[[], float]
    styles: StyleSettings

    def notes(self, doc_ids: Iterable[DocumentId]) -> int:
        """How many notes these sources have."""
        return sum(notes_of(self.sources[doc_id]) for doc_id in doc_ids)


class Assembly:
    """Keeps rewritten units until all of a file are there, each with its way back, and puts it together.

    The way back of a file is that of its units; under its own place and bytes only the places of the units
    are stored. Killed at any moment, what is there is gone on with.
    """

    def __init__(self, tools: WritingTools, output_id: Callable[[str, str], DocumentId]) -> None:
        """output_id: the id of an output by its place and the SHA-256 of its bytes."""
        self._tools = tools
        self._work, self._vault, self._output = tools.work, tools.vault, tools.output
        self._project, self._sources = tools.project, tools.sources
        self._output_id = output_id
        self._first: dict[DocumentId, _FirstUnit] = {}

    def ready(self, todo: Sequence[DocumentId]) -> list[DocumentId]:
        """Of the sources that could be rewritten those that should be: first units after the others of their
        file, and only where none of these is still to be read.
        """
        ordered: list[DocumentId] = []
        waiting: DocumentId | None = None
        for doc_id in [*todo, DocumentId("")]:
            if waiting is not None and file_id(doc_id) != file_id(waiting):
                ordered.append(waiting)
                waiting = None
            if not doc_id:
                break
            if self._sources[doc_id].unit is None or unit_number(doc_id) > 0:
                ordered.append(doc_id)
                continue
            states = {unit.state for unit in self._work.units(file_id(doc_id))}
            if states <= {SourceState.LABELLED, SourceState.DONE}:
                waiting = doc_id
        return ordered

    def take(
        self, units: Sequence[SourceRendered], counts_of: Callable[[SourceRendered], SourceCounts]
    ) -> int:
        """Keep some rewritten units; files that are whole by that are written. Returns how many notes are
        done.
        """
        stored = [(self._rewrite_of(one), one.raw) for one in units if _comes_back(one)]
        if stored:
            self._vault.store_rewrites(self._project, stored)
            self._vault.commit()
        done: list[DoneSource] = []
        for one in units:
            failed = guarded(one.doc_id, self._output.write_unit, one.doc_id, one.raw)
            if isinstance(failed, SourceFailure):
                self._fail(failed)
                continue
            counts = msgspec.structs.replace(
                counts_of(one), changed=one.is_changed, comes_back=_comes_back(one)
            )
            if unit_number(one.doc_id) > 0:
                done.append(DoneSource(one.doc_id, "", len(one.raw), counts))
            else:
                # Its bytes lie on the disk by now.
                light = SourceRendered(
                    one.doc_id,
                    one.format_name,
                    b"",
                    (),
                    one.relative,
                    one.identifiers,
                    one.unplaced,
                    one.seconds,
                    replaced=one.replaced,
                    keeps_path=one.keeps_path,
                )
                self._first[file_id(one.doc_id)] = _FirstUnit(light, len(one.raw), counts)
        self._work.save_done(done, self._tools.now())
        whole = [
            one.rendered.doc_id for doc_id, one in list(self._first.items()) if self._put_together(doc_id)
        ]
        return self._tools.notes([*(one.doc_id for one in done), *whole])

    def end(self) -> None:
        """Nothing more comes: units of files that have failed are taken away."""
        for doc_id in self._work.fail_with_units():
            self._output.remove_units(unit.doc_id for unit in self._work.units(doc_id))

    def _rewrite_of(self, one: SourceRendered) -> Rewrite:
        path = self._kept_path(self._sources[one.doc_id].relative)
        place = unit_place(path or "", unit_number(one.doc_id))
        return rewrite_of(self._vault, self._project, one, place=place, path=path)

    def _kept_path(self, relative: str) -> str | None:
        """The path of an original as its way back has it: none where names in paths have no way back."""
        return None if self._tools.styles.of_kind(IdentifierKind.PATH.value) in ONE_WAY else relative

    def _put_together(self, doc_id: DocumentId) -> int:
        """Write a file if all of its units are there; 1 if so."""
        first = self._first[doc_id]
        own = first.rendered.doc_id
        units = self._work.units(doc_id)
        if any(unit.state is not SourceState.DONE for unit in units if unit.doc_id != own):
            return 0
        del self._first[doc_id]
        found = guarded(own, _unchanged_since, self._sources[own])
        if isinstance(found, SourceFailure):
            self._fail(found)
            return 0
        made = [
            (first.size, first.counts)
            if unit.doc_id == own
            else (unit.size, self._work.counts_of(unit.doc_id))
            for unit in units
        ]
        pieces = [self._output.unit(unit.doc_id) for unit in units]
        place = guarded(own, self._tools.places.choose, first.rendered)
        if isinstance(place, SourceFailure):
            self._fail(place)
            return 0
        relative = self._sources[own].relative
        digests = digests_of(pieces, sum(size for size, _ in made))
        if place != relative or any(counts.changed for _, counts in made):
            output = self._output_id(place, digests.plain)
            back = [(size, self._has_way_back(counts)) for size, counts in made]
            path = self._kept_path(relative) if first.rendered.keeps_path else None
            if not any(comes_back for _, comes_back in back) and (
                path is None or any(counts.changed for _, counts in made)
            ):
                rewrite = Rewrite(output, ONE_WAY_FORMAT, ())
            else:
                content = in_units(self._sources[own].modified_ns)
                source = linked_source_id(self._vault, self._project, relative, content)
                one_way = sum(counts.one_way or 0 for _, counts in made)
                rewrite = Rewrite(
                    output, UNITS_FORMAT, unit_edits(back), path, source=source, one_way=one_way
                )
            self._vault.store_rewrites(self._project, [(rewrite, OutputDigest(digests.stored))])
            self._vault.commit()
        self._work.save_intended([IntendedOutput(own, place, digests.plain)])
        failed = guarded(own, self._put, own, place, pieces)
        if isinstance(failed, SourceFailure):
            self._fail(failed)
            return 0
        self._work.save_done([DoneSource(own, place, first.size, first.counts)], self._tools.now())
        self._output.remove_units(unit.doc_id for unit in units)
        return 1

    def _has_way_back(self, counts: SourceCounts) -> bool:
        """Whether a unit has a way back; earlier versions noted whether it was changed."""
        if counts.comes_back is not None:
            return counts.comes_back
        return bool(counts.changed) and not self._tools.styles.is_one_way

    def _put(self, own: DocumentId, place: str, pieces: Sequence[Path]) -> None:
        self._output.write_from(place, blocks(pieces))
        before = self._work.output_of(own)
        if before is not None and before != place:
            self._output.remove(before)

    def _fail(self, failed: SourceFailure) -> None:
        self._work.save_failed(failed.doc_id, SourceState.FAILED, failed.error, failed.reason)


def _comes_back(rendered: SourceRendered) -> bool:
    """Whether something of a rewritten unit comes back."""
    return bool(rendered.edits) and not rendered.is_one_way


def _unchanged_since(source: SourceFile) -> None:
    """Units are read one after another: of a file that was written meanwhile they would not fit together.

    Raises:
        SourceChangedError: the file is not as it was when the run was planned.
    """
    if source.path.stat().st_mtime_ns != source.modified_ns:
        raise SourceChangedError("the file was changed while the run went on; run again")
