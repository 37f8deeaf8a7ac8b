"""Scanned pages: read by text recognition, names black in the picture itself, text restorable."""

import io
import random
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
import reportlab
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from linkage.errors import UnsupportedInputError
from linkage.gazetteer import Gazetteer
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions, ParsedFile, RenderedFile
from pseudonymizer.formats.pictures import ocr
from tests.pseudonymizer.formats.naming import LABEL

NAMES = ["Zoë Köhler", "Bas van der Terpstra", "Wiersma"]
LINES = [
    "Verslag van 3 mei 2024",
    "Gisteren sprak mevrouw Zoë Köhler met de heer Bas van der Terpstra",
    "over de aanvraag, en zij heeft dat aan mw. mr. Wiersma verteld.",
]
WIDTH, HEIGHT = 1000, 640  # pixels of the picture of a page

needs_engine = pytest.mark.skipif(
    not ocr.is_available(), reason="text recognition is not installed: nymlink[ocr]"
)


def picture(lines: list[str] = LINES, *, turn: int = 0) -> Image.Image:
    page = Image.new("RGB", (WIDTH, HEIGHT), "white")
    font = ImageFont.truetype(str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"), 24)
    for number, line in enumerate(lines):
        ImageDraw.Draw(page).text((40, 60 + 90 * number), line, fill="black", font=font)
    return page.rotate(turn, expand=True)


def scan(
    page: Image.Image, *, hidden: str = "", hidden_turn: int = 0, rotate: int = 0, margin: int = 0
) -> bytes:
    """A PDF of one page that is a picture, with text that no reader sees behind it."""
    buffer = io.BytesIO()
    width, height = page.width * 0.5, page.height * 0.5
    drawn = canvas.Canvas(buffer, pagesize=(width + margin, height + margin))
    drawn.drawImage(ImageReader(page), margin, margin, width, height)
    if hidden:
        drawn.translate(margin + 20, margin + height - 43 if not hidden_turn else margin + 20)
        drawn.rotate(hidden_turn)
        text = drawn.beginText(0, 0)
        text.setTextRenderMode(3)
        text.textLine(hidden)
        drawn.drawText(text)
    drawn.save()
    with pikepdf.open(io.BytesIO(buffer.getvalue())) as pdf:
        if rotate:
            pdf.pages[0].obj["/Rotate"] = rotate
        if margin:
            pdf.pages[0].obj["/CropBox"] = pikepdf.Array([margin, margin, width + margin, height + margin])
        saved = io.BytesIO()
        pdf.save(saved)
    return saved.getvalue()


def rewritten(raw: bytes, label: str = LABEL) -> tuple[ParsedFile, RenderedFile]:
    parsed = formats.read(raw, name="x.pdf")
    text = parsed.parts[0].text
    labels: dict[Span, str] = {}
    for name in NAMES:
        start = text.find(name)
        while start >= 0:
            labels[Span(start, start + len(name))] = label
            start = text.find(name, start + 1)
    assert len(labels) >= len(NAMES)
    return parsed, parsed.render({"": labels})


def seen(raw: bytes) -> str:
    """What a person sees on the first page, as the engine reads it."""
    with pypdfium2.PdfDocument(raw) as document:
        return ocr.read_picture(document[0].render(scale=200 / 72).to_pil().convert("RGB")).text


def pictures(raw: bytes) -> list[bytes]:
    with pikepdf.open(io.BytesIO(raw)) as pdf:
        return [
            value.read_raw_bytes() for value in pdf.objects
            if isinstance(value, pikepdf.Stream) and value.get("/Subtype") == "/Image"
        ]  # fmt: skip


def assert_clean(raw: bytes) -> None:
    text, hidden = seen(raw), formats.read(raw, name="x.pdf").parts[0].text
    for name in ("Zoë", "Köhler", "Bas", "Terpstra", "Wiersma"):
        assert name not in text
        assert name not in hidden
    for word in ("Gisteren", "mevrouw", "aanvraag", "verteld"):
        assert word in text
        assert word in hidden


@needs_engine
@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(scan(picture()), id="plain"),
        pytest.param(scan(picture(), margin=72), id="cropped"),
        pytest.param(scan(picture(turn=90)), id="on its side"),
        pytest.param(scan(picture(turn=90), rotate=90), id="turned by the page"),
    ],
)
def test_names_are_black_in_the_picture(raw: bytes) -> None:
    parsed, rendered = rewritten(raw)
    assert len(parsed.recognized) == 1
    assert parsed.recognized[0] > 0.9
    assert parsed.unread == ()
    assert_clean(rendered.raw)
    again = formats.read(rendered.raw, name="x.pdf")
    assert again.recognized == ()  # its text layer is ours: nothing to recognize
    assert again.parts[0].text.count(LABEL) == 3
    assert formats.undo("pdf", rendered.raw, rendered.edits).decode() == parsed.parts[0].text
    assert len(pictures(rendered.raw)) == 1  # the old one is gone


