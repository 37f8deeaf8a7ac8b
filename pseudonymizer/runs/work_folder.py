"""The work file of an output folder, opened with keys of the vault; whoever was erased is forgotten there."""

from pathlib import Path
from typing import TYPE_CHECKING

from pseudonymizer.runs.work import WorkFile
from pseudonymizer.work_files.folder import RECORDS_FOLDER, WORK_FILE
from pseudonymizer.work_files.sealing import FolderKeys, FolderSealing
from pseudonymizer.work_files.store import FolderNote

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


def open_work_file(vault: "VaultApi", project: str, folder: Path) -> WorkFile:
    """The work file of a folder, made when absent, with everything sealed under the newest key of the folder.

    A file that an earlier version made gets a key of its own here. Ends the unit of work of the vault.

    Raises:
        WorkFileError: another run has it, or it is damaged, of a later version, of another vault or project,
            or of a folder that was given up.
    """
    found: list[tuple[FolderNote, FolderKeys]] = []

    def sealing_of(note: FolderNote) -> FolderSealing:
        keys = vault.folder_keys(project, note.folder_id, folder.resolve(), is_new=note.is_new)
        found.append((note, keys))
        sealing = FolderSealing(note.folder_id, keys, vault.work_sealer(project))
        vault.rollback()
        return sealing

    work = WorkFile.open_in_folder(folder / RECORDS_FOLDER / WORK_FILE, sealing_of)
    try:
        ((note, keys),) = found
        if keys.erased or work.key_version != keys.newest:
            work.renew(keys.erased)
        if keys.erased or len(keys.versions) > 1:
            vault.settle_folder(project, note.folder_id, keys.newest, keys.erased)
    except BaseException:
        work.close()
        raise
    return work
