"""Outputs know their project: the folder of a run notes whose it is, the vault knows outputs by their bytes.

The note is an id under a key of the project, so that it fits one project of one vault and says nothing else.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pseudonymizer.errors import AccessRefusedError, ForeignOutputError
from pseudonymizer.runs.output import OutputFolder
from pseudonymizer.work_files.folder import RECORDS_FOLDER

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

NOTE: Final = "belongs"  # the file among the records of an output folder
_NAME: Final = "\0outputs of the project"  # what stands for all outputs where an id is made of a path
_LONGEST: Final = 200  # characters of a note that are read


def note_project(vault: "VaultApi", project: str, output: OutputFolder) -> None:
    """Note in an output folder whose outputs lie there."""
    output.write_record(NOTE, [f"{vault.document_id(project, _NAME)}\n".encode("ascii")])


def refuse_folders_of_others(vault: "VaultApi", project: str, files: Iterable[Path]) -> bool:
    """Whether one of these files lies in an output folder of the project; the others then lie there too, or
    in folders without a note.

    Raises:
        ForeignOutputError: one lies in the output folder of another project, or of another vault.
    """
    own = str(vault.document_id(project, _NAME))
    vault.rollback()
    folders = {folder for parent in {file.parent for file in files} for folder in (parent, *parent.parents)}
    is_own = False
    for folder in sorted(folders):
        place = folder / RECORDS_FOLDER / NOTE
        noted = ""
        with suppress(OSError, UnicodeDecodeError):
            noted = place.read_text("ascii")[:_LONGEST].strip()
        if noted and noted != own:
            raise ForeignOutputError(
                "an input lies in the output folder of another project, or of another vault; nothing was "
                "restored: give the project and the vault of that run (--project, --vault)"
            )
        is_own = is_own or noted == own
    return is_own


def refuse_outputs_of_others(vault: "VaultApi", project: str, digests: Sequence[bytes]) -> None:
    """Nothing, where none of these files is an output of another project of the vault.

    digests: crypto.digest_sha256 of the bytes of each.

    Raises:
        ForeignOutputError: one is.
    """
    for other in vault.projects() if digests else ():
        if other == project:
            continue
        try:
            is_foreign = bool(vault.outputs_among(other, digests))
        except AccessRefusedError:  # who may not ask about that project learns nothing of it
            is_foreign = False
        finally:
            vault.rollback()
        if is_foreign:
            raise ForeignOutputError(
                "an input is an output of another project of this vault, and was not restored: give the "
                "project of the run that wrote it (--project)"
            )
