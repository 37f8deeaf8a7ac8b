"""Kinds of the user: the tables [kinds.NAME] of a settings file, which docs/reference/kinds.md explains."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Self

import msgspec
from msgspec import Meta

from linkage.errors import SettingsError
from linkage.kind_lists import NO_TEXTS, TextsByKind, texts_in_table
from linkage.kinds import Fold, Kind, Kinds, Link, Needs, Pattern, Sign, with_shapes
from linkage.settings_table import Place, typed_table
from linkage.texts import PERSON, KindId

_NAME: Final = re.compile(r"[A-Z][A-Z_]{0,38}[A-Z]")
_NO_NAMES: Final = frozenset({"ALL", "TEXT"})  # mean something else where kinds are listed
_WORD: Final = re.compile(r"[A-Z]{2,20}")
_LONGEST_WORD: Final = 20  # letters of the word in a label
_LANGUAGE: Final = re.compile(r"[a-z]{2}")
_CATEGORY: Final = "ID"
_IN_TABLE: Final = "of [recognition]"


@dataclass(frozen=True, slots=True)
class KindTable:
    """The keys of a table [kinds.NAME]."""

    pattern: Annotated[
        str | None, Meta(description="regular expression of the values; a group named `value` is the mention")
    ] = None
    patterns: Annotated[
        tuple[str, ...], Meta(title="a list of texts", description="several of them, in place of `pattern`")
    ] = ()
    list_file: Annotated[
        Path | None, Meta(description="values that are found wherever they stand, one a line")
    ] = None
    validator: Annotated[
        str | None,
        Meta(
            description="check of a value by a shipped rule such as `nl_bsn`, which gives the normal form too"
        ),
    ] = None
    cues: Annotated[
        tuple[str, ...],
        Meta(
            title="a list of texts", description='phrases before a value, such as `["project", "projectnr"]`'
        ),
    ] = ()
    needs: Annotated[
        Needs | None,
        Meta(
            description="what a match needs to count, beside its shape; else `check` with a validator, and "
            "`shape` without one"
        ),
    ] = None
    category: Annotated[str, Meta(description="category that the kind belongs to, such as ID or NAME")] = (
        _CATEGORY
    )
    words: Annotated[
        Mapping[str, str],
        Meta(
            title="a table from languages to words",
            description='the word in labels, such as `{ nl = "PROJECT", en = "PROJECT" }`; else NAME',
        ),
    ] = field(default_factory=dict)
    letter: Annotated[
        Annotated[str, Meta(pattern="^[A-Z]\\Z")] | None,
        Meta(title="a capital letter", description="first letter of tokens; else that of NAME"),
    ] = None
    fold: Annotated[Fold, Meta(description="how values are compared where no validator does that")] = (
        Fold.LETTERS
    )
    treatment: Annotated[
        str, Meta(description="what becomes of the values where a profile treats the kind")
    ] = "code"
    direct: Annotated[bool, Meta(description="a value points to one person by itself")] = True

    def __post_init__(self) -> None:
        if self.pattern is not None and self.patterns:
            raise SettingsError("give pattern or patterns, not both")
        if not all((*self.patterns, "x" if self.pattern is None else self.pattern)):
            raise SettingsError("a pattern is empty: it would match everywhere")
        if self.needs in (Needs.CHECK, Needs.DOCUMENT, Needs.CHECK_OR_CUE) and self.validator is None:
            raise SettingsError(f"needs = {self.needs.value!r} needs a validator")
        if self.needs in (Needs.CUE, Needs.CHECK_OR_CUE, Needs.DOCUMENT) and not self.cues:
            raise SettingsError(f"needs = {self.needs.value!r} needs cues, and there are none")
        for number, cue in enumerate(self.cues, start=1):
            if not cue.strip()[:1].isalpha():
                raise SettingsError(f"cue {number} does not begin with a letter")
        for language, word in self.words.items():
            if not _LANGUAGE.fullmatch(language) or not _WORD.fullmatch(word):
                raise SettingsError(
                    "words are given by language, in 2 to 20 capital letters: "
                    '{ nl = "PROJECT", en = "PROJECT" }'
                )


@dataclass(frozen=True, slots=True)
class OwnKind:
    """A kind of the user's own. words: by language. at: the place of its table, as an error opens."""

    name: KindId
    patterns: tuple[str, ...] = field(default=(), repr=False)
    validator: str | None = None
    cues: tuple[str, ...] = ()
    needs: Needs = Needs.SHAPE
    category: str = _CATEGORY
    words: tuple[tuple[str, str], ...] = ()
    letter: str | None = None
    fold: Fold = Fold.LETTERS
    treatment: str = "code"
    direct: bool = True
    at: str = field(default="", compare=False)

    @classmethod
    def of(cls, name: KindId, table: KindTable, *, at: str = "") -> Self:
        """The kind of a table of settings."""
        by_check = Needs.SHAPE if table.validator is None else Needs.CHECK
        return cls(
            name, table.patterns if table.pattern is None else (table.pattern,), table.validator,
            tuple(" ".join(cue.lower().split()) for cue in table.cues), table.needs or by_check,
            table.category, tuple(sorted(table.words.items())), table.letter, table.fold, table.treatment,
            table.direct, at,
        )  # fmt: skip

    def kind(self, shapes: Mapping[str, str]) -> Kind:
        """The row of the kind. shapes: of the slots that its patterns may hold."""
        word = self.name.replace("_", "")[:_LONGEST_WORD]
        words = dict(self.words)
        told = {"en": next(iter(words.values()), word), **words}
        patterns = tuple(
            Pattern(
                id=f"{self.name.lower()}_{number}", regex=with_shapes(regex, shapes), needs=self.needs,
                validator=self.validator, fold=self.fold, sign=Sign.ANY,
            )
            for number, regex in enumerate(self.patterns, start=1)
        )  # fmt: skip
        return Kind(
            self.name, self.category, MappingProxyType(told), self.letter or self.name[0], Link.VALUE,
            self.direct, self.treatment, patterns=patterns, is_own=True, cues=self.cues,
            fold=self.fold,
        )  # fmt: skip

    @property
    def digest(self) -> str:
        """SHA-256 over all that says which values are found and how they are labelled, in hexadecimal."""
        told = {key: value for key, value in asdict(self).items() if key != "at"}
        return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()

    @property
    def opening(self) -> str:
        """How an error about the kind opens."""
        return f"{self.at}: [kinds.{self.name}]" if self.at else f"[kinds.{self.name}]"