@needs_engine
@pytest.mark.parametrize("lines", [LINES, ["Een bladzijde zonder enige naam", "en met twee regels tekst."]])
def test_a_hidden_layer_that_is_turned_goes_with_the_page(lines: list[str]) -> None:
    """Its text cannot be read, and text recognition may have missed a name that it holds."""
    raw = scan(picture(lines), hidden="Gisteren Bas van der Terpstra gesproken", hidden_turn=90)
    parsed = formats.read(raw, name="x.pdf")
    assert parsed.unread == ()
    rendered = parsed.render({})
    with pypdfium2.PdfDocument(rendered.raw) as document:
        shown = document[0].get_textpage().get_text_range()
    assert "gesproken" not in shown
    assert lines[0].split()[0] in shown
    with pytest.raises(UnsupportedInputError, match="picture with hidden text"):
        formats.read(raw, name="x.pdf", options=FormatOptions(ocr=False))


@needs_engine
def test_pseudonyms_are_drawn_where_they_fit() -> None:
    _, rendered = rewritten(scan(picture()), "P1-7QK2")
    assert seen(rendered.raw).count("P1-7QK2") == 3


@needs_engine
def test_page_without_changes_stays() -> None:
    raw = scan(picture(["Er was niemand", "op de gang te zien."]))
    parsed = formats.read(raw, name="x.pdf")
    assert "niemand\nop de gang" in parsed.parts[0].text
    assert pictures(parsed.render({}).raw) == pictures(raw)


@needs_engine
def test_hidden_text_goes_with_the_picture_that_it_repeats() -> None:
    # What the engine of the scanner read in its own way is black too, at its place in the picture.
    raw = scan(picture(["Verslag van Jitske"]), hidden="Verslag van Jltske Wlersma")
    parsed = formats.read(raw, name="x.pdf")
    text = parsed.parts[0].text
    start = text.index("Jltske Wlersma")
    rendered = parsed.render({"": {Span(start, start + 14): "X1"}})
    assert "Jltske" not in formats.read(rendered.raw, name="x.pdf").parts[0].text
    assert "Jitske" not in seen(rendered.raw)
    assert "Verslag" in seen(rendered.raw)


def test_hidden_text_does_not_make_a_picture_clean() -> None:
    raw = scan(picture(), hidden="Verslag van 3 mei 2024")
    with pytest.raises(UnsupportedInputError, match="picture with hidden text"):
        formats.read(raw, name="x.pdf", options=FormatOptions(ocr=False))
    parsed = formats.read(raw, name="x.pdf", options=FormatOptions(ocr=False, keep_unread=True))
    assert [(one.kind, one.count) for one in parsed.unread] == [
        ("page that is a picture with hidden text", 1)
    ]


def test_without_the_engine_a_scan_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "is_available", lambda: False)
    with pytest.raises(UnsupportedInputError, match="without text layer"):
        formats.read(scan(picture()), name="x.pdf")


@needs_engine
def test_what_cannot_be_read_well_is_not_called_read() -> None:
    page = picture().resize((WIDTH // 7, HEIGHT // 7)).resize((WIDTH, HEIGHT))
    with pytest.raises(UnsupportedInputError, match="well enough"):
        formats.read(scan(page), name="x.pdf")


@needs_engine
def test_picture_without_any_text_is_counted() -> None:
    parsed = formats.read(scan(Image.new("RGB", (200, 200), "grey")), name="x.pdf")
    assert [(one.kind, one.count) for one in parsed.unread] == [("image", 1)]
    assert parsed.recognized == ()


@needs_engine
@pytest.mark.slow
def test_a_dense_page_that_lies_askew() -> None:
    """A page of 46 lines, 138 names: all of them read, none of their words left, the others still there."""
    chance = random.Random(3)  # noqa: S311  no secret
    lists = Gazetteer.load()
    given = [entry.name for entry in lists.given_names.values() if entry.frequency > 500]
    family = [entry.name for entry in lists.surnames.values()]
    words = ["gesproken", "aanvraag", "daarna", "belde", "terug", "balie", "gisteren"]
    rows = [
        [
            f"{chance.choice(given)} {chance.choice(['', 'van ', 'de '])}{chance.choice(family)}"
            for _ in range(3)
        ]
        for _ in range(46)
    ]
    buffer = io.BytesIO()
    drawn = canvas.Canvas(buffer)
    for number, row in enumerate(rows):
        drawn.setFont(["Times-Roman", "Helvetica"][number % 2], 10)
        drawn.drawString(40, 800 - 16.5 * number, " ".join(f"{name} {chance.choice(words)}" for name in row))
    drawn.save()
    with pypdfium2.PdfDocument(buffer.getvalue()) as document:
        page = document[0].render(scale=200 / 72).to_pil().convert("RGB")
    page = page.rotate(0.7, fillcolor="white", resample=Image.Resampling.BICUBIC)
    raw = scan(page.filter(ImageFilter.GaussianBlur(0.8)).resize((page.width, page.height)))
    parsed = formats.read(raw, name="x.pdf")
    text = parsed.parts[0].text
    names = [name for row in rows for name in row]
    labels: dict[Span, str] = {}
    for name in dict.fromkeys(names):
        start = text.find(name)
        while start >= 0:
            labels[Span(start, start + len(name))] = "P1-7QK2"
            start = text.find(name, start + 1)
    assert len(labels) >= 0.99 * len(names)
    shown = seen(parsed.render({"": labels}).raw).casefold()
    left = [word for name in names for word in name.casefold().split() if len(word) > 3 and word in shown]
    assert left == []
    assert set(words) <= set(shown.split())
