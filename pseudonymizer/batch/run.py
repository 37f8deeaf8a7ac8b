"""A run: plan, detect, link, assign, rewrite, report. After each step it can be taken up again."""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from linkage.gazetteer import Gazetteer
from linkage.records import (
    DocumentId,
    EntityId,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
)
from linkage.review import Judgement
from pseudonymizer.batch.codec import (
    MentionDecoder,
    decode_name,
    decode_result,
    encode_name,
    encode_result,
    to_bytes,
)
from pseudonymizer.batch.judging import JudgedPlaces
from pseudonymizer.batch.output import OutputFolder
from pseudonymizer.batch.plan import SourceFile
from pseudonymizer.batch.progress import Progress, Silent
from pseudonymizer.batch.report import BatchReport, probability_counts, write_report
from pseudonymizer.batch.styling import Styled, Styling
from pseudonymizer.batch.tasks import (
    AnalyzeTask,
    Engine,
    FoundRow,
    GivenMention,
    LabelledPerson,
    Pipeline,
    SourceFailure,
    TaskRunner,
    given_for,
    portions,
)
from pseudonymizer.batch.units import in_units, unit_id
from pseudonymizer.batch.work import Sealing, SourceState, WorkFile
from pseudonymizer.batch.workers import LocalEngine
from pseudonymizer.batch.writing import Writing, lost
from pseudonymizer.crypto import Sealer, digest_sha256, mac_sha256
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import FormatOptions
from pseudonymizer.name_pool import ShippedLists
from pseudonymizer.records import Pseudonym, Scope, Style
from pseudonymizer.settings import StyleSettings

if TYPE_CHECKING:
    from pseudonymizer.vault import Vault

WORK_FILE: Final = "work.db"


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

    def __post_init__(self) -> None:
        if self.workers < 1 or (self.limit is not None and self.limit < 0):
            raise BatchError(f"workers is {self.workers} and limit {self.limit}; need at least 1 and 0")

    def with_workers(self, workers: int) -> "BatchSettings":
        return replace(self, workers=workers)


