"""All texts of a file, with those packed in it: archives, mails, PDF, OLE, TNEF, Parquet, RTF, pictures."""

import io
import re
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from linkage.errors import DocumentError, DocumentTooLargeError
from linkage.reading import decode
from pseudonymizer.formats.tree.packed_rtf import decompress_rtf
from pseudonymizer.leaks.texts import packed, spellings

if TYPE_CHECKING:
    from email.message import Message

_DEEPEST: Final = 8  # files within files that are looked into
_PICTURES: Final = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"GIF8", b"BM", b"RIFF", b"\x01\0\0\0l")
_SOUNDS: Final = (b"ID3", b"OggS", b"fLaC", b"\xff\xfb")
_WINMAIL: Final = b"\x78\x9f\x3e\x22"
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAIL: Final = re.compile(
    rb"^(?:Content-Transfer-Encoding|MIME-Version|Content-Type):", re.MULTILINE | re.IGNORECASE
)
_RTF_HEX: Final = re.compile(r"\\'([0-9a-fA-F]{2})")
_RTF_UNICODE: Final = re.compile(r"\\u(-?\d{1,5})(?: ?(?:\\'[0-9a-fA-F]{2}|[?]))?")
_RTF_KINDS: Final = re.compile(rb"(?s)(?<=.{8})(?:LZFu|MELA)")  # of the bodies of Outlook, after their sizes
_RTF_WORD: Final = re.compile(r"\\(par|line|tab|cell|row|sect)\b ?|\\[a-zA-Z]+-?\d* ?|[{}]|\r?\n|\\\*")
# Names of members that programs give; others may be anybody's words.
_GIVEN: Final = re.compile(
    r"(?:[a-zA-Z_]+/)*(?:document|styles|settings|comments|header|footer|footnotes|endnotes|core|app|custom|"
    r"item|itemProps|workbook|sheet|sharedStrings|slide|notesSlide|presentation|content|meta)\d{0,4}\.xml(?:\.rels)?"
)
_MEDIA: Final = re.compile(
    r"(?:^|/)(?:Pictures|media)/|\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp|ico|mp[34]|wdp|wav|avi|mov|m4a|odttf|"
    r"fntdata|[ot]tf)\Z"
)
_NESTED: Final = frozenset({"attachment", "embedded object", "other part", "attached file"})
_Texts = Iterator[tuple[str, str]]


@dataclass(slots=True)
class Limits:
    """left: the kinds of content that are told as unread, and not looked into. budget: bytes that may still
    be unpacked.
    """

    left: frozenset[str]
    budget: int

    def spend(self, size: int) -> None:
        """Note that so many bytes are looked into.

        Raises:
            DocumentTooLargeError: these are more than may be.
        """
        self.budget -= size
        if self.budget < 0:
            raise DocumentTooLargeError("what was written unpacks to more than can be read again: refused")

    @property
    def leaves_nested(self) -> bool:
        """Whether files in the file are told as unread."""
        return not self.left.isdisjoint(_NESTED)


def texts_of(raw: bytes, limits: Limits, place: str = "its text", depth: int = 0) -> _Texts:
    """(place, text) of all that the file says, in each of its spellings."""
    if depth > _DEEPEST or not raw:
        return
    limits.spend(len(raw))
    if (reader := _reader(raw)) is not None:
        try:
            yield from reader(raw, limits, place, depth)
        except DocumentTooLargeError:
            raise
        except Exception:  # noqa: BLE001  no whole file of its kind for this reader: it is searched as it is
            yield from _as_bytes(raw, place)
        return
    if raw.startswith((*_PICTURES, *_SOUNDS)):
        if depth == 0:  # inside another file it is told as unread
            yield from _as_bytes(raw, "the data around the picture")
        return
    yield from _plain(raw, limits, place, depth)


def _reader(raw: bytes) -> "Callable[[bytes, Limits, str, int], _Texts] | None":
    if raw.startswith(b"PK\x03\x04"):
        return _archive
    if b"%PDF-" in raw[:1024]:
        return _pdf
    if raw.startswith(_OLE):
        return _ole
    if raw.startswith(_WINMAIL):
        return _winmail
    if raw.startswith(b"PAR1"):
        return _parquet
    if raw.startswith(b"{\\rtf"):
        return _rich_text
    if _MAIL.search(raw[:65_536]) is not None and not raw.lstrip().startswith(b"<"):
        return _mail
    return None


def _plain(raw: bytes, limits: Limits, place: str, depth: int) -> _Texts:
    if raw.count(b"\0") > len(raw) // 8 and raw[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        yield from _as_bytes(raw, place)
        return
    for spelled in spellings(_decoded(raw)):
        yield place, spelled
        for inner in packed(spelled):
            yield from texts_of(inner, limits, "a packed part", depth + 1)


def _decoded(raw: bytes) -> str:
    if b"\0" not in raw:
        with suppress(UnicodeDecodeError):
            return raw.decode("utf-8")
    try:
        return decode(raw).text
    except DocumentError:
        return raw.decode("latin-1")


