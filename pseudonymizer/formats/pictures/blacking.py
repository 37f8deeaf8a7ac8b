"""Names on a picture made black, with the pseudonym in white where it fits."""

import io
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from pseudonymizer.formats.pictures.ocr import Box, ReadPicture, Word
from pseudonymizer.formats.tree.textmap import Change

if TYPE_CHECKING:
    from PIL.Image import Image

_MIN_SIZE: Final = 7  # pixels; smaller letters cannot be read
_FILL: Final = 0.72  # of the height of the black
_JPEG_QUALITY: Final = 85


def changed_words(read: ReadPicture, changes: Sequence[Change]) -> list[Word | tuple[str, Box]]:
    """The words of the picture in order, those that changes touch as (text, box) with what stands there now.

    A change that touches several words, in one line or in two, gives one text and box for each line: the new
    words stand on the first.
    """
    words = read.words
    starts = [word.start for word in words]
    groups: list[tuple[int, int, list[Change]]] = []  # first word, after the last, changes
    for change in changes:
        first = max(bisect_right(starts, change.start) - 1, 0)
        while first < len(words) and words[first].end <= change.start:
            first += 1
        last = bisect_left(starts, change.end)
        if first >= last:
            continue  # between two words
        if groups and first < groups[-1][1]:
            begin, _, earlier = groups.pop()
            groups.append((begin, last, [*earlier, change]))
        else:
            groups.append((first, last, [change]))
    made: list[Word | tuple[str, Box]] = []
    position = 0
    for first, last, own in groups:
        made += words[position:first]
        made += _joined(read.text, words[first:last], own)
        position = last
    made += words[position:]
    return made


def _joined(text: str, words: Sequence[Word], changes: Sequence[Change]) -> list[tuple[str, Box]]:
    pieces: list[str] = []
    position = words[0].start
    for change in changes:
        pieces += [text[position : change.start], change.new]
        position = max(change.end, position)
    pieces.append(text[position : words[-1].end])
    shown = "".join(pieces)
    lines: list[list[Word]] = []
    for word in words:
        if lines and "\n" not in text[lines[-1][-1].end : word.start]:
            lines[-1].append(word)
        else:
            lines.append([word])
    boxes = [
        Box(
            min(w.box.left for w in line),
            min(w.box.top for w in line),
            max(w.box.right for w in line),
            max(w.box.bottom for w in line),
        )
        for line in lines
    ]
    return [(shown if number == 0 else "", box) for number, box in enumerate(boxes)]


def blacken(picture: "Image", boxes: Iterable[Box]) -> None:
    """Boxes of the picture, black. In place."""
    from PIL import ImageDraw

    drawing = ImageDraw.Draw(picture)
    for box in boxes:
        drawing.rectangle(box, fill="black")


def write_label(picture: "Image", label: str, box: Box) -> None:
    """label in white in a black box, as large as fits; nothing where it could not be read. In place."""
    from PIL import ImageDraw, ImageFont

    drawing = ImageDraw.Draw(picture)
    width, height = box.right - box.left, box.bottom - box.top
    size = int(_FILL * height)
    while size >= _MIN_SIZE:
        font = ImageFont.load_default(size)
        if drawing.textlength(label, font=font) <= 0.96 * width:
            place = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
            drawing.text(place, label, fill="white", font=font, anchor="mm")
            return
        size = int(size * 0.9)


def without_colour(picture: "Image") -> "Image":
    """In grey where it has no colours to lose."""
    from PIL import ImageChops

    grey = picture.convert("L")
    difference = ImageChops.difference(picture, grey.convert("RGB"))
    highest = max(int(extreme[1]) for extreme in difference.getextrema())  # type: ignore[index]  # RGB: a pair each
    return grey if highest < 24 else picture


def as_jpeg(picture: "Image") -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=_JPEG_QUALITY, optimize=True)
    return buffer.getvalue()
