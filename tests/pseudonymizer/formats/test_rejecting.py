"""Lines that cannot be read are left out, with their numbers, and come back byte for byte."""

import codecs
import json
from dataclasses import replace

import pytest

from linkage.errors import DamagedDocumentError
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.rejecting import cuts_in
from pseudonymizer.formats.units import Unit, read_unit, rejected_bytes

LEFT_OUT = FormatOptions(reject_lines=True)


def line(text: str) -> bytes:
    return json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n"


GOOD = [line(f"Regel {n}: Zoë Douma belde.") for n in range(6)]
BAD = b'{"text": "Ada Postma belde\n'
TABLE = "naam;notitie\r\nZoë;belde\r\nAnaïs;kwam\r\n".encode()


def around_every_name(parsed: formats.ParsedFile) -> formats.RenderedFile:
    """The file with another word, of another length, in place of each Douma."""
    return parsed.render(
        {
            part.part_id: {Span(at, at + 5): "PERSOON-1"}
            for part in parsed.parts
            if (at := part.text.find("Douma")) >= 0
        }
    )


@pytest.mark.parametrize(
    ("raw", "numbers"),
    [
        (b"".join([*GOOD[:3], BAD, *GOOD[3:]]), [4]),
        (b"".join([BAD, *GOOD]), [1]),
        (b"".join([*GOOD, BAD]), [7]),
        (b"".join([*GOOD, BAD]).rstrip(b"\n"), [7]),
        (b"".join([*GOOD[:2], BAD, BAD, b"\n", *GOOD[2:]]), [3, 4]),
        (b"".join([*GOOD, b'{"text": "Zo\xeb"}\n']), [7]),
        (b"".join([*GOOD, b'{"text": "\0"}\n']), [7]),
        (codecs.BOM_UTF8 + b"".join([BAD, *GOOD]), [1]),
        (b"".join([*GOOD[:3], BAD, *GOOD[3:]]).replace(b"\n", b"\r\n"), [4]),
        (codecs.BOM_UTF16_LE + b"".join([GOOD[0], BAD, *GOOD[1:]]).decode().encode("utf-16-le"), [2]),
    ],
)
def test_a_bad_line_is_left_out_and_comes_back(raw: bytes, numbers: list[int]) -> None:
    parsed = formats.read(raw, name="a.jsonl", options=LEFT_OUT)
    assert [one.number for one in parsed.rejected] == numbers
    assert len([part for part in parsed.parts if part.text]) == 6
    rendered = around_every_name(parsed)
    assert b"Ada" not in rendered.raw
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits[::-1]) == raw
    text = rendered.raw.decode("utf-16" if raw.startswith(codecs.BOM_UTF16_LE) else "utf-8-sig")
    assert [json.loads(one)["text"] for one in text.splitlines() if one] == [
        f"Regel {n}: Zoë PERSOON-1 belde." for n in range(6)
    ]
    assert "Ada" not in repr(parsed.rejected)


def test_part_ids_are_those_of_the_whole_file() -> None:
    parsed = formats.read(b"".join([GOOD[0], BAD, GOOD[1]]), name="a.jsonl", options=LEFT_OUT)
    assert [part.part_id for part in parsed.parts] == ["0", "2"]


def test_nothing_is_left_out_where_most_lines_are_bad_or_nobody_asked() -> None:
    assert cuts_in("jsonl", b"".join([GOOD[0], BAD, BAD])) == ()
    assert cuts_in("txt", BAD) == ()
    with pytest.raises(DamagedDocumentError, match="line 2"):
        formats.read(b"".join([GOOD[0], BAD]), name="a.jsonl")


