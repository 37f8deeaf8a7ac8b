"""Words for people: relatives, parts that people play in a matter, professions, titles."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from linkage.errors import KindsError
from linkage.language.tables import read_table
from linkage.person_name import Gender

_COLUMNS: Final = ("word", "gender", "role", "uses")


class Use(StrEnum):
    """What a word for a person is asked for; each use is a name in the column "uses" of a table."""

    RELATIVE = "relative"  # "zijn zoon Piet" is not the person whom the sentence has named before
    ANOTHER = "another"  # "met haar zoon, geboren op ...": the value is not that of the person named before
    PATH = "path"  # stands before a given name in the name of a file: "foto_oma_Truus"
    ACTS = "acts"  # acts by profession: guidelines for publishing judgments leave the name as it is
    SHORT = "short"  # written with a full stop
    CUE = "cue"  # a name is expected behind it
    LABEL = "label"  # and behind a colon after it: "huisarts: ..."


@dataclass(frozen=True, slots=True)
class PersonWord:
    """A word for a person, in small letters. gender: that of everybody it is said of; None: of either.

    role: the word that stands for all words of one role, "arts" for "huisarts"; None: it tells no role.
    """

    word: str
    gender: Gender | None
    role: str | None
    uses: frozenset[Use]


class TitleUse(StrEnum):
    """What a title is asked for; each use is a name in the column "uses" of titles.tsv."""

    PHRASE = "phrase"  # may stand before the second of two names that a phrase sets beside each other
    BEHIND_ROLE = "behind_role"  # stands between the word for a role and the name: "cliënt mevr. Bos"
    BEHIND_PROFESSION = "behind_profession"  # "rechter: mr. A. Bos"
    PATH = "path"  # stands before a name in addresses and in names of files
    FAMILIAR = "familiar"  # people say it with a given name alone: "juf Anja"
    COURTESY = "courtesy"  # a name is expected behind it
    CUE = "cue"  # as for other words for people


@dataclass(frozen=True, slots=True)
class TitleWord:
    """A title as people write it, with its full stop. category: "courtesy", "academic", "noble" ...

    position: "pre" before a name, "post" after it, "mid" between given name and family name, "" for a word
    that is asked for by its use alone. variants: other ways to write it.
    """

    text: str
    category: str
    uses: frozenset[TitleUse]
    position: str
    gender: Gender | None
    variants: tuple[str, ...]

    @property
    def bare(self) -> str:
        """The title in small letters without its full stop."""
        return self.text.lower().removesuffix(".")


def read_titles(table: Path) -> tuple[TitleWord, ...]:
    """The rows of the table of titles, in its order.

    Raises:
        KindsError: a row has an unknown gender or use.
        GazetteerError: the table is missing or damaged.
    """
    try:
        return tuple(
            TitleWord(
                row["title"],
                row["category"],
                frozenset(map(TitleUse, row["uses"].split())),
                row["position"],
                Gender(row["gender"]) if row["gender"] else None,
                tuple(form.strip() for form in row["variants"].split("|") if form.strip()),
            )
            for row in read_table(table, ("title", "category", "position", "gender", "variants", "uses"))
        )
    except ValueError as error:
        raise KindsError(f"{table.name}: {error}") from None


def read_people(table: Path) -> tuple[PersonWord, ...]:
    """The rows of a table of words for people, in its order.

    Raises:
        KindsError: a row has an unknown gender or use.
        GazetteerError: the table is missing or damaged.
    """
    try:
        return tuple(
            PersonWord(
                row["word"],
                Gender(row["gender"]) if row["gender"] else None,
                row["role"] or None,
                frozenset(map(Use, row["uses"].split())),
            )
            for row in read_table(table, _COLUMNS)
        )
    except ValueError as error:
        raise KindsError(f"{table.name}: {error}") from None


def used(words: Iterable[PersonWord], use: Use) -> Iterator[str]:
    """The words that have this use."""
    return (word.word for word in words if use in word.uses)
