"""The profiles of data/profiles.toml, and which treatments a kind can have."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final, Self

import msgspec

from linkage.errors import SettingsError as TableError
from linkage.kinds import KindId, Kinds
from linkage.settings import data_directory
from linkage.settings_table import typed_table, unknown_key
from pseudonymizer.errors import SettingsError
from pseudonymizer.treatments.treatment import Treatment, TreatmentOptions

FILE_NAME: Final = "profiles.toml"
ALL: Final = "ALL"
DIRECT: Final = "DIRECT"


class _Possible(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: tuple[str, ...]
    but: tuple[str, ...] = ()


class _ProfileRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: str
    treats: tuple[str, ...]
    differs: dict[str, Treatment] = {}
    options: dict[str, bool | int | str] = {}


class _Refused(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: tuple[str, ...]
    reason: str


class _Rare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: tuple[str, ...]
    fewer_than: int


class _ProfilesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fixed: dict[str, Treatment]
    rare: _Rare
    treatments: dict[Treatment, _Possible]
    profiles: dict[str, _ProfileRow]
    refused: tuple[_Refused, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of treatments. treatments: of the shipped kinds that the profile treats; others stay.

    differs: the kinds whose treatment here is another one than their default.
    """

    name: str
    about: str
    treatments: Mapping[KindId, Treatment]
    differs: frozenset[KindId] = frozenset()
    options: TreatmentOptions = field(default_factory=TreatmentOptions)


@dataclass(frozen=True, slots=True)
class Rare:
    """kinds: those that together tell a person. fewer_than: as many documents must share a combination of
    their values.
    """

    kinds: tuple[KindId, ...]
    fewer_than: int


@dataclass(frozen=True, slots=True)
class Profiles:
    """All profiles by name, and the treatments that kinds can have.

    fixed: kinds with the same treatment in every profile. possible: by treatment, the shipped kinds that can
    have it. for_all: treatments that kinds of the user can have. refused: by word, why there is no such
    treatment. rare: of which kinds combinations are counted.
    """

    profiles: Mapping[str, Profile]
    fixed: Mapping[KindId, Treatment]
    possible: Mapping[Treatment, frozenset[KindId]]
    for_all: frozenset[Treatment]
    refused: Mapping[str, str]
    rare: Rare

    @classmethod
    def load(cls) -> "Profiles":
        """The shipped profiles.

        Raises:
            SettingsError: their table is missing or damaged.
        """
        return _shipped()

    @classmethod
    def of_toml(cls, raw: bytes, kinds: Kinds) -> Self:
        """The profiles of a table in TOML over the shipped kinds.

        Raises:
            SettingsError: it is no table of profiles, or it gives a kind a treatment that the kind cannot
                have.
        """
        try:
            table = msgspec.toml.decode(raw, type=_ProfilesFile)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{FILE_NAME}: {error}") from None
        if missing := [treatment for treatment in Treatment if treatment not in table.treatments]:
            raise SettingsError(f"{FILE_NAME}: no kind can have the treatment {missing[0]}")
        fixed = {_known(key, kinds): treatment for key, treatment in table.fixed.items()}
        possible = {
            treatment: _expanded(row.kinds, kinds, fixed) - _expanded(row.but, kinds, fixed)
            for treatment, row in table.treatments.items()
        }
        for kind, treatment in fixed.items():
            possible[treatment] |= {kind}
        made = cls(
            MappingProxyType({
                name: _profile(name, row, kinds, fixed) for name, row in table.profiles.items()
            }),
            MappingProxyType(fixed),
            MappingProxyType(possible),
            frozenset(treatment for treatment, row in table.treatments.items() if ALL in row.kinds),
            MappingProxyType({word: one.reason for one in table.refused for word in one.words}),
            Rare(tuple(_known(kind, kinds) for kind in table.rare.kinds), table.rare.fewer_than),
        )  # fmt: skip
        for profile in made.profiles.values():
            for kind, treatment in profile.treatments.items():
                made.check(kind, treatment, of=f"{FILE_NAME}: profile {profile.name}")
        return made

    def profile(self, name: str) -> Profile:
        """The profile of this name, in small or capital letters.

        Raises:
            SettingsError: there is none; the message names the nearest one.
        """
        found = self.profiles.get(name.lower())
        if found is None:
            raise SettingsError(unknown_key(name.lower(), self.profiles, kind="profile", of="treatments"))
        return found

    def of_kind(self, kind: KindId) -> tuple[Treatment, ...]:
        """The treatments that a kind can have, in the order of Treatment."""
        return tuple(treatment for treatment in Treatment if self._can_have(kind, treatment))

    def check(self, kind: KindId, treatment: Treatment, *, of: str = "treatments") -> None:
        """Raises SettingsError where the kind cannot have the treatment; it says which it can have."""
        if not self._can_have(kind, treatment):
            can_have = ", ".join(self.of_kind(kind))
            raise SettingsError(f"{of}: {kind} cannot have the treatment {treatment}; it can have {can_have}")

    def _can_have(self, kind: KindId, treatment: Treatment) -> bool:
        if kind in self.fixed:
            return treatment is self.fixed[kind]
        is_shipped = kind in self.possible[Treatment.CODE]
        return kind in self.possible[treatment] if is_shipped else treatment in self.for_all


def told_options(told: Mapping[str, object], base: TreatmentOptions, *, of: str) -> TreatmentOptions:
    """The options of base with those of a table in their place. of: what errors call the table.

    Raises:
        SettingsError: an option is unknown, or its value has the wrong type or is out of range.
    """
    try:
        return typed_table(TreatmentOptions, told, name=of, base=base)
    except TableError as error:
        raise SettingsError(str(error)) from None


def _profile(name: str, row: _ProfileRow, kinds: Kinds, fixed: Mapping[KindId, Treatment]) -> Profile:
    differs = {_known(key, kinds): treatment for key, treatment in row.differs.items()}
    treated = _expanded(row.treats, kinds, fixed)
    if strange := [kind for kind in differs if kind not in treated]:
        raise SettingsError(f"{FILE_NAME}: profile {name} does not treat {strange[0]}, of which it differs")
    return Profile(
        name,
        row.about,
        MappingProxyType({
            kind: differs.get(kind, Treatment(kinds[kind].default)) for kind in kinds if kind in treated
        }),
        frozenset(kind for kind, treatment in differs.items() if treatment != kinds[kind].default),
        told_options(row.options, TreatmentOptions(), of=f"{FILE_NAME}: profile {name}"),
    )  # fmt: skip


def _expanded(words: Iterable[str], kinds: Kinds, fixed: Mapping[KindId, Treatment]) -> frozenset[KindId]:
    """The kinds of a list of kinds, categories, DIRECT and ALL, without the fixed ones."""
    found: set[KindId] = set()
    for word in words:
        if word == ALL:
            found.update(kinds)
        elif word == DIRECT:
            found |= kinds.direct
        elif word not in kinds and (own := kinds.in_category(word)):
            found.update(own)
        else:
            found.add(_known(word, kinds))
    return frozenset(found - fixed.keys())


def _known(key: str, kinds: Kinds) -> KindId:
    if key not in kinds:
        raise SettingsError(f"{FILE_NAME}: there is no kind or category {key}")
    return KindId(key)


@cache
def _shipped() -> Profiles:
    try:
        raw = (data_directory() / FILE_NAME).read_bytes()
    except OSError:
        raise SettingsError(f"{FILE_NAME} is missing; install nymlink again") from None
    return Profiles.of_toml(raw, Kinds.load())
