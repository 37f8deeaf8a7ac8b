"""What a PDF says, by a second reader: pages by PDFium, everything else as the objects of the file have it.

Pages are written after pdfminer.six and pikepdf have read them; PDFium knows neither.
"""

import io
import logging
from collections.abc import Iterator
from typing import Final

_NO_TEXT: Final = frozenset({"/Image", "/XRef", "/ObjStm"})
_FONTS: Final = frozenset({"/Type1C", "/CIDFontType0C", "/OpenType"})
_DEEPEST: Final = 20  # arrays and dictionaries in each other that are looked into
_MOST_OF_STREAM: Final = 20_000_000  # bytes: larger streams than this are pictures and fonts


def pdf_texts(raw: bytes) -> Iterator[tuple[str, str | bytes]]:
    """(place, text) of pages, strings and metadata; (place, bytes) of attached files.

    Raises:
        ValueError: it is no whole PDF.
    """
    yield from _pages(raw)
    yield from _objects(raw)


def _pages(raw: bytes) -> Iterator[tuple[str, str]]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError:
        raise ValueError("no whole PDF") from None
    try:
        for number in range(len(document)):
            page = document[number]
            text_page = page.get_textpage()
            yield f"page {number + 1}", text_page.get_text_bounded()
            text_page.close()
            page.close()
    finally:
        document.close()


def _objects(raw: bytes) -> Iterator[tuple[str, str | bytes]]:
    import pikepdf

    logging.getLogger("pikepdf").setLevel(logging.CRITICAL + 1)  # its warnings show what a file holds
    try:
        pdf = pikepdf.open(io.BytesIO(raw))
    except pikepdf.PdfError:
        raise ValueError("no whole PDF") from None
    with pdf:
        strings: list[str] = []
        for value in pdf.objects:
            strings += _strings(value, 0)
            if isinstance(value, pikepdf.Stream):
                kinds = {str(value.get(key, "")) for key in ("/Type", "/Subtype")}
                if (
                    kinds & (_NO_TEXT | _FONTS)
                    or "/Length1" in value
                    or len(value.read_raw_bytes()) > _MOST_OF_STREAM
                ):
                    continue
                try:
                    content = value.read_bytes()
                except pikepdf.PdfError:
                    continue
                if "/EmbeddedFile" in kinds:
                    yield "an attached file", content
                elif "/Metadata" in kinds:
                    yield "the metadata", content.decode("utf-8", "replace")
                else:
                    yield "a stream", content.decode("latin-1")
        strings += _strings(pdf.trailer, 0)
        yield "a property, title, note or form field", "\n".join(strings)


def _strings(value: object, depth: int) -> Iterator[str]:
    """The strings and names of an object and of what lies directly in it."""
    import pikepdf

    if depth > _DEEPEST:
        return
    if isinstance(value, pikepdf.String):
        yield str(value)
    elif isinstance(value, pikepdf.Name):
        yield str(value)[1:]
    elif isinstance(value, pikepdf.Stream):
        yield from _strings(value.stream_dict, depth + 1)
    elif isinstance(value, pikepdf.Dictionary):
        for key, item in value.items():
            yield key[1:]
            if not getattr(item, "is_indirect", False):
                yield from _strings(item, depth + 1)
    elif isinstance(value, pikepdf.Array):
        for item in value:
            if not getattr(item, "is_indirect", False):
                yield from _strings(item, depth + 1)
