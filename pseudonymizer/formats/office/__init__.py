"""Office and OpenDocument packages, and archives."""

from functools import partial
from typing import Final

from pseudonymizer.formats.format import Format, Restores, Way

_package = partial(
    Format, heads=(b"PK\x03\x04", b"PK\x05\x06"), tell=Way("office.heads:format_of_zip"), is_signed=True,
    is_marked=Way("office.package_marks:is_marked"), restores=Restores.PARTS,
)  # fmt: skip
_old = partial(Format, undo=Way("office.old_office:undo"), restores=Restores.TEXT)
FORMATS: Final = (
    Format(
        "zip", "Archive (ZIP)", ("zip",), heads=(b"PK\x03\x04", b"PK\x05\x06"),
        tell=Way("office.heads:format_of_zip"), parse=Way("office.zipped:parse"),
        restores=Restores.PARTS,
    ),
    _old("doc", "Word document of before 2007", ("doc", "dot"), read=Way("office.old_office:read_doc")),
    _old("xls", "Excel workbook of before 2007", ("xls", "xlt"), read=Way("office.old_office:read_xls")),
    _old("ppt", "PowerPoint show of before 2007", ("ppt", "pps"), read=Way("office.old_office:read_ppt")),
    _package(
        "docx", "Word document", ("docx", "docm", "dotx"), parse=Way("office.word:parse"),
    ),
    _package(
        "xlsx", "Excel workbook", ("xlsx", "xlsm"), parse=Way("office.spreadsheet:parse"),
        read=Way("office.spreadsheet:read"), is_table=True,
    ),
    _package(
        "pptx", "PowerPoint presentation", ("pptx",), parse=Way("office.slides:parse"),
    ),
    _package(
        "odt", "OpenDocument text", ("odt",), parse=Way("office.opendocument:parse"),
    ),
    _package(
        "ods", "OpenDocument spreadsheet", ("ods",), parse=Way("office.opendocument:parse"), is_table=True,
    ),
    _package(
        "odp", "OpenDocument presentation", ("odp",), parse=Way("office.opendocument:parse"),
    ),
)  # fmt: skip
