"""Phrases of a language beside names: the table patterns.tsv, a place, a meaning and an expression a row."""

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

from linkage.errors import KindsError
from linkage.language.expressions import filled
from linkage.language.tables import read_table

_COLUMNS: Final = ("meaning", "place", "expression")


class Place(StrEnum):
    """Where a phrase stands: before, after or inside one name, between two, or at the start of its line."""

    BEFORE = "before"
    AFTER = "after"
    BETWEEN = "between"
    INSIDE = "inside"
    LINE = "line"


class Meaning(StrEnum):
    """What a phrase says; each is a name in the column "meaning" of the table."""

    # Two people, or one.
    AND = "and"  # "Bos en Vos"
    ONE = "one"  # after the second name: "... is dezelfde", whatever stands before it
    ONE_THEY = "one_they"  # "... is hij"
    SAME = "same"  # "... is dezelfde" says that the name is one of those before it
    NAMED = "named"  # between two names of one person: "roepnaam", "geboren"
    SIGNS_AS = (
        "signs_as"  # between two names of one person that are alike: "tekent als"; before: in a sentence
    )
    FORMERLY = "formerly"  # between two names of one person with a part in common: "voorheen", "now"
    HOLDER = "holder"  # between a value and the name of whose it is: "ten name van"
    FORM_LINE = "form_line"  # opens a line that tells of the person right above: "geboren", "wonende"
    ANOTHER = "another"  # a person of the same name: "eveneens", "(een andere ...)"
    NOT = "not"  # "(niet ...)"
    ALSO = "also"  # "die ook Jan Bos heet"; with CALLED behind the name
    CALLED = "called"
    CALLED_SO = "called_so"  # "heet ook zo"
    HIMSELF = "himself"  # the name comes again for the sake of emphasis
    CLAUSE = "clause"  # a clause begins behind a comma
    NO_SENTENCE = "no_sentence"  # names may come twice beside it: "namens", "alias"
    # Relatives.
    KIN = "kin"  # one of two people is the other's relative
    KIN_OF = "kin_of"  # "de zoon van" the first, then the second
    OTHER_PERSON = "other_person"  # what follows is told of somebody else: "met zijn zoon"
    # Letters and forms.
    SENDER = "sender"
    RECEIVER = "receiver"
    ATTENTION = "attention"  # the receiver's name follows, with or without a colon
    COPY = "copy"
    CLOSING = "closing"
    CLOSING_IN_LINE = "closing_in_line"
    FROM = "from"  # "groeten van"
    NAME_LABEL = "name_label"  # the line of a form holds a part of a name
    BIRTH_LABEL = "birth_label"
    NUMBER = "number"
    # Parts and words beside a name.
    BEFORE_ROLE = "before_role"  # words before a word for a role: "de", "hoofd"
    PLURAL = "plural"  # the ending of a role: "patiënt(en)"
    MALE = "male"
    FEMALE = "female"
    COUPLE = "couple"  # "de heer en mevrouw"
    BORN = "born"
    SPOUSE_OF = "spouse_of"
    SUFFIX = "suffix"
    ACTING_AS = "acting_as"  # before the word for a profession: "als", "in haar hoedanigheid van"


def read_patterns(table: Path, slots: Mapping[str, str]) -> Mapping[tuple[Meaning, Place], str]:
    """By meaning and place, one regular expression for all phrases of the table, with their slots filled.

    Raises:
        KindsError: a row has an unknown meaning, place or slot, or is no regular expression.
        GazetteerError: the table is missing or damaged.
    """
    found: dict[tuple[Meaning, Place], list[str]] = {}
    for number, row in enumerate(read_table(table, _COLUMNS), start=2):
        try:
            expression = filled(row["expression"], slots)
            re.compile(expression)
            found.setdefault((Meaning(row["meaning"]), Place(row["place"])), []).append(expression)
        except (ValueError, KeyError, re.error) as error:
            raise KindsError(f"{table.name}, line {number}: {error}") from None
    return {key: f"(?:{'|'.join(expressions)})" for key, expressions in found.items()}
