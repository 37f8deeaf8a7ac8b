"""Lines that cannot be read, in JSON lines and tables as text: left out of the output, and told.

What undoes the output puts them back, byte for byte.
"""

import codecs
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from linkage.gazetteer.telling import LanguageTeller
from linkage.language_contents import installed_languages
from pseudonymizer.formats.every_format import BY_NAME
from pseudonymizer.formats.format import Cut
from pseudonymizer.formats.records import Edit, FormatOptions, RejectedLine, RenderedFile, Replacements
from pseudonymizer.formats.tree.parsing import ParsedFile
from pseudonymizer.formats.unit_lines import LineReader

_WIDE: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_LONGEST_ROW: Final = 200_000  # bytes; a quote that nobody closes takes no more lines into its row
_MOST_ZEROS: Final = 0.1  # share of the bytes; from here up the zeros may be those of UTF-16


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line that is left out. at: where it begins in the bytes that are read in place of the file; blank:
    how many bytes of it stand there, so that later lines keep their numbers.
    """

    at: int
    blank: int
    line: RejectedLine
    original: bytes = field(repr=False)


def cuts_in(format_name: str, raw: bytes, options: FormatOptions | None = None) -> tuple[LeftOut, ...]:
    """The lines of a file that cannot be read; none where more are bad than good, for then the file is of
    another kind.

    Where options.tell_language says that texts tell their language, a line of JSON that says one that is not
    installed, or whose text is in one, is left out, too, unless all lines are such.
    """
    rows = _Rows.of(format_name, raw)
    if rows is None:
        return ()
    usual = options.language if options is not None and options.tell_language else ""
    is_utf_8 = rows.mark == codecs.BOM_UTF8 or _is_mostly_utf_8(raw)
    why = _why_of(rows.between, rows.wide, usual, is_utf_8=is_utf_8)
    cuts: list[LeftOut] = []
    at, good, kept, foreign = len(rows.mark), 0, 0, 0
    for number, row in enumerate(rows, start=1):
        is_blank = rows.reader.is_blank(row)
        reason, is_foreign = ("", False) if is_blank else why(row)
        foreign += is_foreign
        if not reason:
            good += 1
            kept += not is_blank
            at += len(row)
            continue
        blank = 0 if rows.between is Cut.ROWS else len(row) - len(_without_end(row, rows.wide))
        cuts.append(LeftOut(at, blank, RejectedLine(number, reason), row))
        at += blank
    return tuple(cuts) if kept and len(cuts) - foreign <= good + foreign else ()


def lines_at(format_name: str, raw: bytes, numbers: Collection[int]) -> dict[int, bytes]:
    """The bytes of these lines, or rows of a table, by their numbers from 1."""
    rows = _Rows.of(format_name, raw)
    return {} if rows is None else {n: row for n, row in enumerate(rows, start=1) if n in numbers}


def without(raw: bytes, cuts: Sequence[LeftOut]) -> bytes:
    """What is read in place of a file: of a line that is left out its end alone stands there."""
    pieces: list[bytes] = []
    position = shift = 0  # shift: how many bytes were left out so far
    for cut in cuts:
        start = cut.at + shift
        pieces += [raw[position:start], cut.original[len(cut.original) - cut.blank :]]
        position = start + len(cut.original)
        shift += len(cut.original) - cut.blank
    return b"".join([*pieces, raw[position:]])


class WithoutLines(ParsedFile):
    """A file of which some lines are left out."""

    def __init__(self, parsed: ParsedFile, cuts: Sequence[LeftOut]) -> None:
        self._parsed, self._cuts = parsed, _together(cuts)
        self.format_name, self.parts = parsed.format_name, parsed.parts
        self.unread, self.recognized = parsed.unread, parsed.recognized
        self.rejected = tuple(cut.line for cut in cuts)

    def render(self, replacements: Replacements) -> RenderedFile:
        """See ParsedFile.render. Edits put the lines back that were left out."""
        rendered = self._parsed.render(replacements)
        edits: list[Edit] = []
        pieces: list[bytes] = []
        position = grown = removed = 0  # in the rendered bytes; how much edits added; how many bytes went
        waiting = list(reversed(self._cuts))

        def cut_until(original: int | None) -> None:
            nonlocal position, removed
            while waiting and (original is None or waiting[-1].at <= original):
                cut = waiting.pop()
                start = cut.at + grown
                pieces.append(rendered.raw[position:start])
                position = start + cut.blank
                edits.append(Edit("", start - removed, start - removed, cut.original))
                removed += cut.blank

        for edit in sorted(rendered.edits, key=lambda one: (one.start, one.end)):
            cut_until(edit.start - grown)
            edits.append(
                Edit(edit.location, edit.start - removed, edit.end - removed, edit.original, edit.owner)
            )
            grown += edit.end - edit.start - len(edit.original)
        cut_until(None)
        raw = b"".join([*pieces, rendered.raw[position:]])
        return RenderedFile(raw, tuple(edits), rendered.unplaced, rendered.is_marked, rendered.crowded)


def _together(cuts: Sequence[LeftOut]) -> list[LeftOut]:
    """The cuts with neighbours as one: edits at one place have no order."""
    joined: list[LeftOut] = []
    for cut in cuts:
        if joined and joined[-1].at + joined[-1].blank == cut.at:
            last = joined.pop()
            cut = LeftOut(last.at, last.blank + cut.blank, last.line, last.original + cut.original)
        joined.append(cut)
    return joined


@dataclass(frozen=True, slots=True)
class _Rows:
    """The lines of a file, or the rows of a table. mark: the bytes before them; wide: their UTF-16, or ""."""

    raw: bytes = field(repr=False)
    between: Cut
    mark: bytes
    wide: str

    @classmethod
    def of(cls, format_name: str, raw: bytes) -> "_Rows | None":
        """Those of a file; None where it has no lines that could be left out."""
        between = BY_NAME[format_name].cut
        if between is None or between not in (Cut.LINES, Cut.ROWS):
            return None
        mark = next((one for one in (*_WIDE, codecs.BOM_UTF8) if raw.startswith(one)), b"")
        wide = _WIDE.get(mark, "")
        if not wide and raw.count(b"\0") > _MOST_ZEROS * len(raw):
            return None
        return cls(raw, between, mark, wide)

    @property
    def reader(self) -> LineReader:
        return LineReader(self.mark if self.wide else b"", self.wide)

    def __iter__(self) -> Iterator[bytes]:
        return _rows(self.raw[len(self.mark) :], self.reader, are_lines=self.between is Cut.LINES)


def _why_foreign(value: object, usual: str) -> str:
    """Why the value of a line of JSON is left out whose text is in a language that is not installed, else "".

    What the line says goes before what the words of its text tell. usual: the code for a text of few words.
    """
    text = value.get("text") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(text, str):
        return ""
    said = value.get("language")
    if isinstance(said, str) and said:
        why = "" if said in installed_languages() else "it says a language that is not installed"
    else:
        is_told = LanguageTeller.load().language_of(text, usual) is not None
        why = "" if is_told else "its words are of no language that is installed"
    return why and f"{why}; known: {', '.join(installed_languages())}"


def _rows(body: bytes, reader: LineReader, *, are_lines: bool) -> Iterator[bytes]:
    """The lines, or the rows of a table: a line feed inside quotes ends none."""
    row: list[bytes] = []
    inside = False
    length = 0
    for line in reader.lines(BytesIO(body)):
        if are_lines:
            yield line
            continue
        row.append(line)
        length += len(line)
        if reader.quotes(line) % 2:
            inside = not inside
        if inside and length < _LONGEST_ROW:
            continue
        yield b"".join(row)
        row, length, inside = [], 0, False
    if row:
        yield b"".join(row)


def _without_end(line: bytes, wide: str) -> bytes:
    end, back = ("\n".encode(wide), "\r".encode(wide)) if wide else (b"\n", b"\r")
    return line.removesuffix(end).removesuffix(back) if line.endswith(end) else line


def _is_mostly_utf_8(raw: bytes) -> bool:
    """Whether these bytes are UTF-8, some of whose lines may be damaged: more lines with letters outside of
    ASCII are UTF-8 than are not.
    """
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return True
    fits = faults = 0
    for line in raw.split(b"\n"):
        if line.isascii():
            continue
        try:
            line.decode("utf-8")
            fits += 1
        except UnicodeDecodeError:
            faults += 1
    return fits > faults


def _why_of(between: Cut, wide: str, usual: str, *, is_utf_8: bool) -> Callable[[bytes], tuple[str, bool]]:
    """A function that says why a line is left out, "" where it is kept, and whether by its language alone.

    usual: the language of a text of few words; empty where a text may be in any language.
    """
    encoding = wide or ("utf-8" if is_utf_8 else "cp1252")

    def why(row: bytes) -> tuple[str, bool]:
        if not wide and b"\0" in row:
            return "it has bytes that are zero", False
        try:
            text = row.decode(encoding)
        except UnicodeDecodeError:
            return f"its bytes are no {encoding.upper()}", False
        if between is Cut.ROWS:
            return "", False
        try:
            value = json.loads(text, strict=False)
        except json.JSONDecodeError as error:
            return f"it is no valid JSON at character {error.pos + 1}", False
        except (RecursionError, ValueError):
            return "its JSON is nested too deep, or has a number that is too long", False
        if usual and (foreign := _why_foreign(value, usual)):
            return foreign, True
        return "", False

    return why
