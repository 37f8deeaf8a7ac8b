"""Tables in any form: what their text looks like, which cells are names, and what stays."""

import csv
import datetime
import io
import json
import zipfile

import hypothesis.strategies as st
import openpyxl
import pytest
from hypothesis import given

from linkage.errors import UnsupportedInputError
from linkage.records import Span
from linkage.texts import KindId
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from pseudonymizer.formats.office import sheet_dates
from pseudonymizer.formats.tables.delimited import read_rows, sniff_delimiter
from pseudonymizer.formats.tables.name_fields import NameField, looks_like_name, name_columns, name_field
from tests.pseudonymizer.formats import made_tables as tables
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
    (part,) = parsed.parts
    assert part.text == "Naam; Wie; Plaats\nNaam: els; Wie: Ko Hoekema; Plaats: Breda\n"
    assert names_in(raw, "x.csv", options) == ["Ko Hoekema"]
    assert [(c.title, c.is_chosen) for c in part.columns] == [
        ("Naam", False), ("Wie", True), ("Plaats", False),
    ]  # fmt: skip
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


def test_nothing_is_written_into_a_column_that_was_not_chosen() -> None:
    raw = b"wie;wat\nJan;Jan kwam\n;niets\nJan;ging\n"
    parsed = formats.read(raw, name="x.csv", options=FormatOptions(columns=("wie",)))
    (part,) = parsed.parts
    spans = [Span(at, at + 3) for at in range(len(part.text)) if part.text.startswith("Jan", at)]
    rendered = parsed.render({"": dict.fromkeys(spans, "P1")})
    assert rendered.raw == b"wie;wat\nP1;Jan kwam\n;niets\nP1;ging\n"
    assert rendered.unplaced == 1
    assert formats.undo("csv", rendered.raw, rendered.edits) == raw


def test_a_name_in_parts_is_written_into_its_chosen_parts_alone() -> None:
    raw = b"voornaam;achternaam\nJan;Bos\n"
    parsed = formats.read(raw, name="x.csv", options=FormatOptions(columns=("achternaam",)))
    (name,) = parsed.parts[0].names
    assert name.cut(parsed.parts[0].text) == "Jan Bos"
    assert parsed.render({"": {name: "X"}}).raw == b"voornaam;achternaam\nJan;X\n"


ROWS = (
    ("nr", "naam", "geboortedatum", "BSN", "opmerking"),
    ("1", "Jan Bos", "12-03-1951", "111222333", 'belt\nElke dag, soms "laat"'),
    ("2", "", "5-8-1960", "123456782", "n.v.t."),
    ("3", "els mol", "", "", "kwam met Piet"),
    ("4", "Ko Hoekema", "1-1-1970", "123456782", ""),
    ("5", "Ria Zijl", "2-1-1970", "123456782", "x"),
    ("6", "Teun Vos", "3-1-1970", "123456782", "y"),
)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "xlsx", "ods"])
@pytest.mark.parametrize("columns", [None, ("naam",), ("naam", "opmerking")])
def test_a_table_has_the_same_text_names_and_kinds_in_every_format(
    suffix: str, columns: tuple[str, ...] | None
) -> None:
    shown = formats.read(tables.csv(ROWS), name="x.csv").parts[0]
    raw = tables.WRITERS[suffix](ROWS)
    part = formats.read(raw, name=f"x.{suffix}", options=FormatOptions(columns=columns)).parts[0]
    assert shown.text.rstrip() in part.text
    assert [n.cut(part.text) for n in part.names] == [
        "Jan Bos",
        "els mol",
        "Ko Hoekema",
        "Ria Zijl",
        "Teun Vos",
    ]
    assert [(c.title, c.kind) for c in part.columns] == [(c.title, c.kind) for c in shown.columns]
    assert [[cell.cut(part.text) for cell in c.cells] for c in part.columns] == [
        [cell.cut(shown.text) for cell in c.cells] for c in shown.columns
    ]
    kinds = {c.title: c.kind for c in part.columns}
    assert kinds["naam"] == "PERSON"
    assert kinds["BSN"] == "NATIONAL_ID"
    assert kinds["geboortedatum"] == "BIRTH_DATE"
    assert kinds["opmerking"] is None


def test_a_header_below_a_title_is_found() -> None:
    rows = [("Deelnemers 2024",), ("stand van", "maart"), ("voornaam", "achternaam"), ("Jan", "Bos")]
    for suffix, write in tables.WRITERS.items():
        part = formats.read(write(rows), name=f"x.{suffix}").parts[0]
        assert "achternaam: Jan Bos" in part.text, suffix
        assert [name.cut(part.text) for name in part.names] == ["Jan Bos"], suffix


