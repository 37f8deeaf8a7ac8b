"""The kinds of identifiers as data/kinds.toml has them: their words, how they link, their patterns."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Annotated, Final, Self

import msgspec
from msgspec import Meta

from linkage.errors import KindsError
from linkage.meant import question
from linkage.shipped_data import data_directory
from linkage.texts import PERSON as PERSON
from linkage.texts import KindId as KindId

LITERAL: Final = KindId("LITERAL")  # text that only looks like a label of ours
REST: Final = KindId("NUMBER")  # what no other kind holds
FILE_NAME: Final = "kinds.toml"
_COUNTRY: Final = re.compile(r"^[a-z]{2}_")  # before the name of a pattern, such as nl_bsn


class Link(StrEnum):
    """How two mentions of a kind are found to mean one thing."""

    NAMES = "names"  # by linking names
    VALUE = "value"  # by equal normal forms
    SPELLS = "spells"  # as VALUE, where the value spells no known person
    NONE = "none"  # never: each occurrence stands alone


class Needs(StrEnum):
    """What a match of a pattern needs to count as a mention."""

    SHAPE = "shape"
    CHECK = "check"
    CUE = "cue"
    CHECK_OR_CUE = "check_or_cue"
    DOCUMENT = "document"
    PERSON = "person"


class Fold(StrEnum):
    """How the normal form of a value is made where no validator makes it."""

    LETTERS = "letters"  # capitals; letters and digits alone
    LOWER = "lower"  # small letters
    WORDS = "words"  # small letters, words with single blanks between them


class Sign(StrEnum):
    """What a text must hold for a pattern to be tried on it."""

    DIGIT = "digit"
    FIGURE = "figure"
    NEAR = "near"
    CLOSE = "close"
    DOTTED = "dotted"
    WORD = "word"
    ADDRESS = "address"
    STREET = "street"
    AT = "at"
    COLON = "colon"
    DOT = "dot"
    SLASH = "slash"
    ANY = "any"


class Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A pattern of a kind; data/kinds.toml says what each field means."""

    id: str
    regex: str
    needs: Needs
    country: str = "international"
    languages: tuple[str, ...] = ()
    validator: str | None = None
    fold: Fold = Fold.LETTERS
    sign: Sign = Sign.DIGIT
    letters: tuple[str, ...] = ()
    priority: int = 0


class _KindRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    category: str
    words: dict[str, Annotated[str, Meta(pattern="^[A-Z]{2,20}$")]]
    letter: Annotated[str, Meta(pattern="^[A-Z]$")]
    link: Link
    direct: bool
    default: str
    holds: tuple[str, ...] = ()
    like: str | None = None
    also: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()


