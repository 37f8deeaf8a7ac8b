"""Values of other kinds than persons, as they go to a vault and come back. Their reprs show no value."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from linkage.records import DocumentId, EntityId, MentionId, ValueMention
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Pseudonym, Scope, Style

_LETTER: Final = re.compile("[A-Z]")
_WORD: Final = re.compile("[A-Z]{2,20}")


@dataclass(frozen=True, slots=True, order=True)
class Value:
    """What a value is, in all spellings: a kind, such as BANK_ACCOUNT, and a normal form."""

    kind: str
    normal: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ToErase:
    """The subjects of an erasure: people by pseudonyms, or a value by what it may be, or everybody whom no
    document has named for days.
    """

    pseudonyms: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    days: int | None = None


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What an erasure would destroy. people: of which the vault has rows, values among them. documents: in
    whose outputs their pseudonyms stand. paths: of the originals, which may hold names.
    """

    people: int
    pseudonyms: tuple[str, ...]
    documents: int
    paths: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class MetValue:
    """One place where a value was met. surface: the spelling there."""

    mention_id: MentionId
    doc_id: DocumentId
    kind: str
    normal: str = field(repr=False)
    surface: str = field(repr=False)

    @classmethod
    def of(cls, found: ValueMention) -> Self:
        """What was found in a document."""
        mention = found.mention
        return cls(mention.mention_id, mention.doc_id, mention.kind, found.normal, mention.surface)

    @property
    def value(self) -> Value:
        return Value(self.kind, self.normal)


@dataclass(frozen=True, slots=True)
class ValueLabels:
    """How values of one kind are labelled.

    style: None for values that are stored, and own edits, and have no label. word: in labels that hold one,
    2 to 20 capital letters. letter: a capital, which begins tokens. apart_from: further kinds of which no
    surrogate may be a real value, such as FAX for PHONE.

    Raises:
        SettingsError: the style has no way back, or lacks its word or its letter.
    """

    style: Style | None
    word: str = ""
    letter: str = ""
    scope: Scope = Scope.PROJECT
    apart_from: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.style in (Style.MASK, Style.INITIALS):
            raise SettingsError(f"nothing of the style {self.style} is kept in a vault")
        if self.style is Style.TOKEN and not _LETTER.fullmatch(self.letter):
            raise SettingsError("tokens of a kind need its letter, a capital such as K")
        if self.style in (Style.TAG, Style.CODE) and not _WORD.fullmatch(self.word):
            raise SettingsError(f"a {self.style} needs the kind's word, 2 to 20 capital letters: REKENING")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An invented value: its text, and its normal form under the kind of the real one."""

    text: str = field(repr=False)
    normal: str = field(repr=False)


# Candidates for the surrogate of a value, best first. It is asked again, with 0, 1, 2 ..., while none of them
# can be taken; an empty answer says that there are no more.
Candidates = Callable[[Value, int], Sequence[Candidate]]


@dataclass(frozen=True, slots=True)
class AssignedValues:
    """pseudonyms: of each mention whose kind has a style. owners: of each mention, the entity that owns its
    edits. clashes: values met that are equal to a surrogate which was given before.
    """

    pseudonyms: Mapping[MentionId, Pseudonym]
    owners: Mapping[MentionId, EntityId]
    clashes: int = 0
