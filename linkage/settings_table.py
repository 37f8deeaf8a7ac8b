"""One table of settings as a dataclass: its keys are checked, and described for the page of all settings.

The types of the fields say it all. With msgspec.Meta they have a range, the meaning (description), and the
words for a type that has no plain ones (title).
"""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import inspect

from linkage.errors import SettingsError


class Table(Protocol):
    """A dataclass, as its class variables tell."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


_T = TypeVar("_T", bound=Table)
Place = Callable[..., str]  # the keys of a table that lead to a value -> "nymlink.toml, line 3"
_PLAIN_KEY: Final = re.compile(r"[a-z0-9_-]{1,40}")  # other keys may be names of people: no error shows them


@dataclass(frozen=True, slots=True)
class Setting:
    """A key as docs/reference/settings.md has it.

    kind: type and range, in words. default: as TOML, empty for none.
    """

    key: str
    kind: str
    default: str
    meaning: str


def typed_table(
    table: type[_T],
    values: object,
    *,
    name: str,
    place: Place | None = None,
    folder: Path = Path(),
    base: _T | None = None,
) -> _T:
    """The values of a table, checked, as its dataclass; keys that are missing are as in base, or the default.

    name is what errors call the table. place says where keys stand: errors open with it. Relative paths count
    from folder.

    Raises:
        SettingsError: values are no table, a key is unknown, a value has the wrong type or is out of range.
        ThresholdError: thresholds do not go together.
    """
    types = _types_of(table)
    made = {one.name: getattr(base, one.name) for one in fields(table)} if base is not None else {}
    if not isinstance(values, Mapping):
        raise SettingsError(_opened(place, (), f"{name} must be a table of keys with values"))
    for key, value in values.items():
        if key not in types:
            raise SettingsError(_opened(place, (key,), unknown_key(str(key), types, kind="setting", of=name)))
        if (fault := _fault(types[key], value, key, folder)) is not None:
            raise SettingsError(_opened(place, (key,), f"{fault} (a setting of {name})"))
        made[key] = _converted(types[key], value, folder)
    try:
        return table(**made)
    except ValueError as error:  # SettingsError or ThresholdError
        at_fault = next((key for key in values if not _may_stand_alone(table, key, made[key])), None)
        keys = () if at_fault is None else (at_fault,)  # none: values that do not go together
        raise type(error)(_opened(place, keys, f"{name}: {error}")) from None


def unknown_key(key: str, known: Mapping[str, object], *, kind: str, of: str) -> str:
    """What an error says of an unknown key: the nearest known one, and all that are known."""
    shown = f" {key!r}" if _PLAIN_KEY.fullmatch(key) else ""
    near = difflib.get_close_matches(key.lower().replace("-", "_"), known, n=1)
    meant = f"; did you mean {near[0]!r}?" if near else ";"
    return f"unknown {kind}{shown} of {of}{meant} known: {', '.join(known)}"


def settings_of(table: type[Table]) -> Iterator[Setting]:
    """The keys of a table, in the order of its fields."""
    types = _types_of(table)
    for one in fields(table):
        default = one.default_factory() if one.default_factory is not MISSING else one.default
        meaning = _words_of(types[one.name]).get("description", "")
        yield Setting(one.name, in_words(types[one.name]), _as_toml(default), meaning)


@cache
def _types_of(table: type[Table]) -> Mapping[str, Any]:
    """The types of a table's fields. Kept: a vault reads the settings of a project at every verb."""
    return get_type_hints(table, include_extras=True)


def in_words(kind: Any) -> str:
    """A type with its range, as an error or a page says it: "a number from 0 to 1"."""
    if (title := _words_of(kind).get("title")) is not None:
        return title
    if (inner := _inner_of_mapping(kind)) is not None:
        keys, value = inner
        return f"a table from {', '.join(keys)} to {in_words(value)}"
    info = inspect.type_info(kind)
    if isinstance(info, inspect.Metadata):
        info = info.type
    if isinstance(info, inspect.UnionType):
        (info,) = [one for one in info.types if not isinstance(one, inspect.NoneType)]
    match info:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=low, le=high) | inspect.FloatType(ge=low, le=high):
            number = "a whole number" if isinstance(info, inspect.IntType) else "a number"
            return f"{number} from {low} to {high}" if high is not None else f"{number}, {low} or more"
        case inspect.StrType():
            return "a text"
        case inspect.EnumType(cls=choices):
            return f"one of {', '.join(str(one.value) for one in choices)}"
        case inspect.VarTupleType():
            return "a list of paths"
        case inspect.CustomType():
            return "a path"
    raise TypeError(f"settings have no words for {type(info).__name__}")


def _may_stand_alone(table: type[Table], key: str, value: object) -> bool:
    try:
        table(**{key: value})
    except ValueError:
        return False
    return True


def _opened(place: Place | None, keys: tuple[str, ...], message: str) -> str:
    return f"{place(*keys)}: {message}" if place is not None else message


def _fault(kind: Any, value: object, key: str, folder: Path) -> str | None:
    """What is wrong with the value of a key, without the value, which may hold a name."""
    inner = _inner_of_mapping(kind)
    if inner is not None and isinstance(value, Mapping):
        known, of_value = inner
        for name in value:
            if name not in known:
                return unknown_key(str(name), dict.fromkeys(known), kind="key", of=key)
        faults = (_fault(of_value, one, f"{key}.{name}", folder) for name, one in value.items())
        return next((fault for fault in faults if fault is not None), None)
    try:
        _converted(kind, value, folder)
    except ValueError:  # msgspec's ValidationError, and of whole numbers with thousands of digits
        return f"{key} must be {in_words(kind)}"
    return None


def _converted(kind: Any, value: object, folder: Path) -> Any:
    def from_text(wanted: type, text: object) -> object:
        if wanted is Path and isinstance(text, str):
            return folder / text
        raise ValueError

    return msgspec.convert(value, kind, strict=True, dec_hook=from_text)


def _inner_of_mapping(kind: Any) -> tuple[tuple[str, ...], Any] | None:
    """Of a mapping whose keys msgspec.Meta names (extra): the keys, and the type of the values."""
    for meta in getattr(kind, "__metadata__", ()):
        if isinstance(meta, msgspec.Meta) and meta.extra and "keys" in meta.extra:
            return tuple(meta.extra["keys"]), get_args(get_args(kind)[0])[1]
    return None


def _words_of(kind: Any) -> dict[str, str]:
    """Title and description of a type, where msgspec.Meta gives them."""
    found: dict[str, str | None] = {}
    for meta in getattr(kind, "__metadata__", ()):
        if isinstance(meta, msgspec.Meta):
            found |= {"title": meta.title, "description": meta.description}
    return {name: words for name, words in found.items() if words is not None}


def _as_toml(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case Enum():
            return f'"{value.value}"'
        case str():
            return f'"{value}"'
        case tuple():
            return "[]" if not value else "".join(map(str, value))
        case Mapping():
            return "{}"
    return str(value)