class _KindsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: dict[str, _KindRow]
    schemes: dict[str, dict[str, tuple[str, ...]]]
    shapes: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of identifiers; data/kinds.toml says what each field means.

    is_own: the user made it. cues: phrases that announce its values, beside those of the language. fold: how
    the normal form of a value is made that no pattern matches.
    """

    key: KindId
    category: str
    words: Mapping[str, str]
    letter: str
    link: Link
    direct: bool
    default: str
    holds: frozenset[KindId] = frozenset()
    like: KindId | None = None
    patterns: tuple[Pattern, ...] = field(default=(), repr=False)
    is_own: bool = False
    cues: tuple[str, ...] = ()
    fold: Fold = Fold.WORDS
    also: tuple[str, ...] = ()

    def word(self, language: str) -> str:
        """What a label calls the kind in this language; in English where the language has no word for it."""
        return self.words.get(language) or self.words["en"]


@dataclass(frozen=True)
class Kinds(Mapping[KindId, Kind]):
    """The kinds by key, in the order of their table, and the coarser schemes.

    schemes: by name of a scheme, by its label, the kinds that the label stands for. "STREET:post_box" stands
    for the mentions of the kind that the pattern of this id matches. shapes: by name of a slot of patterns,
    the regular expression that takes its place.
    """

    rows: Mapping[KindId, Kind]
    schemes: Mapping[str, Mapping[str, tuple[KindId, ...]]]
    shapes: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def load(cls) -> "Kinds":
        """The shipped kinds.

        Raises:
            KindsError: the table is missing or damaged.
        """
        return _shipped()

    @classmethod
    def of_toml(cls, raw: bytes) -> Self:
        """The kinds of a table in TOML.

        Raises:
            KindsError: it is no table of kinds; the message names the field.
        """
        try:
            table = msgspec.toml.decode(raw, type=_KindsFile)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise KindsError(f"{FILE_NAME}: {error}") from None
        rows = {KindId(key): _kind(KindId(key), row, table.shapes) for key, row in table.kinds.items()}
        _refuse_unknown(rows)
        schemes = {
            name: MappingProxyType({label: tuple(map(KindId, kinds)) for label, kinds in labels.items()})
            for name, labels in table.schemes.items()
        }
        for name, labels in schemes.items():
            for kinds in labels.values():
                if unknown := [kind for kind in kinds if not _is_known(kind, rows)]:
                    raise KindsError(f"{FILE_NAME}: scheme {name} names the unknown kind {unknown[0]}")
        return cls(MappingProxyType(rows), MappingProxyType(schemes), MappingProxyType(table.shapes))

    def __getitem__(self, key: KindId) -> Kind:
        return self.rows[key]

    def __iter__(self) -> Iterator[KindId]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __reduce__(self) -> tuple[type["Kinds"], tuple[object, ...]]:
        """How it is pickled: with plain tables, since a read-only view of one cannot be."""
        schemes = {name: dict(labels) for name, labels in self.schemes.items()}
        return Kinds, (dict(self.rows), schemes, dict(self.shapes))

    @property
    def direct(self) -> frozenset[KindId]:
        """The kinds that point to one person by themselves."""
        return frozenset(key for key, kind in self.rows.items() if kind.direct)

    def in_category(self, category: str) -> tuple[KindId, ...]:
        """The kinds of a category, in the order of the table."""
        return tuple(key for key, kind in self.rows.items() if kind.category == category)

    def with_user_kinds(self, own: Iterable[Kind]) -> "Kinds":
        """These kinds and the user's own ones behind them."""
        rows = {**self.rows, **{kind.key: kind for kind in own}}
        return Kinds(MappingProxyType(rows), self.schemes, self.shapes)

    @property
    def words(self) -> frozenset[str]:
        """The words of all kinds, in all languages, in capitals."""
        return frozenset(word for kind in self.rows.values() for word in kind.words.values())

    def question(self, typed: str, known: Iterable[str] | None = None) -> str:
        """What somebody probably meant who typed no kind, as a question with a blank behind it, by names of
        kinds and by what else they are called: their words in labels, and names of their patterns, such as
        bsn; "" where nothing is near. known: words that may be meant; None: the kinds.
        """
        word = typed.strip().upper().replace("-", "_")
        called = [key for key, kind in self.rows.items() if word in _other_words(kind)]
        if called:
            return f"did you mean {' or '.join(called[:3])}? "
        return question(typed, known or self.rows)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories, in the order of the table."""
        return tuple(dict.fromkeys(kind.category for kind in self.rows.values()))

    def chosen(self, text: str) -> frozenset[KindId]:
        """The kinds of a list such as "person,email,ID": names of kinds or categories, or "all".

        Raises:
            KindsError: a name is of no kind and no category; the message names the known ones.
        """
        found: set[KindId] = set()
        for word in filter(None, (part.strip().upper().replace("-", "_") for part in text.split(","))):
            if word == "ALL":
                found.update(self.rows)
            elif word in self.rows:
                found.add(KindId(word))
            elif own := self.in_category(word):
                found.update(own)
            else:
                near = self.question(word, ["all", *self.rows, *self.categories])
                raise KindsError(f"there is no such kind; {near}known: all, {', '.join(self.rows)}")
        return frozenset(found)


def _other_words(kind: Kind) -> frozenset[str]:
    """What a kind is called besides its name, in capitals."""
    patterns = (_COUNTRY.sub("", pattern.id).upper() for pattern in kind.patterns)
    return frozenset((*kind.words.values(), *patterns, *kind.also))


def patterns_of(kinds: Kinds, key: KindId) -> tuple[Pattern, ...]:
    """The patterns of a kind; those that it takes from another kind need a cue."""
    kind = kinds[key]
    if kind.like is None:
        return kind.patterns
    borrowed = (
        msgspec.structs.replace(pattern, id=f"{key.lower()}_{pattern.id}", needs=Needs.CUE)
        for pattern in patterns_of(kinds, kind.like)
    )
    return (*kind.patterns, *borrowed)


def _kind(key: KindId, row: _KindRow, shapes: Mapping[str, str]) -> Kind:
    patterns = tuple(
        msgspec.structs.replace(pattern, regex=with_shapes(pattern.regex, shapes)) for pattern in row.patterns
    )
    return Kind(
        key, row.category, row.words, row.letter, row.link, row.direct, row.default,
        frozenset(map(KindId, row.holds)), None if row.like is None else KindId(row.like), patterns,
        also=row.also,
    )  # fmt: skip


def with_shapes(regex: str, shapes: Mapping[str, str]) -> str:
    """The regex with the shapes of the table in their slots; slots of a language stay."""
    for name, shape in shapes.items():
        regex = regex.replace(f"{{{name}}}", shape)
    return regex


def _is_known(name: str, rows: Mapping[KindId, Kind]) -> bool:
    """Whether an entry of a scheme, KIND or KIND:pattern, is there."""
    key, _, pattern = name.partition(":")
    kind = rows.get(KindId(key))
    return kind is not None and (not pattern or any(one.id == pattern for one in kind.patterns))


def _refuse_unknown(rows: Mapping[KindId, Kind]) -> None:
    ids: set[str] = set()
    for key, kind in rows.items():
        named: Collection[KindId] = {*kind.holds, *({kind.like} if kind.like else ())}
        if unknown := [name for name in named if name not in rows]:
            raise KindsError(f"{FILE_NAME}: {key} names the unknown kind {unknown[0]}")
        if "en" not in kind.words:
            raise KindsError(f"{FILE_NAME}: {key} has no English word")
        for pattern in kind.patterns:
            if pattern.id in ids:
                raise KindsError(f"{FILE_NAME}: two patterns are called {pattern.id}")
            ids.add(pattern.id)


@cache
def _shipped() -> Kinds:
    try:
        raw = (data_directory() / FILE_NAME).read_bytes()
    except OSError:
        raise KindsError(f"{FILE_NAME} is missing; install nymlink again") from None
    return Kinds.of_toml(raw)
