"""Notes of the files of a run: how many there are, for the progress, and those lines that are left out."""

from collections.abc import Collection
from pathlib import Path

from linkage.kept_words import remembered
from pseudonymizer.engine.progress import BOTH, FILES, NOTES
from pseudonymizer.engine.records import AnalyzeTask
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.formats.units import notes_ahead, rejected_bytes


def notes_of(source: SourceFile | AnalyzeTask) -> int:
    """How many notes a source has, told without reading it by its format; 1 for a file that is one text."""
    if source.unit is not None:
        return max(source.unit.notes, 1)
    if isinstance(source, AnalyzeTask):
        return 1 if source.content is not None else _notes_ahead(source.path)
    return 1 if source.leads_out or source.is_litter else _notes_ahead(source.path)


@remembered(10_000)
def _notes_ahead(path: Path) -> int:
    try:
        return notes_ahead(path)
    except OSError:  # reading it fails, and says why
        return 1


def counted(notes: Collection[int]) -> str:
    """What the notes of several sources are numbers of, in words."""
    if all(count == 1 for count in notes):
        return FILES
    return NOTES if all(count > 1 for count in notes) else BOTH


def rejected_of(source: SourceFile, format_name: str, numbers: Collection[int]) -> dict[int, bytes]:
    """The lines of a source that are left out of its output, by their numbers in the file; none where it
    cannot be read any more.
    """
    try:
        raw = source.path.read_bytes() if source.unit is None else source.unit.read(source.path)
    except OSError:
        return {}
    return rejected_bytes(raw, format_name, numbers, source.unit)
