"""What a job does: analyse the files of a workspace, or write them.

Files lie in plain in a folder in memory as long as the job works, one at a time for an analysis. A writing
that was killed goes on in that folder where it ended.
"""

import os
import shutil
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from linkage.kinds import LITERAL
from linkage.records import LinkageResult, MentionId
from pseudonymizer.answers import FoundDocument
from pseudonymizer.desk import workspaces as states
from pseudonymizer.desk.erasures import (
    ELSEWHERE,
    EVERY_VERSION,
    is_opened_here,
    people_elsewhere,
    words_of,
)
from pseudonymizer.desk.held_state import FOUND, AllFound, FileFound, HeldState, HeldStates, judgement_file_of
from pseudonymizer.desk.opened import (
    ARCHIVE,
    REPORT,
    RESULTS,
    Opened,
    content_of,
    found_of,
    result_of,
)
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.desk.workspace_asked import PIECE, StartWriting
from pseudonymizer.desk.workspaces import HeldFile, WorkspaceStore
from pseudonymizer.engine.judging import DocumentNames
from pseudonymizer.engine.progress import Progress
from pseudonymizer.engine.remedies import remedy_of
from pseudonymizer.engine.sources import SourceFile, find_sources
from pseudonymizer.finding import running_texts, texts_of
from pseudonymizer.mention_lines import given_mentions, mention_line
from pseudonymizer.project import Project, RunOptions
from pseudonymizer.runs.failed_files import FailedFile
from pseudonymizer.runs.work_folder import open_work_file
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault.folders import work_file_in
from pseudonymizer.work_files.store import folder_id_of

