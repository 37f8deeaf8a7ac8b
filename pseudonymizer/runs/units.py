"""Large files in a run: each unit of one is a source of its own until its output is put together."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from linkage.records import DocumentId
from pseudonymizer.crypto import StreamDigest
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.formats.units import UNIT_BYTES, Unit, units_of
from pseudonymizer.records import RewriteEdit

UNITS_FORMAT: Final = "units"  # stored in place of a format: its edits say where the units of an output stand
CHANGED_UNIT: Final = "unit"  # locations of such edits
SAME_UNIT: Final = "same"
LARGE_BYTES: Final = UNIT_BYTES  # an output from here up may have been put together from units
LEAST_UNIT_BYTES: Final = 100_000  # about a thousand notes, some seconds of work
_UNITS_OF_FILE: Final = 32  # of more than 32 MB units have their full size
_MARK: Final = "+"  # between the id of a file and the number of its unit; ids are hexadecimal


def in_units(
    sources: Iterable[SourceFile],
    *,
    small: bool = False,
    before: Callable[[SourceFile], Sequence[int]] | None = None,
    given: Callable[[SourceFile], Collection[int]] | None = None,
) -> Iterator[SourceFile]:
    """The sources, each large file of lines or messages as its units.

    small: whether a file that is not very large is cut into small ones; see ProjectSettings.small_units.
    before: the bytes of each unit into which an earlier run cut the same file; () where none did. What was
    cut otherwise is not treated again. given: the numbers of the first rows of units that mentions are given
    for; they say how the file was cut when it was searched.
    """
    for source in sources:
        try:
            is_large = source.size >= 2 * UNIT_BYTES and source.unit is None
            units = _cut(source, small, before, given) if is_large else ()
        except OSError:  # reading it fails, and says why
            units = ()
        if len(units) < 2:
            yield source
        else:
            yield from (replace(source, size=len(unit), unit=unit) for unit in units)


def _cut(
    source: SourceFile,
    small: bool,  # noqa: FBT001  one of the two cuts
    before: Callable[[SourceFile], Sequence[int]] | None,
    given: Callable[[SourceFile], Collection[int]] | None,
) -> tuple[Unit, ...]:
    """The units of a large file: small ones, so that a killed run loses little, in a file that is not very
    large. A text stays in large ones, for a unit of a text is one document.
    """
    units = units_of(source.path, unit_bytes=UNIT_BYTES)
    smaller = max(min(UNIT_BYTES, LEAST_UNIT_BYTES), min(UNIT_BYTES, source.size // _UNITS_OF_FILE))
    if not units or units[0].format_name == "txt" or smaller == UNIT_BYTES:
        return units
    finer = units_of(source.path, unit_bytes=smaller)
    cuts = (finer, units) if small else (units, finer)
    if rows := set(given(source)) if given is not None else set():
        return next((cut for cut in cuts if rows <= {unit.first for unit in cut}), cuts[0])
    sizes = list(before(source)) if before is not None else []
    return next((cut for cut in cuts if sizes == [len(unit) for unit in cut]), cuts[0])


def unit_id(doc_id: DocumentId, source: SourceFile) -> DocumentId:
    """The id of a source: that of its file, and the number of the unit where it is one."""
    return doc_id if source.unit is None else DocumentId(f"{doc_id}{_MARK}{source.unit.number:06d}")


def file_id(doc_id: DocumentId) -> DocumentId:
    """The id of the file that a source is, or is a unit of."""
    return DocumentId(doc_id.partition(_MARK)[0])


def is_unit(doc_id: DocumentId) -> bool:
    return _MARK in doc_id


def unit_number(doc_id: DocumentId) -> int:
    """0 for the first unit of a file, and for a file that is none."""
    return int(doc_id.partition(_MARK)[2] or 0)


def id_range(doc_id: DocumentId) -> tuple[str, str]:
    """All units of a file, as ids from the first up to the second."""
    return f"{doc_id}{_MARK}", f"{doc_id}{chr(ord(_MARK) + 1)}"


def unit_place(relative: str, number: int) -> str:
    """What stands for the place of a unit where an output is known by its place."""
    return f"{relative}\0unit {number}"


def unit_edits(units: Sequence[tuple[int, bool]]) -> tuple[RewriteEdit, ...]:
    """Where the units of an output stand: one edit each, which changes nothing. units: (length in bytes,
    whether it is another text than in the original, and so has a way back of its own).
    """
    edits: list[RewriteEdit] = []
    start = 0
    for number, (length, is_changed) in enumerate(units):
        location = CHANGED_UNIT if is_changed else SAME_UNIT
        edits.append(RewriteEdit(number, location, start, start + length, b"", None))
        start += length
    return tuple(edits)


@dataclass(frozen=True, slots=True)
class OutputDigests:
    """Both digests of an output: plain SHA-256 in hexadecimal, and the vault's digest_sha256."""

    plain: str
    stored: bytes


def digests_of(pieces: Iterable[Path], size: int) -> OutputDigests:
    """Of an output that lies in these files one after the other, size bytes in all."""
    plain, stored = hashlib.sha256(), StreamDigest(size)
    for piece in blocks(pieces):
        plain.update(piece)
        stored.update(piece)
    return OutputDigests(plain.hexdigest(), stored.digest())


def blocks(places: Iterable[Path]) -> Iterator[bytes]:
    """The bytes of files one after the other, a little at a time."""
    for place in places:
        with place.open("rb") as file:
            while block := file.read(1 << 20):
                yield block
