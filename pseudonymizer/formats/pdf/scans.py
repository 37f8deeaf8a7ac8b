"""Pages of a PDF that are pictures: read by text recognition, and made anew with the names black.

A page on which something changes becomes one picture, with the text that now stands on it as an invisible
layer, as scanners make it. The pictures that the page was made of are gone with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pikepdf
import pypdfium2

from pseudonymizer.formats.pdf.labels import LABEL_FONT, text_width
from pseudonymizer.formats.pdf.text import REWRITTEN_PAGE, Stream
from pseudonymizer.formats.pictures.blacking import (
    as_jpeg,
    blacken,
    changed_words,
    without_colour,
    write_label,
)
from pseudonymizer.formats.pictures.ocr import Box, ReadPicture, Word, read_picture, turned
from pseudonymizer.formats.tree.nodes import encode_label
from pseudonymizer.formats.tree.textmap import Change

if TYPE_CHECKING:
    from PIL.Image import Image

_PER_POINT: Final = 200 / 72  # pixels
_MAX_SIDE: Final = 4000  # pixels
_DESCENT, _ASCENT = 0.3, 0.95  # of the height of letters: what a hidden letter covers


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """A page that is a picture: what it says, and the glyphs of the text layer that it may have besides.

    is_turned: some of these glyphs are of text that is not read, so that they must go in any case.
    """

    number: int
    source: int
    read: ReadPicture
    shown: Sequence[tuple[Stream, int]] = field(repr=False)
    is_turned: bool = False


def read_page(document: pypdfium2.PdfDocument, number: int) -> ReadPicture:
    return read_picture(_picture(document, number)[0])


def _picture(document: pypdfium2.PdfDocument, number: int) -> tuple["Image", float]:
    """The page as a reader sees it, without annotations, and its pixels a point."""
    page = document[number]
    scale = min(_PER_POINT, _MAX_SIDE / max(*page.get_size(), 1.0))
    drawn: Any = page.render(scale=scale, may_draw_forms=False, draw_annots=False).to_pil()
    return drawn.convert("RGB"), scale


def is_touched(page: ScannedPage, changes: dict[int, list[Change]]) -> bool:
    """Whether the page must be made anew."""
    is_changed = page.source in changes or any(stream.source in changes for stream, _ in page.shown)
    return page.is_turned or is_changed


def flatten(
    pdf: pikepdf.Pdf,
    drawn: pypdfium2.PdfDocument,
    page: ScannedPage,
    changes: dict[int, list[Change]],
    font: Any,
) -> None:
    """Makes a page of pdf one picture. drawn is the same file with its text layers already changed."""
    target = pdf.pages[page.number]
    picture, scale = _picture(drawn, page.number)
    rotation = int(target.obj.get("/Rotate", 0)) % 360
    left, bottom, right, top = (float(n) for n in target.cropbox)
    upright = turned(picture, rotation)
    blacken(
        upright, [_scaled(box, min(left, right), max(bottom, top), scale) for box in _hidden(page, changes)]
    )
    picture = turned(turned(upright, -rotation), page.read.turn)
    words = changed_words(page.read, changes.get(page.source, []))
    blacken(picture, [word[1] for word in words if not isinstance(word, Word)])
    for word in words:
        if not isinstance(word, Word) and word[0]:
            write_label(picture, *word)
    width, height = picture.width / scale, picture.height / scale
    if rotation or page.read.turn:
        # The page stands upright from now on; what was placed on it by its old directions cannot stay.
        for key in ("/CropBox", "/TrimBox", "/BleedBox", "/ArtBox", "/Annots"):
            if key in target.obj:
                del target.obj[key]
        target.obj["/MediaBox"] = pikepdf.Array([0, 0, width, height])
        target.obj["/Rotate"] = 0
        left = bottom = right = top = 0.0
    _put_picture(pdf, target, picture)
    corner = f"{min(left, right):.4f} {min(bottom, top):.4f}"
    pixel = f"{1 / scale:.6f}"
    layer = _layer(page.read, words, picture.height)
    content = (
        f"{REWRITTEN_PAGE} MP q {width:.4f} 0 0 {height:.4f} {corner} cm /Scan Do Q\n"
        f"q {pixel} 0 0 {pixel} {corner} cm BT 3 Tr\n"
    ).encode("ascii") + layer + b"ET Q\n"  # fmt: skip
    target.obj["/Contents"] = pdf.make_stream(content)
    target.obj["/Resources"]["/Font"] = pikepdf.Dictionary({LABEL_FONT: font})
    if "/Group" in target.obj:
        del target.obj["/Group"]


def _hidden(page: ScannedPage, changes: dict[int, list[Change]]) -> list[Box]:
    """What the changed letters of the page's own text layer cover, in points (top above bottom)."""
    boxes: list[Box] = []
    for stream, number in page.shown:
        if any(change.start <= number < change.end for change in changes.get(stream.source, ())):
            glyph = stream.glyphs[number]
            boxes.append(
                Box(
                    min(glyph.x, glyph.x_end),
                    glyph.y + _ASCENT * glyph.size,
                    max(glyph.x, glyph.x_end),
                    glyph.y - _DESCENT * glyph.size,
                )
            )
    return boxes


def _scaled(box: Box, left: float, top: float, scale: float) -> Box:
    return Box(
        (box.left - left) * scale,
        (top - box.top) * scale,
        (box.right - left) * scale,
        (top - box.bottom) * scale,
    )


def _put_picture(pdf: pikepdf.Pdf, target: pikepdf.Page, picture: "Image") -> None:
    plain = without_colour(picture)
    image = pdf.make_stream(as_jpeg(plain))
    grey = plain.mode == "L"
    for key, value in {
        "/Type": pikepdf.Name.XObject,
        "/Subtype": pikepdf.Name.Image,
        "/Width": plain.width,
        "/Height": plain.height,
        "/ColorSpace": pikepdf.Name.DeviceGray if grey else pikepdf.Name.DeviceRGB,
        "/BitsPerComponent": 8,
        "/Filter": pikepdf.Name.DCTDecode,
    }.items():
        image.stream_dict[key] = value
    target.obj["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/Scan": image}))


def _layer(read: ReadPicture, words: Sequence[Word | tuple[str, Box]], height: int) -> bytes:
    """Operators that show every word where it stands, stretched to the beginning of the next on its line."""
    placed = [
        (read.text[word.start : word.end], word.box) if isinstance(word, Word) else word for word in words
    ]
    pieces: list[bytes] = []
    for number, (text, box) in enumerate(placed):
        if not text.strip():
            continue
        following = placed[number + 1][1] if number + 1 < len(placed) else None
        right = box.right
        if following is not None and following.left > box.left and _on_one_line(box, following):
            right = max(following.left, box.left + 1)
        shown = encode_label(f"{text} ", "cp1252", lambda _: "?")
        size = max(0.8 * (box.bottom - box.top), 1.0)
        natural = text_width(shown.decode("cp1252")) * size
        stretch = max(100 * (right - box.left) / natural, 1.0)
        baseline = height - box.bottom + 0.25 * (box.bottom - box.top)
        escaped = shown.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        pieces.append(
            f"{LABEL_FONT} {size:.2f} Tf {stretch:.3f} Tz 1 0 0 1 {box.left:.2f} {baseline:.2f} Tm (".encode(
                "ascii"
            )
            + escaped
            + b") Tj\n"
        )
    return b"".join(pieces)


def _on_one_line(left: Box, right: Box) -> bool:
    distance = abs((left.top + left.bottom) - (right.top + right.bottom)) / 2
    return distance < 0.5 * (left.bottom - left.top)
