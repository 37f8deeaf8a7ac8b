"""Notes: texts of one file that are read each by itself, such as the lines of JSON lines."""

from typing import Final

from pseudonymizer.engine.table_mentions import row_starts
from pseudonymizer.formats import ParsedFile, PartRole
from pseudonymizer.formats.every_format import BY_NAME
from pseudonymizer.formats.format import Cut

_NUMBERED: Final = frozenset({Cut.LINES, Cut.MESSAGES})  # part ids begin with the number of one


def notes_in(parsed: ParsedFile) -> int:
    """How many notes a file has: lines, messages, or rows without the header; 0 for a file of another kind,
    which is one text.
    """
    prose = [part for part in parsed.parts if part.role is PartRole.PROSE]
    between = BY_NAME[parsed.format_name].cut
    if between in _NUMBERED:
        return len({part.part_id.partition("/")[0] for part in prose if part.text})
    if between is Cut.ROWS:
        headers = sum(any(column.title for column in part.columns) for part in prose)
        return sum(max(len(row_starts(part)) - 1, 0) for part in prose) - headers
    return 0
