"""Content streams written again: glyphs of names taken out, labels put in their place, the rest where it
was."""

from collections.abc import Mapping, Sequence
from typing import Any

import pikepdf
from pdfminer.fontmetrics import FONT_METRICS

from pseudonymizer.formats.pdf.text import Glyph, Stream
from pseudonymizer.formats.tree.nodes import encode_label
from pseudonymizer.formats.tree.textmap import Change

_WIDTHS: dict[str, float] = {
    character: width / 1000 for character, width in FONT_METRICS["Helvetica"][1].items()
}
LABEL_FONT = "/NymlinkLabel"
_MIN_STRETCH = 0.55  # narrower letters than this are made smaller instead
_TOLERANCE = 0.5  # of the height


def rewrite_stream(
    stream: Stream, changes: Sequence[Change], properties: Mapping[int, Mapping[str, str]] | None = None
) -> bytes:
    """The stream with changes, whose places are glyph numbers. The label fills the width the name had.

    properties: by the number of an operator and key, the new text that stands for what is shown.
    """
    removed: dict[int, str] = {}
    widths: dict[int, float] = {}
    for at, change in enumerate(changes):
        for number in range(change.start, change.end):
            removed[number] = ""
        if change.new:
            removed[change.start] = change.new
            widths[change.start] = _available(stream.glyphs, changes, at)
    touched: dict[int, list[int]] = {}
    for number in removed:
        touched.setdefault(stream.glyphs[number].instruction, []).append(number)
    by_instruction: dict[int, list[int]] = {}
    for number, glyph in enumerate(stream.glyphs):
        if glyph.instruction in touched:
            by_instruction.setdefault(glyph.instruction, []).append(number)
    written: list[Any] = []
    for number, instruction in enumerate(stream.instructions):
        if properties and number in properties:
            written.append(_with_properties(instruction, properties[number]))
        elif number in touched:
            written += _rewrite(stream, number, by_instruction[number], removed, widths)
        else:
            written.append(instruction)
    return pikepdf.unparse_content_stream(written)


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


def _rewrite(
    stream: Stream,
    number: int,
    glyph_numbers: Sequence[int],
    removed: dict[int, str],
    widths: dict[int, float],
) -> list[Any]:
    """The operators in place of one that showed text."""
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
                drawing, drawn = _label(removed[glyph_number], glyph, widths[glyph_number], state)
                written += drawing
            if unit:
                row.append(round((drawn - glyph.advance) / unit, 3))
        if kept:
            row.append(pikepdf.String(kept))
    if row:
        written.append(_operator("TJ", pikepdf.Array(row)))
    return written


def _label(label: str, glyph: Glyph, available: float, state: Any) -> tuple[list[Any], float]:
    """Operators that draw label as wide as what it replaces, and how far they advance in text space."""
    encoded = encode_label(label, "cp1252", lambda _: "?")
    natural = text_width(encoded.decode("cp1252")) or 1.0
    room = available / glyph.scale if glyph.scale else 0.0
    size = state.font_size
    stretch = abs(room / (natural * size)) if size and room > 0 else 1.0
    if stretch < _MIN_STRETCH:
        size *= stretch / _MIN_STRETCH
        stretch = _MIN_STRETCH
    stretch = min(stretch, max(abs(state.horizontal), 1.0))
    drawn = natural * size * stretch
    return [
        _operator("Tc", 0), _operator("Tw", 0), _operator("Tz", round(stretch * 100, 2)),
        _operator("Tf", pikepdf.Name(LABEL_FONT), round(size, 3)),
        _operator("Tj", pikepdf.String(encoded)),
        _operator("Tf", pikepdf.Name(state.font_name), state.font_size),
        _operator("Tz", round(state.horizontal * 100, 4)), _operator("Tc", state.character_space),
        _operator("Tw", state.word_space),
    ], drawn  # fmt: skip


def text_width(text: str) -> float:
    """In Helvetica, in units of the font size."""
    return sum(_WIDTHS.get(character, 0.556) for character in text)


def _operator(name: str, *operands: Any) -> Any:
    values = [round(o, 4) if isinstance(o, float) else o for o in operands]
    return pikepdf.ContentStreamInstruction(values, pikepdf.Operator(name))
