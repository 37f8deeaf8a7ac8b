"""Texts by kind: what always is a mention of a kind, or never one, and where a settings file says so."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from linkage.errors import SettingsError
from linkage.texts import KindId

_Entries = tuple[tuple[KindId, tuple[str, ...]], ...]
_COMMENT: Final = "#"


@dataclass(frozen=True)
class TextsByKind(Mapping[KindId, tuple[str, ...]]):
    """The texts of each kind. They may be names: the repr shows their number alone.

    at: by kind, the place in a settings file that names them, such as "nymlink.toml, line 3".
    """

    entries: _Entries = field(default=(), repr=False)
    at: tuple[tuple[KindId, str], ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def of(cls, texts: Mapping[KindId, Iterable[str]], at: Mapping[KindId, str] | None = None) -> Self:
        """These texts, each kind with each text once."""
        kept = ((kind, tuple(dict.fromkeys(own))) for kind, own in sorted(texts.items()))
        return cls(tuple((kind, own) for kind, own in kept if own), tuple(sorted((at or {}).items())))

    def __getitem__(self, kind: KindId) -> tuple[str, ...]:
        for key, own in self.entries:
            if key == kind:
                return own
        raise KeyError(kind)

    def __iter__(self) -> Iterator[KindId]:
        return (kind for kind, _ in self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(own)} {kind}" for kind, own in self.entries)
        return f"TextsByKind({counts})"

    def place_of(self, kind: KindId) -> str:
        """How an error about the texts of a kind opens: "nymlink.toml, line 3: "; else ""."""
        place = dict(self.at).get(kind, "")
        return f"{place}: " if place else ""

    def __or__(self, other: "TextsByKind") -> "TextsByKind":
        """The texts of both."""
        kinds = {*self, *other}
        return TextsByKind.of(
            {kind: (*self.get(kind, ()), *other.get(kind, ())) for kind in kinds},
            {**dict(other.at), **dict(self.at)},
        )

    @property
    def digest(self) -> str:
        """SHA-256 over all texts, in hexadecimal digits: other texts have another one."""
        return hashlib.sha256(json.dumps(self.entries, ensure_ascii=True).encode()).hexdigest()


NO_TEXTS: Final = TextsByKind()


def read_list(file: Path, *, what: str) -> tuple[str, ...]:
    """The texts of a file, one a line, UTF-8; empty lines and lines that begin with # are passed over.

    what: which list it is, as an error calls it. An error shows neither the name of the file nor a text.

    Raises:
        SettingsError: the file cannot be read, is no text, or holds no text to look for.
    """
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"the file of {what} cannot be read: {error.strerror or type(error).__name__}"
        ) from None
    try:
        if b"\0" in raw:
            raise ValueError  # UTF-16, or no text at all
        lines = raw.decode("utf-8-sig").splitlines()
    except ValueError:
        raise SettingsError(f"the file of {what} is no text in UTF-8; write one text a line") from None
    return checked_texts(
        ((number, line.strip()) for number, line in enumerate(lines, start=1)), what=f"the file of {what}"
    )


def checked_texts(lines: Iterable[tuple[int, str]], *, what: str) -> tuple[str, ...]:
    """The texts of numbered lines without empty ones and remarks.

    Raises:
        SettingsError: there are none, or one has neither letter nor figure.
    """
    texts = [(number, line) for number, line in lines if line and not line.startswith(_COMMENT)]
    if not texts:
        raise SettingsError(f"{what} is empty; write one text a line, or take the key out")
    for number, text in texts:
        if not any(map(str.isalnum, text)):
            raise SettingsError(f"{what}: entry {number} has neither letter nor figure")
    return tuple(text for _, text in texts)


def texts_in_table(value: object, *, name: str, folder: Path) -> tuple[str, ...]:
    """The texts that a key of a table of lists gives: a path of a file, or texts themselves.

    name: the key, as an error calls it. Relative paths count from folder.

    Raises:
        SettingsError: it is neither, or see read_list.
    """
    match value:
        case str() if value.strip():
            return read_list(folder / value, what=name)
        case list() if all(isinstance(text, str) for text in value):
            numbered = ((number, str(text).strip()) for number, text in enumerate(value, start=1))
            return checked_texts(numbered, what=name)
    raise SettingsError(f"{name} must be the path of a file with one text a line, or a list of texts")
