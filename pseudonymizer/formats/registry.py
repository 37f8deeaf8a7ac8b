"""Which format a file has: told by its first bytes, then by its suffix. Nothing is read as what it is not."""

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import PurePath

from linkage.errors import DamagedDocumentError, DocumentError, DocumentTooLargeError, UnsupportedInputError
from pseudonymizer.formats import marking
from pseudonymizer.formats.chat import looks_like_chat
from pseudonymizer.formats.loading import PICTURES, parser_of, reader_of, undo_of
from pseudonymizer.formats.nodes import Node
from pseudonymizer.formats.parsing import ParsedFile, Reading
from pseudonymizer.formats.records import Edit, FormatOptions

_TEXT_COMES_BACK = PICTURES | {"pdf"}
_BY_SUFFIX = {
    "txt": "txt", "text": "txt", "md": "md", "markdown": "md", "csv": "csv", "tsv": "tsv", "tab": "tsv",
    "json": "json", "jsonl": "jsonl", "ndjson": "jsonl", "html": "html", "htm": "html", "xhtml": "html",
    "xml": "xml", "eml": "eml", "mbox": "mbox", "docx": "docx", "docm": "docx", "dotx": "docx",
    "xlsx": "xlsx", "xlsm": "xlsx", "pptx": "pptx", "odt": "odt", "ods": "ods", "odp": "odp",
    "pdf": "pdf", "rtf": "rtf",
    "msg": "msg", "hl7": "hl7", "parquet": "parquet",
    "png": "png", "jpg": "jpeg", "jpeg": "jpeg", "tif": "tiff", "tiff": "tiff",
}  # fmt: skip
_TABLES = frozenset({"csv", "tsv", "xlsx", "ods", "parquet"})
_ZIP_FORMATS = frozenset({"docx", "xlsx", "pptx", "odt", "ods", "odp"})
_SIGNED_FORMATS = _ZIP_FORMATS | PICTURES | {"pdf", "msg", "parquet"}
_OFFICE_PARTS = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
_OPEN_DOCUMENT = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What begins like a file of bytes. Telling which one it is may unpack it.
_BEGINNINGS = (b"PK", _OLE, b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"PAR1")
_MAIL_HEAD = re.compile(rb"\A(?:[A-Za-z][A-Za-z0-9-]*+:[^\n]*+\n(?:[ \t][^\n]*+\n)*+){2,}+\r?\n")
_MAIL_FIELDS = re.compile(
    rb"^(?:From|Received|Return-Path|Message-ID|MIME-Version):", re.MULTILINE | re.IGNORECASE
)
_MBOX_HEAD = re.compile(rb"\AFrom [^\n]*\d\d:\d\d[^\n]*\n[A-Za-z][A-Za-z0-9-]*:")
_ENCODED = re.compile(
    rb"^Content-Transfer-Encoding:[ \t]*(?:base64|quoted-printable)|=\?[\w-]+\?[BbQq]\?",
    re.MULTILINE | re.IGNORECASE,
)
_FHIR = re.compile(r'"resourceType"\s*:\s*"[A-Z]')


def read(raw: bytes, *, name: str = "", options: FormatOptions | None = None) -> ParsedFile:
    """The texts of a file. name is used for its suffix only.

    Raises:
        UnsupportedInputError: no format that is known, or a suffix that the content belies.
        DamagedDocumentError, EncryptedDocumentError, DocumentTooLargeError, EncodingUndeterminedError: it
        is of
            a known format, but it cannot be read whole.
    """
    options = options or FormatOptions()
    if len(raw) > options.max_bytes:
        raise DocumentTooLargeError(f"the file has {len(raw)} bytes, more than {options.max_bytes}: refused")
    return read_as(format_of(raw, _suffix(name)), raw, options)


def read_as(format_name: str, raw: bytes, options: FormatOptions) -> ParsedFile:
    """The texts of a file whose format is known. Raises as read does."""
    reading = Reading(options, parse_nested, size=len(raw))
    try:
        if (reader := reader_of(format_name)) is not None:
            return reader(raw, options)
        node = _parsed(format_name, raw, reading)
    except DocumentError:
        raise
    except RecursionError:
        raise DocumentTooLargeError("the content is nested too deep to be read") from None
    return ParsedFile(format_name, node, reading)


def format_by_head(head: bytes, name: str) -> str | None:
    """What read finds, by the first bytes and the name of a file; None where it refuses the file or needs all
    of it.
    """
    try:
        return format_of(head, _suffix(name))
    except DocumentError:
        return None