@dataclass(frozen=True, slots=True)
class OwnValues:
    """What the user adds to the shipped kinds. always, never: texts that are, and are not, of a kind."""

    kinds: tuple[OwnKind, ...] = ()
    always: TextsByKind = NO_TEXTS
    never: TextsByKind = NO_TEXTS

    @property
    def is_empty(self) -> bool:
        """Whether the user adds nothing."""
        return not (self.kinds or self.always or self.never)

    @property
    def digest(self) -> str:
        """32 bytes in hexadecimal: other kinds or texts have another one. The order of kinds does not count.

        It is slow to compute (scrypt): a list may hold a single name, which nobody shall find by trying.
        """
        kinds = sorted(one.digest for one in self.kinds)
        told = msgspec.json.encode([kinds, self.always.digest, self.never.digest])
        return hashlib.scrypt(told, salt=b"nymlink own kinds", n=2**14, r=8, p=1, dklen=32).hex()

    @property
    def all_kinds(self) -> Kinds:
        """The shipped kinds and the user's own ones.

        Raises:
            SettingsError: a kind cannot be called or labelled like this, or a list is of an unknown kind.
        """
        return Kinds.load() if self.is_empty else _all_kinds(self)


@lru_cache(maxsize=32)
def _all_kinds(own: OwnValues) -> Kinds:
    shipped = Kinds.load()
    names: set[str] = set()
    words = set(shipped.words)
    for one in own.kinds:
        _refuse_name(one, shipped, names)
        if one.category not in shipped.categories:
            known = ", ".join(shipped.categories)
            raise SettingsError(f"{one.opening}: the category is unknown; known: {known}")
        mine = set(one.kind({}).words.values())
        if mine & words:
            raise SettingsError(
                f"{one.opening}: another kind has the word {min(mine & words)} in its labels; give words"
            )
        names.add(one.name)
        words |= mine
    found = shipped.with_user_kinds(one.kind(shipped.shapes) for one in own.kinds)
    for texts in (own.always, own.never):
        for kind in texts:
            if kind not in found:
                raise SettingsError(f"{texts.place_of(kind)}{_unknown_kind(kind, found)}")
    return found


