"""A run: plan, detect, link, assign, rewrite, report. After each step it can be taken up again."""

import hashlib
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from linkage.records import (
    DocumentId,
    EntityId,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
    Span,
)
from pseudonymizer.batch.codec import (
    MentionDecoder,
    decode_result,
    encode_mentions,
    encode_result,
    to_bytes,
)
from pseudonymizer.batch.output import OutputFolder
from pseudonymizer.batch.plan import SourceFile
from pseudonymizer.batch.progress import Progress, Silent
from pseudonymizer.batch.report import BatchReport, write_report
from pseudonymizer.batch.stages import guarded
from pseudonymizer.batch.tasks import (
    AnalyzeTask,
    GivenMention,
    Label,
    Pipeline,
    RenderTask,
    SourceFailure,
    SourceFound,
    SourceRendered,
    given_for,
    portions,
)
from pseudonymizer.batch.work import Sealing, SourceState, WorkFile
from pseudonymizer.batch.workers import Workers
from pseudonymizer.crypto import Sealer, digest_sha256, mac_sha256
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import FormatOptions
from pseudonymizer.records import Pseudonym, Rewrite, RewriteEdit, Scope

if TYPE_CHECKING:
    from pseudonymizer.vault import Vault

WORK_FILE: Final = "work.db"
_COMMIT_FILES: Final = 64  # rewritten files whose way back is made durable in one transaction
_COMMIT_BYTES: Final = 8_000_000


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
        options: FormatOptions | None = None,
        progress: Progress | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._sources = tuple(sources)
        self._settings = settings
        self._load = load
        self._open_vault = open_vault
        self._registered = tuple(registered)
        self._given = given
        self._options = options
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
        self._source_by_id = dict(zip(ids, self._sources, strict=True))
        if len(self._source_by_id) != len(ids):
            raise BatchError("two inputs have one id; this must not happen")
        work = WorkFile.open(self._output.records / WORK_FILE if self._output else None, sealing)
        try:
            self._plan(work, ids)
            with Workers(self._load, self._settings.workers, self._options) as workers:
                self._detect(work, workers)
                self._link(work, vault)
                self._rewrite(work, workers, vault)
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
            return [
                DocumentId(mac_sha256(key, source.relative.encode("utf-8", "surrogateescape")).hex()[:32])
                for source in self._sources
            ], Sealer(key, key_id=0)
        if not self._settings.dry_run:
            vault.ensure_project(project)
            vault.commit()
        ids = [vault.document_id(project, source.relative) for source in self._sources]
        self._content_key = vault.document_id(project, "\0contents of files").encode()[:64]
        sealing = vault.work_sealer(project)
        vault.rollback()  # detection takes long: nobody else has to wait for it
        return ids, sealing

    def _plan(self, work: WorkFile, ids: Sequence[DocumentId]) -> None:
        entries = [
            (doc_id, source.relative, source.size, source.modified_ns)
            for doc_id, source in zip(ids, self._sources, strict=True)
        ]
        work.plan(entries, self._fingerprint(), only_failed=self._settings.retry_failed)
        if self._output is not None:
            for row in list(work.rows()):
                if (
                    row.state is SourceState.DONE
                    and self._output.size_of(row.output or "") != row.output_size
                ):
                    work.replan(row.doc_id)
        for doc_id in work.ids(SourceState.PLANNED):
            if self._source_by_id[doc_id].is_litter:
                work.save_failed(
                    doc_id, SourceState.SKIPPED, "UnsupportedInputError", "a file of the operating system"
                )

    def _fingerprint(self) -> bytes:
        """What makes an output another one: settings, and mentions that were given."""
        settings = self._settings
        given = sorted(
            (key, [[m.span.start, m.span.end] for m in g]) for key, g in (self._given or {}).items()
        )
        described = settings.described.get("settings", {})
        return digest_sha256(
            [to_bytes([settings.project, settings.scope, settings.deterministic, described]), to_bytes(given)]
        )

    def _detect(self, work: WorkFile, workers: Workers) -> None:
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
                )
                for i in todo
            )
            for batch in portions(tasks, lambda task: self._source_by_id[task.doc_id].size):
                if limit is not None and time.perf_counter() - started >= limit:
                    return
                yield batch

        self._progress.begin("detect", len(todo))
        done: Iterator[list[SourceFound | SourceFailure]] = workers.run("analyze", batches(), _lost)
        for outcomes in done:
            found = [outcome for outcome in outcomes if isinstance(outcome, SourceFound)]
            work.save_detected([self._as_row(one) for one in found])
            for outcome in outcomes:
                if not isinstance(outcome, SourceFound):
                    work.save_failed(outcome.doc_id, SourceState.FAILED, outcome.error, outcome.reason)
            self._progress.advance(len(outcomes))
        self._progress.end()
        self._seconds["detect"] += time.perf_counter() - started

    def _as_row(self, found: SourceFound) -> tuple[DocumentId, dict[str, Any], dict[str, Any]]:
        mentions = [m for part in found.parts for m in part.mentions]
        counts = {
            "format": found.format_name,
            "bytes": found.size,
            "characters": sum(part.characters for part in found.parts),
            "mentions": len(mentions),
            "detectors": dict(Counter(m.mention.detector.value for m in mentions)),
            "misspelt": sum(m.mention.typo_of is not None for m in mentions),
            "identifiers": dict(found.identifiers),
            "unread": dict(found.unread),
            "seconds": round(found.seconds, 4),
        }
        analysis = {
            "digest": found.digest.hex(),
            "parts": [
                [
                    part.part_id,
                    encode_mentions(part.mentions),
                    [[s.start, s.end, t] for s, t in zip(part.token_looks, part.token_texts, strict=True)],
                ]
                for part in found.parts
            ],
        }
        return found.doc_id, counts, analysis

    def _link(self, work: WorkFile, vault: "Vault") -> None:
        started = time.perf_counter()
        project = self._settings.project
        waiting = [DocumentId(row) for row in work.linked("source")]
        if waiting and set(waiting) <= set(work.ids(SourceState.DETECTED)):
            # A run was stopped between linking and the end of assigning: what it decided stands.
            vault.seen_through[project] = next(work.linked("seen"))
            self._assign(work, vault, waiting, self._stored_result(work, waiting))
        # Sorted, so that the order of the inputs cannot matter.
        todo = sorted(work.ids(SourceState.DETECTED))
        if todo:
            self._progress.begin("link", len(todo))
            mentions = list(self._mentions(work, todo))
            known = (*vault.known_identities(project), *self._registered)
            vault.rollback()
            result = self._load().linker.link(mentions, known=known)
            del mentions, known
            seen = vault.seen_through.get(project, 0)
            identities, forms = encode_result(result)
            work.save_linked({"source": todo, "identity": identities, "form": forms, "seen": [seen]})
            work.add_totals(
                identities=len(identities), open_links=sum(1 for _ in result.open_links()), forms=len(forms)
            )
            del identities, forms
            if not self._settings.dry_run:
                self._assign(work, vault, todo, result)
            self._progress.advance(len(todo))
            self._progress.end()
        self._seconds["link"] += time.perf_counter() - started

    def _mentions(self, work: WorkFile, doc_ids: Iterable[DocumentId]) -> Iterator[NormalizedMention]:
        decoder = MentionDecoder()
        for doc_id in doc_ids:
            for _, mentions, _ in work.analysis(doc_id)["parts"]:
                yield from decoder.decode(mentions)

    def _stored_result(self, work: WorkFile, doc_ids: Sequence[DocumentId]) -> LinkageResult:
        return decode_result(self._mentions(work, doc_ids), work.linked("identity"), work.linked("form"))

    def _assign(
        self, work: WorkFile, vault: "Vault", doc_ids: Sequence[DocumentId], result: LinkageResult
    ) -> None:
        """Pseudonyms become durable in the vault before any text can carry them."""
        from pseudonymizer.assignment import assign, literal_label

        settings = self._settings
        started = time.perf_counter()
        pseudonyms = assign(
            result,
            vault,
            project=settings.project,
            scope=settings.scope,
            deterministic=settings.deterministic,
        )
        is_ours = vault.tokens(settings.project).is_valid
        literals: dict[str, Pseudonym] = {}
        for doc_id in doc_ids:
            for _, _, looks in work.analysis(doc_id)["parts"]:
                for _, _, text in looks:
                    if text not in literals and not is_ours(text):
                        literals[text] = literal_label(vault, settings.project, text)
        vault.commit()
        self._seconds["assign"] += time.perf_counter() - started
        work.save_labels(self._labels(work, doc_id, pseudonyms, literals) for doc_id in doc_ids)

    @staticmethod
    def _labels(
        work: WorkFile,
        doc_id: DocumentId,
        pseudonyms: Mapping[MentionId, Pseudonym],
        literals: Mapping[str, Pseudonym],
    ) -> tuple[DocumentId, list[Any], dict[str, Any]]:
        """What to write where. Text that only looks like a token gets one of its own, and so comes back."""
        rows: list[Any] = []
        analysis = work.analysis(doc_id)
        counts = work.counts_of(doc_id)
        kept = escaped = 0
        entities: set[EntityId] = set()
        for part_id, mentions, looks in analysis["parts"]:
            for row in mentions:
                pseudonym = pseudonyms[MentionId(row[9])]
                entities.add(pseudonym.entity_id)
                rows.append([part_id, row[1], row[2], pseudonym.label, pseudonym.entity_id])
            for start, end, text in looks:
                if (literal := literals.get(text)) is None:
                    kept += 1
                else:
                    escaped += 1
                    rows.append([part_id, start, end, literal.label, literal.entity_id])
        counts |= {"people": len(entities), "tokens_kept": kept, "tokens_escaped": escaped}
        return doc_id, [analysis["digest"], rows], counts

    def _rewrite(self, work: WorkFile, workers: Workers, vault: "Vault") -> None:
        todo = work.ids(SourceState.LABELLED)
        output = self._output
        if not todo or output is None:
            return
        started = time.perf_counter()

        def tasks() -> Iterator[RenderTask]:
            for doc_id in todo:
                digest, rows = work.labels(doc_id)
                labels = tuple(Label(part, Span(a, b), label, entity) for part, a, b, label, entity in rows)
                yield RenderTask(doc_id, self._source_by_id[doc_id].path, bytes.fromhex(digest), labels)

        self._progress.begin("rewrite", len(todo))
        ready: list[SourceRendered] = []
        batches = portions(tasks(), lambda task: self._source_by_id[task.doc_id].size)
        done: Iterator[list[SourceRendered | SourceFailure]] = workers.run("render", batches, _lost)
        for outcomes in done:
            for outcome in outcomes:
                if isinstance(outcome, SourceFailure):
                    work.save_failed(outcome.doc_id, SourceState.FAILED, outcome.error, outcome.reason)
                    self._progress.advance(1)
                else:
                    ready.append(outcome)
            if len(ready) >= _COMMIT_FILES or sum(len(r.raw) for r in ready) >= _COMMIT_BYTES:
                self._finish(work, vault, output, ready)
                ready.clear()
        self._finish(work, vault, output, ready)
        self._progress.end()
        self._seconds["rewrite"] += time.perf_counter() - started

    def _finish(
        self, work: WorkFile, vault: "Vault", output: OutputFolder, ready: Sequence[SourceRendered]
    ) -> None:
        """The way back first, then the files, then the note that they are done."""
        if not ready:
            return
        started = time.perf_counter()
        # A file that stays as it is needs no way back; noted, it would hide the way back of a file that was
        # pseudonymized before, is input now, and has the same bytes.
        changed = [(self._as_rewrite(vault, one), one.raw) for one in ready if one.edits]
        vault.store_rewrites(self._settings.project, changed)
        vault.commit()
        self._seconds["store"] += time.perf_counter() - started
        done: list[tuple[DocumentId, str, int, dict[str, Any]]] = []
        for one in ready:
            relative = self._source_by_id[one.doc_id].relative
            failed = guarded(one.doc_id, output.write, relative, one.raw)
            if isinstance(failed, SourceFailure):
                work.save_failed(one.doc_id, SourceState.FAILED, failed.error, failed.reason)
                continue
            counts = work.counts_of(one.doc_id)
            counts |= {"unplaced": one.unplaced, "seconds_rewrite": round(one.seconds, 4)}
            done.append((one.doc_id, relative, len(one.raw), counts))
        work.save_done(done, self._now())
        self._progress.advance(len(ready))

    def _as_rewrite(self, vault: "Vault", rendered: SourceRendered) -> Rewrite:
        edits = tuple(
            RewriteEdit(ordinal, edit.location, edit.start, edit.end, edit.original, entity_id)
            for ordinal, (edit, entity_id) in enumerate(rendered.edits)
        )
        relative = self._source_by_id[rendered.doc_id].relative
        doc_id = output_id(vault, self._settings.project, relative, rendered.raw)
        return Rewrite(doc_id, rendered.format_name, edits, relative)


def output_id(vault: "Vault", project: str, relative: str, raw: bytes) -> DocumentId:
    """The id under which the way back of an output is stored: its place and its bytes.

    The bytes alone would not do: two texts that name one person in two ways have the same output.
    """
    return vault.document_id(project, f"{relative}\0{hashlib.sha256(raw).hexdigest()}")


def _lost(task: AnalyzeTask | RenderTask) -> SourceFailure:
    reason = "the process that treated this file was killed; is memory short?"
    return SourceFailure(task.doc_id, "WorkerLostError", reason)
