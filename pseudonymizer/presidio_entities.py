"""The names that Presidio has for kinds, as data/presidio.toml has them. It needs nothing of Presidio."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, Self

import msgspec

from linkage.detection.finder import ValueFinder
from linkage.detection.values import whole_value
from linkage.errors import KindsError
from linkage.kinds import PERSON, KindId, Kinds
from linkage.records import ValueMention
from linkage.shipped_data import data_directory

FILE_NAME: Final = "presidio.toml"


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    kinds: tuple[str, ...]
    country: str | None = None
    form: str | None = None

    def fits(self, value: ValueMention) -> bool:
        is_there = self.country is None or self.country == value.country
        return is_there and (self.form is None or re.fullmatch(self.form, value.normal) is not None)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entities: dict[str, _Row]


@dataclass(frozen=True, slots=True)
class PresidioEntities:
    """The table, read in both directions. rows: by name of an entity."""

    rows: Mapping[str, _Row]

    @classmethod
    def load(cls) -> "PresidioEntities":
        """The shipped table.

        Raises:
            KindsError: the table is missing or damaged.
        """
        return _shipped()

    @classmethod
    def of_toml(cls, raw: bytes) -> Self:
        """The entities of a table in TOML.

        Raises:
            KindsError: the table is damaged, or names an unknown kind.
        """
        try:
            read = msgspec.toml.decode(raw, type=_File)
        except msgspec.DecodeError as error:
            raise KindsError(f"{FILE_NAME} is damaged ({error}); install nymlink again") from None
        known = Kinds.load()
        unknown = [kind for row in read.entities.values() for kind in row.kinds if kind not in known]
        if unknown or not all(row.kinds for row in read.entities.values()):
            wrong = f"the unknown kind {unknown[0]}" if unknown else "an entity without kinds"
            raise KindsError(f"{FILE_NAME} has {wrong}; a row names kinds of kinds.toml")
        return cls(MappingProxyType(read.entities))

    def name_of(self, value: ValueMention) -> str:
        """The name of the entity that a value is; the kind itself where Presidio has no name for it."""
        return next(
            (name for name, row in self.rows.items() if value.kind in row.kinds and row.fits(value)),
            str(value.kind),
        )

    def kind_of(self, entity_type: str, text: str, finder: ValueFinder) -> KindId | None:
        """The kind of a text that Presidio calls by this name, which may be a kind; None: of no kind.

        finder: of the kinds in use.
        """
        row = self.rows.get(entity_type)
        if row is None:
            return KindId(entity_type) if entity_type in finder.kinds else None
        kinds = [KindId(kind) for kind in row.kinds]
        if len(kinds) == 1 or kinds[0] == PERSON:
            return kinds[0]
        return next((kind for kind in kinds if whole_value(kind, text, finder=finder)), kinds[0])


@cache
def _shipped() -> PresidioEntities:
    try:
        raw = (data_directory() / FILE_NAME).read_bytes()
    except OSError as error:
        raise KindsError(
            f"{FILE_NAME} cannot be read ({type(error).__name__}); install nymlink again"
        ) from None
    return PresidioEntities.of_toml(raw)
