"""Glyphs of a page put together to lines of text, as a reader would."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pseudonymizer.formats.pdf.text import Glyph, Stream
from pseudonymizer.formats.tree.textmap import TextBuilder

_SAME_LINE = 0.35  # of the height: how far two baselines of one line may be apart
_WORD_GAP = 0.16  # of the height: from there on a gap is a space
_COLUMN_GAP = 2.5  # of the height: from there on it is another column
_OPEN_LINES = 60  # lines that later text may still be added to


@dataclass(slots=True)
class _Line:
    y: float
    x_end: float
    size: float
    glyphs: list[tuple[Stream, int]] = field(default_factory=list, repr=False)
    last: str = ""


def add_lines(shown: Iterable[tuple[Stream, int]], builder: TextBuilder) -> int:
    """Adds the lines of one page and gives the number of glyphs. Text drawn in pieces is joined where it
    touches."""
    lines: list[_Line] = []
    count = 0
    for stream, number in shown:
        glyph = stream.glyphs[number]
        count += 1
        line = _line_for(glyph, lines)
        if line is None:
            line = _Line(glyph.y, glyph.x, glyph.size)
            lines.append(line)
        line.glyphs.append((stream, number))
        line.x_end, line.size, line.y = glyph.x_end, glyph.size or line.size, glyph.y
    for line in lines:
        _add_line(line, builder)
    return count


def _line_for(glyph: Glyph, lines: list[_Line]) -> _Line | None:
    for line in reversed(lines[-_OPEN_LINES:]):
        size = max(glyph.size, line.size, 0.1)
        if (
            abs(glyph.y - line.y) <= _SAME_LINE * size
            and -0.6 * size <= glyph.x - line.x_end <= _COLUMN_GAP * size
        ):
            return line
    return None


def _add_line(line: _Line, builder: TextBuilder) -> None:
    # No new field: a name that runs on in the next line is one name.
    end: float | None = None
    for stream, number in line.glyphs:
        glyph = stream.glyphs[number]
        gap = 0.0 if end is None else glyph.x - end
        if (
            gap > _WORD_GAP * max(glyph.size, 0.1)
            and not builder.ends_with((" ", "\n"))
            and not glyph.text.isspace()
        ):
            builder.gap(" ")
        builder.atom(stream.source, glyph.text, number, number + 1)
        end = glyph.x_end
    builder.gap("\n")
