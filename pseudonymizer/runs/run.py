"""A run: plan, detect, link, assign, rewrite, report. After each step it can be taken up again."""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from linkage.gazetteer import Gazetteer
from linkage.records import (
    DocumentId,
    KnownIdentity,
)
from linkage.review import Judgement
from pseudonymizer.crypto import Sealer
from pseudonymizer.engine.ids import DocumentIds
from pseudonymizer.engine.judging import JudgedPlaces
from pseudonymizer.engine.progress import Progress, Silent
from pseudonymizer.engine.records import GivenMention, Pipeline
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.engine.styling import Styling
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import FormatOptions, is_table
from pseudonymizer.records import Scope
from pseudonymizer.runs.assembling import WritingTools
from pseudonymizer.runs.belonging import note_project
from pseudonymizer.runs.detecting import Detecting, DetectingTools
from pseudonymizer.runs.fingerprint import RunTerms
from pseudonymizer.runs.left_over import left_over_outputs, prune
from pseudonymizer.runs.linking import Linking, LinkingTools
from pseudonymizer.runs.names_in_folder import names_in
from pseudonymizer.runs.output import OutputFolder, real_paths
from pseudonymizer.runs.path_records import seal_old_record
from pseudonymizer.runs.places import Places
from pseudonymizer.runs.report import BatchReport, write_report
from pseudonymizer.runs.serving import rare_collections
from pseudonymizer.runs.tasks import GivenMentions, Machines, TaskRunner
from pseudonymizer.runs.units import in_units, unit_id, unit_number
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_folder import open_work_file
from pseudonymizer.runs.work_rows import PlannedSource, SourceState
from pseudonymizer.runs.workers import LocalEngine
from pseudonymizer.runs.writing import Writing
from pseudonymizer.settings import ProjectSettings, StyleSettings
from pseudonymizer.styles.name_pool import ShippedLists
from pseudonymizer.treatments.plan import Plan

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_LITTER: Final = "a file of the operating system, or of a program that has a document open"
_UNFINISHED: Final = (SourceState.PLANNED, SourceState.DETECTED, SourceState.LABELLED)


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """What a run does. time_limit (seconds of detection) and limit (files) leave the rest for later."""

    project: str
    scope: Scope = Scope.PROJECT
    deterministic: bool = False
    workers: int = 1
    limit: int | None = None
    time_limit: float | None = None
    retry_failed: bool = False
    dry_run: bool = False
    styles: StyleSettings | None = None  # None: those of the project
    described: Mapping[str, Any] = field(default_factory=dict)  # settings and model versions, for the report
    new_project: ProjectSettings | None = None  # of the project where the vault has none of this name
    plan: Plan | None = None  # what becomes of each kind; None: names alone, in the style of styles
    language: str = "nl"  # of the words in labels of values
    prune: bool = False  # delete outputs of earlier runs whose inputs are not among these, or fail now
    small_units: bool = False  # see ProjectSettings
    sparing: bool = False  # workers is the most: as many processes as what is left to do is worth

    def __post_init__(self) -> None:
        if self.workers < 1 or (self.limit is not None and self.limit < 0):
            raise BatchError(
                f"{self.workers} workers and a limit of {self.limit} files are asked "
                "for; give 1 worker or more, and a limit of 0 or more"
            )

    def with_workers(self, workers: int) -> "BatchSettings":
        return replace(self, workers=workers)


@dataclass(frozen=True, slots=True)
class RunTools:
    """What a run works with: everything that differs between a test and the field.

    registered: people of the user's registry. formats: how files are read. now: the time in seconds.
    machines: where the work is done; None: processes of this machine. lists: names that surrogates are made
    of.
    """

    open_vault: Callable[[], "AbstractContextManager[VaultApi]"]
    load: Callable[[], Pipeline]
    registered: Sequence[KnownIdentity] = field(default=(), repr=False)
    formats: FormatOptions = field(default_factory=FormatOptions)
    progress: Progress = field(default_factory=Silent)
    now: Callable[[], float] = time.time
    machines: Machines | None = None
    lists: Callable[[], ShippedLists] = Gazetteer.load


