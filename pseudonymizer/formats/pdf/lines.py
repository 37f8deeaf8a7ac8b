"""Glyphs of a page put together to lines of text, as a reader would."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pseudonymizer.formats.pdf.text import Glyph, Stream
from pseudonymizer.formats.tree.mojibake import broken as broken_letters
from pseudonymizer.formats.tree.mojibake import is_broken
from pseudonymizer.formats.tree.textmap import TextBuilder

_SAME_LINE = 0.35  # of the height: how far two baselines of one line may be apart
_WORD_GAP = 0.16  # of the height: from there on a gap is a space
_COLUMN_GAP = 2.5  # of the height: from there on it is another column
_EVEN_LETTERS = 5  # letters that make a row of evenly placed ones
_WIDEST_STEP = 1.2  # of the height: how far such letters are apart at most
_SAME_STEP = 0.03  # of the step: by how much steps of one row may differ
_OPEN_LINES = 60  # lines that later text may still be added to


@dataclass(slots=True)
class _Line:
    y: float
    x_end: float
    size: float
    angle: int = 0
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
            line = _Line(glyph.y, glyph.x, glyph.size, glyph.angle)
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
            glyph.angle == line.angle
            and abs(glyph.y - line.y) <= _SAME_LINE * size
            and -0.6 * size <= glyph.x - line.x_end <= _COLUMN_GAP * size
        ):
            return line
    return None


def _add_line(line: _Line, builder: TextBuilder) -> None:
    # No new field: a name that runs on in the next line is one name.
    glyphs = [stream.glyphs[number] for stream, number in line.glyphs]
    even = _evenly_placed(glyphs)
    apart = [at > 0 and not even[at] and _is_apart(glyphs[at - 1], glyphs[at]) for at in range(len(glyphs))]
    broken = _broken_letters(line, apart) if builder.mends else {}
    position = 0
    for at, (stream, number) in enumerate(line.glyphs):
        if at < position:
            continue
        if apart[at] and not builder.ends_with((" ", "\n")) and not glyphs[at].text.isspace():
            builder.gap(" ")
        letter, position = broken.get(at, (glyphs[at].text, at + 1))
        builder.atom(stream.source, letter, number, number + position - at)
    builder.gap("\n")


def _is_apart(before: Glyph, glyph: Glyph) -> bool:
    return glyph.x - before.x_end > _WORD_GAP * max(glyph.size, 0.1)


def _broken_letters(line: _Line, apart: Sequence[bool]) -> Mapping[int, tuple[str, int]]:
    """Where glyphs stand that a program has read in a wrong encoding: the first -> the letter that is meant,
    and the glyph after the last.
    """
    texts = [stream.glyphs[number].text for stream, number in line.glyphs]
    if not is_broken("".join(texts)):
        return {}
    whole = "".join(text if len(text) == 1 else "\0" for text in texts)
    found = {one.start: (one.letter, one.end) for one in broken_letters(whole)}
    return {
        first: (letter, end)
        for first, (letter, end) in found.items()
        if not any(apart[first + 1 : end])
        and [(s.source, n) for s, n in line.glyphs[first:end]]
        == [(line.glyphs[first][0].source, line.glyphs[first][1] + at) for at in range(end - first)]
    }


def _evenly_placed(glyphs: Sequence[Glyph]) -> list[bool]:
    """Of each glyph whether it stands in a row of letters that were placed singly, all equally far apart:
    there a wide gap beside a narrow letter is no blank.
    """
    even = [False] * len(glyphs)
    first = 0
    for at in range(1, len(glyphs) + 1):
        if at < len(glyphs) and _is_even(glyphs, first, at):
            continue
        if at - first > _EVEN_LETTERS:
            even[first + 1 : at] = [True] * (at - first - 1)
        first = at - 1
        if at < len(glyphs) and not _is_even(glyphs, first, at):
            first = at
    return even


def _is_even(glyphs: Sequence[Glyph], first: int, at: int) -> bool:
    """Whether a glyph is as far from the one before it as those before are from each other."""
    glyph, before = glyphs[at], glyphs[at - 1]
    if not (glyph.text.isalpha() or glyph.text.isspace()) or not (
        before.text.isalpha() or before.text.isspace()
    ):
        return False
    step = glyph.x - before.x
    if not 0 < step <= _WIDEST_STEP * max(glyph.size, 0.1):
        return False
    if at - first < 2:
        return True
    pitch = glyphs[first + 1].x - glyphs[first].x
    return abs(step - pitch) <= _SAME_STEP * pitch
