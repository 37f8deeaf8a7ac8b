"""Texts within nested values of a Parquet table: fields of structs, elements of lists, parts of maps.

A value has its texts in the order of its type. A list of names of fields says where a text stands: all
elements of a list stand at one such place, and are one cell of the table that people read.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

Place = tuple[str, ...]  # names of fields; those of the elements of a list are none of their own
# Kinds of values beside texts that come back as they were when a column is written anew.
_KEPT: Final = (
    pa.types.is_null, pa.types.is_boolean, pa.types.is_integer, pa.types.is_float32, pa.types.is_float64,
    pa.types.is_date32, pa.types.is_decimal, pa.types.is_time32,
)  # fmt: skip


def is_text(kind: pa.DataType) -> bool:
    """Whether values of this type are texts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def is_readable(kind: pa.DataType) -> bool:
    """Whether the texts in values of a nested type are read, and everything in them can be written again as
    it was.
    """
    if pa.types.is_struct(kind):
        names = [one.name for one in kind]
        return len(set(names)) == len(names) and all(is_readable(one.type) for one in kind)
    if _is_list(kind):
        return is_readable(kind.value_type)
    if pa.types.is_map(kind):
        return is_readable(kind.key_type) and is_readable(kind.item_type)
    if pa.types.is_timestamp(kind):
        return str(kind.unit) != "ns"
    return is_text(kind) or any(is_kept(kind) for is_kept in _KEPT)


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def places(kind: pa.DataType, begin: Place = ()) -> Iterator[Place]:
    """Where texts stand in values of a type, in order; each place once."""
    if pa.types.is_struct(kind):
        for one in kind:
            yield from places(one.type, (*begin, one.name))
    elif _is_list(kind):
        yield from places(kind.value_type, begin)
    elif pa.types.is_map(kind):
        yield from places(kind.key_type, (*begin, "key"))
        yield from places(kind.item_type, (*begin, "value"))
    elif is_text(kind):
        yield begin


def texts(value: Any, kind: pa.DataType, begin: Place = ()) -> Iterator[tuple[Place, str]]:
    """The texts of a value, as Table.to_pylist gives it, each with its place."""
    if value is None:
        return
    if pa.types.is_struct(kind):
        for one in kind:
            yield from texts(value[one.name], one.type, (*begin, one.name))
    elif _is_list(kind):
        for element in value:
            yield from texts(element, kind.value_type, begin)
    elif pa.types.is_map(kind):
        for key, item in value:
            yield from texts(key, kind.key_type, (*begin, "key"))
            yield from texts(item, kind.item_type, (*begin, "value"))
    elif is_text(kind):
        yield begin, str(value)


def by_place(value: Any, kind: pa.DataType) -> Mapping[Place, Sequence[tuple[int, str]]]:
    """The texts of a value by their place, each with its number within the value."""
    found: defaultdict[Place, list[tuple[int, str]]] = defaultdict(list)
    for number, (place, text) in enumerate(texts(value, kind)):
        found[place].append((number, text))
    return found


def with_texts(value: Any, kind: pa.DataType, new: Mapping[int, str]) -> Any:
    """The value with other texts, by their number within it."""
    return _Writer(new).written(value, kind)


class _Writer:
    """Counts the texts of a value while it is written anew."""

    def __init__(self, new: Mapping[int, str]) -> None:
        self._new, self._met = new, 0

    def written(self, value: Any, kind: pa.DataType) -> Any:
        if value is None:
            return None
        if pa.types.is_struct(kind):
            return {one.name: self.written(value[one.name], one.type) for one in kind}
        if _is_list(kind):
            return [self.written(element, kind.value_type) for element in value]
        if pa.types.is_map(kind):
            return [(self.written(k, kind.key_type), self.written(v, kind.item_type)) for k, v in value]
        if not is_text(kind):
            return value
        number, self._met = self._met, self._met + 1
        return self._new.get(number, value)
