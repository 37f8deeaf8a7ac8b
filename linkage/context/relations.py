"""Which mentions of a document are two people, relatives, or one person, by the phrases and the layout."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from linkage.context.kinship import relatives
from linkage.context.letters import correspondents
from linkage.context.namesakes import namesake_pairs
from linkage.context.rows import joined_pairs
from linkage.context.same_person import same_person_pairs
from linkage.context.speakers import speakers
from linkage.language import Language
from linkage.records import Mention, PersonName


class RelationKind(StrEnum):
    """What a document says of two mentions. KIN: one is the other's relative, so they are two people."""

    APART = "apart"
    KIN = "kin"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Relation:
    """Two mentions by their indexes, the smaller first, and what the document says of them."""

    left: int
    right: int
    kind: RelationKind


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text with its mentions, sorted by span, their names taken apart, and where its sentences begin.

    sentences: offsets at which sentences after the first begin, ascending.
    """

    text: str
    mentions: Sequence[Mention]
    names: Sequence[PersonName]
    sentences: Sequence[int]

    def __repr__(self) -> str:
        return f"NamedText({len(self.mentions)} mentions)"


def relations_of(
    named: NamedText, is_surname: Callable[[str], bool], language: Language
) -> tuple[Relation, ...]:
    """The relations of a text, in the order of its mentions; of two mentions one at most.

    What says that they are one person counts more than what sets them apart. is_surname: whether lists know
    a surname, so that "Jan Smit en Jan Smits" are two people.
    """
    text, mentions, names, sentences = named.text, named.mentions, named.names, named.sentences
    kinds: dict[tuple[int, int], RelationKind] = {}

    def say(kind: RelationKind, pairs: Iterable[tuple[int, int]]) -> None:
        kinds.update(dict.fromkeys(pairs, kind))

    say(RelationKind.APART, joined_pairs(text, mentions, names, is_surname, language))
    say(RelationKind.APART, speakers(text, mentions))
    say(RelationKind.APART, correspondents(text, mentions, names, language))
    say(RelationKind.APART, namesake_pairs(text, mentions, names, sentences, language))
    say(RelationKind.KIN, relatives(text, mentions, sentences, language))
    say(RelationKind.SAME, same_person_pairs(text, mentions, names, language))
    return tuple(Relation(left, right, kind) for (left, right), kind in sorted(kinds.items()))
