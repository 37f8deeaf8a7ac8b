"""Which format a file has: told by its first bytes, then by its suffix. Nothing is read as what it is not."""

from collections.abc import Sequence
from pathlib import PurePath

from linkage.errors import DocumentError, DocumentTooLargeError, UnsupportedInputError
from pseudonymizer.formats import marking, refused, rejecting
from pseudonymizer.formats.every_format import BY_NAME, BY_SUFFIX, FORMATS
from pseudonymizer.formats.format import Format
from pseudonymizer.formats.kept_originals import is_text_only, original_of
from pseudonymizer.formats.records import Edit, FormatOptions, UnreadContent
from pseudonymizer.formats.tree import restoring
from pseudonymizer.formats.tree.embedded import embed, inner_options
from pseudonymizer.formats.tree.nodes import Node
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading
from pseudonymizer.formats.unread import AS_PLAIN_TEXT


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
    suffix = suffix_of(name)
    parsed = read_as(format_of(raw, suffix), raw, options)
    if name and _is_taken_as_text(parsed.format_name, suffix, raw):
        parsed.unread = (*parsed.unread, UnreadContent(AS_PLAIN_TEXT, 1))
    return parsed


def read_as(format_name: str, raw: bytes, options: FormatOptions) -> ParsedFile:
    """The texts of a file whose format is known. Raises as read does."""
    if options.reject_lines and (found := rejecting.cuts_in(format_name, raw, options)):
        return rejecting.WithoutLines(_read_as(format_name, rejecting.without(raw, found), options), found)
    return _read_as(format_name, raw, options)


def _read_as(format_name: str, raw: bytes, options: FormatOptions) -> ParsedFile:
    reading = Reading(options, parse_nested, size=len(raw))
    try:
        if (reader := BY_NAME[format_name].read) is not None:
            return reader.load()(raw, options)
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
        return format_of(head, suffix_of(name))
    except DocumentError:
        return None


def is_plain_text(raw: bytes, name: str) -> bool:
    """Whether read takes these bytes as plain text or Markdown, in which there is nothing to parse."""
    if any(one.is_signed and one.begins(raw) for one in FORMATS):
        return False  # telling which one it is may unpack it
    try:
        return BY_NAME[format_of(raw, suffix_of(name))].shows_bytes
    except DocumentError:
        return False


def is_table(name: str) -> bool:
    """Whether a file of this name is one of tables, by its suffix."""
    claimed = BY_SUFFIX.get(suffix_of(name))
    return claimed is not None and claimed.is_table


def suffix_of(name: str) -> str:
    """Without its dot; of a name that is nothing else, such as ".env", that."""
    if not name:
        return ""
    path = PurePath(name)
    return (path.suffix or path.name.rpartition(".")[2] * path.name.startswith(".")).lstrip(".").lower()


def _is_taken_as_text(format_name: str, suffix: str, raw: bytes) -> bool:
    """Whether a file is read as plain text though neither its suffix nor its beginning says that."""
    return format_name == "txt" and suffix not in BY_SUFFIX and bool(raw.strip())


def undo(format_name: str, raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The file before the edits. For pdf and pictures whose original is not kept: the text in UTF-8; the page
    stays as rewritten.
    """
    if (original := original_of(edits)) is not None:
        return original
    way = BY_NAME[format_name].undo
    return (restoring.undo if way is None else way.load())(raw, edits)


def restored_suffix(format_name: str, edits: Sequence[Edit] = ()) -> str:
    """What to add to the name of a file that these edits restore: ".txt" where only the text comes back."""
    return ".txt" if is_text_only(format_name) and original_of(edits) is None else ""


def format_of(raw: bytes, suffix: str = "") -> str:
    """Name of the format. suffix without its dot, in lower case.

    Raises:
        UnsupportedInputError: see read.
    """
    claimed = BY_SUFFIX.get(suffix)
    refused.refuse(raw)
    found = _by_head(raw)
    if claimed is not None and claimed.is_signed and found != claimed.name:
        if not raw.strip():
            raise UnsupportedInputError(
                f"the file is named as {claimed.name} and is empty; get it again, or leave it out"
            )
        raise UnsupportedInputError(f"the file is named as {claimed.name} but its content is not")
    if found is not None:
        return found
    return _by_content(raw) if claimed is None else _among(raw, claimed)


def parse_nested(raw: bytes, suffix: str, reading: Reading) -> Node:
    """A file within a file. Formats that cannot be read there are refused, never passed by."""
    format_name = format_of(raw, suffix)
    node = _parsed(format_name, raw, reading)
    if _is_taken_as_text(format_name, suffix, raw):
        reading.leave_unread(AS_PLAIN_TEXT)
    return node


def _parsed(format_name: str, raw: bytes, reading: Reading) -> Node:
    way, reader = BY_NAME[format_name].parse, BY_NAME[format_name].read
    if way is None:
        if reader is None:
            raise UnsupportedInputError(
                f"a {format_name} file within a file is not processed; take it out first"
            )
        return embed(raw, reader.load()(raw, inner_options(reading)), reading)
    node = way.load()(raw, reading)
    return marking.marked(format_name, node) if reading.options.mark else node


def _by_head(raw: bytes) -> str | None:
    for one in FORMATS:
        if one.heads and one.begins(raw):
            return one.name if one.tell is None else one.tell.load()(raw)
    return None


def _among(raw: bytes, claimed: Format) -> str:
    """The format of a file that is named as another: a chat is named as text, a resource as JSON."""
    for one in FORMATS:
        looks_like = one.looks_like_among or one.looks_like
        if claimed.name in one.among and looks_like is not None and looks_like.load()(raw):
            return one.name
    return claimed.name


def _by_content(raw: bytes) -> str:
    for one in FORMATS:
        if one.looks_like is not None and one.looks_like.load()(raw):
            return one.name
    return "txt"