_INPUTS, _OUTPUTS = "in", "out"
_A_MOMENT: Final = (946_684_800, 946_684_800)  # 2000: files unsealed again are not taken for changed ones
_ZIP_MOMENT: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class JobWork:
    """One job. folder: in memory, for it alone. progress: raises RunCancelledError when it is to end."""

    opened: Opened
    store: WorkspaceStore
    held_states: HeldStates
    texts: TextDesk
    folder: Path
    progress: Progress

    # -- analyse ---------------------------------------------------------------------------------------------

    def analyse(self) -> int:
        """How many files could not be read. What was corrected so far is kept."""
        opened, workspace_id = self.opened, self.opened.held.workspace_id
        base = self.texts.options_of(opened.vault, opened.held.project).options
        project = Project.without_vault(base)
        kinds = [kind for kind in base.settings.own.all_kinds if kind != LITERAL]
        before = self._state()
        files = [one for one in self.store.files(workspace_id) if _is_there(one)]
        found: list[FoundDocument] = []
        words: set[str] = set()
        lines: list[dict[str, Any]] = []
        names, names_of_texts, failed = DocumentNames(), DocumentNames(), 0
        self.progress.begin("detect", len(files))
        for file in files:
            source = self._unsealed(file)
            given = _given(before, file)
            documents = list(project.find_in([source], mentions=given, names=names))
            texts = texts_of([source], project.formats, names_of_texts)
            source.path.unlink()
            words |= words_of(texts.values())
            failure = next((one.failure for one in documents if one.failure is not None), None)
            if failure is not None:
                failed += 1
                self._refuse(file, failure.error, failure.reason)
            else:
                own = [mention_line(one, kinds=kinds) for one in running_texts(documents)]
                found += documents
                lines += own
                self._note_found(file, own, texts)
            self.progress.advance(1)
        self.progress.end()
        self.progress.begin("link", len(found))
        judged = () if before is None else before.judgements()
        linked = project.link(found, judgements=judged)
        self.progress.end()
        self.held_states.begin_anew(
            opened.held, opened.locker,
            AllFound(
                tuple(lines), tuple(_persons(linked.result, found)), tuple(_links(linked.result, found)),
                judgement_file_of(judged).decode(),
            ),
        )  # fmt: skip
        if failed or any(one.state == states.WAITING for one in self.store.files(workspace_id)):
            opened.locker.remove(ELSEWHERE)  # nobody knows what these files say
        else:
            self._note_elsewhere(words)
        self.store.set_state(workspace_id, states.ANALYSED)
        return failed

    def _note_elsewhere(self, words: set[str]) -> None:
        """Note which known people are not in the workspace; see desk.erasures."""
        opened = self.opened
        if not is_opened_here(opened.vault):  # a vault service tells nobody all people
            opened.locker.remove(ELSEWHERE)
            return
        words |= words_of(opened.name_of(one) for one in self.store.files(opened.held.workspace_id))
        known = opened.vault.known_identities(opened.held.project)
        opened.vault.rollback()
        opened.locker.put(ELSEWHERE, msgspec.msgpack.encode(people_elsewhere(known, frozenset(words))))

    def _note_found(self, file: HeldFile, lines: Iterable[dict[str, Any]], texts: dict[str, str]) -> None:
        documents = tuple(str(line["doc_id"]) for line in lines)
        shown = {name: text for name, text in texts.items() if name in set(documents)}
        counts = Counter(str(one["kind"]) for line in lines for one in line["mentions"])
        told = msgspec.msgpack.encode(FileFound(documents, shown))
        self.opened.locker.put(found_of(file.file_id), told)
        self.store.set_file(file.file_id, state=states.ANALYSED, mentions=counts, error="", remedy="")

    def _state(self) -> HeldState | None:
        opened = self.opened
        if not opened.locker.has(FOUND):
            return None
        held = self.store.get(opened.held.workspace_id)
        return self.held_states.of(held, opened.locker)

    # -- write -----------------------------------------------------------------------------------------------

    def write(self, asked: StartWriting) -> int:
        """How many files could not be written."""
        opened, state = self.opened, self._state()
        held = opened.held
        project = self.texts.project_of(opened.vault, held.project, replaced_project(asked, held.project))
        if asked.mark is not None:
            styles = StyleSettings.from_mapping({"mark": asked.mark}, base=project.options.styles)
            project = Project(opened.vault, held.project, replace(project.options, styles=styles))
        if asked.keep_original:
            formats = replace(project.options.formats, keep_original=True)
            project = Project(opened.vault, held.project, replace(project.options, formats=formats))
        files = {opened.name_of(one): one for one in self.store.files(held.workspace_id) if _is_there(one)}
        self.progress.begin("unseal", len(files))
        for file in files.values():
            self._unsealed(file)
            self.progress.advance(1)
        self.progress.end()
        output = self.folder / _OUTPUTS
        sources = find_sources([self.folder / _INPUTS], output=output)
        options = RunOptions(
            workers=1, progress=self.progress,
            mentions=None if state is None else given_mentions(state.lines()),
            judgements=() if state is None else state.judgements(),
        )  # fmt: skip
        report = project.pseudonymize_files(sources, output, options)
        written, failures = self._outcome(project, output)
        self._seal_outputs(files, written, output)
        for path, failure in failures.items():
            if path in files:
                self._refuse(files[path], failure.error, failure.reason)
        opened.locker.put(REPORT, msgspec.json.encode(report.as_dict()))
        if (folder_id := folder_id_of(work_file_in(output))) is not None:
            opened.vault.settle_folder(held.project, folder_id, EVERY_VERSION, ())  # the folder goes, too
        self.store.set_state(held.workspace_id, states.WRITTEN)
        return len(failures)

    def _outcome(self, project: Project, output: Path) -> tuple[dict[str, str], dict[str, FailedFile]]:
        """(paths of outputs by that of their input, failures by path of the input)."""
        work = open_work_file(project.vault, project.name, output)
        try:
            written = {path: place for _, path, place in work.paths() if place is not None}
            failures = {one.path: one for one in FailedFile.of(work.rows())}
        finally:
            work.close()
            project.vault.rollback()
        return {path: place for path, place in written.items() if path not in failures}, failures

    def _seal_outputs(self, files: dict[str, HeldFile], written: dict[str, str], output: Path) -> None:
        locker, places = self.opened.locker, dict[str, str]()
        self.progress.begin("seal", len(written))
        for path, place in sorted(written.items()):
            file = files.get(path)
            if file is None:
                continue
            with (output / place).open("rb") as raw:
                locker.put_pieces(result_of(file.file_id), iter(lambda: raw.read(PIECE), b""))
            places[file.file_id] = place
            self.store.set_file(file.file_id, state=states.WRITTEN, error="", remedy="")
            self.progress.advance(1)
        locker.put_pieces(ARCHIVE, in_pieces(zipped(output, sorted(places.values()))))
        locker.put(RESULTS, msgspec.msgpack.encode(places))
        self.progress.end()

    # -- files -----------------------------------------------------------------------------------------------

    def _unsealed(self, file: HeldFile) -> SourceFile:
        """The file in memory, in plain; one that lies there already, of a job that was killed, stays."""
        relative = self.opened.name_of(file)
        place = self.folder / _INPUTS / relative
        if not place.is_file() or place.stat().st_size != file.bytes:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(place, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as plain:
                for piece in self.opened.locker.pieces(content_of(file.file_id)):
                    plain.write(piece)
        os.utime(place, _A_MOMENT)
        found = place.stat()
        return SourceFile(place, relative, found.st_size, found.st_mtime_ns)

    def _refuse(self, file: HeldFile, error: str, reason: str) -> None:
        self.opened.locker.remove(found_of(file.file_id), result_of(file.file_id))
        self.store.set_file(
            file.file_id, state=states.REFUSED, error=error, remedy=remedy_of(error, reason) or reason,
            mentions={},
        )  # fmt: skip


def replaced_project(asked: StartWriting, project: str) -> StartWriting:
    """The options for the project of the workspace."""
    return msgspec.structs.replace(asked, project=project)


def _is_there(file: HeldFile) -> bool:
    """Whether all bytes of a file are there. One that was refused is tried again."""
    return file.state != states.WAITING and file.pieces == max(1, -(-file.bytes // PIECE))


def _given(before: HeldState | None, file: HeldFile) -> Any:
    """The mentions of a file as they are corrected; None: it is searched."""
    if before is None or file.file_id not in before.documents:
        return None
    return given_mentions(before.now.lines(before.documents[file.file_id]))


def _places(found: Iterable[FoundDocument]) -> dict[MentionId, tuple[str, int, int]]:
    return {
        one.mention_id: (document.name, one.mention.span.start, one.mention.span.end)
        for document in running_texts(found)
        for one in document.mentions
    }


def _persons(result: LinkageResult, found: Iterable[FoundDocument]) -> Iterator[tuple[str, int, int, str]]:
    for mention_id, place in _places(found).items():
        yield (*place, str(result.identity_of(mention_id).identity_id))


def _links(
    result: LinkageResult, found: Iterable[FoundDocument]
) -> Iterator[tuple[tuple[str, int, int], tuple[str, int, int], float]]:
    places = _places(found)
    for link in sorted(result.open_links(), key=lambda one: (-one.match_probability, one.pair)):
        left, right = places.get(link.pair.left), places.get(link.pair.right)
        if left is not None and right is not None:
            yield left, right, round(link.match_probability, 4)


class _Drain:
    """A file that is only written to, and taken out of bit by bit."""

    def __init__(self) -> None:
        self._held = bytearray()

    def write(self, raw: bytes) -> int:
        self._held += raw
        return len(raw)

    def flush(self) -> None:
        return

    def taken(self) -> bytes:
        raw = bytes(self._held)
        self._held.clear()
        return raw


def zipped(folder: Path, places: Iterable[str]) -> Iterator[bytes]:
    """A zip archive of these files of a folder, as it is made."""
    drain = _Drain()
    with zipfile.ZipFile(drain, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:  # type: ignore[call-overload]
        for place in places:
            told = zipfile.ZipInfo(place, _ZIP_MOMENT)
            told.compress_type, told.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            with archive.open(told, "w", force_zip64=True) as entry, (folder / place).open("rb") as raw:
                while chunk := raw.read(PIECE):
                    entry.write(chunk)
                    yield drain.taken()
            yield drain.taken()
    yield drain.taken()


def in_pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes in pieces of PIECE bytes, the last one what is left."""
    held = bytearray()
    for chunk in chunks:
        held += chunk
        while len(held) >= PIECE:
            yield bytes(held[:PIECE])
            del held[:PIECE]
    if held:
        yield bytes(held)


def remove(folder: Path) -> None:
    """Delete the folder of a job, with all that lies in plain in it."""
    shutil.rmtree(folder, ignore_errors=True)
