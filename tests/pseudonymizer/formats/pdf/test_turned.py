"""Text in any direction: it is read and replaced; vertical writing is told, or the file stays unwritten.

Two other readers look for the name in what was written.
"""

import io

import pikepdf
import pypdfium2
import pytest
from pdfminer.high_level import extract_text
from reportlab.pdfgen import canvas

from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Bas Terpstra"
SENTENCE = f"Gisteren belde {NAME} nog met de balie."
UPRIGHT = "1 0 0 1 60 500 Tm"


def page_of(
    content: str, *, rotate: int = 0, form: str = "", matrix: str = "", font: str = "", calls: str = "/F0 Do"
) -> bytes:
    """One page with this content stream, and with a form (its content, its /Matrix) that the page calls."""
    pdf = pikepdf.new()
    helvetica = pikepdf.Object.parse(
        (font or "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>").encode()
    )
    fonts = pikepdf.Dictionary({"/F1": pdf.make_indirect(helvetica)})
    resources = pikepdf.Dictionary(Font=fonts)
    if form:
        made = pdf.make_stream(form.encode())
        made.stream_dict.update(
            {
                "/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Form,
                "/BBox": pikepdf.Array([0, 0, 600, 800]), "/Resources": pikepdf.Dictionary(Font=fonts),
            }
        )  # fmt: skip
        if matrix:
            made.stream_dict["/Matrix"] = pikepdf.Object.parse(matrix.encode())
        resources["/XObject"] = pikepdf.Dictionary({"/F0": made})
        content += f" {calls}"
    page = pikepdf.Dictionary(
        Type=pikepdf.Name.Page,
        MediaBox=pikepdf.Array([0, 0, 600, 800]),
        Resources=resources,
        Contents=pdf.make_stream(content.encode()),
        Rotate=rotate,
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    buffer = io.BytesIO()
    pdf.save(buffer)
    return buffer.getvalue()


def line(place: str, text: str = SENTENCE, size: str = "12") -> str:
    return f"BT /F1 {size} Tf {place} ({text}) Tj ET"


def upright_and(turned: str) -> str:
    return f"{line(UPRIGHT, 'Een gewone regel tekst op de pagina.')} {turned}"


def drawn(*calls: tuple[float, float, float, str]) -> bytes:
    """Lines at a place, turned by degrees."""
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.drawString(60, 780, "Een gewone regel tekst op de pagina.")
    for x, y, degrees, text in calls:
        page.saveState()
        page.translate(x, y)
        page.rotate(degrees)
        page.drawString(0, 0, text)
        page.restoreState()
    page.save()
    return buffer.getvalue()


def of_two_readers(raw: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(raw)
    try:
        pages = "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()
    return ["".join(text.split()) for text in (pages, extract_text(io.BytesIO(raw)))]


def has(text: str, word: str) -> bool:
    """Forwards or backwards: of a page that is turned, pdfminer gives letters in the order of the paper."""
    return word in text or word[::-1] in text


SIDEWAYS = line("0 1 -1 0 300 100 Tm")
TURNED = {
    "a line at 90 degrees": page_of(upright_and(SIDEWAYS)),
    "a line at -90 degrees": page_of(upright_and(line("0 -1 1 0 300 700 Tm"))),
    "a line at 45 degrees": drawn((100, 100, 45, SENTENCE)),
    "a line at -30 degrees": drawn((100, 500, -30, SENTENCE)),
    "a line upside down": page_of(upright_and(line("-1 0 0 -1 500 300 Tm"))),
    "a line turned by the page's matrix": page_of(
        upright_and(f"q 0 1 -1 0 300 100 cm {line('1 0 0 1 0 0 Tm')} Q")
    ),
    "a page turned, its text upright for who looks at it": page_of(line("0 1 -1 0 300 100 Tm"), rotate=90),
    "the same to the other side": page_of(line("0 -1 1 0 300 700 Tm"), rotate=270),
    "upside down on a page upside down": page_of(line("-1 0 0 -1 500 300 Tm"), rotate=180),
    "in mirror writing": page_of(upright_and(line("-1 0 0 1 500 300 Tm"))),
    "in mirror writing by its size": page_of(upright_and(line("1 0 0 1 500 300 Tm", size="-12"))),
    "a form with a turned matrix": page_of(
        upright_and(""), form=line("1 0 0 1 60 100 Tm"), matrix="[0 1 -1 0 600 0]"
    ),
    "a form called turned": page_of(
        upright_and(""), form=line("1 0 0 1 60 100 Tm"), calls="q 0 1 -1 0 600 0 cm /F0 Do Q"
    ),
    "words of their own at 90 degrees": page_of(
        upright_and(line("0 1 -1 0 300 100 Tm", "Bas") + line("0 1 -1 0 300 130 Tm", "Terpstra"))
    ),
    "invisible": page_of(upright_and(f"BT 3 Tr /F1 12 Tf 0 1 -1 0 300 100 Tm ({SENTENCE}) Tj ET")),
}  # fmt: skip
READ = {
    "upright": page_of(line(UPRIGHT)),
    "upright on a page that is turned": page_of(line(UPRIGHT), rotate=90),
    "the same to the other side": page_of(line(UPRIGHT), rotate=270),
    "upright on a page upside down": page_of(line(UPRIGHT), rotate=180),
    "a little aslant": drawn((60, 500, 9, SENTENCE)),
    "a little aslant, downwards": drawn((60, 500, -9, SENTENCE)),
    "a page whose matrix turns top and bottom, its text again": page_of(
        f"1 0 0 -1 0 800 cm {line('1 0 0 -1 60 300 Tm')}"
    ),
    "letters upside down from left to right": page_of(line("1 0 0 -1 60 300 Tm")),
    "a negative size and a negative matrix": page_of(line("-1 0 0 -1 60 300 Tm", size="-12")),
    "slanted letters": page_of(line("1 0 0.3 1 60 300 Tm")),
    "a form with a matrix turned back": page_of(
        "", form=line("1 0 0 1 60 100 Tm"), matrix="[0 1 -1 0 600 0]", calls="q 0 -1 1 0 0 600 cm /F0 Do Q"
    ),
    "a matrix twice as wide": page_of(f"2 0 0 1 0 0 cm {line('1 0 0 1 10 300 Tm')}"),
}


@pytest.mark.parametrize("what", [*TURNED, *READ])
def test_text_in_any_direction_is_gone_for_two_other_readers(what: str) -> None:
    raw = {**TURNED, **READ}[what]
    assert any(has(text, "Terpstra") for text in of_two_readers(raw))
    parsed, rendered = rewrite(raw, "x.pdf", [NAME])
    assert parsed.unread == ()
    assert NAME in parsed.parts[0].text
    for text in of_two_readers(rendered.raw):
        assert not has(text, "Terpstra")
        assert not has(text, "Bas")
    assert LABEL in formats.read(rendered.raw, name="x.pdf").parts[0].text


@pytest.mark.parametrize("what", READ)
def test_another_reader_reads_the_label_where_text_runs_as_usual(what: str) -> None:
    _, rendered = rewrite(READ[what], "x.pdf", [NAME])
    assert all(has(text, LABEL) for text in of_two_readers(rendered.raw))


@pytest.mark.parametrize("degrees", range(0, 360, 15))
def test_every_direction_on_every_turned_page(degrees: int) -> None:
    for rotate in (0, 90, 180, 270):
        pdf = pikepdf.open(io.BytesIO(drawn((300, 400, degrees, SENTENCE))))
        pdf.pages[0].obj["/Rotate"] = rotate
        buffer = io.BytesIO()
        pdf.save(buffer)
        parsed, rendered = rewrite(buffer.getvalue(), "x.pdf", [NAME])
        assert SENTENCE in parsed.parts[0].text
        assert not any(has(text, "Terpstra") for text in of_two_readers(rendered.raw))
        assert (
            "Een gewone regel tekst op de pagina." in formats.read(rendered.raw, name="x.pdf").parts[0].text
        )


def test_lines_of_two_directions_are_lines_of_their_own() -> None:
    text = formats.read(TURNED["a line at 90 degrees"], name="x.pdf").parts[0].text
    assert text.splitlines()[:2] == ["Een gewone regel tekst op de pagina.", SENTENCE]


@pytest.mark.parametrize("text", ["12", "y", "14-02-2024", "%"])
def test_turned_signs_that_hold_no_name_are_no_reason_to_stop(text: str) -> None:
    parsed, _ = rewrite(page_of(line(UPRIGHT) + line("0 1 -1 0 300 100 Tm", text)), "x.pdf", [NAME])
    assert parsed.unread == ()


def test_an_annotation_with_turned_text_is_read() -> None:
    pdf = pikepdf.open(io.BytesIO(READ["upright"]))
    look = pdf.make_stream(SIDEWAYS.encode())
    look.stream_dict.update(
        {
            "/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Form,
            "/BBox": pikepdf.Array([0, 0, 600, 800]), "/Resources": pdf.pages[0].obj["/Resources"],
        }
    )  # fmt: skip
    pdf.pages[0].obj["/Annots"] = pikepdf.Array(
        [
            pikepdf.Dictionary(
                Type=pikepdf.Name.Annot,
                Subtype=pikepdf.Name.Stamp,
                Rect=pikepdf.Array([0, 0, 600, 800]),
                AP=pikepdf.Dictionary(N=look),
            )
        ]
    )
    buffer = io.BytesIO()
    pdf.save(buffer)
    _, rendered = rewrite(buffer.getvalue(), "x.pdf", [NAME])
    assert NAME not in "\n".join(part.text for part in formats.read(rendered.raw, name="x.pdf").parts)
    with pikepdf.open(io.BytesIO(rendered.raw)) as written:
        assert b"Terpstra" not in b"".join(
            one.read_bytes() for one in written.objects if isinstance(one, pikepdf.Stream)
        )


def test_vertical_writing_is_not_read() -> None:
    font = (
        "<< /Type /Font /Subtype /Type0 /BaseFont /Helvetica /Encoding /Identity-V"
        " /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Helvetica"
        " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>"
    )
    codes = "".join(f"{ord(letter):04x}" for letter in NAME)
    raw = page_of(f"BT /F1 12 Tf 1 0 0 1 60 500 Tm <{codes}> Tj ET", font=font)
    options = FormatOptions(keep_unread=True)
    assert "page with turned text" in [
        one.kind for one in formats.read(raw, name="x.pdf", options=options).unread
    ]


def test_a_turned_page_of_a_library_is_read() -> None:
    """As reportlab makes a wide page: the paper stands, its text lies."""
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, pagesize=(600, 800))
    page.setPageRotation(90)
    page.rotate(90)
    page.drawString(100, -300, SENTENCE)
    page.save()
    parsed, rendered = rewrite(buffer.getvalue(), "x.pdf", [NAME])
    assert SENTENCE in parsed.parts[0].text
    assert not any(has(text, "Terpstra") for text in of_two_readers(rendered.raw))
