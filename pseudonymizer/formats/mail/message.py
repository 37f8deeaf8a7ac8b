"""Mail messages (EML): headers, all bodies alike, and attachments by their own formats, rewritten in
place."""

import email
import re
from collections.abc import Callable, Mapping, Sequence
from email.message import Message

from linkage.errors import DamagedDocumentError, DocumentError, EncryptedDocumentError, UnsupportedInputError
from linkage.reading import decode
from pseudonymizer.formats.every_format import BY_MEDIA_TYPE
from pseudonymizer.formats.mail.headers import add_headers
from pseudonymizer.formats.mail.transfer import quoted_printable
from pseudonymizer.formats.text.business_cards import add_cards
from pseudonymizer.formats.text.calendar import add_calendar
from pseudonymizer.formats.text.html import add_html, decode_html
from pseudonymizer.formats.text.markup import as_reference
from pseudonymizer.formats.tree.nodes import BytesNode, Child, MappedTextNode, TextNode
from pseudonymizer.formats.tree.packing import Base64Packing
from pseudonymizer.formats.tree.parsing import Reading, separate

_HEADER_END = re.compile(rb"\r?\n\r?\n|\A\r?\n")
_MAX_PARTS = 2_000
_MEDIA = frozenset({"image", "audio", "video", "font"})
_SIGNATURES = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_ENCRYPTED = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_READ_AS_TEXT = frozenset({"text/plain"})
_PAGES = frozenset({"text/html", "text/enriched"})
_WIDE = {"utf-16": "utf-16-be", "utf-32": "utf-32-be"}  # without a mark (RFC 2781, section 4.3)
_MAY_NAME = re.compile(r"[^\W\d_]{2,}[ ._'-]+[^\W\d_]{2,}")

_ADDERS: Mapping[str, Callable[[str, int, int, int, Reading], None]] = {
    "ics": add_calendar, "vcf": add_cards,
}  # fmt: skip


def parse(raw: bytes, reading: Reading) -> BytesNode:
    separate(reading.prose)
    children = _Message(raw, reading).entity(0, len(raw))
    reading.place = ""
    return BytesNode(raw, sorted(children, key=lambda child: child[:2]))