def _refuse_name(one: OwnKind, shipped: Kinds, names: set[str]) -> None:
    if not _NAME.fullmatch(one.name):
        at = f"{one.at}: " if one.at else ""
        raise SettingsError(
            f"{at}the name of a kind has 2 to 40 capital letters and underscores, such as PROJECT_CODE"
        )
    taken = "another table has" if one.name in names else "a shipped kind has"
    if one.name in shipped or one.name in names:
        raise SettingsError(f"{one.opening}: {taken} this name; take another one")
    if one.name in shipped.categories or one.name in _NO_NAMES:
        raise SettingsError(f"{one.opening}: a category of kinds has this name; take another one")


def _unknown_kind(kind: KindId, known: Kinds) -> str:
    return f"a list is of an unknown kind; {known.question(kind)}known: {', '.join(known)}"


def read_own_values(tables: Mapping[str, object], *, folder: Path, place: Place | None = None) -> OwnValues:
    """The own kinds and lists in the tables of a settings file: [kinds.NAME], [recognition] always and never.

    Relative paths count from folder. place gives the place of a key, as errors open.

    Raises:
        SettingsError: a table, a key or a file of a list is wrong.
    """
    where: Place = place if place is not None else (lambda *_: "")
    kinds, always = _read_kinds(tables.get("kinds", {}), folder, where)
    recognition = tables.get("recognition", {})
    given = recognition if isinstance(recognition, Mapping) else {}
    own = OwnValues(
        kinds,
        _read_lists(given.get("always", {}), "always", folder, where) | always,
        _read_lists(given.get("never", {}), "never", folder, where),
    )
    if not own.is_empty:
        _all_kinds(own)
    return own


def _read_kinds(tables: object, folder: Path, place: Place) -> tuple[tuple[OwnKind, ...], TextsByKind]:
    """The kinds, and the values of their list files."""
    if not isinstance(tables, Mapping) or not all(isinstance(table, Mapping) for table in tables.values()):
        raise _error(place("kinds"), "kinds are tables of their own, such as [kinds.PROJECT_CODE]")
    kinds: list[OwnKind] = []
    listed: dict[KindId, tuple[str, ...]] = {}
    for name, table in tables.items():
        kind, at = KindId(str(name)), place("kinds", name)
        if not _NAME.fullmatch(kind):
            _refuse_name(OwnKind(kind, at=at), Kinds.load(), set())
        read = typed_table(
            KindTable, table, name=f"[kinds.{kind}]", place=partial(place, "kinds", name), folder=folder
        )
        if read.pattern is None and not read.patterns and read.list_file is None:
            raise _error(at, f"[kinds.{kind}] needs a pattern, patterns or a list_file")
        kinds.append(OwnKind.of(kind, read, at=at))
        if "list_file" in table:
            at = place("kinds", name, "list_file")
            listed[kind] = _located(at, table["list_file"], f"list_file of [kinds.{kind}]", folder)
    return tuple(kinds), TextsByKind.of(listed)


def _read_lists(tables: object, key: str, folder: Path, place: Place) -> TextsByKind:
    """The texts by kind of a table of lists. key: its name in [recognition]."""
    if not isinstance(tables, Mapping):
        message = (
            f'{key} {_IN_TABLE} must be a table from kinds to lists, such as {{ {PERSON} = "names.txt" }}'
        )
        raise _error(place("recognition", key), message)
    at: dict[KindId, str] = {}
    texts: dict[KindId, tuple[str, ...]] = {}
    for name, value in tables.items():
        kind = KindId(str(name))
        at[kind] = place("recognition", key, name)
        texts[kind] = _located(at[kind], value, f"{key}.{_shown(kind)} {_IN_TABLE}", folder)
    return TextsByKind.of(texts, at)


def _located(at: str, value: object, name: str, folder: Path) -> tuple[str, ...]:
    try:
        return texts_in_table(value, name=name, folder=folder)
    except SettingsError as error:
        raise _error(at, str(error)) from None


def _shown(kind: str) -> str:
    """The name of a kind; another word may be a name of a person, and no error shows it."""
    return kind if _NAME.fullmatch(kind) else "KIND"


def _error(at: str, message: str) -> SettingsError:
    return SettingsError(f"{at}: {message}" if at else message)


def listed_in(files: Iterable[tuple[KindId, Path]], *, option: str) -> TextsByKind:
    """The texts by kind of files that a command line names. option: as errors call it.

    Raises:
        SettingsError: a file cannot be read, is no text, or is empty.
    """
    found: dict[KindId, tuple[str, ...]] = {}
    for kind, file in files:
        own = texts_in_table(str(file), name=f"{option} {_shown(kind)}", folder=Path())
        found[kind] = (*found.get(kind, ()), *own)
    return TextsByKind.of(found)
