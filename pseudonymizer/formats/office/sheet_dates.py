"""Which numbers of a workbook are dates, told by the styles of their cells, and how they are shown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import unescape
from typing import Final

from linkage.errors import DocumentError
from pseudonymizer.formats.text.markup import decode_markup

_FORMATS: Final = re.compile(r"<(?:\w+:)?numFmt\s([^>]*)>")
_CELL_STYLES: Final = re.compile(r"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", re.DOTALL)
_STYLE: Final = re.compile(r"<(?:\w+:)?xf\s([^>]*)>")
_ATTRIBUTE: Final = re.compile(r"(\w+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_NO_LETTERS_OF_FORMAT: Final = re.compile(r"\"[^\"]*\"|\[[^\]]*\]|\\.|_.")
_SHIPPED: Final = frozenset(
    {14, 15, 16, 17, 22, *range(27, 32), 34, 35, 36, *range(50, 59)}
)  # ECMA-376 18.8.30
_FIRST_DAY: Final = date(1899, 12, 30)  # day 0, so that days from March 1900 on are right
_FIRST_DAY_1904: Final = date(1904, 1, 1)
_LAST: Final = 2_958_465  # 31 December 9999


@dataclass(frozen=True, slots=True)
class SheetDates:
    """The styles of a workbook that show a number as a date. first: the day that the number 0 is."""

    styles: frozenset[int] = frozenset()
    first: date = _FIRST_DAY

    @classmethod
    def of(cls, members: Mapping[str, bytes]) -> "SheetDates":
        """The dates of a workbook with these members. Styles that cannot be read show no dates."""
        try:
            text, _, _ = decode_markup(members.get("xl/styles.xml", b""))
        except DocumentError:
            return cls()
        own = {}
        for found in _FORMATS.finditer(text):
            values = _attributes(found[1])
            own[values.get("numFmtId", "")] = values.get("formatCode", "")
        block = _CELL_STYLES.search(text)
        styles = (
            [_attributes(found[1]).get("numFmtId", "") for found in _STYLE.finditer(block[0])]
            if block
            else []
        )
        is_1904 = (
            re.search(rb"date1904\s*=\s*[\"'](?:1|true)", members.get("xl/workbook.xml", b"")) is not None
        )
        return cls(_dates(styles, own), _FIRST_DAY_1904 if is_1904 else _FIRST_DAY)

    def shown(self, number: str, style: int) -> str | None:
        """What a number in a cell of this style says as a date, "12-03-1951"; None: it is no date."""
        if style not in self.styles:
            return None
        try:
            days = float(number)
        except ValueError:
            return None
        if not 1 <= days <= _LAST:
            return None
        day = self.first + timedelta(days=int(days))
        return f"{day.day:02}-{day.month:02}-{day.year}"


def _dates(styles: Sequence[str], own: Mapping[str, str]) -> frozenset[int]:
    return frozenset(
        number
        for number, style in enumerate(styles)
        if (_is_date(own[style]) if style in own else style.isdigit() and int(style) in _SHIPPED)
    )


def _is_date(code: str) -> bool:
    letters = _NO_LETTERS_OF_FORMAT.sub("", code.lower())
    return "y" in letters or "j" in letters or ("d" in letters and "m" in letters)


def _attributes(tag: str) -> dict[str, str]:
    return {found[1]: unescape(found[2] or found[3] or "") for found in _ATTRIBUTE.finditer(tag)}