def _as_bytes(raw: bytes, place: str) -> _Texts:
    """Bytes as text of one and of two bytes a letter, from either of two bytes on."""
    yield place, raw.decode("latin-1")
    for start in (0, 1):
        yield place, raw[start : start + (len(raw) - start) // 2 * 2].decode("utf-16-le", "replace")


def _archive(raw: bytes, limits: Limits, place: str, depth: int) -> _Texts:
    del place
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        yield "the comment of the archive", archive.comment.decode("utf-8", "replace")
        yield "a name of a member", "\n".join(archive.namelist())
        for number, info in enumerate(archive.infolist(), start=1):
            if info.is_dir():
                continue
            if info.file_size > limits.budget:
                limits.spend(info.file_size)
            name = info.filename
            if limits.leaves_nested and not name.endswith((".xml", ".rels")):
                continue
            if "media" in limits.left and _MEDIA.search(name) is not None:
                continue
            told = name.rpartition("/")[2] if _GIVEN.fullmatch(name) else f"member {number}"
            yield from texts_of(archive.read(info), limits, told, depth + 1)


def _mail(raw: bytes, limits: Limits, place: str, depth: int) -> _Texts:
    from email import message_from_bytes, policy

    for text in (raw.decode("latin-1"), raw.decode("utf-8", "replace")):
        for spelled in spellings(text):
            yield place, spelled
    for number, part in enumerate(message_from_bytes(raw, policy=policy.compat32).walk(), start=1):
        for value in part.values():
            for spelled in spellings(str(value)):
                yield "a header", spelled
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes) or content in raw or _is_told(part, limits):
            continue
        told = f"part {number}"
        yield from texts_of(content, limits, told, depth + 1)
        try:
            text = content.decode(part.get_content_charset() or "utf-8")
        except (LookupError, UnicodeDecodeError):
            continue
        for spelled in spellings(text):
            yield told, spelled


def _is_told(part: "Message", limits: Limits) -> bool:
    """Whether the report tells that this part of a mail is not read."""
    if part.get_content_maintype() in ("image", "audio", "video", "font"):
        return True
    return limits.leaves_nested and part.get_filename() is not None


def _pdf(raw: bytes, limits: Limits, place: str, depth: int) -> _Texts:
    from pseudonymizer.leaks.pdf import pdf_texts

    del place
    leaves_pages = any(kind.startswith(("page", "annotation")) for kind in limits.left)
    for told, content in pdf_texts(raw):
        if leaves_pages and told.startswith(("page", "a stream")):
            continue
        if isinstance(content, bytes):
            if not limits.leaves_nested:
                yield from texts_of(content, limits, told, depth + 1)
        else:
            for spelled in spellings(content):
                yield told, spelled


def _ole(raw: bytes, limits: Limits, place: str, depth: int) -> _Texts:
    import olefile

    del place
    with olefile.OleFileIO(io.BytesIO(raw)) as ole:
        for number, path in enumerate(ole.listdir(streams=True, storages=False), start=1):
            content = ole.openstream(path).read()
            limits.spend(len(content))
            told = f"stream {number}"
            if _reader(content) is not None or content.startswith(_PICTURES):
                if not limits.leaves_nested:
                    yield from texts_of(content, limits, told, depth + 1)
                continue
            for text in (
                content.decode("latin-1"),
                content[: len(content) // 2 * 2].decode("utf-16-le", "replace"),
            ):
                for spelled in spellings(text):
                    yield told, spelled


def _winmail(raw: bytes, limits: Limits, place: str, depth: int) -> _Texts:
    """Everything as bytes, then each attribute that is a file, and each formatted body."""
    yield from _as_bytes(raw, place)
    position, number = 6, 0
    while position + 9 <= len(raw):
        number += 1
        _, tag, size = struct.unpack_from("<BII", raw, position)
        content = raw[position + 9 : position + 9 + size]
        position += 11 + size
        if tag == 0x6800F and not limits.leaves_nested and not content.startswith(_PICTURES):
            yield from texts_of(content, limits, f"attribute {number}", depth + 1)
    for kind in _RTF_KINDS.finditer(raw):
        with suppress(DocumentError):
            body = decompress_rtf(raw[kind.start() - 8 :])
            limits.spend(len(body))
            yield from _rich_text(body, limits, "the formatted body", depth + 1)


def _parquet(raw: bytes, limits: Limits, place: str, depth: int) -> _Texts:
    import pyarrow as pa
    import pyarrow.parquet as pq

    del place
    file = pq.ParquetFile(io.BytesIO(raw))
    for key, value in (file.schema_arrow.metadata or {}).items():
        yield "the metadata", key.decode("utf-8", "replace")
        yield from _plain(value, limits, "the metadata", depth)
    yield "the names of columns", "\n".join(file.schema_arrow.names)
    for batch in file.iter_batches():
        for number, column in enumerate(batch.columns, start=1):
            kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
            if pa.types.is_string(kind) or pa.types.is_large_string(kind):
                cells = "\n".join(cell for cell in column.to_pylist() if cell)
                for spelled in spellings(cells):
                    yield f"column {number}", spelled


def _rich_text(raw: bytes, limits: Limits, place: str, depth: int) -> _Texts:
    del limits, depth
    text = raw.decode("latin-1")
    codepage = re.search(r"\\ansicpg(\d{3,5})", text)
    encoding = f"cp{codepage[1]}" if codepage else "cp1252"

    def letter(found: re.Match[str]) -> str:
        try:
            return bytes([int(found[1], 16)]).decode(encoding)
        except (LookupError, UnicodeDecodeError):
            return "?"

    text = _RTF_UNICODE.sub(lambda found: chr(int(found[1]) % 65_536), text)
    text = _RTF_HEX.sub(letter, text)
    yield place, _RTF_WORD.sub(lambda found: "\n" if found[1] else "", text)
    yield place, _RTF_WORD.sub(" ", text)
