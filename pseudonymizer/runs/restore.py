"""The way back of whole files: exact where the output is as written, by its labels where it was edited."""

import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from linkage.records import DocumentId
from pseudonymizer import confined, formats
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.engine.failures import SourceChangedError, guarded
from pseudonymizer.engine.progress import Progress, Silent
from pseudonymizer.engine.records import SourceFailure
from pseudonymizer.engine.sources import SourceFile, read_file
from pseudonymizer.engine.way_back import ONE_WAY_FORMAT, output_id, output_id_by_digest
from pseudonymizer.errors import BatchError, OutsideFolderError
from pseudonymizer.formats import Edit, FormatOptions
from pseudonymizer.records import Rewrite
from pseudonymizer.relative_paths import path_fault
from pseudonymizer.runs.belonging import refuse_folders_of_others, refuse_outputs_of_others
from pseudonymizer.runs.by_receipt import restored_by_receipt
from pseudonymizer.runs.edited import EditedTexts, LabelCounts
from pseudonymizer.runs.label_names import ByPurpose, ByReceipt
from pseudonymizer.runs.output import OutputFolder, real_paths
from pseudonymizer.runs.tasks import portions
from pseudonymizer.runs.units import LARGE_BYTES, SAME_UNIT, UNITS_FORMAT, digests_of, unit_place

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

EXACT: Final = "exact"  # byte for byte; a file packed anew with all its parts and values
TEXT_ONLY: Final = "text only"  # of a PDF or a picture whose original was not kept: its text, as a text file
ERASED: Final = "without the erased"  # the same, but the pseudonyms of people who were erased stay
IN_PART: Final = "in part"  # all but what was replaced without a way back, which is counted
BY_LABELS: Final = "by labels"  # the file was edited since: each label became the fullest form of the name
ONE_WAY: Final = "one-way"  # nothing in it has a way back, and nothing that undoes it was stored
UNTOUCHED: Final = "untouched"  # no pseudonym of this project in it
FAILED: Final = "failed"
_UNITS_AT_ONCE: Final = 8  # of a large file, in one request to the vault


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """How many files came back how; failures say which input, by its number, and why.

    labels: those of edited files. one_way: how many replacements in files that came back in part have no way
    back.
    """

    counts: Mapping[str, int]
    failures: tuple[SourceFailure, ...]
    labels: LabelCounts = field(default_factory=LabelCounts)
    one_way: int = 0
    is_in_own_folder: bool = False  # a file lies where a run of the project wrote

    @property
    def labels_left(self) -> int:
        """How many places look like labels and were not restored."""
        return self.labels.labels_left

    @property
    def has_failures(self) -> bool:
        return bool(self.failures)

    @property
    def knows_none(self) -> bool:
        """Whether there are files, and none of those that could be read is an output of the project, has a
        pseudonym of it, or lies in a folder of its runs: then the project, the vault or the folder is
        probably a wrong one.
        """
        return (
            not self.is_in_own_folder
            and self.counts.get(UNTOUCHED, 0) > 0
            and all(not count for how, count in self.counts.items() if how not in (UNTOUCHED, FAILED))
        )


@dataclass(frozen=True, slots=True)
class RestoredText:
    """One text or file as it came back. how: one of the words of this module. relative: where it belongs.
    one_way: how many replacements in it have no way back. audit_sequence: the number, in the trail, of the
    last event that says so; 0 for a file.
    """

    how: str
    content: bytes = field(repr=False)
    relative: str = field(default="", repr=False)
    labels: LabelCounts = field(default_factory=LabelCounts)
    one_way: int = 0
    audit_sequence: int = 0