class _Message:
    """One message being read; children are the stretches of it that can be changed."""

    def __init__(self, raw: bytes, reading: Reading) -> None:
        self._raw, self._reading = raw, reading
        self._line_end = "\r\n" if b"\r\n" in raw[:4096] else "\n"
        self._parts = 0

    def entity(self, start: int, end: int, *, default: str = "text/plain", depth: int = 0) -> list[Child]:
        """A header and a body; a body of several parts is such entities again."""
        self._parts += 1
        if self._parts > _MAX_PARTS or depth > 50:
            raise UnsupportedInputError(
                f"the message has more than {_MAX_PARTS} parts, or parts in parts: refused"
            )
        found = _HEADER_END.search(self._raw, start, end)
        head_end, body = (found.start(), found.end()) if found else (end, end)
        if found is not None and self._raw[start : start + 1] in b"\r\n":
            head_end, body = start, start + (2 if self._raw[start : start + 2] == b"\r\n" else 1)
        head = email.message_from_bytes(self._raw[start:head_end] + b"\r\n\r\n")
        head.set_default_type(default)
        children = add_headers(self._raw, start, head_end, self._reading)
        kind = head.get_content_type()
        if kind in _ENCRYPTED and "signed-data" not in str(head.get_param("smime-type", "")):
            raise EncryptedDocumentError("the message is encrypted; decrypt it first")
        separate(self._reading.prose)
        if kind.startswith("multipart/"):
            return children + self._parts_of(head, (start, head_end), (body, end), depth)
        if kind == "message/rfc822" and _transfer(head) not in {"base64", "quoted-printable"}:
            return children + self.entity(body, end, depth=depth + 1)
        return children + self._body(head, kind, body, end)

    def _parts_of(
        self, head: Message, fields: tuple[int, int], body: tuple[int, int], depth: int
    ) -> list[Child]:
        start, end = body
        boundary = head.get_boundary()
        if not boundary:
            raise DamagedDocumentError("a message of several parts does not say what divides them")
        line = re.compile(
            rb"(?:\A|(?<=\n)|(?P<before>\r?\n))--"
            + re.escape(boundary.encode("latin-1", "replace"))
            + rb"(?P<last>--)?[ \t]*(?:\r?\n|\Z)"
        )
        default = "message/rfc822" if head.get_content_type() == "multipart/digest" else "text/plain"
        children: list[Child] = []
        if _MAY_NAME.search(boundary):
            children += self._boundary(boundary, fields, [m.span() for m in line.finditer(self._raw, *body)])
        part_start: int | None = None
        position = start
        while (found := line.search(self._raw, position, end)) is not None or part_start is not None:
            stop = found.start() if found is not None else end
            if part_start is None:
                children += self._loose(start, stop)  # before the first part
            else:
                children += self.entity(part_start, max(stop, part_start), default=default, depth=depth + 1)
            if found is None:
                return children
            part_start = position = found.end()
            if found["last"]:
                return children + self._loose(found.end(), end)
        return children + self._loose(start, end)

    def _boundary(
        self, boundary: str, fields: tuple[int, int], lines: Sequence[tuple[int, int]]
    ) -> list[Child]:
        """What divides the parts, in the head and wherever it stands: searched, and changed alike."""
        written = boundary.encode("latin-1", "replace")
        at = self._raw.find(written, *fields)
        if at < 0:
            return []
        builder = self._reading.technical
        separate(builder, "\n")
        children: list[Child] = []
        for number, start in enumerate([at, *(self._raw.find(written, *line) for line in lines)]):
            source = self._reading.new_source()
            children.append((start, start + len(written), None, TextNode(source, boundary, "latin-1")))
            if number:
                builder.attach(source, 0, len(boundary), _in_boundary)
            else:
                builder.copied(source, boundary, 0, _in_boundary)
        return children

    def _loose(self, start: int, end: int) -> list[Child]:
        """Text outside all parts, which no mail program shows."""
        if not self._raw[start:end].strip():
            return []
        separate(self._reading.prose)
        return self._plain(start, end, "us-ascii")

    def _body(self, head: Message, kind: str, start: int, end: int) -> list[Child]:
        reading = self._reading
        if start >= end or not self._raw[start:end].strip():
            return []
        reading.place = f"part {self._parts}"
        main = kind.partition("/")[0]
        if main in _MEDIA:
            reading.leave_unread("media")
            return []
        if kind in _SIGNATURES:
            if "pkcs7" in kind:  # its certificates name the person who signed
                reading.leave_unread("signature")
            return []
        charset = _known_charset(head.get_content_charset("us-ascii"))
        transfer = _transfer(head)
        if transfer == "base64":
            return self._packed(head, kind, charset, start, end)
        if transfer not in {"7bit", "8bit", "binary", "", "quoted-printable"}:
            return self._unread(UnsupportedInputError("a part of the message is packed in an unknown way"))
        declared = head.get_content_charset("")
        is_wide = (declared or "").lower().startswith(("utf-16", "utf-32"))
        if transfer == "quoted-printable":
            if is_wide:
                error = UnsupportedInputError("a part in UTF-16 or UTF-32 is packed as quoted-printable")
                return self._unread(error)
            return self._quoted(kind, charset, start, end)
        if is_wide and (wide := _wide(self._raw[start:end], declared)) is not None:
            return [(start, end, None, self._wide_text(kind, *wide))]
        if kind in _PAGES:
            text, encoding = _decoded(self._raw[start:end], charset, decode_html)
            source = reading.new_source()
            add_html(text, 0, len(text), source, reading)
            return [(start, end, None, TextNode(source, text, encoding, b"", as_reference))]
        if kind in _READ_AS_TEXT or (main == "text" and kind not in BY_MEDIA_TYPE):
            return self._plain(start, end, charset)
        try:
            node = reading.nested(self._raw[start:end], _suffix_of(kind, _suffix(head)))
        except DocumentError as error:
            return self._unread(error)
        return [(start, end, None, node)]

    def _wide_text(self, kind: str, text: str, encoding: str, mark: bytes) -> TextNode:
        """A body in two or four bytes a letter."""
        source = self._reading.new_source()
        if kind in _PAGES:
            add_html(text, 0, len(text), source, self._reading)
        else:
            self._reading.prose.copied(source, text, 0)
        return TextNode(source, text, encoding, mark)

    def _plain(self, start: int, end: int, charset: str) -> list[Child]:
        text, encoding = _decoded(self._raw[start:end], charset, _decode_plain)
        source = self._reading.new_source()
        self._reading.prose.copied(source, text, 0)
        return [(start, end, None, TextNode(source, text, encoding))]

    def _quoted(self, kind: str, charset: str, start: int, end: int) -> list[Child]:
        source = self._reading.new_source()
        node: MappedTextNode = quoted_printable(source, self._raw[start:end], charset, self._line_end)
        if kind in _PAGES:
            add_html(node.text, 0, len(node.text), source, self._reading)
        elif (known := BY_MEDIA_TYPE.get(kind)) is not None and known.name in _ADDERS:
            _ADDERS[known.name](node.text, 0, len(node.text), source, self._reading)
        else:
            self._reading.prose.copied(source, node.text, 0)
        return [(start, end, None, node)]

    def _packed(self, head: Message, kind: str, charset: str, start: int, end: int) -> list[Child]:
        suffix, main = _suffix(head), kind.partition("/")[0]
        raw = self._raw[start:end]
        content = Base64Packing.unpack(raw)
        reading = self._reading
        wide = _wide(content, head.get_content_charset(""))
        if wide is not None and (kind in _PAGES or main == "text"):
            return [(start, end, Base64Packing(raw), self._wide_text(kind, *wide))]
        if kind in _PAGES:
            text, encoding = _decoded(content, charset, decode_html)
            source = reading.new_source()
            add_html(text, 0, len(text), source, reading)
            return [(start, end, Base64Packing(raw), TextNode(source, text, encoding, b"", as_reference))]
        if kind in _READ_AS_TEXT:
            text, encoding = _decoded(content, charset, _decode_plain)
            source = reading.new_source()
            reading.prose.copied(source, text, 0)
            return [(start, end, Base64Packing(raw), TextNode(source, text, encoding))]
        try:
            node = reading.nested(content, _suffix_of(kind, suffix))
        except DocumentError as error:
            return self._unread(error)
        return [(start, end, Base64Packing(raw), node)]

    def _unread(self, error: DocumentError) -> list[Child]:
        if not self._reading.options.keep_unread:
            raise UnsupportedInputError(
                f"an attachment was not read ({error}); take it out, or allow unread attachments"
            ) from None
        self._reading.leave_unread("attachment")
        return []


