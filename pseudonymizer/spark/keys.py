"""Texts as bytes whose order is the order of the texts: what data frames join, group and sort by."""

from collections.abc import Sequence
from typing import Final

from linkage.records import PersonName

GIVEN: Final = b"G"  # before the text of a given name, and FAMILY before that of a surname
FAMILY: Final = b"S"
_BETWEEN: Final = "\0"


def to_key(text: str) -> bytes:
    """UTF-8 orders as code points do; halves of surrogate pairs pass."""
    return text.encode("utf-8", "surrogatepass")


def to_text(key: bytes) -> str:
    return bytes(key).decode("utf-8", "surrogatepass")


def parts_key(parts: Sequence[str | None]) -> bytes:
    """Parts of a name, "" for an absent one: ordered as the tuples of the parts are."""
    return to_key(_BETWEEN.join(part or "" for part in parts))


def form_of(key: bytes) -> tuple[str, ...]:
    """The form key (linkage.linker.forms.form_key) that parts_key was given."""
    return tuple(to_text(key).split(_BETWEEN))


def name_of(key: bytes) -> PersonName:
    """The name whose parts parts_key was given."""
    return PersonName(*(part or None for part in form_of(key)))
