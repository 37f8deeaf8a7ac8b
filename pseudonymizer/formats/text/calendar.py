"""Calendars (iCalendar, RFC 5545): what people read of events; folds, escapes and rules stay."""

from typing import Final

from pseudonymizer.formats.text.content_lines import (
    ContentLine,
    add_text,
    add_value,
    begins_with,
    content_lines,
    in_parameter,
)
from pseudonymizer.formats.text.html import add_html
from pseudonymizer.formats.text.packed_text import UNREAD
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate, text_tree
from pseudonymizer.formats.tree.textmap import TextBuilder
from pseudonymizer.formats.vocabulary import words

_SHOWN: Final = words(
    "SUMMARY DESCRIPTION LOCATION COMMENT CONTACT CATEGORIES X-WR-CALNAME X-WR-CALDESC RESOURCES"
)
_PEOPLE: Final = words("ATTENDEE ORGANIZER")
# Moments, rules and keywords: nothing that anybody is called.
_RULES: Final = words(
    "BEGIN END VERSION PRODID CALSCALE METHOD DTSTAMP DTSTART DTEND DUE COMPLETED CREATED LAST-MODIFIED"
    " DURATION RRULE RDATE EXDATE EXRULE SEQUENCE STATUS TRANSP CLASS PRIORITY PERCENT-COMPLETE ACTION"
    " TRIGGER REPEAT GEO TZID TZOFFSETFROM TZOFFSETTO TZNAME FREEBUSY RECURRENCE-ID REFRESH-INTERVAL"
    " X-WR-TIMEZONE"
)


def looks_like_calendar(raw: bytes) -> bool:
    """Whether a text begins as a calendar does."""
    return begins_with(raw, b"VCALENDAR")


def parse(raw: bytes, reading: Reading) -> TextNode:
    """The lines of a calendar that people read; addresses and other values are searched."""
    return text_tree(raw, reading, add_calendar)


def add_calendar(text: str, start: int, end: int, source: int, reading: Reading) -> None:
    """Each line that holds words on a line of its own; the name of a guest is a name."""
    for line in content_lines(text, start, end):
        if line.name in _RULES:
            continue
        if line.is_packed:
            reading.leave_unread("attachment" if line.name == "ATTACH" else UNREAD)
            continue
        if line.name in _PEOPLE:
            _add_person(text, line, source, reading)
            continue
        _add_parameters(text, line, source, reading)
        if line.name == "X-ALT-DESC":
            value = TextBuilder()
            add_value(value, source, text, line)
            inner, page = reading.derive(value)
            separate(reading.prose, "\n")
            add_html(page, 0, len(page), inner, reading)
        else:
            builder = reading.prose if line.name in _SHOWN else reading.technical
            separate(builder, "\n")
            add_value(builder, source, text, line)


def _add_person(text: str, line: ContentLine, source: int, reading: Reading) -> None:
    builder = reading.prose
    separate(builder, "\n")
    for parameter in line.parameters:
        if parameter.name == "CN":
            begin = builder.length
            add_text(builder, source, text, parameter.start, parameter.end, in_parameter)
            if "@" not in parameter.value:
                builder.name(begin, builder.length)
            builder.gap(" ")
            builder.new_field()
        elif parameter.name in {"EMAIL", "SENT-BY", "DELEGATED-TO", "DELEGATED-FROM", "MEMBER", "DIR"}:
            separate(reading.technical, "\n")
            add_text(reading.technical, source, text, parameter.start, parameter.end, in_parameter)
    value = text[line.start : line.end]
    scheme = len("mailto:") if value[:7].lower() == "mailto:" else 0
    add_text(builder, source, text, line.start + scheme, line.end)


def _add_parameters(text: str, line: ContentLine, source: int, reading: Reading) -> None:
    for parameter in line.parameters:
        if any(letter.isalpha() for letter in parameter.value) and parameter.name not in {
            "VALUE", "TZID", "LANGUAGE", "FMTTYPE", "ENCODING", "CHARSET", "TYPE",
        }:  # fmt: skip
            separate(reading.technical, "\n")
            add_text(reading.technical, source, text, parameter.start, parameter.end, in_parameter)
