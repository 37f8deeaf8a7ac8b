"""Compound files (MS-CFB, as of Outlook messages): read with olefile, written anew with the same streams."""

import io
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import olefile

from linkage.errors import DamagedDocumentError, DocumentTooLargeError
from pseudonymizer.formats.records import FormatOptions

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT, _DIFAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC
_MAX_ENTRIES = 50_000


@dataclass(slots=True)
class Entry:
    """A storage (children) or a stream (content), with what its directory entry says besides."""

    name: str = field(repr=False)
    content: bytes | None = field(repr=False)
    children: list["Entry"] = field(default_factory=list, repr=False)
    class_id: bytes = bytes(16)
    flags: int = 0
    created: int = 0
    modified: int = 0

    def streams(self) -> Iterator[tuple["Entry", "Entry"]]:
        """(storage, stream) of all streams below, in a fixed order."""
        for child in self.children:
            if child.content is not None:
                yield self, child
            else:
                yield from child.streams()


def read_compound(raw: bytes, options: FormatOptions) -> Entry:
    """The tree of a compound file.

    Raises:
        DamagedDocumentError: it is no whole compound file.
        DocumentTooLargeError: it holds more than the options allow.
    """
    try:
        with olefile.OleFileIO(io.BytesIO(raw), raise_defects=olefile.DEFECT_INCORRECT) as file:
            count = [0, 0]
            return _entry(file, file.root, options, count)
    except (OSError, IndexError, struct.error, ValueError, TypeError) as error:
        if isinstance(error, DamagedDocumentError | DocumentTooLargeError):
            raise
        raise DamagedDocumentError("the file begins as a compound file but is damaged") from None


def _entry(
    file: olefile.OleFileIO,
    entry: "olefile.olefile.OleDirectoryEntry",
    options: FormatOptions,
    count: list[int],
) -> Entry:
    count[0] += 1
    is_stream = entry.entry_type == olefile.STGTY_STREAM
    count[1] += entry.size if is_stream else 0
    if count[0] > _MAX_ENTRIES or count[1] > options.max_bytes:
        raise DocumentTooLargeError("the file holds more streams or bytes than allowed: refused")
    content = file._open(entry.isectStart, entry.size).read() if is_stream else None
    made = Entry(
        entry.name, content, [], _class_id(entry.clsid), entry.dwUserFlags, entry.createTime, entry.modifyTime
    )
    made.children = in_order(_entry(file, child, options, count) for child in entry.kids)
    return made


def _class_id(text: str) -> bytes:
    digits = text.replace("-", "")
    if len(digits) != 32:
        return bytes(16)
    first, second, third = int(digits[:8], 16), int(digits[8:12], 16), int(digits[12:16], 16)
    return struct.pack("<IHH", first, second, third) + bytes.fromhex(digits[16:])


def in_order(siblings: Iterable[Entry]) -> list[Entry]:
    """Siblings are sorted by length of name, then by upper-case letters (MS-CFB, section 2.6.4)."""
    return sorted(siblings, key=lambda one: (len(one.name.encode("utf-16-le")), one.name.upper()))


def write_compound(root: Entry) -> bytes:
    """A compound file of version 3 with this tree."""
    return _Writer(root).write()


