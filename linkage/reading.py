"""Bytes to text and back, byte for byte. Nothing is guessed silently: what cannot be told is an error."""

import codecs
import uuid
from dataclasses import dataclass, field
from pathlib import Path

from linkage.errors import DocumentError, EncodingUndeterminedError, UnsupportedInputError
from linkage.records import Document, DocumentId

# UTF-32 before UTF-16: the mark FF FE 00 00 begins with the mark FF FE.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Tab, line feed, vertical tab, form feed, carriage return, end of file (DOS), escape (terminals) and the four
# separators (HL7 frames) occur in text; the other control characters mean that this is no text.
_TEXT_CONTROLS = frozenset("\t\n\v\f\r\x1a\x1b\x1c\x1d\x1e\x1f")
_CONTROLS = frozenset(map(chr, range(0x20))) - _TEXT_CONTROLS
_MAX_CONTROL_SHARE = 0.01  # text taken out of PDF files has a few of them
_MIN_ZERO_SHARE = 0.30  # of the bytes at even or at odd places, for UTF-16 without a mark
_MAX_OTHER_ZERO_SHARE = 0.02
# A picture or an archive is no text, whatever its bytes decode to.
_BINARY_SIGNATURES = (
    b"\x89PNG", b"PK\x03\x04", b"PK\x05\x06", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"%PDF-", b"\x1f\x8b",
    b"\xd0\xcf\x11\xe0", b"\x7fELF", b"MZ\x90", b"Rar!", b"7z\xbc\xaf", b"BZh", b"\xfd7zXZ",
    b"SQLite format 3",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text with what is needed to write it as it came: encode(text, like=self) gives the bytes again."""

    text: str = field(repr=False)
    encoding: str
    byte_order_mark: bytes = b""


def decode(raw: bytes) -> DecodedText:
    """Text of raw bytes: by byte order mark, as strict UTF-8, as UTF-16 by its zero bytes, as Windows-1252.

    Line ends, white space and all other characters stay as they are; encode() gives the same bytes back.

    Raises:
        UnsupportedInputError: the bytes are no text, such as a picture.
        EncodingUndeterminedError: text, but in no encoding that can be told with certainty.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return _checked(raw, _strict(raw[len(mark) :], encoding), encoding, mark)
    if raw.startswith(_BINARY_SIGNATURES):
        raise UnsupportedInputError("the bytes are those of a binary file, not of a text")
    if b"\0" in raw:
        return _utf_16_by_zero_bytes(raw)
    try:
        return _checked(raw, raw.decode("utf-8"), "utf-8", b"")
    except UnicodeDecodeError:
        pass
    return _windows_1252(raw)


def encode(text: str, like: DecodedText) -> bytes:
    """text in the encoding of `like`, with the same byte order mark.

    Raises:
        EncodingUndeterminedError: text has a character that the encoding lacks.
    """
    try:
        return like.byte_order_mark + text.encode(like.encoding)
    except UnicodeEncodeError as error:
        raise EncodingUndeterminedError(
            f"the character at {error.start} does not exist in {like.encoding}, the encoding of the input"
        ) from None


def read_document(path: Path | str, *, doc_id: DocumentId | None = None, language: str = "nl") -> Document:
    """The text of a plain text file. Without doc_id a random one is made: a file name may hold a name.

    Raises:
        DocumentError: the file cannot be read, is no text, or is in an encoding that cannot be told.
        SettingsError: there are no rules for this language.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        # The path of an OSError is in its text; only the reason goes on.
        raise DocumentError(f"the file cannot be read: {error.strerror or type(error).__name__}") from None
    return Document(doc_id or DocumentId(uuid.uuid4().hex), decode(raw).text, language)


def _strict(body: bytes, encoding: str) -> str:
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        raise EncodingUndeterminedError(
            f"the byte order mark says {encoding}, but the bytes at {error.start} are not; save it again"
        ) from None


def _checked(raw: bytes, text: str, encoding: str, mark: bytes) -> DecodedText:
    """The text, if it looks like one and gives its bytes back."""
    controls = sum(map(text.count, _CONTROLS))
    if "\0" in text or controls > _MAX_CONTROL_SHARE * len(text):
        raise UnsupportedInputError(
            f"{controls} control characters in {len(text)} characters: this is no text"
        )
    try:
        same = mark + text.encode(encoding) == raw
    except UnicodeEncodeError:
        same = False
    if not same:
        raise EncodingUndeterminedError(f"the bytes are not a canonical {encoding} text; save the file again")
    return DecodedText(text, encoding, mark)


def _utf_16_by_zero_bytes(raw: bytes) -> DecodedText:
    """UTF-16 without a mark: in Western text every second byte is mostly zero, the others never."""
    even, odd = raw[0::2], raw[1::2]
    zeros_even, zeros_odd = even.count(0) / max(len(even), 1), odd.count(0) / max(len(odd), 1)
    if len(raw) % 2 == 0:
        if zeros_odd >= _MIN_ZERO_SHARE and zeros_even <= _MAX_OTHER_ZERO_SHARE:
            return _checked(raw, _strict_utf_16(raw, "utf-16-le"), "utf-16-le", b"")
        if zeros_even >= _MIN_ZERO_SHARE and zeros_odd <= _MAX_OTHER_ZERO_SHARE:
            return _checked(raw, _strict_utf_16(raw, "utf-16-be"), "utf-16-be", b"")
    raise UnsupportedInputError("the bytes hold zeros and are no UTF-16: this is no text")


def _strict_utf_16(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        raise UnsupportedInputError("the bytes hold zeros and are no UTF-16: this is no text") from None


def _windows_1252(raw: bytes) -> DecodedText:
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError as error:
        raise EncodingUndeterminedError(
            f"neither UTF-8 nor Windows-1252 (byte at {error.start}); save the file as UTF-8"
        ) from None
    # A letter of several UTF-8 bytes beside a byte that is no UTF-8: two encodings in one file. Read as
    # Windows-1252 a name with such a letter would be torn, and so missed without a word.
    if any(_is_utf_8_letters(run) for run in set(raw.translate(_ASCII_TO_SPACE).split())):
        raise EncodingUndeterminedError("UTF-8 and Windows-1252 letters in one text; save the file as UTF-8")
    return _checked(raw, text, "cp1252", b"")


_ASCII_TO_SPACE = bytes(0x20 if byte < 0x80 else byte for byte in range(256))


def _is_utf_8_letters(run: bytes) -> bool:
    """Whether a run of bytes above 7F is UTF-8 for letters and signs of Western text.

    Other letters do not count: a capital and a closing quote in Windows-1252 happen to be UTF-8 as well.
    """
    try:
        letters = run.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all("\u00c0" <= c <= "\u017f" or "\u2010" <= c <= "\u203a" or c == "\u20ac" for c in letters)
