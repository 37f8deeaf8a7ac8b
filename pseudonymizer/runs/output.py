"""Files in the output folder: whole or not there, never over a source."""

import filecmp
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

from pseudonymizer.errors import BatchError, ForeignFileError, OutsideFolderError
from pseudonymizer.relative_paths import checked_relative_path, real_folder
from pseudonymizer.work_files.folder import RECORDS_FOLDER

_PART_SUFFIX: Final = ".part"


class OutputFolder:
    """Writes files whole: first under another name beside the records, then moved to their place.

    Paths are relative to the folder and stay below it, also through links; others raise OutsideFolderError.
    """

    def __init__(self, folder: Path, sources: frozenset[str]) -> None:
        """sources are the real paths of all inputs.

        Raises:
            BatchError: the folder cannot be made.
        """
        self.folder = folder
        self.records = folder / RECORDS_FOLDER
        self._sources = sources
        self._units = self.records / "units"
        self._real_folders: dict[
            Path, str
        ] = {}  # of the output, without links: looked up once for many files
        try:
            self.records.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise BatchError(
                f"the output folder cannot be used: {error.strerror}; choose another --out"
            ) from None
        self._real = folder.resolve()

    def write(self, relative: str, *pieces: bytes) -> None:
        """See write_from."""
        self.write_from(relative, pieces)

    def write_from(self, relative: str, pieces: Iterable[bytes]) -> None:
        """Put a file, piece after piece, at its place, making folders.

        Raises:
            OSError: the disk is full, or a folder cannot be made; then nothing new is left behind.
            BatchError: a source lies there.
        """
        self._replace(self._place(relative), pieces, 0o666)

    def add(self, relative: str, pieces: Iterable[bytes], mode: int = 0o600) -> None:
        """Put a file where nothing lies, or a file of these very bytes; for its owner alone by default.

        Raises:
            ForeignFileError: another file lies there.
        """
        self._replace(self._place(relative), pieces, mode, is_new=True)

    @property
    def parts(self) -> Path:
        """The folder in which workers leave outputs."""
        return self.records / "parts"

    def take(self, relative: str, part: Path) -> None:
        """Put a file that a worker left at its place. Raises as write_from does."""
        try:
            part.replace(self._place(relative))
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    def remove_parts(self) -> None:
        """Take away what was left and not taken. Not while another run writes here."""
        self.remove_half_written()
        shutil.rmtree(self.parts, ignore_errors=True)

    def remove_half_written(self) -> None:
        """Take away the files that a killed process was writing; they may hold names."""
        for left_over in self.records.glob(f"*{_PART_SUFFIX}"):
            left_over.unlink(missing_ok=True)

    def _place(self, relative: str) -> Path:
        place = self.path_of(relative)
        folder = self._real_folders.get(place.parent)
        if folder is None or not place.parent.is_dir():
            real = real_folder(place.parent, below=self._real)  # before a folder is made through a link
            real.mkdir(parents=True, exist_ok=True)
            folder = self._real_folders[place.parent] = str(real)
        if f"{folder}{os.sep}{place.name}" in self._sources or (
            place.is_symlink() and str(place.resolve()) in self._sources
        ):
            raise BatchError("an output would be written over a source; choose another --out")
        return place

    def write_unit(self, doc_id: str, raw: bytes) -> None:
        """A rewritten unit of a large file, until all of them are there."""
        self._units.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._replace(self.unit(doc_id), [raw], 0o600)

    def unit(self, doc_id: str) -> Path:
        """Where a rewritten unit lies."""
        if "/" in checked_relative_path(doc_id, owner="a unit"):
            raise OutsideFolderError(
                "the id of a unit is a path: the work file was altered; use another --out"
            )
        return self._units / doc_id

    def remove_units(self, doc_ids: Iterable[str]) -> None:
        for doc_id in doc_ids:
            self.unit(doc_id).unlink(missing_ok=True)
        with suppress(OSError):
            self._units.rmdir()

    def write_record(self, name: str, pieces: Iterable[bytes]) -> None:
        """A file among the records, readable by its owner alone."""
        self._replace(self.records / name, pieces, 0o600)

    def leave(self) -> None:
        """Take the records folder away when nothing was recorded."""
        with suppress(OSError):
            self.records.rmdir()

    def remove(self, relative: str) -> None:
        """An output of an earlier run that has another name now."""
        place = self.path_of(relative)
        real_folder(place.parent, below=self._real)
        place.unlink(missing_ok=True)

    def path_of(self, relative: str) -> Path:
        """Where an output lies or would lie."""
        names = PurePosixPath(checked_relative_path(relative, owner="an output")).parts
        if names[0].casefold() == RECORDS_FOLDER:
            raise OutsideFolderError("the path of an output leads into the records of the output folder")
        return self.folder.joinpath(*names)

    def is_taken(self, relative: str) -> bool:
        """Whether anything lies there: a file, a folder, a link that leads nowhere. Not where no output may
        lie.
        """
        try:
            return os.path.lexists(self.path_of(relative))
        except OutsideFolderError:
            return False

    def size_of(self, relative: str) -> int | None:
        """Bytes of an output file, None when it is not there, or where no output may lie."""
        try:
            return self.path_of(relative).stat().st_size
        except (OSError, OutsideFolderError):
            return None

    def _replace(self, place: Path, pieces: Iterable[bytes], mode: int, *, is_new: bool = False) -> None:
        part = self.records / f"{os.getpid()}{_PART_SUFFIX}"
        write_whole(part, pieces, mode)
        try:
            if (
                is_new
                and os.path.lexists(place)
                and not (place.is_file() and filecmp.cmp(part, place, shallow=False))
            ):
                raise ForeignFileError(
                    "another file lies where this one would go; choose another --out, or move it away"
                )
            part.replace(place)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def real_paths(paths: Iterable[Path]) -> frozenset[str]:
    """The paths without links; folders are looked up once for many files."""
    real_folders: dict[Path, str] = {}
    found: set[str] = set()
    for path in paths:
        if path.is_symlink() or path.name in ("", ".."):
            found.add(str(path.resolve()))
            continue
        folder = real_folders.get(path.parent)
        if folder is None:
            folder = real_folders[path.parent] = str(path.parent.resolve())
        found.add(f"{folder.rstrip(os.sep)}{os.sep}{path.name}")
    return frozenset(found)


def write_whole(place: Path, pieces: Iterable[bytes], mode: int) -> None:
    """A file with these bytes and this mode (less the umask), or none.

    Raises:
        OSError: the disk is full, or the folder is not there.
    """
    try:
        with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.writelines(pieces)
    except BaseException:
        place.unlink(missing_ok=True)
        raise
