"""Properties of Outlook: which are read as text, in which order, and how a name in bytes is written over."""

from linkage.records import Span
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.mail.properties import ATTACHED, BODY, add_binary, add_string, rank
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.tree.parsing import Reading
from pseudonymizer.formats.tree.textmap import Change

OWNER = ("", Span(0, 1))


def _reading() -> Reading:
    return Reading(FormatOptions(), parse_nested, size=100)


def test_subject_and_people_come_first_and_attachments_last() -> None:
    assert sorted([ATTACHED, BODY, 0x0037], key=rank) == [0x0037, BODY, ATTACHED]


def test_what_people_read_is_prose_and_all_else_technical() -> None:
    reading = _reading()
    add_string(0x0037, "Over Els".encode("utf-16-le"), "utf-16-le", reading)
    add_string(0x67FA, b"Els", "cp1252", reading)
    add_string(0x67FB, b"12", "cp1252", reading)
    assert (reading.prose.text, reading.technical.text) == ("Onderwerp: Over Els", "Els")


def test_a_string_that_is_not_of_its_encoding_comes_back() -> None:
    node = add_string(0x0037, b"Els \x81", "cp1252", _reading())
    assert node.render({}, "", []) == b"Els \x81"


def test_names_in_bytes_are_written_over_in_their_length() -> None:
    reading = _reading()
    raw = b"\1\2Els Wiersma\0" + "Els Wiersma".encode("utf-16-le") + b"\0\0"
    node = add_binary(raw, reading)
    assert reading.technical.text == "Els Wiersma\nEls Wiersma"
    written = node.render({node.source: [Change(2, 13, "P1", OWNER), Change(14, 36, "P1", OWNER)]}, "", [])
    assert written == b"\1\2xxxxxxxxxxx\0" + b"x\0" * 11 + b"\0\0"