class Batch:
    """One run over a corpus. Everything that differs between a test and the field comes in from outside."""

    def __init__(
        self,
        sources: Sequence[SourceFile],
        output: Path | None,
        settings: BatchSettings,
        *,
        load: Callable[[], Pipeline],
        open_vault: Callable[[], "AbstractContextManager[Vault]"],
        registered: Sequence[KnownIdentity] = (),
        given: Mapping[str, tuple[GivenMention, ...]] | None = None,
        judgements: Sequence[Judgement] = (),
        options: FormatOptions | None = None,
        progress: Progress | None = None,
        now: Callable[[], float] = time.time,
        engine: Engine | None = None,
        lists: Callable[[], ShippedLists] = Gazetteer.load,
    ) -> None:
        self._lists = lists
        self._engine = engine or LocalEngine(load, settings.workers, options)
        self._sources = tuple(in_units(sources))
        self._settings = settings
        self._open_vault = open_vault
        self._registered = tuple(registered)
        self._given = given
        self._judgements = tuple(judgements)
        self._judged = JudgedPlaces(self._judgements)
        self._progress = progress or Silent()
        self._now = now
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._output: OutputFolder | None = None
        if output is not None and not settings.dry_run:
            self._output = OutputFolder(output, frozenset(str(s.path.resolve()) for s in self._sources))
        self._source_by_id: dict[DocumentId, SourceFile] = {}
        self._content_key = b""

    def run(self) -> BatchReport:
        """Do what is left to do.

        Raises:
            BatchError, VaultError: the run as a whole cannot go on; what is done stays done.
        """
        started = self._now()
        with self._open_vault() as vault:
            return self._run(vault, started)

    def _run(self, vault: "Vault", started: float) -> BatchReport:
        ids, sealing = self._ids_and_sealing(vault)
        settings = self._settings
        if settings.styles is None:
            known = settings.project in vault.projects()
            styles = vault.project_settings(settings.project).styles if known else StyleSettings()
            self._settings = settings = replace(settings, styles=styles)
            vault.rollback()
        self._styles = settings.styles or StyleSettings()
        self._styling = Styling(
            self._styles, scope=settings.scope, deterministic=settings.deterministic, lists=self._lists
        )
        self._source_by_id = dict(zip(ids, self._sources, strict=True))
        if len(self._source_by_id) != len(ids):
            raise BatchError("two inputs have one id; this must not happen")
        work = WorkFile.open(self._output.records / WORK_FILE if self._output else None, sealing)
        try:
            with self._engine.runner() as workers:
                if work.is_new and self._sources:
                    workers.start()
                self._plan(work, ids)
                self._detect(work, workers)
                self._link(work, vault)
                self._rewrite(work, vault, workers)
            report = BatchReport.of(
                work, self._settings, started=started, finished=self._now(), seconds=dict(self._seconds)
            )
            if self._output is not None:
                write_report(self._output, work, report)
            return report
        finally:
            work.close()

    def _ids_and_sealing(self, vault: "Vault") -> tuple[list[DocumentId], Sealing]:
        """The keyed id of each source, and what seals the work file."""
        project = self._settings.project
        if self._settings.dry_run and project not in vault.projects():
            # Nothing may change, so there is no project key yet: ids and key for this one look only.
            key = os.urandom(32)
            return self._ids(
                lambda relative: DocumentId(
                    mac_sha256(key, relative.encode("utf-8", "surrogateescape")).hex()[:32]
                )
            ), Sealer(key, key_id=0)
        if not self._settings.dry_run:
            vault.ensure_project(project)
            vault.commit()
        ids = self._ids(partial(vault.document_id, project))
        self._content_key = vault.document_id(project, "\0contents of files").encode()[:64]
        sealing = vault.work_sealer(project)
        vault.rollback()  # detection takes long: nobody else has to wait for it
        return ids, sealing

    def _ids(self, id_of: Callable[[str], DocumentId]) -> list[DocumentId]:
        ids: list[DocumentId] = []
        known: tuple[str, DocumentId] | None = None  # units of a file stand together
        for source in self._sources:
            if known is None or known[0] != source.relative:
                known = source.relative, id_of(source.relative)
            ids.append(unit_id(known[1], source))
        return ids

    def _plan(self, work: WorkFile, ids: Sequence[DocumentId]) -> None:
        entries = [
            (doc_id, source.relative, source.size, source.modified_ns)
            for doc_id, source in zip(ids, self._sources, strict=True)
        ]
        work.plan(entries, self._fingerprint(), only_failed=self._settings.retry_failed)
        if self._output is not None:
            for row in list(work.rows()):
                is_whole = (
                    row.state is SourceState.DONE
                    and self._output.size_of(row.output or "") == row.output_size
                )
                if "units" in row.counts:
                    if not is_whole:
                        self._replan_units(work, row.doc_id, self._output)
                elif row.state is SourceState.DONE and not is_whole:
                    work.replan(row.doc_id)
        for doc_id in work.ids(SourceState.PLANNED):
            if self._source_by_id[doc_id].is_litter:
                work.save_failed(
                    doc_id, SourceState.SKIPPED, "UnsupportedInputError", "a file of the operating system"
                )

    @staticmethod
    def _replan_units(work: WorkFile, doc_id: DocumentId, output: OutputFolder) -> None:
        """Of a file that is not put together, treat those units again whose outputs are not there."""
        for unit, state, size in work.units(doc_id):
            place = output.unit(unit)
            if state is SourceState.DONE and not (place.is_file() and place.stat().st_size == size):
                work.replan(unit)

    def _fingerprint(self) -> bytes:
        """What makes an output another one: settings, mentions that were given, judgements about links."""
        settings = self._settings
        given = sorted(
            (key, [[m.span.start, m.span.end] for m in g]) for key, g in (self._given or {}).items()
        )
        described = settings.described.get("settings", {})
        judged = self._judgements
        return digest_sha256(
            [
                to_bytes([settings.project, settings.scope, settings.deterministic, described]),
                to_bytes(self._styles.to_mapping()),
                to_bytes(given),
                *(
                    [to_bytes([astuple(judgement)[:3] + astuple(judgement)[-2:] for judgement in judged])]
                    if judged
                    else []
                ),
            ]
        )

    def _detect(self, work: WorkFile, workers: TaskRunner) -> None:
        started = time.perf_counter()
        todo = work.ids(SourceState.PLANNED, self._settings.limit)
        limit = self._settings.time_limit

        def batches() -> Iterator[list[AnalyzeTask]]:
            tasks = (
                AnalyzeTask(
                    i,
                    self._source_by_id[i].path,
                    self._content_key,
                    given_for(self._source_by_id[i], self._given),
                    self._source_by_id[i].relative,
                    unit=self._source_by_id[i].unit,
                )
                for i in todo
            )
            for batch in portions(
                tasks,
                lambda task: self._source_by_id[task.doc_id].size,
                count=len(todo),
                workers=self._settings.workers,
            ):
                if limit is not None and time.perf_counter() - started >= limit:
                    return
                yield batch

        self._progress.begin("detect", len(todo))
        done: Iterator[list[FoundRow | SourceFailure]] = workers.run("analyze_rows", batches(), lost)
        for outcomes in done:
            work.save_detected([outcome for outcome in outcomes if isinstance(outcome, FoundRow)])
            for outcome in outcomes:
                if isinstance(outcome, SourceFailure):
                    work.save_failed(outcome.doc_id, SourceState.FAILED, outcome.error, outcome.reason)
            self._progress.advance(len(outcomes))
        work.fail_with_units()
        self._progress.end()
        self._seconds["detect"] += time.perf_counter() - started

    def _link(self, work: WorkFile, vault: "Vault") -> None:
        started = time.perf_counter()
        project = self._settings.project
        waiting = [DocumentId(row) for row in work.linked("source")]
        if waiting and set(waiting) <= set(work.ids(SourceState.DETECTED)):
            # A run was stopped between linking and the end of assigning: what it decided stands.
            vault.seen_through[project] = next(work.linked("seen"))
            self._assign(work, vault, waiting, self._stored_result(work, waiting))
        # Sorted, so that the order of the inputs cannot matter.
        todo = self._without_outputs(work, vault, sorted(work.ids(SourceState.DETECTED)))
        if todo:
            self._progress.begin("link", len(todo))
            mentions = list(self._mentions(work, todo))
            judgements = self._judged.judgements()
            result = vault.linked(
                project, mentions, linker=self._engine.linker, registered=self._registered,
                judgements=judgements,
            )  # fmt: skip
            del mentions
            seen = vault.seen_through.get(project, 0)
            identities, forms = encode_result(result)
            work.save_linked({"source": todo, "identity": identities, "form": forms, "seen": [seen]})
            work.add_totals(
                identities=len(identities),
                open_links=sum(1 for _ in result.open_links()),
                forms=len(forms),
                judgements=len(judgements),
                **probability_counts(link.match_probability for link in result.form_links),
            )
            del identities, forms
            if not self._settings.dry_run:
                self._assign(work, vault, todo, result)
            self._progress.advance(len(todo))
            self._progress.end()
        self._seconds["link"] += time.perf_counter() - started

    def _without_outputs(
        self, work: WorkFile, vault: "Vault", doc_ids: Sequence[DocumentId]
    ) -> Sequence[DocumentId]:
        """The documents that are no outputs of the project. What looks like a name there is a pseudonym, in
        the styles that cannot be told from names; tokens and tags are told where they stand.
        """
        if self._styles.style in (Style.TOKEN, Style.TAG) or self._settings.dry_run or not doc_ids:
            return doc_ids
        from pseudonymizer.vault.styled import outputs_among

        digests = {doc_id: bytes.fromhex(work.analysis(doc_id)["digest"]) for doc_id in doc_ids}
        known = outputs_among(vault, self._settings.project, set(digests.values()))
        vault.rollback()
        mine = [doc_id for doc_id in doc_ids if digests[doc_id] in known]
        if mine:
            work.save_labels(
                (doc_id, [digests[doc_id].hex(), None], work.counts_of(doc_id) | {"is_output": True})
                for doc_id in mine
            )
        return [doc_id for doc_id in doc_ids if digests[doc_id] not in known]

    def _mentions(self, work: WorkFile, doc_ids: Iterable[DocumentId]) -> Iterator[NormalizedMention]:
        decoder = MentionDecoder()
        for doc_id in doc_ids:
            source = self._source_by_id[doc_id]
            analysis = work.analysis(doc_id)
            yield from self._judged.passing(
                source.relative, analysis, decoder.decode, source.unit is not None
            )

    def _stored_result(self, work: WorkFile, doc_ids: Sequence[DocumentId]) -> LinkageResult:
        return decode_result(self._mentions(work, doc_ids), work.linked("identity"), work.linked("form"))

    def _assign(
        self, work: WorkFile, vault: "Vault", doc_ids: Sequence[DocumentId], result: LinkageResult
    ) -> None:
        """Pseudonyms become durable in the vault before any text can carry them."""
        from pseudonymizer.assignment import literal_label

        project = self._settings.project
        started = time.perf_counter()
        looks = {
            text: None
            for doc_id in doc_ids
            for _, _, found in work.analysis(doc_id)["parts"]
            for _, _, text in found
        }
        foreign = self._styling.foreign_looks(vault, project, looks)
        styled = self._styling.styled(vault, project, result, avoid_tags=foreign, registered=self._registered)
        literals = {text: literal_label(vault, project, text) for text in foreign}
        vault.commit()
        self._seconds["assign"] += time.perf_counter() - started
        people: dict[str, Any] = {
            person.entity_id: (person.label, [encode_name(name) for name in person.names], person.kinds)
            for person in styled.people().values()
        }
        work.add_totals(surrogate_clashes=styled.clashes)
        work.save_labels((self._labels(work, doc_id, styled, literals) for doc_id in doc_ids), people)

    @staticmethod
    def _labels(
        work: WorkFile,
        doc_id: DocumentId,
        styled: Styled,
        literals: Mapping[str, Pseudonym],
    ) -> tuple[DocumentId, list[Any], dict[str, Any]]:
        """What to write where. Text that only looks like a token gets one of its own, and so comes back."""
        rows: list[Any] = []
        analysis = work.analysis(doc_id)
        counts = work.counts_of(doc_id)
        kept = escaped = 0
        entities: set[EntityId] = set()
        readable = styled.readable(analysis.get("professionals", ()))
        for part_id, mentions, looks in analysis["parts"]:
            for row in mentions:
                one = styled.written(MentionId(row[9]), readable)
                entities.add(one.entity_id)
                rows.append([part_id, row[1], row[2], one.text, one.entity_id])
                if one.person != one.text:
                    rows[-1].append(one.person)
            for start, end, text in looks:
                if (literal := literals.get(text)) is None:
                    kept += 1
                else:
                    escaped += 1
                    rows.append([part_id, start, end, literal.label, literal.entity_id])
        counts |= {
            "people": len(entities),
            "people_readable": len(readable),
            "tokens_kept": kept,
            "tokens_escaped": escaped,
        }
        return doc_id, [analysis["digest"], rows], counts

    def _rewrite(self, work: WorkFile, vault: "Vault", workers: TaskRunner) -> None:
        if self._output is None:
            return
        people = [
            LabelledPerson(EntityId(entity_id), label, tuple(decode_name(parts) for parts in names), kinds)
            for entity_id, (label, names, kinds) in work.people()
        ]
        writing = Writing(
            work, vault, self._output, self._settings.project, self._source_by_id, self._progress, self._now,
            self._styles,
        )  # fmt: skip
        workers.follow(people)
        writing.write(workers, count=self._settings.workers)
        for stage, seconds in writing.seconds.items():
            self._seconds[stage] += seconds
        if self._styles.is_one_way:
            work.forget_people()
