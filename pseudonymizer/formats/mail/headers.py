"""Header fields of mail: shown decoded, rewritten in place, folding and encoded words as they came."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pseudonymizer.formats.mail.transfer import percent_encoded, unfolded
from pseudonymizer.formats.tree.encoded_words import RUN, WordsPacking, encode_words, unpack_words
from pseudonymizer.formats.tree.nodes import Child, TextNode, encode_label
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import TextBuilder
from pseudonymizer.formats.vocabulary import words

_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:((?:[^\r\n]|\r?\n[ \t]+(?=\S)|\r(?!\n)|\r?\n[ \t]+(?=\r?\n[ \t]))*)")
_SHOWN = words(
    "from to cc bcc reply-to sender subject comments keywords organization resent-from resent-to resent-"
    " cc resent-sender thread-topic x-original-to disposition-notification-to x-sender x-from x-to"
)  # fmt: skip
_ADDRESSES = _SHOWN - words("subject comments keywords organization thread-topic")
_STRUCTURE = words("content-type content-disposition content-description content-id content-location")
# Nothing to read, or bound to the bytes of the message as it was.
_SKIPPED = words(
    "date mime-version content-transfer-encoding content-length lines status x-status thread-index"
    " importance priority x-priority precedence content-language x-pseudonymized"
)
# Signatures and keys: of these fields only what names a sender is searched; the rest are bytes.
_SIGNED = words(
    "dkim-signature arc-seal arc-message-signature domainkey-signature x-google-dkim-signature autocrypt"
    " autocrypt-gossip"
)
_SIGNED_BY = re.compile(rb"(?:^|;)\s*(?P<name>i|s|addr)\s*=\s*(?P<value>[^;\s]+)", re.IGNORECASE)
_KEY = re.compile(rb"(?:^|;)\s*keydata\s*=", re.IGNORECASE)
_LISTED_NAME = re.compile(r"[^\W\d_][\w'\u2019.-]*(?: [\w'\u2019.-]+){0,3}, ?[^\W\d_][\w'\u2019. -]*")
_PARAMETER = re.compile(
    rb"(?<=[;\s])(?:file)?name(?:\*\d+)?(?P<extended>\*)?[ \t]*=[ \t]*"
    rb"(?P<value>\"(?:[^\"\\]|\\.)*\"|[^\s;\"]+)",
    re.IGNORECASE,
)
_CHARSET_OF_PARAMETER = re.compile(rb"([A-Za-z0-9_-]*)'[A-Za-z-]*'")
_SPECIALS = re.compile(r"[^\w !#$%&*+/=?^`{|}~'-]|[^\x00-\x7f]")


class HeaderField(NamedTuple):
    name: str  # lower case
    start: int  # of the value, after the colon
    end: int


def header_fields(raw: bytes, start: int, end: int) -> Iterator[HeaderField]:
    for found in _FIELD.finditer(raw, start, end):
        if found.start() == start or raw[found.start() - 1 : found.start()] == b"\n":
            yield HeaderField(found[1].decode("ascii").lower(), found.start(2), found.end(2))


def add_headers(raw: bytes, start: int, end: int, reading: Reading) -> list[Child]:
    """The header between start and end as text, and the parts of it that can be changed."""
    children: list[Child] = []
    for header in header_fields(raw, start, end):
        if header.name in _SKIPPED:
            continue
        if header.name in _SIGNED:
            children += _add_signer(raw, header, reading)
            continue
        if header.name in _STRUCTURE:
            children += _add_parameters(raw, header, reading)
            continue
        if header.name in _SHOWN:
            builder = reading.prose
            _new_line(builder)
            builder.gap(f"{header.name.title()}:")
        else:
            builder = reading.technical
            _new_line(builder)
        is_address = header.name in _ADDRESSES
        children += _add_value(raw, header.start, header.end, reading, builder, is_address=is_address)
    return children


def _add_signer(raw: bytes, header: HeaderField, reading: Reading) -> list[Child]:
    """Who signed, or whose key it is; a key itself names its owner in bytes that are not read."""
    children: list[Child] = []
    value = raw[header.start : header.end]
    if _KEY.search(value):
        reading.leave_unread("key of a sender")
    for found in _SIGNED_BY.finditer(value):
        start, end = header.start + found.start("value"), header.start + found.end("value")
        _new_line(reading.technical)
        children += _add_value(raw, start, end, reading, reading.technical, is_address=False)
    return children


def _new_line(builder: TextBuilder) -> None:
    if builder.length and not builder.ends_with("\n"):
        builder.gap("\n")
    builder.new_field()


def _add_value(
    raw: bytes, start: int, end: int, reading: Reading, builder: TextBuilder, *, is_address: bool
) -> list[Child]:
    """Literal text and runs of encoded words in turn."""
    children: list[Child] = []
    position = start
    for run in [*RUN.finditer(raw, start, end), None]:
        stop = run.start() if run is not None else end
        if stop > position:
            source = reading.new_source()
            piece = raw[position:stop]
            node = unfolded(source, piece, _charset(piece), _phrase if is_address else _text)
            if is_address:
                _add_address_text(builder, source, node.text)
            else:
                builder.copied(source, node.text, 0)
            children.append((position, stop, None, node))
        if run is None:
            break
        source = reading.new_source()
        text = unpack_words(run[0]).decode("utf-8")
        builder.copied(source, text, 0)
        children.append((run.start(), run.end(), WordsPacking(), TextNode(source, text, "utf-8")))
        position = run.end()
    return children


def _add_address_text(builder: TextBuilder, source: int, text: str) -> None:
    """An address list: labels inside quotes, and those of bare words, are escaped as each needs it."""
    position = 0
    for found in re.finditer(r'"((?:[^"\\]|\\.)*)"|<([^<>]*)>', text):
        builder.copied(source, text[position : found.start()], position)
        is_quoted = found[1] is not None
        escape = _in_quotes if is_quoted else _in_address
        begin = builder.length
        builder.copied(source, found[0], found.start(), escape)
        if is_quoted and _LISTED_NAME.fullmatch(found[1]):
            builder.name(begin + 1, builder.length - 1)  # "Family, given": a comma needs the quotes
        position = found.end()
    builder.copied(source, text[position:], position)


def _charset(piece: bytes) -> str:
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


# Escapes mark what they made with a leading sign, so that the writer of the whole value leaves it alone.
_DONE = "\x00"


def _in_quotes(label: str) -> str:
    return _DONE + label.replace("\\", "\\\\").replace('"', '\\"')


def _in_address(label: str) -> str:
    return _DONE + label


def _phrase(label: str) -> str:
    """For bare words of an address list: what is not plain becomes an encoded word."""
    if label.startswith(_DONE):
        return _bare_ascii(label[1:])
    return (
        encode_words(label).decode("ascii")
        if _SPECIALS.search(label.replace("@", "a").replace(".", "a"))
        else label
    )


def _text(label: str) -> str:
    label = label.removeprefix(_DONE)
    return label if label.isascii() else encode_words(label).decode("ascii")


def _bare_ascii(label: str) -> str:
    return encode_label(label, "ascii").decode("ascii")


def _add_parameters(raw: bytes, header: HeaderField, reading: Reading) -> list[Child]:
    """File names in Content-Type and Content-Disposition; a description is text; ids are technical."""
    if header.name == "content-description":
        _new_line(reading.aside)
        return _add_value(raw, header.start, header.end, reading, reading.aside, is_address=False)
    if header.name in {"content-id", "content-location"}:
        _new_line(reading.technical)
        return _add_value(raw, header.start, header.end, reading, reading.technical, is_address=False)
    children: list[Child] = []
    separate(reading.aside, "\n")
    for found in _PARAMETER.finditer(raw, header.start, header.end):
        start, end = found.span("value")
        write: Callable[[str], str] = _bare_ascii
        if raw[start : start + 1] == b'"':
            start, end = start + 1, end - 1
        if found["extended"]:
            children.append(_extended(raw, start, end, reading))
        elif RUN.search(raw, start, end):
            children += _add_value(raw, start, end, reading, reading.aside, is_address=False)
        else:
            source = reading.new_source()
            node = unfolded(source, raw[start:end], _charset(raw[start:end]), write)
            reading.aside.copied(source, node.text, 0, _file_name)
            children.append((start, end, None, node))
    return children


def _extended(raw: bytes, start: int, end: int, reading: Reading) -> Child:
    found = _CHARSET_OF_PARAMETER.match(raw, start, end)
    charset = "utf-8"
    if found is not None:
        start = found.end()
        charset = found[1].decode("ascii") or "utf-8"
    source = reading.new_source()
    try:
        node = percent_encoded(source, raw[start:end], charset)
    except LookupError:
        node = percent_encoded(source, raw[start:end], "latin-1")
    reading.aside.copied(source, node.text, 0)
    return start, end, None, node


def _file_name(label: str) -> str:
    return re.sub(r'[<>:"/\\|?*\s;]', "_", label)