def _suffix_of(kind: str, suffix: str) -> str:
    """The suffix by which an attachment is read: that of its media type, else that of its name."""
    known = BY_MEDIA_TYPE.get(kind)
    return suffix if known is None else known.suffixes[0]


def _suffix(head: Message) -> str:
    """The suffix of the name of an attachment; "" where it has none."""
    name = head.get_filename() or ""
    return name.rpartition(".")[2].lower() if "." in name else ""


def _wide(raw: bytes, charset: str | None) -> tuple[str, str, bytes] | None:
    """(text, encoding, byte order mark) of a text in UTF-16 or UTF-32; None for other charsets."""
    name = (charset or "").lower().replace("_", "-")
    if (
        not name.startswith(("utf-16", "utf-32")) or b"\0" not in raw
    ):  # a charset that is not that of the body
        return None
    try:
        text, encoding, mark = _decode_plain(raw)
        if mark and encoding.lower().startswith(("utf-16", "utf-32")):
            return text, encoding, mark
        encoding = _WIDE.get(name, name)
        text = raw.decode(encoding)
    except (DocumentError, LookupError, UnicodeError):
        return None
    return (text, encoding, b"") if text.encode(encoding) == raw else None


def _in_boundary(label: str) -> str:
    return re.sub(r"[^0-9A-Za-z'()+_,./:=?-]", "_", label)[:60]


def _transfer(head: Message) -> str:
    return str(head.get("Content-Transfer-Encoding", "")).strip().lower()


def _known_charset(charset: str) -> str:
    try:
        "aé€".encode(charset, "ignore").decode(charset)
        plain = "az09=<".encode(charset) == b"az09=<"
    except (LookupError, UnicodeError):
        return "latin-1"
    return charset if plain and not charset.lower().startswith(("iso-2022", "utf-7", "hz")) else "latin-1"


def _decoded(
    raw: bytes, charset: str, otherwise: Callable[[bytes], tuple[str, str, bytes]]
) -> tuple[str, str]:
    """By the charset that the part declares; many mails declare a wrong one, or none."""
    try:
        text = raw.decode(charset)
        if text.encode(charset) == raw:
            return text, charset
    except UnicodeError:
        pass
    try:
        text, encoding, mark = otherwise(raw)
    except DocumentError:
        return raw.decode("latin-1"), "latin-1"
    return (text, encoding) if not mark else (raw.decode(encoding), encoding)


def _decode_plain(raw: bytes) -> tuple[str, str, bytes]:
    decoded = decode(raw)
    return decoded.text, decoded.encoding, decoded.byte_order_mark
