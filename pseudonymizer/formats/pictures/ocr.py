"""Text recognition in pictures of pages (extra `ocr`): RapidOCR with the models in its package, offline.

Models: PP-OCRv6 small, by PaddleOCR (Apache-2.0), for scripts of many languages, Latin with accents among
them. One thread and no randomness: the same picture gives the same text in both passes of a run.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

MIN_CONFIDENCE: Final = 0.8  # mean over the lines of a page; below this a page counts as not read
_TURNS: Final = (0, 90, 270, 180)  # degrees counter-clockwise; scans lie on a side now and then


class Box(NamedTuple):
    """Pixels from the upper left corner; right and bottom are outside."""

    left: float
    top: float
    right: float
    bottom: float


class Word(NamedTuple):
    """Where a word stands in the text of its picture, and where on it."""

    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class ReadPicture:
    """What a picture says: lines divided by line ends. turn: by how many degrees counter-clockwise it was
    turned to be read; boxes are those of the turned picture. confidence: mean over the characters, in [0, 1].
    """

    text: str = field(repr=False)
    words: Sequence[Word] = field(repr=False)
    turn: int
    confidence: float


def is_available() -> bool:
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read_picture(picture: "Image") -> ReadPicture:
    """The text of a picture in RGB; of four ways to turn it the one that is read best, upright first."""
    best = ReadPicture("", (), 0, 0.0)
    for turn in _TURNS:
        found = _read(turned(picture, turn), turn)
        if found.confidence > best.confidence:
            best = found
        if best.confidence >= MIN_CONFIDENCE or not found.text:
            break  # it stands right, or there is nothing to read on it
    return best


def turned(picture: "Image", degrees: int) -> "Image":
    """Turned counter-clockwise by a multiple of 90 degrees, without loss."""
    from PIL.Image import Transpose

    way = {90: Transpose.ROTATE_90, 180: Transpose.ROTATE_180, 270: Transpose.ROTATE_270}.get(degrees % 360)
    return picture if way is None else picture.transpose(way)


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.text_score": 0.05,  # lines that are read badly count too: they are on the page
            "Global.max_side_len": 2600,
            "Global.use_cls": False,
            "Global.return_word_box": True,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _read(picture: "Image", turn: int) -> ReadPicture:
    import numpy as np

    logging.getLogger("RapidOCR").setLevel(logging.CRITICAL)  # its messages name files
    output = _engine()(np.asarray(picture)[:, :, ::-1])
    if output.txts is None:
        return ReadPicture("", (), turn, 0.0)
    lines: list[str] = []
    words: list[Word] = []
    weights = at = 0
    total = 0.0
    for corners, text, score, found in zip(
        output.boxes, output.txts, output.scores, output.word_results, strict=True
    ):
        words += _words(text, at, _box(corners), found)
        lines.append(text)
        at += len(text) + 1
        total += float(score) * len(text)
        weights += len(text)
    return ReadPicture("\n".join(lines), tuple(words), turn, total / weights if weights else 0.0)


def _words(text: str, at: int, line: Box, found: Sequence[tuple[str, float, Any]]) -> list[Word]:
    """The words of one line with their boxes, widened to half of the gaps between them, and a line's height.

    Boxes of words are estimates, so the black over a name has to reach further than its letters. Where the
    words do not make up the line, the whole line is one word.
    """
    places: list[tuple[int, int, Box]] = []
    position = 0
    for word, _, corners in found:
        start = text.find(word, position) if word and corners is not None else -1
        if start < 0 or text[position:start].strip():
            places.clear()
            break
        position = start + len(word)
        places.append((start, position, _box(corners)))
    if not places or text[position:].strip():
        return [Word(at, at + len(text), line)]
    margin = 0.12 * (line.bottom - line.top)
    made: list[Word] = []
    for number, (start, end, box) in enumerate(places):
        before = places[number - 1][2].right if number else line.left - 2 * margin
        after = places[number + 1][2].left if number + 1 < len(places) else line.right + 2 * margin
        left = min(box.left - margin, (before + box.left) / 2)
        right = max(box.right + margin, (box.right + after) / 2)
        made.append(Word(at + start, at + end, Box(left, line.top - margin, right, line.bottom + margin)))
    return made


def _box(corners: Any) -> Box:
    xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))
