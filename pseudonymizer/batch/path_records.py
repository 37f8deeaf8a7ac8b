"""Which input became which output: sealed in the work file, and told to whoever opens the vault.

Versions before 0.2 wrote it in clear into paths.tsv beside the work file, with the names that paths hold, in
the folder that is handed on.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from linkage.records import DocumentId
from pseudonymizer.batch.work import WORK_FILE, WorkFile
from pseudonymizer.engine.sources import RECORDS_FOLDER
from pseudonymizer.errors import BatchError

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

OLD_RECORD: Final = "paths.tsv"
_HEADER: Final = "id\tinput\toutput\n"


def path_lines(
    output: Path, open_vault: "Callable[[], AbstractContextManager[VaultApi]]", project: str
) -> bytes:
    """A table of the files of an output folder, by tabs: id, path of the input, path of the output. It holds
    names.

    Raises:
        BatchError: no run has written there.
        WorkFileError: a run is going on there, or the folder belongs to another vault or project.
        UnknownProjectError: the vault has no such project.
    """
    place = output / RECORDS_FOLDER / WORK_FILE
    if not place.is_file():
        raise BatchError(f"there is no {RECORDS_FOLDER}/{WORK_FILE} in this folder: no run has written there")
    with open_vault() as vault:
        vault.project_settings(project)  # a project that is not there must not be made
        work = WorkFile.open(place, vault.work_sealer(project))
        try:
            return "".join([_HEADER, *_lines(work)]).encode("utf-8", "surrogateescape")
        finally:
            work.close()


def seal_old_record(records: Path, work: WorkFile) -> int:
    """Take the paths in clear of an older version out of the records of an output folder. The work file has
    them; those that it does not have, since it was lost once, are sealed in it first.

    Returns how many files they told of, 0 where there is no such record.

    Raises:
        OSError: it cannot be read or taken away.
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