def is_plain_text(raw: bytes, name: str) -> bool:
    """Whether read takes these bytes as plain text or Markdown, in which there is nothing to parse."""
    if raw.startswith(_BEGINNINGS) or b"%PDF-" in raw[:1024]:
        return False
    try:
        return format_of(raw, _suffix(name)) in {"txt", "md"}
    except DocumentError:
        return False


def is_table(name: str) -> bool:
    """Whether a file of this name is one of tables, by its suffix."""
    return _BY_SUFFIX.get(_suffix(name)) in _TABLES


def _suffix(name: str) -> str:
    return PurePath(name).suffix.lstrip(".").lower() if name else ""


def undo(format_name: str, raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The file before the edits. For pdf and pictures: the text in UTF-8; the page stays as rewritten."""
    return undo_of(format_name)(raw, edits)


def restored_suffix(format_name: str) -> str:
    """What to add to the name of a restored file: ".txt" where only the text comes back."""
    return ".txt" if format_name in _TEXT_COMES_BACK else ""


def format_of(raw: bytes, suffix: str = "") -> str:
    """Name of the format. suffix without its dot, in lower case.

    Raises:
        UnsupportedInputError: see read.
    """
    claimed = _BY_SUFFIX.get(suffix)
    found = _by_signature(raw)
    if claimed in _SIGNED_FORMATS and found != claimed:
        if not raw.strip():
            raise UnsupportedInputError(
                f"the file is named as {claimed} and is empty; get it again, or leave it out"
            )
        raise UnsupportedInputError(f"the file is named as {claimed} but its content is not")
    if found is not None:
        return found
    if claimed is not None:
        return _refined(raw, claimed)
    return _by_content(raw)


def parse_nested(raw: bytes, suffix: str, reading: Reading) -> Node:
    """A file within a file. Formats that cannot be read there are refused, never passed by."""
    return _parsed(format_of(raw, suffix), raw, reading)


def _parsed(format_name: str, raw: bytes, reading: Reading) -> Node:
    parse = parser_of(format_name)
    if parse is None:
        raise UnsupportedInputError(f"a {format_name} file within a file is not processed; take it out first")
    node = parse(raw, reading)
    return marking.marked(format_name, node) if reading.options.mark else node


def _by_signature(raw: bytes) -> str | None:
    if raw.startswith(b"%PDF-") or b"%PDF-" in raw[:1024]:
        return "pdf"
    if raw.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_format(raw)
    if raw.startswith(_OLE):
        from pseudonymizer.formats.outlook import format_of_ole  # it needs parse_nested

        return format_of_ole(raw)
    if raw.startswith((b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")):
        from pseudonymizer.formats.picture_files import format_of_picture  # it needs parse_nested

        return format_of_picture(raw)
    if raw.startswith(b"PAR1"):
        return "parquet"
    if raw.startswith(b"{\\rtf"):
        return "rtf"
    if raw.lstrip(b"\x0b\r\n\xef\xbb\xbf")[:4] in {b"MSH|", b"FHS|", b"BHS|"}:
        return "hl7"
    return None


def _zip_format(raw: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                found = _OPEN_DOCUMENT.get(archive.read("mimetype").strip().removesuffix(b"-template"))
                if found is not None:
                    return found
            if "[Content_Types].xml" in names:
                for folder, format_name in _OFFICE_PARTS.items():
                    if any(name.startswith(folder) for name in names):
                        return format_name
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError):
        raise DamagedDocumentError("the file is no whole ZIP archive; get it again") from None
    raise UnsupportedInputError("archives are not processed; unpack it first")


def _refined(raw: bytes, claimed: str) -> str:
    if claimed == "json" and _FHIR.search(raw[:4096].decode("latin-1")):
        return "fhir"
    if claimed == "txt":
        if looks_like_chat(raw):
            return "whatsapp"
        # As plain text a saved mail would hide what its transfer encodings hold.
        found = _by_content(raw)
        if found in {"eml", "mbox"} and _ENCODED.search(raw):
            return found
    return claimed


def _by_content(raw: bytes) -> str:
    head = raw[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if _MBOX_HEAD.match(raw):
        return "mbox"
    if _MAIL_HEAD.match(raw) and _MAIL_FIELDS.search(raw[:8192]):
        return "eml"
    lowered = head[:512].lower()
    if lowered.startswith((b"<!doctype html", b"<html")):
        return "html"
    if lowered.startswith(b"<?xml"):
        return "html" if b"<html" in lowered else "xml"
    return "whatsapp" if looks_like_chat(raw) else "txt"
