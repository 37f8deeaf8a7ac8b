"""What holds for the records of a module that fronts and engines send each other."""

import types
from collections.abc import Iterator
from typing import Any

import msgspec


def records_of(module: types.ModuleType) -> list[Any]:
    """The records that a module defines."""
    return [
        kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and name[0] != "_"
        and kind.__module__ == module.__name__
    ]  # fmt: skip


def takes_what_it_does_not_know(module: types.ModuleType) -> Iterator[str]:
    """The records that take a field which they do not have."""
    for kind in records_of(module):
        try:
            msgspec.json.decode(b'{"Jan Tolsma": 1}', type=kind)
        except msgspec.ValidationError:
            continue
        yield kind.__name__


def is_the_same_after_its_way(record: Any) -> bool:
    """Whether a record comes out of a frame as it went in."""
    return bool(msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=type(record)) == record)
