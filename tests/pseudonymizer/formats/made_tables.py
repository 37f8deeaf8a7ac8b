"""Rows of text as a table in each format."""

import csv as csv_module
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import openpyxl
from odf import table, text
from odf.opendocument import OpenDocumentSpreadsheet

Rows = Sequence[Sequence[str]]


def csv(rows: Rows, delimiter: str = ";") -> bytes:
    buffer = io.StringIO(newline="")
    csv_module.writer(buffer, delimiter=delimiter).writerows(rows)
    return buffer.getvalue().encode()


def tsv(rows: Rows) -> bytes:
    return csv(rows, "\t")


def xlsx(rows: Rows) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append([cell or None for cell in row])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def ods(rows: Rows) -> bytes:
    book = OpenDocumentSpreadsheet()
    sheet = table.Table(name="Blad1")
    for row in rows:
        written = table.TableRow()
        for cell in row:
            place = table.TableCell()
            for line in cell.split("\n") if cell else ():
                place.addElement(text.P(text=line))
            written.addElement(place)
        sheet.addElement(written)
    book.spreadsheet.addElement(sheet)
    buffer = io.BytesIO()
    book.write(buffer)
    return buffer.getvalue()


WRITERS: Final[Mapping[str, Callable[[Rows], bytes]]] = {"csv": csv, "tsv": tsv, "xlsx": xlsx, "ods": ods}