@dataclass(frozen=True, slots=True)
class Restoration:
    """Names behind files, for a stated purpose. Both what is given out and what is refused is audited."""

    open_vault: Callable[[], "AbstractContextManager[VaultApi]"]
    project: str
    purpose: str
    ticket: str = ""
    options: FormatOptions = field(default_factory=FormatOptions)
    grant: str | None = (
        None  # works once, so all files of it are asked for at once; edited ones stay as they are
    )
    made_from: Sequence[bytes] = ()  # outputs that edited texts were made from; see ByPurpose
    is_confirmed: bool = False  # the user says that edited texts are of this project
    receipt: str | None = field(default=None, repr=False)  # of one text: names that the caller sent himself
    mode: int = 0o600  # the most that restored files may have of the mode of the file that they come from

    def files(
        self, sources: Sequence[SourceFile], output: Path, *, progress: Progress | None = None
    ) -> RestoreReport:
        """Write the originals of rewritten files.

        Raises:
            AccessRefusedError: the policy does not allow it; then nothing more is written.
            ForeignOutputError: an output of another project is among them; then nothing more is written.
        """
        shown = progress or Silent()
        shown.begin("restore", len(sources))
        try:
            return self._files(sources, output, shown)
        finally:
            shown.end()

    def _files(self, sources: Sequence[SourceFile], output: Path, shown: Progress) -> RestoreReport:
        with self.open_vault() as vault:
            in_own_folder = refuse_folders_of_others(vault, self.project, [source.path for source in sources])
        folder = OutputFolder(output, real_paths(s.path for s in sources))
        folder.remove_half_written()
        counts: Counter[str] = Counter(
            {
                EXACT: 0,
                TEXT_ONLY: 0,
                ERASED: 0,
                IN_PART: 0,
                BY_LABELS: 0,
                ONE_WAY: 0,
                UNTOUCHED: 0,
                FAILED: 0,
            }
        )
        one_way: list[int] = []
        failures: list[SourceFailure] = []
        taken: set[str] = set()
        labels: list[LabelCounts] = []
        numbered: list[tuple[int, SourceFile]] = []
        for number, source in enumerate(sources, start=1):
            # An output that was put together from units comes back in units.
            name = DocumentId(f"input {number}")
            rewrite = guarded(name, self._units_of, source)
            if rewrite is None or isinstance(rewrite, SourceFailure):
                numbered.append((number, source))
                continue
            place = guarded(name, _stored_place, rewrite, source.relative)
            if not isinstance(place, SourceFailure) and place.casefold() in taken:
                place = source.relative
            erased: list[int] = []
            if isinstance(place, SourceFailure):
                written: SourceFailure | None = place
            else:
                taken.add(place.casefold())
                written = guarded(
                    name, folder.add, place, self._of_file(source, rewrite, erased), self._mode_of(source)
                )
            if isinstance(written, SourceFailure):
                counts[FAILED] += 1
                failures.append(written)
            else:
                counts[_how(rewrite, erased=sum(erased))] += 1
                one_way.append(rewrite.one_way)
            shown.advance(1)

        def put(outcome: RestoredText | SourceFailure, name: DocumentId, source: SourceFile) -> None:
            shown.advance(1)
            if not isinstance(outcome, SourceFailure):
                relative = outcome.relative
                if relative.casefold() in taken:  # copies of one text: each under the name it has now
                    relative = source.relative
                taken.add(relative.casefold())
                written = guarded(name, folder.add, relative, [outcome.content], self._mode_of(source))
                labels.append(outcome.labels)
                if not isinstance(written, SourceFailure):
                    counts[outcome.how] += 1
                    one_way.append(outcome.one_way)
                    return
                outcome = written
            counts[FAILED] += 1
            failures.append(outcome)

        by_bytes: list[tuple[DocumentId, SourceFile, Rewrite, bytes]] = []
        whole = iter([numbered]) if self.grant is not None and numbered else None
        for portion in whole or portions(numbered, lambda one: one[1].size):
            names = [DocumentId(f"input {number}") for number, _ in portion]
            raws = [guarded(i, read_file, source.path) for i, (_, source) in zip(names, portion, strict=True)]
            read = [raw for raw in raws if not isinstance(raw, SourceFailure)]
            places = [
                source.relative
                for (_, source), raw in zip(portion, raws, strict=True)
                if not isinstance(raw, SourceFailure)
            ]
            answered = list(self._answers(read, places))
            self._refuse_foreign(raw for raw, one in zip(read, answered, strict=True) if one[0] is None)
            answers = iter(answered)
            for name, (_, source), raw in zip(names, portion, raws, strict=True):
                if isinstance(raw, SourceFailure):
                    put(raw, name, source)
                    continue
                rewrite, is_own = next(answers)
                if rewrite is None or is_own:
                    put(guarded(name, self._restored, raw, rewrite, source), name, source)
                else:
                    by_bytes.append((name, source, rewrite, digest_sha256((raw,))))
        # Known by their bytes alone: copies, or moved since. The name of the document goes to the output that
        # was written for it, where that is among the inputs.
        for name, source, rewrite, digest in by_bytes:
            put(guarded(name, self._restored_again, source, rewrite, digest), name, source)
        folder.leave()
        return RestoreReport(
            dict(counts), tuple(failures), LabelCounts.sum(labels), sum(one_way), in_own_folder
        )

    def _mode_of(self, source: SourceFile) -> int:
        """The mode of what is restored from a file: its own, cut to what is allowed; its owner reads it."""
        return stat.S_IMODE(source.path.stat().st_mode) & self.mode | stat.S_IRUSR

    def _units_of(self, source: SourceFile) -> Rewrite | None:
        """Where the units of a large output stand; None for any other file."""
        if source.size < LARGE_BYTES or self.grant is not None:  # a grant works once: for all files together
            return None
        from pseudonymizer.crypto import OutputDigest
        from pseudonymizer.reidentification import restore

        digests = digests_of([source.path], source.size)
        with self.open_vault() as vault:
            doc_id = output_id_by_digest(vault, self.project, source.relative, digests.plain)
            vault.rollback()
            if not vault.outputs_among(self.project, {digests.stored}):
                return None  # edited, or nothing of this project: asked for, with the others, below
            (found,) = restore(
                vault, project=self.project, outputs=[OutputDigest(digests.stored)], purpose=self.purpose,
                ticket=self.ticket, doc_ids=[doc_id], grant=self.grant,
            )  # fmt: skip
        if found is None or found.format_name != UNITS_FORMAT:
            return None
        return found

    def _of_file(self, source: SourceFile, rewrite: Rewrite, erased: list[int]) -> Iterator[bytes]:
        with source.path.open("rb") as file:
            yield from self._from_units(file, rewrite, erased)

    def _from_units(self, file: BinaryIO, rewrite: Rewrite, erased: list[int]) -> Iterator[bytes]:
        """The original of a large file, unit by unit. erased gets how many edits of each are gone.

        Raises:
            BatchError: the vault does not know the way back of a unit that was changed.
        """
        from pseudonymizer.reidentification import restore

        with self.open_vault() as vault:
            ordered = sorted(rewrite.edits, key=lambda edit: edit.start)
            for first in range(0, len(ordered), _UNITS_AT_ONCE):
                edits = ordered[first : first + _UNITS_AT_ONCE]
                raws = [file.read(edit.end - edit.start) for edit in edits]
                ids = [
                    output_id(vault, self.project, unit_place(rewrite.path or "", edit.ordinal), raw)
                    for edit, raw in zip(edits, raws, strict=True)
                ]
                vault.rollback()
                found = restore(
                    vault, project=self.project, outputs=raws, purpose=self.purpose, ticket=self.ticket,
                    doc_ids=ids,
                )  # fmt: skip
                for edit, raw, one in zip(edits, raws, found, strict=True):
                    if edit.location == SAME_UNIT:
                        yield raw
                        continue
                    if one is None:
                        raise BatchError(
                            f"the vault does not know the way back of part {edit.ordinal + 1} of "
                            "this file; restore it "
                            "with the vault that the run wrote to, or a backup of it"
                        )
                    erased.append(one.erased)
                    if one.format_name == ONE_WAY_FORMAT:
                        yield raw
                        continue
                    undone = [Edit(e.location, e.start, e.end, e.original) for e in one.edits]
                    yield formats.undo(one.format_name, raw, undone)

    def _restored_again(self, source: SourceFile, rewrite: Rewrite, digest: bytes) -> RestoredText:
        raw = read_file(source.path)
        if digest_sha256((raw,)) != digest:
            raise SourceChangedError("the file was changed while it was restored; restore it again")
        return self._restored(raw, rewrite, source)

    def text(self, raw: bytes) -> tuple[str, bytes]:
        """(how, original) of one text."""
        restored = self.restored_text(raw)
        return restored.how, restored.content

    def restored_text(self, raw: bytes) -> RestoredText:
        """The original of one text, and which labels of it were restored and left."""
        found = self._restored_text(raw)
        with self.open_vault() as vault:
            return replace(found, audit_sequence=vault.last_event)

    def _restored_text(self, raw: bytes) -> RestoredText:
        if self.receipt is not None:
            return self._by_receipt(raw, self.receipt)
        rewrite, _ = next(self._answers([raw], ["-"]))
        if rewrite is None:
            self._refuse_foreign([raw])
        return self._restored(raw, rewrite, None)

    def _refuse_foreign(self, raws: Iterable[bytes]) -> None:
        """Nothing, where none of these files, which the project does not know, is of another one."""
        digests = [digest_sha256((raw,)) for raw in raws]
        if digests:
            with self.open_vault() as vault:
                refuse_outputs_of_others(vault, self.project, digests)

    def _answers(self, raws: Sequence[bytes], places: Sequence[str]) -> Iterator[tuple[Rewrite | None, bool]]:
        """What undoes each, and whether it was stored for this output: not merely for one of equal bytes."""
        from pseudonymizer.reidentification import restore

        if not raws:
            return iter(())
        with self.open_vault() as vault:
            ids = [
                output_id(vault, self.project, place, raw) for place, raw in zip(places, raws, strict=True)
            ]
            vault.rollback()
            found = restore(
                vault, project=self.project, outputs=raws, purpose=self.purpose, ticket=self.ticket,
                doc_ids=ids, grant=self.grant,
            )  # fmt: skip
            return iter(
                [(one, one is not None and one.doc_id == i) for one, i in zip(found, ids, strict=True)]
            )

    def _restored(self, raw: bytes, rewrite: Rewrite | None, source: SourceFile | None) -> RestoredText:
        now = source.relative if source is not None else ""
        stored = now if rewrite is None or source is None else _stored_place(rewrite, now)
        if rewrite is not None and rewrite.format_name == ONE_WAY_FORMAT:
            restored = self._by_labels(raw, now)
            return replace(restored, how=ONE_WAY) if restored.how == UNTOUCHED else restored
        if rewrite is not None and rewrite.format_name == UNITS_FORMAT:
            if self.grant is not None:
                raise BatchError(
                    "a grant does not cover a file that was treated in units; ask for the right to restore"
                )
            gone: list[int] = []
            content = b"".join(self._from_units(BytesIO(raw), rewrite, gone))
            how = _how(rewrite, erased=sum(gone))
            return RestoredText(how, content, stored, one_way=rewrite.one_way)
        if rewrite is not None:
            edits = [Edit(e.location, e.start, e.end, e.original) for e in rewrite.edits]
            content = formats.undo(rewrite.format_name, raw, edits)
            suffix = formats.restored_suffix(rewrite.format_name, edits)
            how = _how(rewrite, erased=rewrite.erased)
            how = TEXT_ONLY if how == EXACT and suffix else how
            return RestoredText(how, content, f"{stored}{suffix}", one_way=rewrite.one_way)
        return self._by_labels(raw, now)

    def _by_labels(self, raw: bytes, relative: str) -> RestoredText:
        parsed = confined.read(raw, name=relative, options=replace(self.options, as_written=True), keep=True)
        source = ByPurpose(
            self.project, self.purpose, self.ticket, self.made_from, is_confirmed=self.is_confirmed,
            with_grant=self.grant is not None,
        )  # fmt: skip
        content, labels = EditedTexts(self.open_vault, source).restored(parsed)
        if content is None:
            return RestoredText(UNTOUCHED, raw, relative, labels)
        return RestoredText(BY_LABELS, content, relative, labels)

    def _by_receipt(self, raw: bytes, receipt: str) -> RestoredText:
        parsed = confined.read(raw, name="", options=replace(self.options, as_written=True), keep=True)
        source = ByReceipt(self.project, receipt, self.purpose, self.ticket)
        back = restored_by_receipt(self.open_vault, source, raw, parsed)
        if back.content is None:
            return RestoredText(UNTOUCHED, raw, "", back.labels)
        if back.lost is None:
            return RestoredText(BY_LABELS, back.content, "", back.labels)
        return RestoredText(IN_PART if back.lost else EXACT, back.content, "", back.labels, back.lost)


def _how(rewrite: Rewrite, *, erased: int) -> str:
    """How an output came back by its record. erased: how many of its edits are gone."""
    if rewrite.one_way:
        return IN_PART
    return ERASED if erased else EXACT


def _stored_place(rewrite: Rewrite, now: str) -> str:
    """Where the original lay, else where the output lies now; both relative.

    Raises:
        OutsideFolderError: the stored path leads out of a folder; whoever may pseudonymize can store one.
    """
    if rewrite.path is None:
        return now
    if (fault := path_fault(rewrite.path)) is not None:
        raise OutsideFolderError(
            f"the path that the vault has for this file {fault}, so nothing was written; `nymlink restore -` "
            "gives the original of a file on standard input, without its path"
        )
    return rewrite.path
