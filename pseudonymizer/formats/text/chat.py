"""Exported chats (WhatsApp): plain text whose lines begin with a time and a sender."""

import re

from linkage.errors import DocumentError
from linkage.reading import decode
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate

# "03-05-2024 10:00 - Yara: text" (Android) and "[03-05-2024, 10:00:12] Yara: text" (iPhone).
_LINE = re.compile(
    r"^[\u200e\u200f]?\[?\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4},? \d{1,2}[:.]\d{2}(?:[:.]\d{2})?"
    r"(?:[ \u202f][AaPp]\.?[Mm]\.?)?(?:\] | - )[\u200e\u200f]?(?:~[ \u202f])?(?P<sender>[^:\n]{1,60}): ",
    re.MULTILINE,
)
_CARD = re.compile(r"(?<=: )[\u200e\u200f]?(?P<card>[^\n:/\\]{1,80})\.vcf\b")
_PHONE = re.compile(r"[+\d][\d ()\u00a0\u202a\u202c-]{6,}")
_MIN_SHARE = 0.3
_SAMPLE = 64_000  # bytes; enough to tell


def looks_like_chat(raw: bytes) -> bool:
    """Whether the lines of a text begin as those of an exported chat do."""
    try:
        text = _beginning(raw)
    except DocumentError:
        return False
    lines = [line for line in text.split("\n") if line.strip()]
    found = len(_LINE.findall(text))
    return found > 0 and found >= _MIN_SHARE * len(lines)


def _beginning(raw: bytes) -> str:
    """The first 64,000 bytes as text; a letter of several bytes may be cut off at their end."""
    if len(raw) <= _SAMPLE:
        return decode(raw).text
    for cut in range(3):
        try:
            return decode(raw[: _SAMPLE - cut]).text
        except DocumentError:
            continue
    return decode(raw[: _SAMPLE - 3]).text


def parse(raw: bytes, reading: Reading) -> TextNode:
    """Senders and the names of contact cards are names, unless they are phone numbers."""
    decoded = decode(raw)
    source = reading.new_source()
    separate(reading.prose)
    text, position = decoded.text, 0
    names = [line.span("sender") for line in _LINE.finditer(text) if not _PHONE.fullmatch(line["sender"])]
    names += [card.span("card") for card in _CARD.finditer(text)]
    for start, end in sorted(names):
        if start < position:
            continue
        reading.prose.copied(source, text[position:start], position)
        begin = reading.prose.length
        reading.prose.copied(source, text[start:end], start)
        reading.prose.name(begin, reading.prose.length)
        position = end
    reading.prose.copied(source, text[position:], position)
    return TextNode(source, decoded.text, decoded.encoding, decoded.byte_order_mark)
