"""The files that a run treats: each once, in a fixed order, under a path that is unique in the output."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from linkage.errors import UnsupportedInputError
from pseudonymizer.errors import BatchError, MissingInputError
from pseudonymizer.formats.units import Unit
from pseudonymizer.work_files.folder import RECORDS_FOLDER

# Files that operating systems leave in folders, in lower case. They are skipped and named in the report. Any
# other file that cannot be read fails: no document passes as clean unread.
_LITTER = frozenset({".ds_store", "thumbs.db", "desktop.ini", ".directory", ".localized"})
# What their names begin with: resource forks, and what programs of documents keep beside an open file.
_LITTER_BEGINS = ("._", "~$", ".~lock.")


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file that lies in memory. name: without folders; its suffix tells the format."""

    name: str = field(repr=False)
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One input file, or one unit of it.

    relative: the POSIX path below its input, made unique; `nymlink paths` names the file so. size: bytes.
    modified_ns: time of the last change, in nanoseconds. unit: the bytes of a large file that are meant.
    leads_out: it is a link to something outside of its input, and is not to be read.
    """

    path: Path = field(repr=False)
    relative: str = field(repr=False)
    size: int
    modified_ns: int
    unit: Unit | None = None
    leads_out: bool = False

    @property
    def is_litter(self) -> bool:
        return self.path.name.lower() in _LITTER or self.path.name.startswith(_LITTER_BEGINS)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which files below a folder are treated. A pattern such as "*.docx" or "drafts" fits the path below the
    input, or the name of the file or of a folder on its way, in any case. include: () takes all. exclude goes
    before include. An input that is a file itself is treated whatever its name.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def takes(self, relative: str) -> bool:
        """Whether a file at this path below its input is treated."""
        path = relative.casefold()
        if any(_fits(path, pattern) for pattern in self.exclude):
            return False
        return not self.include or any(_fits(path, pattern) for pattern in self.include)


def _fits(path: str, pattern: str) -> bool:
    wanted = pattern.casefold().rstrip("/")
    return any(fnmatchcase(part, wanted) for part in (path, *PurePosixPath(path).parts))


def find_sources(
    inputs: Sequence[Path],
    *,
    output: Path | None = None,
    follow_links: bool = False,
    name_links: bool = False,
    chosen: Chosen | None = None,
) -> tuple[SourceFile, ...]:
    """The files of all inputs and of the folders below them, each real file once, in the order of the inputs.

    A link to a folder is followed unless the folder was searched already. The output folder and every records
    folder are left out, and so is a link that leads out of its input. follow_links: such links are followed.
    name_links: else they stand among the files, as what leads out. chosen: which files below folders are
    treated; None: all.

    Raises:
        MissingInputError: an input does not exist.
        BatchError: the output folder is one of the inputs.
    """
    seen: set[tuple[int, int]] = set()
    taken: set[str] = set()
    found: list[SourceFile] = []
    outside = output.resolve() if output is not None else None
    for position, given in enumerate(inputs, start=1):
        try:
            real = given.resolve(strict=True)
        except (OSError, RuntimeError):
            raise MissingInputError(position) from None
        if outside is not None and (real == outside or outside in real.parents):
            raise BatchError(
                f"input {position} is, or lies in, the output folder; nothing is ever written over a source: "
                "choose another --out"
            )
        root = real.parent if real.is_file() else real
        for path in _files(real, outside, follow_links=follow_links):
            leads_out = not follow_links and _leads_out(path, root)
            if leads_out and not name_links:
                continue
            below = path.relative_to(root).as_posix()
            if chosen is not None and path != real and not chosen.takes(below):
                continue
            status = path.lstat() if leads_out else _status(path)
            if (key := (status.st_dev, status.st_ino)) in seen:
                continue
            seen.add(key)
            relative = unused_path(below, root.name, taken)
            taken.add(relative.casefold())
            found.append(
                SourceFile(path, relative, status.st_size, status.st_mtime_ns, leads_out=leads_out)
            )  # fmt: skip
    return tuple(found)


def read_file(path: Path) -> bytes:
    """The bytes of a file. Raises as refuse_no_file does, or OSError."""
    refuse_no_file(path)
    return path.read_bytes()


def refuse_no_file(path: Path) -> None:
    """Nothing, for a file. Reading a pipe would wait for ever.

    Raises:
        UnsupportedInputError: at path is a pipe, a device, a folder or nothing.
    """
    if not path.is_file():
        raise UnsupportedInputError("this is no file, or it cannot be reached")


def _leads_out(path: Path, root: Path) -> bool:
    """Whether this is a link to something that is there and not below root."""
    if not path.is_symlink():
        return False
    real = path.resolve()
    return root not in real.parents and real != root and real.exists()


def _files(place: Path, outside: Path | None, *, follow_links: bool) -> Iterator[Path]:
    if not place.is_dir():
        yield place
        return
    searched: set[tuple[int, int]] = set()
    waiting = [place]
    while waiting:
        folder = waiting.pop()
        status = folder.stat()
        if (key := (status.st_dev, status.st_ino)) in searched:
            continue
        searched.add(key)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            yield folder  # reading it as a file fails, so the report names it
            continue
        folders: list[Path] = []
        for entry in entries:
            path = Path(entry.path)
            try:
                is_folder = entry.is_dir()
            except OSError:  # a link that leads round in circles
                continue
            if is_folder and not follow_links and _leads_out(path, place):
                yield path
            elif is_folder:
                if entry.name != RECORDS_FOLDER and (outside is None or path.resolve() != outside):
                    folders.append(path)
            else:  # reading a dangling link, a pipe or a device fails, so the report names it
                yield path
        waiting += reversed(folders)


def _status(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError:
        return path.lstat()


def unused_path(relative: str, root_name: str, taken: set[str]) -> str:
    """The path relative if it is free, or else one made of it that is.

    root_name: name of the folder that relative counts from, put before it first. taken: case-folded paths of
    other files.
    """
    if relative.casefold() not in taken:
        return relative
    candidate = (PurePosixPath(root_name) / relative).as_posix() if root_name else relative
    path = PurePosixPath(relative)
    number = 1
    while candidate.casefold() in taken:
        number += 1
        candidate = path.with_name(f"{path.stem}~{number}{path.suffix}").as_posix()
    return candidate
