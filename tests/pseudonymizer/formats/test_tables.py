"""Tables in any form: what their text looks like, which cells are names, and what stays."""

import io
import json

import openpyxl
import pytest

from linkage.errors import UnsupportedInputError
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.delimited import read_rows, sniff_delimiter
from pseudonymizer.formats.name_fields import NameField, looks_like_name, name_columns, name_field
from tests.pseudonymizer.formats.naming import members, rewrite


def names_in(raw: bytes, name: str, options: FormatOptions | None = None) -> list[str]:
    part = formats.read(raw, name=name, options=options).parts[-1]
    return [span.cut(part.text) for span in part.names]


def test_a_name_in_three_columns_is_one_name_in_the_order_people_write_it() -> None:
    raw = b"dossier;achternaam;tussenvoegsel;voorletters\r\n4711;Boer;de;S.\r\n4712;Vos;;T.\r\n"
    parsed = formats.read(raw, name="x.csv")
    assert parsed.parts[0].text.splitlines()[1:] == [
        "dossier: 4711; achternaam: S. de Boer",
        "dossier: 4712; achternaam: T. Vos",
    ]
    assert names_in(raw, "x.csv") == ["S. de Boer", "T. Vos"]
    (first, _) = parsed.parts[0].names
    rendered = parsed.render({"": {first: "X"}})
    assert rendered.raw.splitlines()[1] == b"4711;X;X;X"
    assert formats.undo("csv", rendered.raw, rendered.edits) == raw


def test_values_that_are_no_names() -> None:
    raw = (
        b"patient,partner,geboortedatum,naam\nP001,ja,1951-03-12,Els Wiersma\n"
        b"Jan Bos,n.v.t.,1950-01-01,onbekend\n"
    )
    assert names_in(raw, "x.csv") == ["Els Wiersma", "Jan Bos"]
    assert not looks_like_name("hij kwam gisteren langs en vertelde dat Jan er was", NameField.FULL)
    assert looks_like_name("boer", NameField.FAMILY)


def test_a_table_of_things_gives_no_names() -> None:
    assert names_in(b"naam,prijs\nPindakaas,3\nHagelslag,2\n", "x.csv") == []


def test_chosen_columns() -> None:
    raw = b"Naam,Wie,Plaats\nels,Ko Hoekema,Breda\n"
    options = FormatOptions(columns=("wie",))
    parsed = formats.read(raw, name="x.csv", options=options)
    assert [part.text for part in parsed.parts] == ["Naam; Wie; Plaats\n", "Wie: Ko Hoekema\n"]
    assert names_in(raw, "x.csv", options) == ["Ko Hoekema"]
    with pytest.raises(UnsupportedInputError):
        formats.read(raw, name="x.csv", options=FormatOptions(columns=("Adres",)))


def test_a_table_without_header_is_read_from_its_first_row() -> None:
    raw = b"1;Jan Bos;2024-05-03\n2;Els Wiersma;2024-05-04\n"
    assert (
        formats.read(raw, name="x.csv").parts[0].text
        == "1; Jan Bos; 2024-05-03\n2; Els Wiersma; 2024-05-04\n"
    )


@pytest.mark.parametrize("delimiter", list(";,\t|"))
def test_delimiters(delimiter: str) -> None:
    text = delimiter.join(["a", '"b\n""c"""', "d, e" if delimiter != "," else "d"]) + "\r\n"
    assert sniff_delimiter(text * 3) == delimiter
    (row,) = read_rows(text, delimiter)
    assert len(row) == 3


def test_a_label_with_a_delimiter_does_not_make_another_cell() -> None:
    raw = b"naam,plaats\nJan Bos,Breda\n"
    parsed = formats.read(raw, name="x.csv")
    span = Span(parsed.parts[0].text.index("Jan"), parsed.parts[0].text.index("Jan") + 7)
    assert parsed.render({"": {span: 'Mulder, "Tess"'}}).raw == b"naam,plaats\nMulder Tess,Breda\n"


def test_headers_with_accents_and_signs() -> None:
    assert name_field("Patiënt_naam") is NameField.FULL
    assert name_field("Achter-naam") is NameField.FAMILY
    assert name_field("Bedrag") is None
    assert name_columns(["Naam", "Prijs"]) == {}
    assert name_columns(["Naam", "BSN"]) == {0: NameField.FULL}


def test_json_fields() -> None:
    raw = json.dumps([{"achternaam": "de boer", "patient": "P12", "auteur": "Els Wiersma"}]).encode()
    assert names_in(raw, "x.json") == ["de boer", "Els Wiersma"]


def test_sheet_and_range_names_change_in_formulas_too() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Dossier van Bas Terpstra"
    sheet["A1"] = 5
    other = book.create_sheet("Terpstra")
    other["A1"] = "='Dossier van Bas Terpstra'!A1+Terpstra!B1"
    other["B1"] = 2
    other["D1"] = "='[boek Terpstra.xlsx]Blad'!A1+Tabel_Terpstra[x]"
    other["C1"] = '=IF(A1>1,"Bas Terpstra","geen")'
    buffer = io.BytesIO()
    book.save(buffer)
    raw = buffer.getvalue()
    parsed, rendered = rewrite(raw, "x.xlsx", ["Bas Terpstra", "Terpstra"])
    again = openpyxl.load_workbook(io.BytesIO(rendered.raw))
    first, second = again.sheetnames
    assert max(len(first), len(second)) <= 31
    assert first != second
    assert again[second]["A1"].value == f"='{first}'!A1+'{second}'!B1"
    assert again[second]["B1"].value == 2
    for content in members(rendered.raw).values():
        assert b"Terpstra" not in content
    assert members(formats.undo("xlsx", rendered.raw, rendered.edits)) == members(raw)
    assert parsed.unread == ()


def test_rows_are_documents_where_columns_are_chosen() -> None:
    raw = b"wie;wat\nJan;kwam\n;niets\nJan;ging\n"
    parsed = formats.read(raw, name="x.csv", options=FormatOptions(columns=("wie",)))
    assert [(part.part_id, part.text.rstrip()) for part in parsed.parts] == [
        ("0", "wie; wat"),
        ("1", "wie: Jan"),
        ("3", "wie: Jan"),
    ]
    at = parsed.parts[2].text.index("Jan")
    rendered = parsed.render({"3": {Span(at, at + 3): "P1"}})
    assert rendered.raw == b"wie;wat\nJan;kwam\n;niets\nP1;ging\n"
    assert formats.undo("csv", rendered.raw, rendered.edits) == raw
    assert len(formats.read(raw, name="x.csv").parts) == 1
