"""How names of a language are built: the file grammar.toml."""

import re
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from linkage.errors import KindsError


class Grammar(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """What parsing asks of a language beside its words. Keys that end in "particle" are expressions.

    diminutive_endings: what makes a pet name of a given name. capital_particle: a shortened particle in a
    name all in capitals, "JAN V.D. BERG". capital_word: what counts as a word of such a name although it has
    one letter, "'T HOEN". elided_particle: it has lost its vowel, "d'Hondt". genitive: an article before a
    hyphen, "'s-Gravesande". glued_genitive: the letters of a genitive that is written onto a name as a rule,
    "Kirchers Buch"; "" where none is. surname_openings: first parts of a surname with a hyphen, "Saint-Just".
    dotted_particle: one shortened by full stops. long_initials: initials of two letters or three.
    name_endings: what lengthens a given name to another, "Roos" and "Roosje". patronymic_endings: what makes
    a surname of a father's given name, "Jan" and "Jansen". suffixes: by usual form, how it is written.
    written_titles: by title, ways to write it that count in these letters alone. most_ordinary: by a way to
    name people ("compound", "plural", "plural_with_apostrophe"), the share of a family name's uses, 0 to 1,
    that may be an ordinary word.
    """

    diminutive_endings: tuple[str, ...] = ()
    capital_particle: str = "(?!)"
    capital_word: str = "(?!)"
    elided_particle: str = "(?!)"
    genitive: str = "(?!)"
    glued_genitive: str = ""
    surname_openings: frozenset[str] = frozenset()
    dotted_particle: str = "(?!)"
    long_initials: tuple[str, ...] = ()
    name_endings: frozenset[str] = frozenset()
    patronymic_endings: frozenset[str] = frozenset()
    suffixes: Mapping[str, tuple[str, ...]] = {}
    written_titles: Mapping[str, tuple[str, ...]] = {}
    most_ordinary: Mapping[str, float] = {}

    @cached_property
    def suffix_of(self) -> Mapping[str, str]:
        """By a suffix in small letters, its usual form: "junior" is "jr."."""
        return {written: usual for usual, forms in self.suffixes.items() for written in forms}

    @cached_property
    def title_of(self) -> Mapping[str, str]:
        """By a title as it is written, the title of the table that it is."""
        return {written: title for title, forms in self.written_titles.items() for written in forms}


def read_grammar(file: Path) -> Grammar:
    """The grammar of a language.

    Raises:
        KindsError: the file is missing, has an unknown key or a wrong value.
    """
    try:
        found = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Grammar)
        for expression in (
            found.capital_particle, found.capital_word, found.elided_particle, found.genitive,
            found.dotted_particle,
        ):  # fmt: skip
            re.compile(expression)
    except (OSError, ValueError, re.error) as error:
        raise KindsError(f"{file.name} cannot be used: {error}") from None
    return found
