"""Lines of the command about a run or a restore: what was not read, files that hold names, labels left."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from pseudonymizer.cli.saying import printable

if TYPE_CHECKING:
    from pseudonymizer.runs.edited import LabelCounts
    from pseudonymizer.runs.names_in_folder import NamesInFolder
    from pseudonymizer.runs.report import UnreadFile

# Files named on screen in which only pictures, sound and the like were not read. Where every letter has a
# logo, files with other unread content must not be lost among them.
_MOST_PLAIN: Final = 10  # files read as plain text that are shown
_MOST_USUAL: Final = 50
_MOST_FAILURES: Final = 50  # on screen
_MOST_LABELS: Final = 50  # on screen, of labels that were not restored
_WHY_LEFT: Final = {  # by LabelState
    "malformed": "malformed: mistyped, or of another project",
    "unknown": "unknown: nobody of the project has it",
    "shared": "unknown: somebody else may be meant; if the text is of this project, --confirm-project",
    "issued": "unknown: not whole, or nothing tells where the text is from; --made-from OUTPUT does",
}


def unread_lines(files: "Sequence[UnreadFile]", records: str) -> Iterator[str]:
    """Lines about content that was not read, by file and place. records: the folder of the report."""
    from pseudonymizer.formats.unread import AS_PLAIN_TEXT, is_always_left, told

    plain = [one for one in files if one.parts.keys() == {AS_PLAIN_TEXT}]
    if plain:
        yield f"read as plain text, for neither suffix nor beginning says their format: {len(plain):,} files"
        for one in plain[:_MOST_PLAIN]:
            yield f"  {printable(one.file)}"
    files = [one for one in files if one not in plain]
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


def label_lines(labels: "LabelCounts") -> Iterator[str]:
    """Lines about the labels of edited texts: how many were restored, and each that was left, with why."""
    if labels.restored:
        yield f"labels restored: {labels.restored:,}"
    if not labels.left:
        return
    yield f"labels not restored: {labels.labels_left:,}"
    for (label, state), count in list(labels.left.items())[:_MOST_LABELS]:
        times = f" ({count:,} times)" if count > 1 else ""
        yield f"  {printable(label)}{times}: {_WHY_LEFT[str(state)]}"
    if len(labels.left) > _MOST_LABELS:
        yield f"  and {len(labels.left) - _MOST_LABELS:,} more; --json lists all"


def label_counts(labels: "LabelCounts") -> dict[str, object]:
    """The counts of the labels of edited texts, for programs."""
    return {
        "labels_left": labels.labels_left, "restored": labels.restored, "unknown": list(labels.unknown),
        "malformed": list(labels.malformed),
    }  # fmt: skip


def failure_lines(
    failures: "Sequence[tuple[str, str, str]]", all_of_them: str, *, on_terminal: bool
) -> Iterator[str]:
    """Lines about files that failed. failures: of each its path, its number in words ("input 3"), and why it
    failed with what to do. on_terminal: else the path does not stand there, for it may hold a name, and logs
    are kept. all_of_them: what shows every file with its path.
    """
    for path, number, why in failures[:_MOST_FAILURES]:
        yield f"{printable(path) if on_terminal else number}: {why}"
    if len(failures) > _MOST_FAILURES:
        yield f"and {len(failures) - _MOST_FAILURES:,} more that failed: {all_of_them}"
    elif failures and not on_terminal:
        yield f"which files these are: {all_of_them}"
