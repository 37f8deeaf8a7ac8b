"""Lines of the command about a run: content that was not read, and other files that hold names."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pseudonymizer.runs.names_in_folder import NamesInFolder
    from pseudonymizer.runs.report import UnreadFile

# Files named on screen in which only pictures, sound and the like were not read. Where every letter has a
# logo, files with other unread content must not be lost among them.
_MOST_USUAL: Final = 50


def unread_lines(files: "Sequence[UnreadFile]", records: str) -> Iterator[str]:
    """Lines about content that was not read, by file and place. records: the folder of the report."""
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


def names_lines(names: "NamesInFolder", records: str) -> Iterator[str]:
    """Lines about files of an output folder that hold names. records: the folder of the work file."""
    if names.old_paths:
        yield (
            f"the list of {names.old_paths:,} original paths of an older version, with names in clear, is "
            "sealed now; `nymlink paths` shows it"
        )
    clear = {
        "of mentions": names.mentions, "of judgements": names.judgements, "of links": names.links,
        "of view": names.pages,
    }  # fmt: skip
    if any(clear.values()):
        told = ", ".join(f"{count:,} {what}" for what, count in clear.items() if count)
        yield f"names in clear lie in this folder: files {told}; take them out before you hand it on"
    if names.other:
        yield f"files in this folder that no run of this project wrote, which may hold names: {names.other:,}"
    if names.sealed:
        yield f"original paths and names lie sealed in {records}: leave that out when you hand the folder on"


def unread_in_text(places: Mapping[str, int]) -> str:
    """The line about content that was not read in a text from standard input."""
    from pseudonymizer.formats.unread import told

    return f"not read, so that names in it stay: {told(places)}"


def printable(path: str) -> str:
    """The path with control characters escaped: a terminal obeys them, also in the name of a file."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in path)