def test_two_tables_on_a_sheet_have_a_header_each() -> None:
    rows = [
        ("naam", "bsn"),
        ("Jan Bos", "1"),
        ("Els Mol", "2"),
        ("nr", "client", "email"),
        ("7", "Ko Vos", "a@b.nl"),
    ]
    for suffix, write in tables.WRITERS.items():
        part = formats.read(write(rows), name=f"x.{suffix}").parts[0]
        assert "nr: 7; client: Ko Vos; email: a@b.nl" in part.text, suffix
        assert [c.title for c in part.columns] == ["naam", "bsn", "nr", "client", "email"], suffix
        options = FormatOptions(columns=("client",))
        chosen = formats.read(write(rows), name=f"x.{suffix}", options=options).parts[0]
        assert [name.cut(chosen.text) for name in chosen.names] == ["Ko Vos"], suffix


def test_a_first_row_whose_words_come_again_is_no_header() -> None:
    rows = [("Jan Bos", "telefoon"), ("Els Mol", "mail"), ("Ko Vos", "telefoon")]
    part = formats.read(tables.csv(rows), name="x.csv").parts[0]
    assert part.text == "Jan Bos; telefoon\nEls Mol; mail\nKo Vos; telefoon\n"


def test_one_column_and_many_rows() -> None:
    rows = [("naam",), *((f"Jan {'abcdefghij'[n % 10].upper()}os",) for n in range(10_000))]
    part = formats.read(tables.csv([("naam", "bsn"), *((r[0], "") for r in rows[1:])]), name="x.csv").parts[0]
    assert len(part.names) == 10_000
    alone = formats.read(tables.csv(rows), name="x.csv").parts[0]
    assert alone.text.count("naam: Jan") == 10_000


def test_the_user_says_the_kind_of_a_column() -> None:
    rows = [("x", "naam"), ("Jan Bos", "Pindakaas"), ("Els Mol", "Hagelslag")]
    said = FormatOptions(column_kinds={"x": KindId("PERSON"), "naam": KindId("PRODUCT")})
    part = formats.read(tables.csv(rows), name="x.csv", options=said).parts[0]
    assert [name.cut(part.text) for name in part.names] == ["Jan Bos", "Els Mol"]
    assert [c.kind for c in part.columns] == ["PERSON", "PRODUCT"]


def workbook_of_numbers() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["naam", "geboortedatum", "BSN", "som"])
    sheet.append(["Jan Bos", datetime.date(1951, 3, 12), 111222333, "=C2+1"])
    sheet["B3"] = 18780
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_dates_of_a_sheet_are_dates_and_numbers_are_replaced_as_text() -> None:
    raw = workbook_of_numbers()
    parsed = formats.read(raw, name="x.xlsx")
    (part,) = (one for one in parsed.parts if one.part_id == "")
    assert "naam: Jan Bos; geboortedatum: 12-03-1951; BSN: 111222333" in part.text
    assert "geboortedatum: 18780" in part.text  # of a cell that shows no date
    labels = {
        Span(part.text.index(value), part.text.index(value) + len(value)): label
        for value, label in (("12-03-1951", "1951"), ("111222333", "BSN <1>"))
    }
    rendered = parsed.render({"": labels})
    again = openpyxl.load_workbook(io.BytesIO(rendered.raw)).active
    assert again is not None
    assert [cell.value for cell in again[2]] == ["Jan Bos", "1951", "BSN <1>", "=C2+1"]
    assert members(formats.undo("xlsx", rendered.raw, rendered.edits)) == members(raw)
    assert rendered.unplaced == 0


