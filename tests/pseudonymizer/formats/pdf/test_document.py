import io
import itertools
from collections.abc import Iterable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
import reportlab
from pdfminer.high_level import extract_pages
from pdfminer.layout import LTChar
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from linkage.errors import UnsupportedInputError
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import Edit, FormatOptions
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAMES = ["Zoë Köhler", "Bas Terpstra", "Els Wiersma", "Ria Zijlstra"]
TEXT = (
    "In het gesprek van gisteren sprak mevrouw Zoë Köhler met de heer <b>Bas</b> Terpstra over de aanvraag."
    " Daarna belde Bas Terpstra nog met Els Wiersma, en zij heeft dat op de gang aan Zoë Köhler verteld."
)


def letter(font: str) -> bytes:
    """A justified text (words drawn with word spacing), a table and properties."""
    path = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
    pdfmetrics.registerFont(TTFont("Vera", str(path)))
    style = getSampleStyleSheet()["BodyText"].clone("x")
    style.fontName, style.alignment = font, 4
    buffer = io.BytesIO()
    document = SimpleDocTemplate(buffer, author="Els Wiersma", title="Dossier Zoë Köhler")
    document.build([Paragraph(TEXT, style), Table([["Naam", "Rol"], ["Ria Zijlstra", "buur"]])])
    return buffer.getvalue()


def drawn(*calls: tuple[float, float, str]) -> bytes:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    for x, y, text in calls:
        page.drawString(x, y, text)
    page.save()
    return buffer.getvalue()


def page_text(raw: bytes) -> str:
    document = pypdfium2.PdfDocument(raw)
    text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    document.close()
    return text.replace("\r", "")


def all_bytes(raw: bytes) -> list[bytes]:
    objects = pikepdf.open(io.BytesIO(raw)).objects
    return [
        raw,
        *(
            value.read_bytes()
            for value in objects
            if isinstance(value, pikepdf.Stream) and "/Length1" not in value
        ),
    ]


@pytest.mark.parametrize("font", ["Vera", "Helvetica", "Times-Roman"])
def test_a_letter(font: str) -> None:
    raw = letter(font)
    parsed, rendered = rewrite(raw, "x.pdf", [*NAMES, "Zoë\nKöhler"])
    shown = page_text(rendered.raw)
    assert shown.count(LABEL) == 6
    for name in [*NAMES, "Terpstra", "Köhler"]:
        assert name not in shown
        assert name in page_text(raw)
        for piece in all_bytes(rendered.raw):
            assert name.encode("latin-1") not in piece
            assert name.encode("utf-16-be") not in piece
    assert formats.undo("pdf", rendered.raw, rendered.edits).decode("utf-8") == parsed.parts[0].text
    assert formats.restored_suffix("pdf") == ".txt"


def test_what_is_around_a_name_stays_on_its_line() -> None:
    raw = letter("Helvetica")
    _, rendered = rewrite(raw, "x.pdf", NAMES)

    def place(file: bytes, word: str) -> tuple[float, ...]:
        page = pypdfium2.PdfDocument(file)[0].get_textpage()
        found = page.search(word).get_next()
        assert found is not None
        return tuple(page.get_charbox(found[0]))

    for word in ("aanvraag", "nog met", "verteld", "buur"):
        left, bottom, _, top = place(rendered.raw, word)
        before = place(raw, word)
        assert (bottom, top) == pytest.approx((before[1], before[3]), abs=0.15)
        assert before[0] - 0.15 <= left < before[0] + 40  # the line makes room for a label
    for word in ("In het", "Naam", "Rol"):
        assert place(rendered.raw, word) == pytest.approx(place(raw, word), abs=0.15)


def _letters(raw: bytes) -> list[LTChar]:
    (page,) = extract_pages(io.BytesIO(raw))
    found: list[LTChar] = []
    waiting: list[object] = [page]
    while waiting:
        item = waiting.pop()
        if isinstance(item, LTChar):
            found.append(item)
        elif isinstance(item, Iterable):
            waiting += item
    return sorted(found, key=lambda one: one.x0)  # of one line