class Batch:
    """One run over a corpus."""

    def __init__(
        self,
        sources: Sequence[SourceFile],
        output: Path | None,
        settings: BatchSettings,
        tools: RunTools,
        *,
        given: Mapping[str, tuple[GivenMention, ...]] | None = None,
        judgements: Sequence[Judgement] = (),
    ) -> None:
        """given: mentions that take the place of detection, by document name. judgements: what people decided
        about links.
        """
        self._tools = tools
        self._machines = tools.machines or LocalEngine(tools.load, settings.workers)
        self._files = tuple(sources)
        self._sources: tuple[SourceFile, ...] = ()  # the files, large ones in their units
        self._formats = replace(tools.formats, reject_lines=True)
        self._settings = settings
        self._given = given
        self._before = None if given is None else GivenMentions(given)
        self._judgements = tuple(judgements)
        self._judged = JudgedPlaces(self._judgements)
        self._progress, self._now = tools.progress, tools.now
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._output: OutputFolder | None = None
        if output is not None and not settings.dry_run:
            self._output = OutputFolder(output, real_paths(s.path for s in self._files))
        self._places: Places | None = None
        self._source_by_id: dict[DocumentId, SourceFile] = {}
        self._content_key = b""

    def run(self) -> BatchReport:
        """Do what is left to do.

        Raises:
            BatchError, VaultError: the run as a whole cannot go on; what is done stays done.
        """
        started = self._now()
        try:
            self._progress.begin("plan", len(self._files))
            with rare_collections(), self._tools.open_vault() as vault:
                return self._run(vault, started)
        finally:
            self._progress.end()

    def _run(self, vault: "VaultApi", started: float) -> BatchReport:
        made = self._made_ids(vault)
        settings = self._settings
        if settings.styles is None:
            known = settings.project in vault.projects()
            unmade = settings.new_project or ProjectSettings()
            styles = (vault.project_settings(settings.project) if known else unmade).styles
            self._settings = settings = replace(settings, styles=styles)
            vault.rollback()
        self._styling = Styling(
            settings.styles or StyleSettings(), plan=settings.plan, scope=settings.scope,
            deterministic=settings.deterministic, language=settings.language, lists=self._tools.lists,
        )  # fmt: skip
        self._styles = self._styling.settings
        self._settings = settings = replace(settings, styles=self._styles, plan=self._styling.plan)
        if self._given and self._before is not None and not any(map(self._before.of, self._files)):
            # They would be looked for anew, and what a person left out or added would be lost in silence.
            raise BatchError(
                "the given mentions name none of these inputs: their doc_id must be the path of a file below "
                "its input, as `nymlink detect` on the same input writes it"
            )
        work = self._open_work(vault)
        sealed = 0
        try:
            ids = self._cut(work, made)
            vault.rollback()
            if self._output is not None:
                self._output.remove_parts()  # of a run that was killed; no other has the work file now
                note_project(vault, settings.project, self._output)
                vault.rollback()
                sealed = seal_old_record(self._output.records, work)
            with self._machines.runner(self._formats, inside=self._progress.inside) as workers:
                if work.is_new and self._sources:
                    workers.start()
                self._plan(work, ids)
                if settings.sparing:
                    left = (doc_id for state in _UNFINISHED for doc_id in work.ids(state))
                    workers.expect([self._source_by_id[doc_id] for doc_id in left])
                detecting = Detecting(
                    DetectingTools(
                        work, self._source_by_id, self._content_key, self._before, self._progress,
                        settings.workers, keeps_rejected=self._output is not None,
                    ),
                    limit=settings.limit, time_limit=settings.time_limit,
                )  # fmt: skip
                detecting.detect(workers)
                linking = Linking(
                    LinkingTools(
                        work, vault, settings.project, self._source_by_id, self._machines.linker,
                        self._styling, self._judged, tuple(self._tools.registered), self._progress,
                        self._tools.load,
                    ),
                    dry_run=settings.dry_run,
                )  # fmt: skip
                linking.link()
                known_since = self._treat_again(work, workers, detecting, linking)
                self._seconds["detect"] += detecting.seconds
                for stage, seconds in linking.seconds.items():
                    self._seconds[stage] += seconds
                self._rewrite(work, vault, workers)
            names = None
            self._progress.begin("report", len(self._files))
            if self._output is not None and self._places is not None:
                names = names_in(self._output.folder, self._places.is_output, old_paths=sealed)
            pruned, left_over = 0, tuple[str, ...]()
            if self._output is not None and not settings.retry_failed:
                pruned = prune(work, self._output) if settings.prune else 0
                left_over = tuple(left_over_outputs(work).values())
            report = BatchReport.of(
                work, self._settings, started=started, finished=self._now(), seconds=dict(self._seconds),
                names_in_folder=names, tokens_for_codes=self._styling.tokens_for_codes,
            )  # fmt: skip
            report = replace(report, left_over=left_over, pruned=pruned, known_since=known_since)
            if self._output is not None:
                write_report(self._output, work, report)
            return report
        finally:
            if self._output is not None:
                self._output.remove_parts()
            work.close()

    def _made_ids(self, vault: "VaultApi") -> DocumentIds:
        """What makes the keyed ids of sources."""
        project = self._settings.project
        if self._settings.dry_run and project not in vault.projects():
            # Nothing may change, so there is no project key yet: ids for this one look only.
            return DocumentIds.of_one_look()
        if not self._settings.dry_run:
            vault.ensure_project(project, self._settings.new_project)
            vault.commit()
        made = DocumentIds.of_project(vault, project)
        self._content_key = made.content_key
        vault.rollback()  # detection takes long: nobody else has to wait for it
        return made

    def _cut(self, work: WorkFile, made: DocumentIds) -> list[DocumentId]:
        """The keyed id of each source; large files are cut into units before."""
        rows = None if self._before is None else self._before.first_rows
        cut = in_units(
            self._files, small=self._settings.small_units, given=rows,
            before=lambda file: work.unit_sizes(made.of_file(file.relative), file.modified_ns),
        )  # fmt: skip
        self._sources = tuple(cut)
        ids = self._ids(made)
        self._source_by_id = dict(zip(ids, self._sources, strict=True))
        if len(self._source_by_id) != len(ids):
            raise BatchError("two inputs have one id, which must not happen; please report this line")
        return ids

    def _open_work(self, vault: "VaultApi") -> WorkFile:
        """The work file; without an output folder one in memory, under a key for this one look."""
        if self._output is None:
            return WorkFile.open(None, Sealer(os.urandom(32), key_id=0))
        return open_work_file(vault, self._settings.project, self._output.folder)

    def _ids(self, made: DocumentIds) -> list[DocumentId]:
        ids: list[DocumentId] = []
        known: tuple[str, DocumentId] | None = None  # units of a file stand together
        for source in self._sources:
            if known is None or known[0] != source.relative:
                known = source.relative, made.of_file(source.relative)
            ids.append(unit_id(known[1], source))
        return ids

    def _plan(self, work: WorkFile, ids: Sequence[DocumentId]) -> None:
        planned = [
            PlannedSource(doc_id, source.relative, source.size, source.modified_ns)
            for doc_id, source in zip(ids, self._sources, strict=True)
        ]
        if self._output is not None:
            self._places = Places.known(work, self._output, self._source_by_id)
            self._places.refuse_foreign()
        work.plan(planned, self._fingerprint(), only_failed=self._settings.retry_failed)
        if work.is_of_version_1:  # which read tables in another way
            tables = (i for i, source in self._source_by_id.items() if is_table(source.path.name))
            work.search_again(tables)
        if self._output is not None:
            for row in list(work.rows()):
                is_whole = (
                    row.state is SourceState.DONE
                    and self._output.size_of(row.output or "") == row.output_size
                )
                if row.counts.units is not None:
                    if not is_whole:
                        self._replan_units(work, row.doc_id, self._output)
                elif row.state is SourceState.DONE and not is_whole:
                    work.replan(row.doc_id)
        for doc_id in work.ids(SourceState.PLANNED):
            if self._source_by_id[doc_id].leads_out:
                work.save_failed(
                    doc_id, SourceState.SKIPPED, "UnsupportedInputError",
                    "a link that leads out of the input; --follow-links follows it",
                )  # fmt: skip
            if self._source_by_id[doc_id].is_litter:
                work.save_failed(doc_id, SourceState.SKIPPED, "UnsupportedInputError", _LITTER)

    @staticmethod
    def _replan_units(work: WorkFile, doc_id: DocumentId, output: OutputFolder) -> None:
        """Of a file that is not put together, treat those units again whose outputs are not there; always the
        first, with which it is put together.
        """
        for unit in work.units(doc_id):
            place = output.unit(unit.doc_id)
            is_kept = unit_number(unit.doc_id) > 0 and place.is_file() and place.stat().st_size == unit.size
            if unit.state is SourceState.DONE and not is_kept:
                work.replan(unit.doc_id)

    def _fingerprint(self) -> bytes:
        settings = self._settings
        return RunTerms(
            settings.project,
            settings.scope,
            settings.deterministic,
            settings.described.get("settings", {}),
            self._styles,
            {name: [mention.span for mention in given] for name, given in (self._given or {}).items()},
            self._judgements,
            settings.plan,
        ).fingerprint()

    def _treat_again(
        self, work: WorkFile, workers: TaskRunner, detecting: Detecting, linking: Linking
    ) -> int:
        """Treat files again that an earlier run wrote, and in which names stand that this run knows; returns
        how many. A run with limits leaves them to the next one.
        """
        if self._settings.limit is not None or self._settings.time_limit is not None:
            return 0
        if files := work.replan_files(linking.written_since()):
            detecting.detect(workers)
            linking.link()
        return files

    def _rewrite(self, work: WorkFile, vault: "VaultApi", workers: TaskRunner) -> None:
        if self._output is None or self._places is None:
            return
        writing = Writing(
            WritingTools(
                work, vault, self._output, self._places, self._settings.project, self._source_by_id,
                self._progress, self._now, self._styles,
            )
        )  # fmt: skip
        if work.ids(SourceState.LABELLED):
            workers.follow(list(work.people()))
        writing.write(workers, count=self._settings.workers)
        for stage, seconds in writing.seconds.items():
            self._seconds[stage] += seconds
        if self._styles.is_one_way:
            work.forget_people()
