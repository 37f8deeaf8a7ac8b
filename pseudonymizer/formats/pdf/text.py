"""Text of PDF content streams, glyph by glyph, with the place of each glyph in its stream and on its page.

Follows the text operators of PDF 32000-1, section 9.4. Fonts are decoded by pdfminer.six; structure is
pikepdf's.
"""

import io
import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pikepdf
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdffont import PDFFont, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFResourceManager
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import PDFObjRef, resolve1

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
logging.getLogger("pdfminer").setLevel(logging.CRITICAL + 1)  # its warnings show what a file holds
_MAX_DEPTH = 12  # forms within forms
UNKNOWN = "\ufffd"  # a glyph whose font does not say what it means
REWRITTEN_PAGE = "/NymlinkPage"  # marks the content of a page that was made anew from its picture
_INVISIBLE = (3, 7)  # modes of rendering text, PDF 32000-1, table 106
# Degrees by which a line may run up or down and count as one that runs as usual: a letter as wide as it is
# high then stays within the 0.35 of its height by which pdf.lines joins letters to a line.
_STEEPEST = 15
_TEXTS = ("/ActualText", "/Alt", "/E", "/T", "/Contents")
_SHOWS = frozenset({"Tj", "TJ", "'", '"'})


class Glyph(NamedTuple):
    """One shown glyph. place: which string of the operator, and which of its bytes. advance is in text
    space. A line in another direction is seen with the page turned, so that it runs from left to right.
    """

    text: str
    instruction: int
    element: int
    start: int
    end: int
    advance: float
    x: float
    y: float
    x_end: float
    size: float  # height on the page
    scale: float  # page units of one unit of text space, along the line
    angle: int = 0  # degrees from which x, y and x_end are seen: 0 for lines that run as usual

    def __repr__(self) -> str:
        return f"Glyph({self.x}, {self.y})"


@dataclass(slots=True)
class ShownState:
    """What an operator that shows text needs to be written again."""

    font_name: str
    font_size: float
    horizontal: float  # Tz / 100
    character_space: float
    word_space: float


class Property(NamedTuple):
    """A text beside what is shown: which operator has it, under which key."""

    source: int
    instruction: int
    key: str
    text: str


@dataclass(slots=True)
class Stream:
    """One content stream: its instructions, and the glyphs it shows."""

    source: int
    holder: tuple[int, int]  # object and generation of the page or the form
    instructions: list[Any] = field(repr=False)
    glyphs: list[Glyph] = field(default_factory=list, repr=False)
    states: dict[int, ShownState] = field(default_factory=dict)
    properties: list[Property] = field(default_factory=list, repr=False)


class Fonts:
    """Fonts of one file by their object number."""

    def __init__(self, raw: bytes) -> None:
        self._document = PDFDocument(PDFParser(io.BytesIO(raw)))
        self._manager = PDFResourceManager(caching=False)
        self._fonts: dict[int, PDFFont] = {}

    def font(self, number: int) -> PDFFont:
        if number not in self._fonts:
            spec = resolve1(PDFObjRef(self._document, number))
            self._fonts[number] = self._manager.get_font(None, spec)
        return self._fonts[number]


