"""Content streams written again: glyphs of names taken out, labels put in their place, the rest where it
was."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pikepdf
from pdfminer.fontmetrics import FONT_METRICS

from pseudonymizer.formats.pdf.text import Glyph, ShownState, Stream
from pseudonymizer.formats.tree.nodes import encode_label
from pseudonymizer.formats.tree.textmap import Change

_WIDTHS: dict[str, float] = {
    character: width / 1000 for character, width in FONT_METRICS["Helvetica"][1].items()
}
LABEL_FONT = "/NymlinkLabel"
_MIN_STRETCH = (
    0.7  # narrower letters than this are made smaller, and the line makes room; looked at as pictures
)
_LEAST_STRETCH = 0.35  # narrower no letter is drawn, whatever room there is
_CROWDED = 0.1  # of the height: less than this is no lack of room
_LEAST_SHARE = 0.8  # of the size of the text around it: smaller a label is not drawn
_LEAST_POINTS = 6.0  # points on the page, likewise, where the text is not smaller itself
_MOVES = frozenset({"BT", "Td", "TD", "Tm", "T*", "'", '"'})  # operators that begin at a place of their own
_TOUCHING = 0.05  # of the height: how far a letter behind a name may reach into it
_COLUMN_GAP = 2.5  # of the height, as lines.py has it: from there on it is another column
_COLUMN_SPACE = 0.5  # of the height: the least space before another column
_TOLERANCE = 0.5  # of the height


class RewrittenStream(NamedTuple):
    """A content stream with labels. crowded: how many are wider than the room that their line has."""

    content: bytes
    crowded: int


def rewrite_stream(
    stream: Stream,
    changes: Sequence[Change],
    properties: Mapping[int, Mapping[str, str]] | None = None,
    right: float | None = None,
) -> RewrittenStream:
    """The stream with changes, whose places are glyph numbers. The label fills the width the name had; where
    it would be too small for that, the rest of its line makes room, up to right, the edge of the page. Where
    that does not do, its letters are narrower still, and it is counted.

    properties: by the number of an operator and key, the new text that stands for what is shown.
    """
    removed: dict[int, str] = {}
    labels: dict[int, _Label] = {}
    crowded = 0
    shifts = [0.0] * len(stream.glyphs)
    for at, change in enumerate(changes):
        for number in range(change.start, change.end):
            removed[number] = ""
        if change.new:
            removed[change.start] = change.new
            glyph = stream.glyphs[change.start]
            available = _available(stream.glyphs, changes, at)
            state = stream.states[glyph.instruction]
            label = _label(change.new, glyph, available, state)
            lacking = _make_room(stream.glyphs, change, label, shifts, right)
            if lacking > _CROWDED * glyph.size:
                crowded += 1
                label = _label(change.new, glyph, available, state, lacking=lacking)
            labels[change.start] = label
    touched: dict[int, list[int]] = {}
    for number in removed:
        touched.setdefault(stream.glyphs[number].instruction, []).append(number)
    by_instruction: dict[int, list[int]] = {}
    for number, glyph in enumerate(stream.glyphs):
        by_instruction.setdefault(glyph.instruction, []).append(number)
    carried = 0.0  # by how much what was written last on the line has moved
    written: list[Any] = []
    for number, instruction in enumerate(stream.instructions):
        if properties and number in properties:
            written.append(_with_properties(instruction, properties[number]))
            continue
        name = str(instruction.operator)
        carried = 0.0 if name in _MOVES else carried
        own = by_instruction.get(number, ())
        if number in touched or any(shifts[glyph] != carried for glyph in own):
            operators, carried = _rewrite(stream, number, own, removed, labels, shifts, carried)
            written += operators
        else:
            written.append(instruction)
    return RewrittenStream(pikepdf.unparse_content_stream(written), crowded)


def _with_properties(instruction: Any, texts: Mapping[str, str]) -> Any:
    """An operator of marked content with other texts in its dictionary."""
    tag, held = instruction.operands
    changed = pikepdf.Dictionary(dict(held.items()))
    for key, text in texts.items():
        changed[key] = pikepdf.String(text)
    return pikepdf.ContentStreamInstruction([tag, changed], instruction.operator)


def _available(glyphs: Sequence[Glyph], changes: Sequence[Change], at: int) -> float:
    """How wide the name is on its line, in page units: to the end of its last glyph on the same baseline."""
    first = glyphs[changes[at].start]
    end = first.x_end
    for change in changes[at:]:
        if change.owner != changes[at].owner:
            break
        for glyph in glyphs[change.start : change.end]:
            if abs(glyph.y - first.y) <= _TOLERANCE * first.size:
                end = max(end, glyph.x_end)
    return end - first.x


def _make_room(
    glyphs: Sequence[Glyph], change: Change, label: "_Label", shifts: list[float], right: float | None
) -> float:
    """Note how far what stands behind a name on its line moves, so that a wider label finds room; returns how
    much of the room is lacking, in page units.
    """
    if not label.overflow:
        return 0.0
    first, last = glyphs[change.start], glyphs[change.end - 1]
    behind = sorted(
        (glyph.x + shifts[number], number)
        for number, glyph in enumerate(glyphs)
        if glyph.angle == first.angle
        and abs(glyph.y - first.y) <= _TOLERANCE * first.size
        and glyph.x >= last.x_end - _TOUCHING * first.size
        and not change.start <= number < change.end
    )
    room, end = label.overflow, last.x_end + shifts[change.start]
    moved: list[int] = []
    for x, number in behind:
        if x - end > _COLUMN_GAP * first.size:  # another column stays where it is
            room = min(room, max(x - end - _COLUMN_SPACE * first.size, 0.0))
            break
        moved.append(number)
        end = max(end, glyphs[number].x_end + shifts[number])
    else:
        if right is not None and not first.angle:
            room = min(room, max(right - end, 0.0))
    for number in moved:
        shifts[number] += room
    return label.overflow - room


def _rewrite(
    stream: Stream,
    number: int,
    glyph_numbers: Sequence[int],
    removed: dict[int, str],
    labels: "dict[int, _Label]",
    shifts: Sequence[float],
    carried: float,
) -> tuple[list[Any], float]:
    """The operators in place of one that showed text, and by how much what follows on the line has moved."""
    state = stream.states[number]
    instruction = stream.instructions[number]
    name = str(instruction.operator)
    operands = list(instruction.operands)
    written: list[Any] = []
    if name == '"' and len(operands) == 3:
        written += [_operator("Tw", operands[0]), _operator("Tc", operands[1])]
    if name in {"'", '"'}:
        written.append(_operator("T*"))
    elements = list(operands[-1]) if name == "TJ" else [operands[-1]]
    unit = state.font_size * state.horizontal / 1000  # text space of one unit in a TJ array
    row: list[Any] = []
    queue = [(n, stream.glyphs[n]) for n in glyph_numbers]
    for at, element in enumerate(elements):
        if not isinstance(element, pikepdf.String):
            row.append(element)
            continue
        data = bytes(element)
        kept = b""
        for glyph_number, glyph in [item for item in queue if item[1].element == at]:
            if (glyph_number not in removed or removed[glyph_number]) and shifts[glyph_number] != carried:
                if kept:
                    row.append(pikepdf.String(kept))
                    kept = b""
                if unit and glyph.scale:
                    row.append(round(-(shifts[glyph_number] - carried) / glyph.scale / unit, 3))
                    carried = shifts[glyph_number]
            if glyph_number not in removed:
                kept += data[glyph.start : glyph.end]
                continue
            if kept:
                row.append(pikepdf.String(kept))
                kept = b""
            drawn = 0.0
            if removed[glyph_number]:
                if row:
                    written.append(_operator("TJ", pikepdf.Array(row)))
                    row = []
                label = labels[glyph_number]
                written += label.operators
                drawn = label.drawn
            if unit:
                row.append(round((drawn - glyph.advance) / unit, 3))
        if kept:
            row.append(pikepdf.String(kept))
    if row:
        written.append(_operator("TJ", pikepdf.Array(row)))
    return written, carried


class _Label(NamedTuple):
    """Operators that draw a label, how far they advance in text space, and by how much it is wider on the
    page than what it replaces.
    """

    operators: list[Any]
    drawn: float
    overflow: float


def _label(label: str, glyph: Glyph, available: float, state: ShownState, *, lacking: float = 0.0) -> _Label:
    """A label as wide as what it replaces where it stays readable so: letters may be narrower, and smaller
    by a fifth, but not under 6 points where the text itself is larger. lacking: page units by which
    it is too wide as such; its letters are narrower then, down to a third.
    """
    encoded = encode_label(label, "cp1252", lambda _: "?")
    natural = text_width(encoded.decode("cp1252")) or 1.0
    room = available / glyph.scale if glyph.scale else 0.0
    size = state.font_size
    stretch = abs(room / (natural * size)) if size and room > 0 else 1.0
    if stretch < _MIN_STRETCH:
        points = _LEAST_POINTS / glyph.size if glyph.size else 1.0
        size *= max(stretch / _MIN_STRETCH, _LEAST_SHARE, min(points, 1.0))
        stretch = _MIN_STRETCH
    stretch = min(stretch, max(abs(state.horizontal), 1.0))
    drawn = natural * size * stretch
    if lacking and drawn and glyph.scale:
        stretch = max(stretch * (1 - lacking / (abs(drawn) * glyph.scale)), _LEAST_STRETCH)
        drawn = natural * size * stretch
    operators = [
        _operator("Tc", 0), _operator("Tw", 0), _operator("Tz", round(stretch * 100, 2)),
        _operator("Tf", pikepdf.Name(LABEL_FONT), round(size, 3)),
        _operator("Tj", pikepdf.String(encoded)),
        _operator("Tf", pikepdf.Name(state.font_name), state.font_size),
        _operator("Tz", round(state.horizontal * 100, 4)), _operator("Tc", state.character_space),
        _operator("Tw", state.word_space),
    ]  # fmt: skip
    return _Label(operators, drawn, max(abs(drawn) * glyph.scale - available, 0.0) if room > 0 else 0.0)


def text_width(text: str) -> float:
    """In Helvetica, in units of the font size."""
    return sum(_WIDTHS.get(character, 0.556) for character in text)


def _operator(name: str, *operands: Any) -> Any:
    values = [round(o, 4) if isinstance(o, float) else o for o in operands]
    return pikepdf.ContentStreamInstruction(values, pikepdf.Operator(name))
