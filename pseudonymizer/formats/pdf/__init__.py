"""PDF."""

from typing import Final

from pseudonymizer.formats.format import Format, Restores, Way

FORMATS: Final = (
    Format(
        "pdf", "PDF", ("pdf",), heads=(b"%PDF-",), head_area=1024, is_signed=True,
        read=Way("pdf.document:read"), undo=Way("pdf.document:undo"), is_marked=Way("pdf.marks:is_marked"),
        restores=Restores.TEXT,
    ),
)  # fmt: skip
