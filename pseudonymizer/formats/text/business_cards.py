"""Cards of people (vCard 2.1 to 4.0): the parts of a name are one person; folds and codings stay."""

import re
from typing import Final

from pseudonymizer.formats.text.content_lines import (
    ContentLine,
    Stretch,
    add_text,
    add_value,
    begins_with,
    content_lines,
)
from pseudonymizer.formats.text.packed_text import UNREAD
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate, text_tree
from pseudonymizer.formats.tree.textmap import TextBuilder
from pseudonymizer.formats.vocabulary import words

_NAMES: Final = words("FN NICKNAME SORT-STRING X-PHONETIC-FIRST-NAME X-PHONETIC-LAST-NAME AGENT RELATED")
_SHOWN: Final = words("NOTE TITLE ROLE ORG ADR LABEL EMAIL TEL BDAY CATEGORIES ANNIVERSARY X-ABRELATEDNAMES")
_RULES: Final = words("BEGIN END VERSION PRODID REV UID TZ GEO CLASS MAILER X-ABUID KIND GENDER LANG")
_MEDIA: Final = words("PHOTO LOGO SOUND KEY")
_PART: Final = re.compile(r"(?:\\.|[^;\\])*")
_MOST_PARTS: Final = 5  # family, given, further, before, behind the name


def looks_like_cards(raw: bytes) -> bool:
    """Whether a text begins as a card does."""
    return begins_with(raw, b"VCARD")


def parse(raw: bytes, reading: Reading) -> TextNode:
    """The lines of cards that people read, each card apart."""
    return text_tree(raw, reading, add_cards)


def add_cards(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    """Names as names, notes and addresses as prose, other values searched."""
    builder = reading.prose
    for line in content_lines(text, start, end):
        if line.name == "BEGIN":
            separate(builder)
        elif line.name in _MEDIA:
            _add_media(text, line, source, reading)
        elif line.is_packed:
            reading.leave_unread(UNREAD)
        elif line.name == "N":
            _add_name(text, line, source, builder)
        elif line.name in _NAMES:
            separate(builder, "\n")
            begin = builder.length
            add_value(builder, source, text, line)
            builder.name(begin, builder.length)
        elif line.name not in _RULES:
            shown = builder if line.name in _SHOWN else reading.technical
            separate(shown, "\n")
            for number, part in enumerate(_parts(text, line) if line.name in {"ADR", "ORG"} else ()):
                if part.start < part.end:
                    if number:
                        shown.gap(" ")
                        shown.new_field()
                    _add_part(shown, source, text, line, part)
            if line.name not in {"ADR", "ORG"}:
                add_value(shown, source, text, line)


def _add_media(text: str, line: ContentLine, source: int, reading: Reading) -> None:
    value = text[line.start : line.end]
    if "://" in value[:12] and not line.is_packed:
        separate(reading.technical, "\n")
        add_text(reading.technical, source, text, line.start, line.end)
    elif value.strip():
        reading.leave_unread("media" if line.name != "KEY" else UNREAD)


def _add_name(text: str, line: ContentLine, source: int, builder: TextBuilder) -> None:
    """Given names, particles and family name in the order in which people write them: one name."""
    parts = _parts(text, line)[:_MOST_PARTS]
    family, given, further = (parts + [Stretch(line.end, line.end)] * 3)[:3]
    separate(builder, "\n")
    for part in parts[3:4]:
        if part.start < part.end:
            _add_part(builder, source, text, line, part)
            builder.gap(" ")
            builder.new_field()
    begin = builder.length
    for part in (given, further, family):
        if part.start == part.end:
            continue
        if builder.length > begin:
            builder.gap(" ")
            builder.new_field()
        _add_part(builder, source, text, line, part)
    builder.name(begin, builder.length)
    for part in parts[4:5]:
        if part.start < part.end:
            builder.gap(" ")
            builder.new_field()
            _add_part(builder, source, text, line, part)


def _parts(text: str, line: ContentLine) -> list[Stretch]:
    found: list[Stretch] = []
    position = line.start
    while position <= line.end:
        part = _PART.match(text, position, line.end)
        stop = part.end() if part is not None else line.end
        found.append(Stretch(position, stop))
        position = stop + 1
    return found


def _add_part(builder: TextBuilder, source: int, text: str, line: ContentLine, part: Stretch) -> None:
    add_value(builder, source, text, ContentLine(line.name, line.parameters, part.start, part.end))
