"""Reading the list files: tab-separated text, gzip where large."""

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from linkage.errors import GazetteerError

_Entry = TypeVar("_Entry")


def read_rows(path: Path) -> list[str]:
    """The lines of a list, without an empty last one.

    Raises:
        GazetteerError: if the file is missing or damaged.
    """
    try:
        raw = path.read_bytes()
        if path.suffix == ".gz":
            raw = gzip.decompress(raw)
        text = raw.decode("utf-8")
    except FileNotFoundError:
        raise GazetteerError(f"name list {_place(path)} is missing; install nymlink again") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise GazetteerError(
            f"name list {_place(path)} cannot be read: {type(error).__name__}; install nymlink again"
        ) from None
    return text.removesuffix("\n").split("\n")


def read_keyed(path: Path) -> dict[str, str]:
    """First column -> rest of the line, unparsed: a list of 100,000 rows loads in a tenth of a second.

    Raises:
        GazetteerError: if a row has no second column.
    """
    rows = read_rows(path)
    try:
        return dict(row.split("\t", 1) for row in rows)
    except ValueError:
        raise GazetteerError(f"name list {_place(path)}: a row has no second column") from None


def read_grouped(path: Path, group: str, word: str) -> Mapping[str, frozenset[str]]:
    """By the entry of one column, the entries of another. group, word: names of the columns.

    Raises:
        GazetteerError: as read_table.
    """
    found: dict[str, set[str]] = {}
    for row in read_table(path, (word, group)):
        found.setdefault(row[group], set()).add(row[word])
    return {entry: frozenset(words) for entry, words in found.items()}


def read_table(path: Path, columns: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Rows of a list with a header line.

    Raises:
        GazetteerError: if a column is missing, or a row has another number of them.
    """
    header, *rows = read_rows(path)
    names = header.split("\t")
    if missing := [column for column in columns if column not in names]:
        raise GazetteerError(f"name list {_place(path)} has no column {missing[0]!r}")
    for number, row in enumerate(rows, start=2):
        cells = row.split("\t")
        if len(cells) != len(names):
            raise GazetteerError(
                f"name list {_place(path)}, line {number}: {len(cells)} columns, not {len(names)}"
            )
        yield dict(zip(names, cells, strict=True))


def _place(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"  # shipped lists only: these names are ours, not the user's


class ParsedOnDemand(Mapping[str, _Entry]):
    """A mapping over unparsed rows that parses an entry when it is asked for."""

    __slots__ = ("_parse", "_rows")

    def __init__(self, rows: Mapping[str, str], parse: Callable[[str, str], _Entry]) -> None:
        self._rows = rows
        self._parse = parse

    def __getitem__(self, key: str) -> _Entry:
        return self._parse(key, self._rows[key])

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._rows)} entries)"
