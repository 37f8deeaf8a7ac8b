"""The paths of inputs and outputs, sealed in the work file and shown to users who can open the vault.

Versions before 0.2 wrote the paths in clear, with the names in them, into paths.tsv beside the work file, so
into the folder that is handed on.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from linkage.records import DocumentId
from pseudonymizer.errors import BatchError
from pseudonymizer.runs.failed_files import FailedFile
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_folder import open_work_file
from pseudonymizer.work_files.folder import RECORDS_FOLDER, WORK_FILE
from pseudonymizer.work_files.store import folder_id_of

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

OLD_RECORD: Final = "paths.tsv"
_HEADER: Final = "id\tinput\toutput\n"
_REJECTED_HEADER: Final = "id\tinput\tline\twhy\ttext\n"
_FAILED_HEADER: Final = "id\tinput\terror\twhy\n"


def path_lines(
    output: Path, open_vault: "Callable[[], AbstractContextManager[VaultApi]]", project: str
) -> bytes:
    """A table of the files in an output folder, by tabs: id, path of the input, path of the output. It
    holds names.

    Raises:
        BatchError: no run has written there.
        WorkFileError: a run is going on there, or the folder belongs to another vault or project.
        UnknownProjectError: the vault has no such project.
    """
    return _table(output, open_vault, project, lambda work: [_HEADER, *_lines(work)])


def failed_lines(
    output: Path, open_vault: "Callable[[], AbstractContextManager[VaultApi]]", project: str
) -> bytes:
    """A table of the files of the last run that failed, by tabs: id, path of the input, class of the error,
    why and what to do. It holds names. Raises as path_lines does.
    """
    return _table(output, open_vault, project, lambda work: [_FAILED_HEADER, *_failed(work)])


def rejected_lines(
    output: Path, open_vault: "Callable[[], AbstractContextManager[VaultApi]]", project: str
) -> bytes:
    """A table of the lines that the last run left out of the outputs, by tabs: id, path of the input, number
    of the line, why, and the line itself. It holds names. Raises as path_lines does.
    """
    return _table(output, open_vault, project, lambda work: [_REJECTED_HEADER, *_rejected(work)])


def _rejected(work: WorkFile) -> Iterator[str]:
    why = {row.doc_id: row.counts.rejected or {} for row in work.rows(with_paths=False)}
    for one in work.rejected():
        text = one.content.decode("utf-8", "backslashreplace").rstrip("\r\n")
        reason = why.get(one.doc_id, {}).get(str(one.number), "")
        yield "\t".join((one.doc_id, _field(one.path), str(one.number), reason, _field(text))) + "\n"


def _failed(work: WorkFile) -> Iterator[str]:
    for failed in FailedFile.of(work.rows()):
        yield "\t".join((failed.id, _field(failed.path), failed.error, _field(failed.why))) + "\n"


def _table(
    output: Path,
    open_vault: "Callable[[], AbstractContextManager[VaultApi]]",
    project: str,
    lines: Callable[[WorkFile], list[str]],
) -> bytes:
    place = output / RECORDS_FOLDER / WORK_FILE
    if not place.is_file():
        raise BatchError(
            f"there is no {RECORDS_FOLDER}/{WORK_FILE} in this folder: no run has "
            "written there; give the folder of `nymlink run --out`"
        )
    with open_vault() as vault:
        vault.project_settings(project)  # a project that is not there must not be made
        if folder_id_of(place) is None:  # an earlier version made it, and it stays as it is
            work = WorkFile.open(place, vault.work_sealer(project))
        else:
            work = open_work_file(vault, project, output)
        try:
            return "".join(lines(work)).encode("utf-8", "surrogateescape")
        finally:
            work.close()


def seal_old_record(records: Path, work: WorkFile) -> int:
    """The number of paths that an older version had written in clear, and that are sealed now; else 0.

    The record in clear is deleted. A path that the work file lacks, since it was lost once, is sealed in it
    first.

    Raises:
        OSError: the record cannot be read or deleted.
    """
    place = records / OLD_RECORD
    try:
        raw = place.read_bytes()
    except FileNotFoundError:
        return 0
    lines = [f"{line}\n" for line in raw.decode("utf-8", "surrogateescape").split("\n") if line]
    told = lines[lines[:1] == [_HEADER] :]
    known = {doc_id for doc_id, _, _ in work.paths()}
    kept = set(work.kept_path_lines())
    work.keep_path_lines([line for line in told if _id_of(line) not in known and line not in kept])
    place.unlink()
    return len(told)


def _lines(work: WorkFile) -> Iterator[str]:
    known: set[DocumentId] = set()
    for doc_id, path, output in work.paths():
        if doc_id in known:
            continue
        known.add(doc_id)
        yield f"{doc_id}\t{_field(path)}\t{_field(output or '')}\n"
    for line in work.kept_path_lines():
        if _id_of(line) not in known:
            yield line


def _id_of(line: str) -> DocumentId:
    return DocumentId(line.partition("\t")[0])


def _field(text: str) -> str:
    """A path may hold tabs and line ends; a field of the table may not."""
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