@pytest.mark.parametrize(("points", "least"), [(12, 9.6), (8, 6.4), (7, 6.0), (5, 5.0)])
@pytest.mark.parametrize("in_pieces", [False, True])
def test_a_label_stays_readable_and_the_line_makes_room(
    points: int, least: float, *, in_pieces: bool
) -> None:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.setFont("Times-Roman", points)
    line = page.beginText(50, 700)
    for piece in (
        ["zo ", "Jan Mol", " kwam, ", "Jan Mol", " ging"] if in_pieces else ["zo Jan Mol kwam, Jan Mol ging"]
    ):
        line.textOut(piece)
    page.drawText(line)
    page.drawString(400, 700, "kolom")
    page.save()
    _, rendered = rewrite(buffer.getvalue(), "x.pdf", ["Jan Mol"], "<PERSOON-12>")
    letters = _letters(rendered.raw)
    assert "".join(one.get_text() for one in letters).replace(" ", "") == (
        "zo<PERSOON-12>kwam,<PERSOON-12>gingkolom"
    )
    label = [one for one in letters if one.get_text() in "<PERSON-12>"]
    assert len(label) == 24
    assert min(one.size for one in label) >= least - 0.01
    for one, after in itertools.pairwise(letters):
        assert one.x1 <= after.x0 + 0.3
    assert letters[-5].x0 == pytest.approx(400, abs=0.1)  # another column stays


def test_a_line_makes_room_up_to_the_edge_of_the_page() -> None:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, pagesize=(300, 200))
    page.setFont("Helvetica", 12)
    page.drawString(20, 100, "Een lange regel met Jan Mol en nog wat woorden")
    page.save()
    _, rendered = rewrite(buffer.getvalue(), "x.pdf", ["Jan Mol"], "<PERSOON-12>")
    assert max(one.x1 for one in _letters(rendered.raw)) <= 300


@pytest.mark.parametrize(("behind", "edge"), [("", 290), ("kolom", 96.1)])
def test_a_label_without_room_is_narrower_and_counted(behind: str, edge: float) -> None:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, pagesize=(300, 200))
    page.setFont("Helvetica", 10)
    at = 45 if behind else 245
    page.drawString(at, 100, "J. Mol")
    if behind:
        page.drawString(at + 56, 100, behind)
    page.drawString(20, 50, "hier heeft J. Mol de ruimte")
    page.save()
    parsed, rendered = rewrite(buffer.getvalue(), "x.pdf", ["J. Mol"], "PERSOON-12ABC34-DEFGHIJ")
    assert rendered.crowded == 1
    letters = [one for one in _letters(rendered.raw) if one.y0 > 80]
    label = letters[: len(letters) - len(behind)]
    assert "".join(one.get_text() for one in label) == "PERSOON-12ABC34-DEFGHIJ"
    assert max(one.x1 for one in label) <= edge
    assert min(one.size for one in label) >= 8 - 0.01
    assert formats.read(rendered.raw, name="x.pdf").parts[0].text.count("PERSOON-12ABC34-DEFGHIJ") == 2
    assert "J. Mol" in formats.undo("pdf", rendered.raw, rendered.edits).decode()
    assert parsed.render({}).crowded == 0


def test_letters_drawn_one_by_one_and_out_of_order() -> None:
    word = "BasTerpstra"
    letters = [(50 + stringWidth(word[:at], "Helvetica", 12), 700, word[at]) for at in range(len(word))]
    raw = drawn((50, 650, "tweede regel"), *letters[:3], (300, 700, "andere kolom"), *letters[3:])
    assert (
        formats.read(raw, name="x.pdf").parts[0].text.startswith("tweede regel\nBasTerpstra\nandere kolom\n")
    )
    _, rendered = rewrite(raw, "x.pdf", ["BasTerpstra"])
    assert LABEL in page_text(rendered.raw)
    assert "andere kolom" in page_text(rendered.raw)
    assert "Terpstra" not in page_text(rendered.raw).replace("\n", "")


def test_a_page_without_text_layer_is_not_clean() -> None:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.drawInlineImage(_grey(), 0, 0, 500, 700)
    page.save()
    with pytest.raises(UnsupportedInputError, match="without text layer"):
        formats.read(buffer.getvalue(), name="x.pdf", options=FormatOptions(ocr=False))
    options = FormatOptions(keep_unread=True, ocr=False)
    parsed = formats.read(buffer.getvalue(), name="x.pdf", options=options)
    assert ("page without text layer", 1) in [(content.kind, content.count) for content in parsed.unread]


def _grey() -> object:
    bitmap = pypdfium2.PdfBitmap.new_native(8, 8, pypdfium2.raw.FPDFBitmap_BGR)
    return bitmap.to_pil()


