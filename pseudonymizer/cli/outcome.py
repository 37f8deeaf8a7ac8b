"""What the command says of the outcome of a run besides counts: what was not read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pseudonymizer.batch.report import UnreadFile

# Files that are named on screen though no more than pictures, sound and the like was not read in them: where
# every letter has a logo, the others must not be lost among them.
_MOST_USUAL: Final = 50


def unread_lines(files: "Sequence[UnreadFile]", records: str) -> Iterator[str]:
    """What was not read, by file and place. records: where the report lies."""
    from pseudonymizer.formats.unread import is_always_left, told

    if not files:
        return
    count = sum(sum(one.parts.values()) for one in files)
    yield f"not read, so that names in it stay: {count:,} in {len(files):,} files"
    usual: list[UnreadFile] = []
    for one in files:
        if is_always_left(one.parts):
            usual.append(one)
        else:
            yield f"  {printable(one.file)}: {told(one.parts)}"
    for one in usual[:_MOST_USUAL]:
        yield f"  {printable(one.file)}: {told(one.parts)}"
    if len(usual) > _MOST_USUAL:
        yield f"  and pictures or sound in {len(usual) - _MOST_USUAL:,} files more: {records}, unread_files"


def unread_in_text(places: Mapping[str, int]) -> str:
    """The same of a single text on standard input, without a place for reports."""
    from pseudonymizer.formats.unread import told

    return f"not read, so that names in it stay: {told(places)}"


def printable(path: str) -> str:
    """A path for a terminal, which must not obey what stands in the name of a file."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in path)
