"""Properties of Outlook (MAPI), in a message of its own and in winmail.dat: what each is, and how it is
read.
"""

import re
from typing import Final

from pseudonymizer.formats.mail.outlook_marks import mark_length
from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.tree.nodes import Changes, TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.vocabulary import label

# By what is shown before it, the ids (MS-OXPROPS) of texts that people read.
_LABELLED: Final = {
    "subject": (0x0037, 0x0070, 0x0E1D), "from": (0x0042, 0x0C1A, 0x0040, 0x0044), "to": (0x0E04,),
    "cc": (0x0E03,), "bcc": (0x0E02,), "name": (0x3001, 0x5FF6), "author": (0x3FFA, 0x3FF8),
    "attachment": (0x3704, 0x3707), "given_name": (0x3A06,), "family_name": (0x3A11,),
    "middle_name": (0x3A44,),
}  # fmt: skip
_SHOWN: Final = {0x1000: "", 0x007D: ""} | {
    tag: label(what) for what, tags in _LABELLED.items() for tag in tags
}
BODY, BODY_HTML, BODY_RTF, ATTACHED = 0x1000, 0x1013, 0x1009, 0x3701
HEADERS: Final = 0x007D
STRING, STRING8, BINARY = 0x001F, 0x001E, 0x0102
MEDIA_SUFFIXES: Final = frozenset(
    {"png", "jpg", "jpeg", "gif", "bmp", "emf", "wmf", "tif", "tiff", "mp3", "mp4", "wav"}
)
_RUNS: Final = re.compile(rb"(?:[\x20-\x7e\xc0-\xff]\x00){4,}|[\x20-\x7e\xc0-\xff]{4,}")


def rank(tag: int) -> int:
    """0 for subject and people, 1 for bodies, 2 for attachments: the order in which a reader sees them."""
    return 2 if tag == ATTACHED else 1 if tag in {BODY, BODY_HTML, BODY_RTF} else 0


def add_string(tag: int, content: bytes, encoding: str, reading: Reading) -> TextNode:
    """The node of a string, whose text is added to prose where people read it, and else to technical."""
    try:
        text = content.decode(encoding)
        if text.encode(encoding) != content:
            raise UnicodeError
    except UnicodeError:
        text, encoding = content.decode("latin-1"), "latin-1"
    source = reading.new_source()
    builder = reading.prose if tag in _SHOWN else reading.technical
    if any(c.isalpha() for c in text):
        separate(builder, "\n")
        builder.gap(_SHOWN.get(tag, ""))
        begin = mark_length(text) if tag == HEADERS else 0
        builder.copied(source, text[begin:], begin)
    return TextNode(source, text, encoding)


def add_binary(content: bytes, reading: Reading) -> "FixedNode":
    """The node of a value of bytes; what looks like words in it is added to technical."""
    source = reading.new_source()
    for run in _RUNS.finditer(content):
        separate(reading.technical, "\n")
        is_wide = run[0][1:2] == b"\0"
        text = run[0].decode("utf-16-le" if is_wide else "latin-1")
        for at, character in enumerate(text):
            start = run.start() + (2 * at if is_wide else at)
            reading.technical.atom(source, character, start, start + (2 if is_wide else 1))
    return FixedNode(source, content)


class FixedNode:
    """Binary values whose length says something: a name in them is overwritten by letters x."""

    def __init__(self, source: int, raw: bytes) -> None:
        self.source, self._raw = source, raw

    def is_changed(self, changes: Changes) -> bool:
        return self.source in changes

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        written = bytearray(self._raw)
        for change in changes.get(self.source, ()):
            old = self._raw[change.start : change.end]
            is_wide = len(old) > 1 and old[1] == 0
            written[change.start : change.end] = b"x\0" * (len(old) // 2) if is_wide else b"x" * len(old)
            edits.append(Edit(location, change.start, change.end, old, change.owner))
        return bytes(written)
