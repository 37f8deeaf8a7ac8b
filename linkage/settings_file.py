"""A settings file in TOML: its tables, read once, and the line of each key."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from linkage.errors import SettingsError

_AT_LINE: Final = re.compile(r"(.*?) \(at line (\d+), column \d+\)", re.DOTALL)
_AT_END: Final = " (at end of document)"
_QUOTED: Final = re.compile(r"\s*(?:'[^']*'|\"[^\"]*\"|\([^)]*\))")


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """name is the file's own name: errors show it, and never the folder, which may be called after a person.

    folder is where relative paths of the settings count from.
    """

    name: str
    folder: Path = field(repr=False)
    text: str = field(repr=False)
    tables: Mapping[str, Any] = field(repr=False)

    @classmethod
    def read(cls, path: Path | str, *, name: str | None = None) -> Self:
        """The settings file at path. name is what errors call it, by default the file's own name.

        Raises:
            SettingsError: the file cannot be read, is no text in UTF-8, or is no TOML; with the line of the
                fault.
        """
        source = Path(path)
        shown = name or source.name
        try:
            raw = source.read_bytes()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise SettingsError(f"the settings file {shown} cannot be read: {reason}") from None
        return cls.of_bytes(raw, name=shown, folder=source.parent)

    @classmethod
    def of_bytes(cls, raw: bytes, *, name: str, folder: Path) -> Self:
        """The settings file of these bytes. Editors of Windows write a mark before the text: it is left out.

        Raises:
            SettingsError: see read.
        """
        try:
            text = raw.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise SettingsError(
                f"{name}, line {line}: settings must be text in UTF-8; save the file so"
            ) from None
        try:
            return cls(name, folder, text, tomllib.loads(text))
        except (ValueError, RecursionError) as error:  # TOMLDecodeError, a number of too many digits
            raise SettingsError(_fault(error, name, text)) from None

    def place(self, *keys: str) -> str:
        """Name and line of a key, as an error opens: "nymlink.toml, line 3". keys: tables, then the key."""
        return f"{self.name}, line {self.line_of(*keys)}"

    def line_of(self, *keys: str) -> int:
        """The line, from 1, of the statement with which a key or a table first occurs.

        TOML has dotted keys, quoted keys, tables in brackets and tables in values: its own parser decides. Of
        the first lines of the file it reads more and more, until the key is there.
        """
        lines = self.text.split("\n")
        without, within = 0, len(lines)  # counts of first lines without the key, and with it
        while (cut := self._whole_between(lines, without, within)) is not None:
            count, tables = cut
            if _holds(tables, keys):
                within = count
            else:
                without = count
        return without + 1

    @staticmethod
    def _whole_between(lines: list[str], low: int, high: int) -> tuple[int, Mapping[str, Any]] | None:
        """A count of first lines between low and high, both left out, that are TOML; None: one statement."""
        middle = (low + high) // 2
        for count in (*range(middle, low, -1), *range(middle + 1, high)):
            try:
                return count, tomllib.loads("\n".join(lines[:count]))
            except tomllib.TOMLDecodeError:
                continue  # inside a value of several lines
        return None


def _holds(tables: object, keys: tuple[str, ...]) -> bool:
    found = tables
    for key in keys:
        if not isinstance(found, Mapping) or key not in found:
            return False
        found = found[key]
    return True


def _fault(error: Exception, name: str, text: str) -> str:
    """What is wrong with a text that is no TOML, opened by the place. It quotes no word of the file."""
    if not isinstance(error, tomllib.TOMLDecodeError):
        line = _first_line_with(type(error), text)
        return f"{name}, line {line}: a number has too many digits, or values are nested too deep"
    at = _AT_LINE.fullmatch(str(error))
    line = int(at[2]) if at is not None else text.rstrip("\n").count("\n") + 1
    fault = at[1] if at is not None else str(error).removesuffix(_AT_END) + " before the file ends"
    return f"{name}, line {line}: not TOML, as settings must be: {_without_words(fault)}"


def _first_line_with(kind: type[Exception], text: str) -> int:
    """The line up to which a text fails with an error of this very kind."""
    lines = text.split("\n")
    for count in range(1, len(lines)):
        try:
            tomllib.loads("\n".join(lines[:count]))
        except (ValueError, RecursionError) as error:
            if type(error) is kind:
                return count
    return len(lines)


def _without_words(message: str) -> str:
    """A message of the parser without the words of the file that it quotes; single signs as '=' stay."""
    return _QUOTED.sub(lambda quoted: quoted[0] if not re.search(r"\w", quoted[0]) else "", message)
