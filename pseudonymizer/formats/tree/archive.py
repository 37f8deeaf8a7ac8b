"""ZIP packages (Office and OpenDocument files): read within limits, written with the same members in
order."""

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from linkage.errors import DamagedDocumentError, DocumentTooLargeError, EncryptedDocumentError
from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.tree.nodes import Changes, Node
from pseudonymizer.formats.tree.parsing import Reading
from pseudonymizer.formats.tree.stamps import Stamp, stamped

ZIP = "zip"
NAME = "name"  # the name, in locations, of a name of a member
ADDED = "added"  # the name, in locations, of a member that the original does not have
_MEMBER = "member"
_MAX_MEMBERS = 20_000
Member = tuple[zipfile.ZipInfo, bytes]


def unzip(raw: bytes, reading: Reading) -> list[Member]:
    """The members of an archive, unpacked. reading counts their bytes.

    Raises:
        DamagedDocumentError: no ZIP archive, or a member is damaged.
        EncryptedDocumentError: a member needs a password.
        DocumentTooLargeError: unpacked, with what was unpacked before of the same file, it is larger than
            options allow, as a ZIP bomb is.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            infos = archive.infolist()
            if len(infos) > _MAX_MEMBERS:
                raise DocumentTooLargeError(f"the archive has {len(infos)} members, more than {_MAX_MEMBERS}")
            if any(info.flag_bits & 0x1 for info in infos):
                raise EncryptedDocumentError(
                    "a part of the file needs a password; take the protection off first"
                )
            reading.count_unpacked(sum(info.file_size for info in infos))
            if len({info.filename for info in infos}) < len(infos):
                # Readers differ in which of two members of one name they take; one of them would stay unread.
                raise DamagedDocumentError("the archive holds two members of one name")
            return [(info, _read(archive, info)) for info in infos]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError) as error:
        if isinstance(error, DamagedDocumentError | EncryptedDocumentError | DocumentTooLargeError):
            raise
        raise DamagedDocumentError("the file is no whole ZIP archive, as its kind should be") from None


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as stream:
        content = stream.read(info.file_size + 1)
    if len(content) > info.file_size:
        raise DocumentTooLargeError("a part of the archive is larger than the archive says")
    return content


def unzip_trusted(raw: bytes) -> list[Member]:
    """The members of an archive that this project wrote."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return [(info, archive.read(info)) for info in archive.infolist()]
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError):
        raise DamagedDocumentError("the rewritten file was changed since: it is no ZIP archive") from None


def zip_members(members: Sequence[Member]) -> bytes:
    """An archive with these members, with their names, times and attributes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for info, content in members:
            archive.writestr(renamed(info, info.filename), content)
    return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class ArchiveMark:
    """What marks an archive: stamps by name of member, and members that are added at the end."""

    stamps: Mapping[str, Sequence[Stamp]]
    added: Sequence[tuple[str, bytes]] = field(default=())


MakeMark = Callable[[Mapping[str, bytes]], ArchiveMark]


class ArchiveNode:
    """An archive some of whose members hold text. A member may also be replaced as a whole."""

    def __init__(
        self,
        members: Sequence[Member],
        children: dict[int, Node],
        blanked: dict[int, bytes],
        *,
        make_mark: MakeMark | None = None,
        names: Mapping[int, Node] | None = None,
    ) -> None:
        """names: of members whose name may change, the node of the name."""
        self._members, self._children, self._blanked = members, children, blanked
        self._make_mark = make_mark
        self._names = names or {}

    def is_changed(self, changes: Changes) -> bool:
        nodes = [*self._children.values(), *self._names.values()]
        return any(node.is_changed(changes) for node in nodes)

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        """Members that changed are packed anew. blanked members (previews of the first page) go when any
        does."""
        written: list[Member] = []
        for number, (info, content) in enumerate(self._members):
            node = self._children.get(number)
            new = content
            if node is not None and node.is_changed(changes):
                inner = f"{location}/{number}:{_MEMBER}"
                new = node.render(changes, inner, edits)
                edits.append(Edit(f"{inner}!", number, number + 1, b""))
            elif number in self._blanked:
                new = self._blanked[number]
                edits.append(Edit(location, number, number + 1, content))
            written.append((self._renamed(number, info, changes, location, edits), new))
        if self._make_mark is not None:
            _mark(written, self._make_mark, location, edits)
        return zip_members(written)

    def _renamed(
        self, number: int, info: zipfile.ZipInfo, changes: Changes, location: str, edits: list[Edit]
    ) -> zipfile.ZipInfo:
        """The record of a member under its new name; names that would come twice get a number."""
        node = self._names.get(number)
        if node is None or not node.is_changed(changes):
            return info
        inner = f"{location}/{number}:{NAME}"
        name = node.render(changes, inner, edits).decode("utf-8")
        taken = {other.filename for other, _ in self._members}
        stem, dot, suffix = name.rpartition(".")
        count = 2
        unique = name
        while unique in taken:
            unique = f"{stem}-{count}{dot}{suffix}" if dot else f"{name}-{count}"
            count += 1
        edits.append(Edit(f"{inner}!", number, number + 1, info.filename.encode("utf-8")))
        return renamed(info, unique)


def renamed(info: zipfile.ZipInfo, name: str) -> zipfile.ZipInfo:
    """The record of a member with another name."""
    fresh = zipfile.ZipInfo(name, info.date_time)
    fresh.compress_type = info.compress_type
    fresh.external_attr, fresh.create_system = info.external_attr, info.create_system
    return fresh


def _mark(written: list[Member], make_mark: MakeMark, location: str, edits: list[Edit]) -> None:
    """The mark of a package in the members that are about to be packed."""
    mark = make_mark({info.filename: content for info, content in written})
    for number, (info, content) in enumerate(written):
        if stamps := mark.stamps.get(info.filename):
            inner = f"{location}/{number}:{_MEMBER}"
            written[number] = (info, stamped(content, stamps, inner, edits, 0))
            if not any(edit.location == f"{inner}!" for edit in edits):
                edits.append(Edit(f"{inner}!", number, number + 1, b""))
    for name, content in mark.added:
        number = len(written)
        fresh = zipfile.ZipInfo(name, written[0][0].date_time)
        fresh.compress_type = zipfile.ZIP_DEFLATED
        written.append((fresh, content))
        edits.append(Edit(f"{location}/{number}:{ADDED}!", number, number + 1, b""))


class ArchivePacking:
    """A whole stretch of bytes is an archive."""

    name = ZIP

    def pack(self, content: bytes) -> bytes:
        return content

    def layout(self, raw: bytes) -> bytes:  # noqa: ARG002
        return b""