@pytest.mark.parametrize("bad", [b"Zo\xeb;fout\r\n", b'"Zo\xeb\r\nin twee";fout\r\n', b"Jan\0;nul\r\n"])
def test_a_row_of_a_table_that_is_no_text_is_left_out(bad: bytes) -> None:
    raw = TABLE + bad + "Renée;ging\r\n".encode()
    parsed = formats.read(raw, name="a.csv", options=LEFT_OUT)
    assert [one.number for one in parsed.rejected] == [4]
    rendered = parsed.render({})
    assert rendered.raw == raw.replace(bad, b"")
    assert formats.undo("csv", rendered.raw, rendered.edits) == raw


def test_a_table_in_windows_1252_has_no_bad_rows() -> None:
    raw = TABLE.decode().encode("cp1252")
    assert formats.read(raw, name="a.csv", options=LEFT_OUT).rejected == ()


def test_lines_of_a_unit_are_counted_in_the_file() -> None:
    unit = Unit(1, 500, 900, 40, "jsonl")
    raw = b"".join([GOOD[0], BAD, GOOD[1]])
    assert [one.number for one in read_unit(raw, unit, LEFT_OUT).rejected] == [42]
    assert rejected_bytes(raw, "jsonl", {42}, unit) == {42: BAD}
    rows = Unit(1, 500, 900, 40, "csv", "naam;notitie\r\n")
    raw = "Renée;ging\r\n".encode() + b"Jan\0;nul\r\n"
    parsed = read_unit(raw, rows, LEFT_OUT)
    assert [one.number for one in parsed.rejected] == [42]
    rendered = parsed.render({})
    assert rendered.raw == "Renée;ging\r\n".encode()
    assert formats.undo("csv", rendered.raw, rendered.edits) == raw


@pytest.mark.parametrize("ends", [b"", b"\r"])
def test_a_line_in_a_language_that_is_not_installed_is_left_out_where_texts_tell_theirs(ends: bytes) -> None:
    foreign = b'{"text": "Ada Postma dzwoni", "language": "pl"}' + ends + b"\n"
    told = replace(LEFT_OUT, tell_language=True)
    raw = b"".join([GOOD[0], foreign, foreign, BAD, GOOD[1].replace(b"{", b'{"language": "nl", ')])
    parsed = formats.read(raw, name="a.jsonl", options=told)
    assert [one.number for one in parsed.rejected] == [2, 3, 4]
    assert "language that is not installed" in parsed.rejected[0].reason
    assert rejected_bytes(raw, "jsonl", {2, 4}) == {2: foreign, 4: BAD}
    rendered = around_every_name(parsed)
    assert b"Ada" not in rendered.raw
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw
    # Elsewhere a setting says the language of such a text, and no line is lost for it.
    assert [one.number for one in formats.read(raw, name="a.jsonl", options=LEFT_OUT).rejected] == [4]


def test_a_line_whose_words_are_of_no_language_that_is_installed_is_left_out() -> None:
    told = replace(LEFT_OUT, tell_language=True)
    foreign = line(
        "Wczoraj rozmawiałem z panią Adą Postma o sprawie jej brata, która wraca w przyszłym tygodniu, aby "
        "podpisać wszystkie dokumenty razem z nami."
    )
    dutch = line(
        "Gisteren heb ik met mevrouw Postma gesproken over de zaak van haar broer, en zij komt volgende week "
        "terug om alles met ons te tekenen."
    )
    parsed = formats.read(dutch + foreign + GOOD[0], name="a.jsonl", options=told)
    assert [one.number for one in parsed.rejected] == [2]
    assert "no language that is installed" in parsed.rejected[0].reason
    assert "Postma" not in parsed.rejected[0].reason
    rendered = parsed.render({})
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == dutch + foreign + GOOD[0]
    assert formats.read(dutch + foreign, name="a.jsonl", options=LEFT_OUT).rejected == ()


def test_a_file_whose_lines_are_all_foreign_is_refused_as_a_whole() -> None:
    told = replace(LEFT_OUT, tell_language=True)
    assert cuts_in("jsonl", b'{"text": "a", "language": "pl"}\n', told) == ()