def _with_attachment(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    pdf = pikepdf.open(io.BytesIO(drawn((50, 700, "Een gewone regel tekst"))))
    pdf.attachments[name] = content
    pdf.save(buffer)
    return buffer.getvalue()


def test_an_attached_file_is_read_by_its_own_format() -> None:
    _, rendered = rewrite(
        _with_attachment("lijst.csv", b"naam;n\nBas Terpstra;1\nx;2\n"), "x.pdf", ["Bas Terpstra"]
    )
    with pikepdf.open(io.BytesIO(rendered.raw)) as pdf:
        (one,) = [file.get_file().read_bytes() for file in pdf.attachments.values()]
    assert one == f"naam;n\n{LABEL};1\nx;2\n".encode()


def test_an_attached_file_that_cannot_be_read_is_not_passed_by() -> None:
    raw = _with_attachment("lijst.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises(UnsupportedInputError, match="attached file"):
        formats.read(raw, name="x.pdf")
    parsed = formats.read(raw, name="x.pdf", options=FormatOptions(keep_unread=True))
    assert [(one.kind, one.place) for one in parsed.unread] == [("attached file", "attachment 1")]


def test_texts_beside_what_is_shown_and_forms_in_xml() -> None:
    name = "Bas Terpstra"
    pdf = pikepdf.open(io.BytesIO(drawn((50, 700, "Een gewone regel tekst"))))
    page = pdf.pages[0]
    beside = f"/Span << /ActualText ({name}) /Alt ({name}) >> BDC BT /F1 12 Tf 60 600 Td (x) Tj ET EMC"
    page.contents_add(pdf.make_stream(beside.encode()))
    pdf.Root.AcroForm = pikepdf.Dictionary(
        Fields=pikepdf.Array(),
        XFA=pikepdf.Array([pikepdf.String("datasets"), pdf.make_stream(f"<a><b>{name}</b></a>".encode())]),
    )
    pdf.Root.OpenAction = pikepdf.Dictionary(
        S=pikepdf.Name.JavaScript, JS=pdf.make_stream(f"app.alert('{name}')".encode())
    )
    buffer = io.BytesIO()
    pdf.save(buffer)
    parsed, rendered = rewrite(buffer.getvalue(), "x.pdf", [name])
    assert parsed.unread == ()
    with pikepdf.open(io.BytesIO(rendered.raw)) as written:
        whole = b"".join(one.read_bytes() for one in written.objects if isinstance(one, pikepdf.Stream))
    assert b"Terpstra" not in whole
    assert whole.count(LABEL.encode()) == 4


def test_letters_that_are_placed_singly_are_words() -> None:
    steps = " ".join(f"7 0 Td ({letter}) Tj" for letter in "Bas Terpstra belt")
    pdf = pikepdf.open(io.BytesIO(drawn((50, 700, "Een gewone regel tekst"))))
    pdf.pages[0].contents_add(pdf.make_stream(f"BT /F1 12 Tf 60 690 Td {steps} ET".encode()))
    buffer = io.BytesIO()
    pdf.save(buffer)
    assert "Bas Terpstra belt" in formats.read(buffer.getvalue(), name="x.pdf").parts[0].text


def test_names_in_a_wrong_encoding_are_found_and_their_letters_go() -> None:
    raw = drawn((72, 700, "Toen belde mevrouw van â€™t Hoff met"), (72, 680, "de heer ZoÃ« KÃ¶hler, cafÃ©"))
    parsed, rendered = rewrite(raw, "x.pdf", ["van ’t Hoff", "Zoë Köhler"])
    assert parsed.parts[0].text.startswith("Toen belde mevrouw van ’t Hoff met\nde heer Zoë Köhler, café\n")
    shown = page_text(rendered.raw)
    assert "Hoff" not in shown
    assert "hler" not in shown
    assert "â€™" not in shown
    assert "cafÃ©" in shown  # what is not replaced stays as it was drawn
    assert formats.undo("pdf", rendered.raw, rendered.edits).decode() == parsed.parts[0].text


def test_edits_of_outputs_that_were_read_as_shown_are_undone_so() -> None:
    raw = drawn((72, 700, "ZoÃ« belde Ä“n P1-X op"))
    text = "ZoÃ« belde Ä“n P1-X op\n"
    edit = Edit("text", text.index("P1-X"), text.index("P1-X") + 4, b"Bas Terpstra", ("", Span(0, 1)))
    restored = formats.undo("pdf", raw, [edit]).decode()
    assert restored.startswith(text.replace("P1-X", "Bas Terpstra"))
