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

    diminutive_endings: what makes a pet name of a given name. lettered_particles: single letters that may
    stand for a particle behind initials. signature_particles: small letters between the capitals of a
    signature, "RvdS". surname_particles: those before the capitals of a surname, "Ton vdH".
    capital_particle: a shortened particle in a name all in capitals, "JAN V.D. BERG". capital_word: what
    counts as a word of such a name although it has one letter, "'T HOEN". elided_particle: it has lost its
    vowel, "d'Hondt". genitive: an article before a hyphen, "'s-Gravesande". joined_over_lines: the hyphen
    before it stays at the end of a line. surname_openings: first parts of a surname with a hyphen,
    "Saint-Just". glued_particles: those written in one word with the name, "vanDijk". line_particles: those
    before which a hyphen at the end of a line stays. opening_particles: small words that, with a capital,
    open no given name. code_particles: letters of a particle in the code of a name, "MvdH".
    dotted_particle: one shortened by full stops. long_initials: initials of two letters or three.
    name_endings: what lengthens a given name to another, "Roos" and "Roosje". patronymic_endings: what makes
    a surname of a father's given name, "Jan" and "Jansen". invented_particles: those that
    invented names get in place of a particle that begins with one of invented_particle_starts. suffixes: by
    usual form, how it is written. written_titles: by title, ways to write it that count in these letters
    alone. most_ordinary: by a way to name people ("compound", "plural", "plural_with_apostrophe"), the share
    of a family name's uses, 0 to 1, that may be an ordinary word.
    """

    diminutive_endings: tuple[str, ...] = ()
    lettered_particles: frozenset[str] = frozenset()
    signature_particles: tuple[str, ...] = ()
    surname_particles: tuple[str, ...] = ()
    capital_particle: str = "(?!)"
    capital_word: str = "(?!)"
    elided_particle: str = "(?!)"
    genitive: str = "(?!)"
    joined_over_lines: frozenset[str] = frozenset()
    surname_openings: frozenset[str] = frozenset()
    glued_particles: tuple[str, ...] = ()
    line_particles: tuple[str, ...] = ()
    opening_particles: tuple[str, ...] = ()
    code_particles: tuple[str, ...] = ()
    dotted_particle: str = "(?!)"
    long_initials: tuple[str, ...] = ()
    name_endings: frozenset[str] = frozenset()
    patronymic_endings: frozenset[str] = frozenset()
    invented_particles: tuple[str, ...] = ()
    invented_particle_starts: frozenset[str] = frozenset()
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