def test_a_number_whose_cell_says_its_type() -> None:
    raw = workbook_of_numbers()
    parts = members(raw)
    sheet = (
        parts["xl/worksheets/sheet1.xml"]
        .replace(b'r="C2"', b'r="C2" t="n"')
        .replace(b't="n" t="n"', b't="n"')
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in {**parts, "xl/worksheets/sheet1.xml": sheet}.items():
            archive.writestr(name, content)
    parsed = formats.read(buffer.getvalue(), name="x.xlsx")
    at = parsed.parts[0].text.index("111222333")
    rendered = parsed.render({"": {Span(at, at + 9): "X"}})
    again = openpyxl.load_workbook(io.BytesIO(rendered.raw)).active
    assert again is not None
    assert again["C2"].value == "X"


def test_a_birth_date_of_a_sheet_keeps_namesakes_apart_as_in_a_text() -> None:
    assert sheet_dates.SheetDates(frozenset({1})).shown("18699", 1) == "12-03-1951"
    assert sheet_dates.SheetDates(frozenset({1}), datetime.date(1904, 1, 1)).shown("1", 1) == "02-01-1904"
    for number in ("0", "9999999", "x", "1e400", "nan"):
        assert sheet_dates.SheetDates(frozenset({1})).shown(number, 1) is None
    assert sheet_dates.SheetDates.of({"xl/styles.xml": b"\xff\xfe\x00"}).styles == frozenset()


def test_columns_of_a_table_in_a_page() -> None:
    page = (
        "<html><table><tr><th>naam</th><th>woonplaats</th></tr>"
        "<tr><td><p>Jan <b>Bos</b></p></td><td>Best</td></tr><tr><td>els mol</td><td></td></tr></table>"
        "<table><tr><td>Els Mol</td><td>a</td></tr><tr><td>Ko Vos</td><td>a</td></tr></table></html>"
    )
    (part,) = (one for one in formats.read(page.encode(), name="x.html").parts if one.part_id == "")
    assert [(c.title, c.kind, [cell.cut(part.text) for cell in c.cells]) for c in part.columns] == [
        ("naam", "PERSON", ["Jan Bos", "els mol"]),
        ("woonplaats", "CITY", ["Best"]),
    ]
    assert [name.cut(part.text) for name in part.names] == ["Jan Bos"]


def test_a_layout_is_no_table() -> None:
    inner = "<table><tr><td>naam</td><td>stad</td></tr><tr><td>Jan Bos</td><td>Best</td></tr></table>"
    page = (
        f"<html><table><tr><td>naam</td><td>bsn</td></tr><tr><td>{inner}</td><td>1</td></tr></table></html>"
    )
    part = formats.read(page.encode(), name="x.html").parts[0]
    assert [c.title for c in part.columns] == ["naam", "stad"]
    wide = "<table><tr><td>naam</td><td>bsn</td></tr><tr><td colspan=2>Jan Bos</td></tr></table>"
    assert formats.read(f"<html>{wide}</html>".encode(), name="x.html").parts[0].columns == ()


def test_fields_of_json_have_kinds() -> None:
    raw = b'{"naam": "Jan Bos", "woonplaats": "Best", "bsn": "111222333", "tekst": "Els kwam"}\n'
    for name in ("x.json", "x.jsonl"):
        part = formats.read(raw, name=name).parts[0]
        assert [(c.title, c.kind, c.cells[0].cut(part.text)) for c in part.columns] == [
            ("woonplaats", "CITY", "Best"), ("bsn", "NATIONAL_ID", "111222333"),
        ]  # fmt: skip


CELLS = st.text(st.sampled_from('ab ÉJan";,\n\r|\t1-@'), max_size=8)


@given(
    rows=st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=8),
    chosen=st.sampled_from([("naam",), ("stad",), ("naam", "opm")]),
    delimiter=st.sampled_from(";,\t|"),
    label=st.sampled_from(["P1", 'a "b"; c', "x,y|z\tq"]),
)
def test_whatever_stands_in_a_table_only_chosen_cells_change(
    rows: list[tuple[str, str, str]], chosen: tuple[str, ...], delimiter: str, label: str
) -> None:
    titles = ("naam", "stad", "opm")
    raw = tables.csv([titles, *rows], delimiter)
    plain = formats.read(raw, name="x.csv").parts[0]
    parsed = formats.read(raw, name="x.csv", options=FormatOptions(columns=chosen))
    (part,) = parsed.parts
    assert part.text == plain.text
    spans = [cell for column in part.columns for cell in column.cells]
    rendered = parsed.render({"": dict.fromkeys(spans, label)})
    assert formats.undo("csv", rendered.raw, rendered.edits) == raw
    before = list(csv.DictReader(io.StringIO(raw.decode(), newline=""), delimiter=delimiter))
    after = list(csv.DictReader(io.StringIO(rendered.raw.decode(), newline=""), delimiter=delimiter))
    for title in titles:
        if title not in chosen:
            assert [row[title] for row in after] == [row[title] for row in before]
    for column in part.columns:
        kept = [name for name in part.names if any(cell.contains(name) for cell in column.cells)]
        assert column.is_chosen or not kept