class TextState:
    """The text state and the matrices while a stream is followed."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self.font: PDFFont | None = None
        self.font_name = ""
        self.font_size = 1.0
        self.horizontal = 1.0
        self.character_space = self.word_space = self.leading = self.rise = self.rendering = 0.0
        self.text_matrix: Matrix = IDENTITY
        self.line_matrix: Matrix = IDENTITY

    def copy(self) -> "TextState":
        other = TextState(self.matrix)
        other.__dict__.update(self.__dict__)
        return other

    def move(self, x: float, y: float) -> None:
        self.line_matrix = multiply((1.0, 0.0, 0.0, 1.0, x, y), self.line_matrix)
        self.text_matrix = self.line_matrix

    def advance(self, distance: float) -> None:
        self.text_matrix = multiply((1.0, 0.0, 0.0, 1.0, distance, 0.0), self.text_matrix)


class Follower:
    """Follows the streams of a file; visited forms are followed once."""

    def __init__(self, fonts: Fonts, new_source: Callable[[], int]) -> None:
        self._fonts, self._new_source = fonts, new_source
        self.streams: list[Stream] = []
        self.seen_forms: set[tuple[int, int]] = set()
        self.image_count = 0
        self.hidden_count = 0  # glyphs that no reader sees, as those that scanners put behind a page
        self.rewritten_count = 0  # pages that this project made anew
        self.turned_count = 0  # letters of text that runs from top to bottom, which is not read

    def follow(
        self, holder: Any, resources: Any, matrix: Matrix, depth: int = 0
    ) -> Iterator[tuple[Stream, int]]:
        """(stream, glyph number) in the order of showing, through forms as they are called."""
        stream = Stream(self._new_source(), holder.objgen, list(pikepdf.parse_content_stream(holder)))
        self.streams.append(stream)
        state = TextState(matrix)
        saved: list[TextState] = []
        for number, instruction in enumerate(stream.instructions):
            name = str(instruction.operator)
            operands = instruction.operands if name != "INLINE IMAGE" else []
            if name in _SHOWS:
                yield from self._show(stream, number, name, operands, state)
            elif name == "q":
                saved.append(state.copy())
            elif name == "Q":
                state = saved.pop() if saved else state
            elif name == "Do" and operands:
                yield from self._form(operands[0], resources, state, depth)
            elif name == "INLINE IMAGE":
                self.image_count += 1
            elif name in {"BDC", "DP"} and len(operands) == 2:
                stream.properties += self._properties(number, operands[1])
            elif name == "MP":
                self.rewritten_count += str(operands[0]) == REWRITTEN_PAGE if operands else 0
            else:
                self._operate(name, operands, state, resources)

    def _properties(self, number: int, held: Any) -> Iterator[Property]:
        """The texts that stand for what is shown, in marked content (PDF 32000-1, section 14.9)."""
        if isinstance(held, pikepdf.Dictionary):
            for key in _TEXTS:
                if isinstance(value := held.get(key), pikepdf.String) and str(value).strip():
                    yield Property(self._new_source(), number, key, str(value))

    def _operate(self, name: str, operands: Sequence[Any], state: TextState, resources: Any) -> None:
        try:
            if name == "Tf":
                state.font_name, state.font_size = str(operands[0]), float(operands[1])
                state.font = self._font(resources, state.font_name)
                return
            numbers = [float(operand) for operand in operands]
            if name == "cm":
                state.matrix = multiply(_matrix(numbers), state.matrix)
            elif name == "BT":
                state.text_matrix = state.line_matrix = IDENTITY
            elif name in {"Td", "TD"}:
                state.leading = -numbers[1] if name == "TD" else state.leading
                state.move(numbers[0], numbers[1])
            elif name == "Tm":
                state.text_matrix = state.line_matrix = _matrix(numbers)
            elif name == "T*":
                state.move(0.0, -state.leading)
            elif name in _SETTINGS:
                setattr(state, _SETTINGS[name], numbers[0] / 100 if name == "Tz" else numbers[0])
        except (IndexError, TypeError, ValueError):
            return  # an operator of another kind, or one that readers ignore as well

    def _font(self, resources: Any, name: str) -> PDFFont | None:
        try:
            number = resources["/Font"][name].objgen[0]
        except (KeyError, AttributeError, TypeError):
            return None
        return self._fonts.font(number) if number else None

    def _show(
        self, stream: Stream, number: int, name: str, operands: Sequence[Any], state: TextState
    ) -> Iterator[tuple[Stream, int]]:
        if not operands:
            return
        if name == '"' and len(operands) == 3:
            state.word_space, state.character_space = float(operands[0]), float(operands[1])
        if name in {"'", '"'}:
            state.move(0.0, -state.leading)
        elements = list(operands[-1]) if name == "TJ" else [operands[-1]]
        stream.states[number] = ShownState(
            state.font_name, state.font_size, state.horizontal, state.character_space, state.word_space
        )
        for at, element in enumerate(elements):
            if isinstance(element, pikepdf.String):
                for glyph in self._glyphs(bytes(element), number, at, state):
                    stream.glyphs.append(glyph)
                    yield stream, len(stream.glyphs) - 1
            else:
                state.advance(-float(element) / 1000 * state.font_size * state.horizontal)

    def _glyphs(self, data: bytes, number: int, element: int, state: TextState) -> Iterator[Glyph]:
        font = state.font
        codes = list(_codes(font, data))
        is_vertical = font is not None and font.is_vertical()
        angle = _angle(state)
        for code, start, end in codes:
            text, width = _meaning(font, code)
            advance = width * state.font_size + state.character_space
            if end - start == 1 and data[start] == 32:
                advance += state.word_space
            advance *= state.horizontal
            whole = multiply(state.text_matrix, state.matrix)
            scale = (whole[0] ** 2 + whole[1] ** 2) ** 0.5
            height = abs(state.font_size) * (whole[2] ** 2 + whole[3] ** 2) ** 0.5
            x, y = _turned(*_apply(whole, 0.0, state.rise), angle)
            state.advance(advance)
            x_end, _ = _turned(*_apply(multiply(state.text_matrix, state.matrix), 0.0, state.rise), angle)
            self.hidden_count += state.rendering in _INVISIBLE
            self.turned_count += is_vertical and (text == UNKNOWN or text.isalpha())
            yield Glyph(text, number, element, start, end, advance, x, y, x_end, height, scale, angle)

    def _form(self, name: Any, resources: Any, state: TextState, depth: int) -> Iterator[tuple[Stream, int]]:
        try:
            target = resources["/XObject"][str(name)]
        except (KeyError, AttributeError, TypeError):
            return
        subtype = target.get("/Subtype")
        if subtype == "/Image":
            self.image_count += 1
        if subtype != "/Form" or depth >= _MAX_DEPTH or target.objgen in self.seen_forms:
            return
        self.seen_forms.add(target.objgen)
        matrix = multiply(_matrix([float(n) for n in target.get("/Matrix", IDENTITY)]), state.matrix)
        yield from self.follow(target, target.get("/Resources", resources), matrix, depth + 1)


_SETTINGS: Mapping[str, str] = {
    "Tc": "character_space", "Tw": "word_space", "Tz": "horizontal", "TL": "leading", "Ts": "rise",
    "Tr": "rendering",
}  # fmt: skip


def _codes(font: PDFFont | None, data: bytes) -> Iterator[tuple[int, int, int]]:
    """(code, first byte, after last byte) of each glyph of a string."""
    if font is None:
        yield from ((byte, at, at + 1) for at, byte in enumerate(data))
        return
    codes = list(font.decode(data))
    width = len(data) // len(codes) if codes else 1
    if len(codes) * width == len(data):
        yield from ((code, at * width, (at + 1) * width) for at, code in enumerate(codes))
        return
    # Codes of differing length: find how many bytes each takes by decoding ever longer beginnings.
    start = 0
    for code in codes:
        end = start + 1
        while end < len(data) and len(list(font.decode(data[start:end]))) < 1:
            end += 1
        yield code, start, end
        start = end


def _meaning(font: PDFFont | None, code: int) -> tuple[str, float]:
    """(text, width in units of the font size)."""
    if font is None:  # readers take one of their own, with the usual letters
        return bytes([code & 0xFF]).decode("cp1252", "replace"), 0.5
    try:
        text = font.to_unichr(code)
    except PDFUnicodeNotDefined:
        text = UNKNOWN
    return text or UNKNOWN, float(font.char_width(code))


def _angle(state: TextState) -> int:
    """The direction in which text now runs, in whole degrees; 0 for lines from left to right that hardly
    rise or fall.
    """
    whole = multiply(state.text_matrix, state.matrix)
    forward = -1.0 if state.font_size * state.horizontal < 0 else 1.0
    if (whole[0], whole[1]) == (0.0, 0.0):
        return 0
    angle = round(math.degrees(math.atan2(forward * whole[1], forward * whole[0])))
    return 0 if abs(angle) <= _STEEPEST else angle % 360


def _turned(x: float, y: float, angle: int) -> tuple[float, float]:
    """A place on the page, seen with the page turned back by these degrees."""
    if not angle:
        return x, y
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return x * cosine + y * sine, y * cosine - x * sine


def multiply(left: Matrix, right: Matrix) -> Matrix:
    a, b, c, d, e, f = left
    g, h, i, j, k, m = right
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _matrix(numbers: Sequence[float]) -> Matrix:
    a, b, c, d, e, f = numbers[:6]
    return a, b, c, d, e, f
