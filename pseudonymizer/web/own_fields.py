"""The fields of requests that are ours: a problem names no field that a caller made up."""

import re
from collections.abc import Iterator
from typing import Final

import msgspec
from litestar.exceptions import ValidationException

from pseudonymizer.desk import (
    answered,
    asked,
    commands,
    correction_answered,
    correction_asked,
    presidio_asked,
    steward_answered,
    steward_asked,
    workspace_answered,
    workspace_asked,
)

_PATH: Final = re.compile(r"[a-z0-9_]+|\[\d+\]|\[\.\.\.\]")


def field_at_fault(error: ValidationException) -> str:
    """The place in the body that is wrong, such as texts[0].text; names of fields that are ours alone."""
    for one in error.extra if isinstance(error.extra, list) else ():
        if isinstance(one, dict) and (found := own_field(str(one.get("key", "")))):
            return found
    return ""


def own_field(place: str) -> str:
    """A place as far as it is made of our fields: a key that a caller made up is never shown."""
    shown = ""
    for part in _PATH.findall(place):
        if part.startswith("["):
            shown += part
        elif part in _FIELDS:
            shown += f".{part}" if shown else part
        else:
            break
    return shown


_RECORDS: Final = (
    asked, answered, steward_asked, steward_answered, workspace_asked, workspace_answered,
    correction_asked, correction_answered, commands, presidio_asked,
)  # fmt: skip


def _fields() -> Iterator[str]:
    for module in _RECORDS:
        for one in vars(module).values():
            if isinstance(one, type) and issubclass(one, msgspec.Struct):
                yield from one.__struct_fields__


_FIELDS: Final = frozenset(_fields())
