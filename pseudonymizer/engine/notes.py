"""Notes: texts of one file that are read each by itself, such as the lines of JSON lines."""

from collections import Counter
from collections.abc import Callable, Sequence
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


class NotesDone:
    """Counts the notes of several files that are done, as their texts are searched one by one."""

    def __init__(self, notes: Sequence[int], owners: Sequence[int], told: Callable[[int], None]) -> None:
        """notes: of each file. owners: the number of the file of each text, in the order of searching. told:
        gets how many notes are done in all.
        """
        self._notes, self._owners, self._told = notes, owners, told
        self._texts, self._searched = Counter(owners), Counter[int]()
        self._at = self._done = 0

    @classmethod
    def of(
        cls, files: Sequence[ParsedFile], owners: Sequence[int], told: Callable[[int], None] | None
    ) -> "NotesDone | None":
        """For these files; None where nobody is to be told."""
        return None if told is None else cls([max(notes_in(file), 1) for file in files], owners, told)

    def __call__(self, count: int) -> None:
        """So many more texts are searched. A file of one text is one note; of a table, whose rows stand in
        few texts, each text is its share of the rows.
        """
        for owner in self._owners[self._at : self._at + count]:
            before = self._of(owner)
            self._searched[owner] += 1
            self._done += self._of(owner) - before
        self._at += count
        self._told(self._done)

    def _of(self, owner: int) -> int:
        return self._notes[owner] * self._searched[owner] // self._texts[owner]
