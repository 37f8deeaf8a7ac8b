"""Digests of the files of a language, so that a table or a model that was damaged or exchanged is refused."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from linkage.errors import KindsError
from linkage.language.tables import read_table
from linkage.language_contents import CONTENTS, DIGESTS, MODELS

_COLUMNS: Final = ("file", "sha256")


def written_digests(directory: Path) -> Mapping[str, str]:
    """By file in the folder of a language, the SHA-256 that its table of digests tells, in hexadecimal.

    Raises:
        GazetteerError: the table is missing or damaged.
    """
    return {row["file"]: row["sha256"] for row in read_table(directory / DIGESTS, _COLUMNS)}


def changed_files(directory: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Those of the files that are there and have no digest in the table, or another one.

    Raises:
        GazetteerError: the table is missing or damaged.
    """
    known = written_digests(directory)
    return tuple(
        name for name in names
        if (file := directory / name).is_file() and known.get(name) != _digest(file)
    )  # fmt: skip


def refuse_changed(directory: Path, names: Iterable[str]) -> None:
    """Nothing where each of these files has the digest in the table.

    Raises:
        KindsError: some have not; they are named.
        GazetteerError: the table is missing or damaged.
    """
    if changed := changed_files(directory, names):
        raise KindsError(
            f"the language {directory.name!r} has files that {DIGESTS} has another digest of: "
            f"{', '.join(changed)}. Install it again; whoever changed them on purpose runs "
            f"`python -m linkage.language {directory.name} --write-digests`"
        )


def write_digests(directory: Path) -> int:
    """The number of files in the table of digests, which is written anew: tables and models, in order."""
    names = [name for name in (*CONTENTS, *MODELS) if name != DIGESTS and (directory / name).is_file()]
    rows = ["\t".join(_COLUMNS), *(f"{name}\t{_digest(directory / name)}" for name in sorted(names))]
    (directory / DIGESTS).write_text("\n".join(rows) + "\n", encoding="utf-8", newline="\n")
    return len(names)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