class _Writer:
    def __init__(self, root: Entry) -> None:
        self._entries: list[Entry] = []
        self._links: dict[int, tuple[int, int, int]] = {}  # left, right, child
        self._add(root)
        self._fat: list[int] = []
        self._sectors: list[bytes] = []
        self._mini_fat: list[int] = []
        self._mini: list[bytes] = []

    def _add(self, entry: Entry) -> int:
        number = len(self._entries)
        self._entries.append(entry)
        numbers = [self._add(child) for child in entry.children]
        left, right, _ = self._links.get(number, (_FREE, _FREE, _FREE))
        self._links[number] = (left, right, self._balance(numbers))
        return number

    def _balance(self, numbers: list[int]) -> int:
        """The siblings as a balanced search tree; its root."""
        if not numbers:
            return _FREE
        middle = len(numbers) // 2
        top = numbers[middle]
        child = self._links[top][2]
        self._links[top] = (self._balance(numbers[:middle]), self._balance(numbers[middle + 1 :]), child)
        return top

    def write(self) -> bytes:
        starts = [self._place(entry) for entry in self._entries]
        mini = b"".join(self._mini)
        starts[0] = self._chain(mini)
        directory = b"".join(
            self._directory_entry(number, starts[number], len(mini)) for number in range(len(self._entries))
        )
        directory_start = self._chain(directory + bytes(-len(directory) % _SECTOR))
        mini_fat = struct.pack(f"<{len(self._mini_fat)}I", *self._mini_fat)
        mini_fat += b"\xff" * (-len(mini_fat) % _SECTOR)
        mini_fat_start = self._chain(mini_fat)
        fat_numbers, difat = self._allocate_fat()
        header = struct.pack(
            "<8s16sHHHHH6sIIIIIIIIII",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6, bytes(6), 0,
            len(fat_numbers), directory_start, 0, _CUTOFF, mini_fat_start, len(mini_fat) // _SECTOR,
            difat[0] if difat else _END, len(difat), fat_numbers[0],
        )  # fmt: skip
        head = (fat_numbers + [_FREE] * 109)[1:109]
        return header + struct.pack("<108I", *head) + b"".join(self._sectors)

    def _place(self, entry: Entry) -> int:
        content = entry.content
        if not content:
            return _END
        if len(content) >= _CUTOFF:
            return self._chain(content)
        start, count = len(self._mini_fat), -(-len(content) // _MINI)
        self._mini_fat += [*range(start + 1, start + count), _END]
        self._mini.append(content + bytes(-len(content) % _MINI))
        return start

    def _chain(self, content: bytes) -> int:
        if not content:
            return _END
        start, count = len(self._sectors), -(-len(content) // _SECTOR)
        padded = content + bytes(-len(content) % _SECTOR)
        self._sectors += [padded[at : at + _SECTOR] for at in range(0, len(padded), _SECTOR)]
        self._fat += [*range(start + 1, start + count), _END]
        return start

    def _allocate_fat(self) -> tuple[list[int], list[int]]:
        """The allocation table names its own sectors too, and those of the list of its sectors."""
        per_sector = _SECTOR // 4
        used = len(self._sectors)
        fat_count = difat_count = 0
        while True:
            needed = -(-(used + fat_count + difat_count) // per_sector)
            needed_difat = -(-max(needed - 109, 0) // (per_sector - 1))
            if (needed, needed_difat) == (fat_count, difat_count):
                break
            fat_count, difat_count = needed, needed_difat
        fat_numbers = list(range(used, used + fat_count))
        difat = list(range(used + fat_count, used + fat_count + difat_count))
        table = [*self._fat, *[_FAT] * fat_count, *[_DIFAT] * difat_count]
        table += [_FREE] * (fat_count * per_sector - len(table))
        packed = struct.pack(f"<{len(table)}I", *table)
        self._sectors += [packed[at : at + _SECTOR] for at in range(0, len(packed), _SECTOR)]
        rest = fat_numbers[109:]
        for at, _ in enumerate(difat):
            part = rest[at * (per_sector - 1) : (at + 1) * (per_sector - 1)]
            part += [_FREE] * (per_sector - 1 - len(part))
            following = difat[at + 1] if at + 1 < len(difat) else _END
            self._sectors.append(struct.pack(f"<{per_sector}I", *part, following))
        return fat_numbers, difat

    def _directory_entry(self, number: int, start: int, mini_size: int) -> bytes:
        entry = self._entries[number]
        name = entry.name.encode("utf-16-le")[:62]
        left, right, child = self._links[number]
        is_root, is_stream = number == 0, entry.content is not None
        kind = 5 if is_root else 2 if is_stream else 1
        size = mini_size if is_root else len(entry.content or b"")
        first = start if is_stream or is_root else 0
        return struct.pack(
            "<64sHBBIII16sIQQIQ",
            name, len(name) + 2, kind, 1, left, right, child, entry.class_id, entry.flags, entry.created,
            entry.modified, first, size,
        )  # fmt: skip
