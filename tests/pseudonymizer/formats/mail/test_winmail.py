"""winmail.dat: every part is read by its own format, and the file comes back byte for byte."""

import struct

import pytest

from linkage.errors import DamagedDocumentError, UnsupportedInputError
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.mail.winmail import _attributes, _values
from tests.pseudonymizer.formats import made_winmail as made
from tests.pseudonymizer.formats.naming import LABEL, rewrite
from tests.pseudonymizer.formats.test_unread import mail

NAMES = ["Els Wiersma", "Bas Terpstra"]
SENTENCES = ["Toen belde Els Wiersma terug.", "Daarna kwam Bas Terpstra langs."]


def test_people_subject_bodies_and_attachments_are_read_in_their_order() -> None:
    parsed = formats.read(made.tnef(NAMES, SENTENCES), name="winmail.dat")
    assert (parsed.format_name, parsed.unread) == ("tnef", ())
    text = parsed.parts[0].text
    order = [
        "Van: Els Wiersma",
        "Onderwerp: Over Bas Terpstra",
        "Naam: Bas Terpstra",
        SENTENCES[0],
        "lijst.csv",
    ]
    assert sorted(order, key=text.index) == order
    assert text.count(SENTENCES[0]) == 3  # RTF, page, and the message inside


def test_no_name_stays_and_all_comes_back() -> None:
    raw = made.tnef(NAMES, SENTENCES)
    _, rendered = rewrite(raw, "winmail.dat", NAMES)
    for coding in ("latin-1", "utf-16-le"):
        for start in (0, 1):
            shown = rendered.raw[start:].decode(coding, "replace")
            assert "Wiersma" not in shown
            assert "Terpstra" not in shown
    again = formats.read(rendered.raw, name="winmail.dat").parts[0].text
    assert f"Van: {LABEL}\n" in again
    assert f"Toen belde {LABEL} terug." in again
    assert formats.undo("tnef", rendered.raw, rendered.edits) == raw


def test_lengths_and_checksums_of_what_was_written_are_right() -> None:
    _, rendered = rewrite(made.tnef(NAMES, SENTENCES), "winmail.dat", NAMES)
    for one in _attributes(rendered.raw):
        content = one.content(rendered.raw)
        assert struct.unpack_from("<H", rendered.raw, one.end - 2) == (sum(content) & 0xFFFF,)
        if one.tag == 0x69003:
            assert _values(content, 0)[1] == len(content)
        if one.tag == 0x8000:
            kind, size, name, address = struct.unpack_from("<HHHH", content)
            assert (kind, size, len(content)) == (4, 8 + name + address, 8 + name + address + 8)


def test_a_wrong_checksum_comes_back_too() -> None:
    raw = bytearray(made.winmail(made.attribute(1, 0x18004, b"Over Els Wiersma\0")))
    raw[-1] ^= 0x55
    _, rendered = rewrite(bytes(raw), "x.tnef", NAMES)
    assert LABEL.encode() in rendered.raw
    assert formats.undo("tnef", rendered.raw, rendered.edits) == raw


def test_what_programs_and_lists_of_addresses_hold_is_searched() -> None:
    owner = struct.pack("<H", 12) + b"Els Wiersma\0" + struct.pack("<H", 6) + b"a@b.c\0"
    raw = made.winmail(
        made.attribute(1, 0x60000, owner),
        made.attribute(1, 0x69003, made.properties(
            made.value(0x8001, made.BYTES, b"\1Els Wiersma\0", name="Els Wiersma"),
            made.value(0x0C19, made.BYTES, made.wide("Els Wiersma")),
        )),
        made.attribute(1, 0x18004, b"Over Els Wiersma\0"),
    )  # fmt: skip
    _, rendered = rewrite(raw, "x.tnef", NAMES)
    assert b"Wiersma" not in rendered.raw.replace(b"\0", b"")
    assert formats.undo("tnef", rendered.raw, rendered.edits) == raw


def test_attachments_are_read_by_their_endings_and_told_where_none_is_known() -> None:
    raw = made.winmail(
        made.attached("brief.rtf", rb"{\rtf1 Els {\b Wier}sma}"), made.attached("foto.png", b"\x89PNG"),
        made.attached("x.gz", b"\x1f\x8b\x08"),
    )  # fmt: skip
    with pytest.raises(UnsupportedInputError, match="an attachment was not read"):
        formats.read(raw, name="winmail.dat")
    parsed = formats.read(raw, name="winmail.dat", options=FormatOptions(keep_unread=True))
    assert "Els Wiersma" in parsed.parts[0].text
    assert {(one.kind, one.place) for one in parsed.unread} == {
        ("media", "attachment 2"),
        ("attachment", "attachment 3"),
    }


def test_the_name_of_an_attachment_keeps_its_ending() -> None:
    raw = made.winmail(made.attached("brief van Els Wiersma.csv", b"naam\nEls Wiersma\n"))
    _, rendered = rewrite(raw, "winmail.dat", NAMES)
    assert f"brief van {LABEL}.csv".encode() in rendered.raw


def test_in_a_mail_it_is_read_and_the_mail_comes_back() -> None:
    raw = mail(("application", "ms-tnef", made.tnef(NAMES, SENTENCES)))
    parsed, rendered = rewrite(raw, "x.eml", [*NAMES, "Jitske Wiersma"])
    assert parsed.unread == ()
    again = formats.read(rendered.raw, name="x.eml").parts[0].text
    assert f"Toen belde {LABEL} terug." in again
    assert "Wiersma" not in again
    assert formats.undo("eml", rendered.raw, rendered.edits) == raw


@pytest.mark.parametrize("cut", [1, 3, 60, 300])
def test_a_file_that_is_cut_off_is_damaged(cut: int) -> None:
    with pytest.raises(DamagedDocumentError, match="cut off") as told:
        formats.read(made.tnef(NAMES, SENTENCES)[:-cut], name="winmail.dat")
    assert "Wiersma" not in str(told.value)


def test_another_file_of_its_name_is_refused() -> None:
    with pytest.raises(UnsupportedInputError, match="named as tnef but its content is not"):
        formats.read(b"naam\n", name="x.tnef")
