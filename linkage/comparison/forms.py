"""Distinct name forms as rows of arrays: which words they have, their initials, particle and suffix."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from linkage.comparison.words import Integers, Strings, WordTable, name_letters
from linkage.records import PersonName, fold

GIVEN_SLOTS = 4
SURNAME_SLOTS = 4
INITIALS = 4
ABBREVIATION = 5
_SUFFIX_CODES = {"jr.": 1, "sr.": 2, "II": 3, "III": 4, "IV": 5}

Codes = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class _Form:
    """One name as texts, before words get row numbers."""

    given: tuple[str, ...] = field(repr=False)
    surnames: tuple[str, ...] = field(repr=False)
    is_joined: tuple[bool, ...]
    initials: str = field(repr=False)
    abbreviation: str = field(repr=False)


class FormTable:
    """Arrays over distinct forms; rows follow the order of names.

    given: row numbers in given_words, shape (n, GIVEN_SLOTS), -1 = no word: the given names one by one,
    written together where they are two, and the call name. surnames: the same in surname_words: by birth, of
    the partner, and each with its particle written to it. is_joined marks those last ones.
    """

    def __init__(self, names: Sequence[PersonName]) -> None:
        self.names = tuple(names)
        forms = [_form(name) for name in names]
        self.given_words, self.given = _slots([form.given for form in forms], GIVEN_SLOTS)
        self.surname_words, self.surnames = _slots([form.surnames for form in forms], SURNAME_SLOTS)
        self.is_joined = np.zeros((len(forms), SURNAME_SLOTS), dtype=bool)
        for row, form in enumerate(forms):
            self.is_joined[row, : len(form.is_joined)] = form.is_joined
        self.initials = _letter_codes([form.initials for form in forms], INITIALS)
        self.abbreviation = _letter_codes([form.abbreviation for form in forms], ABBREVIATION)
        first_words = [form.given[0] if form.given else "" for form in forms]
        self.first_given_letters = _letter_codes(first_words, ABBREVIATION)
        self.has_given = self.given[:, 0] >= 0
        self.has_surname = self.surnames[:, 0] >= 0
        self.has_initials = np.array([name.initials is not None for name in names], dtype=bool)
        self.has_partner = np.array([name.partner_family is not None for name in names], dtype=bool)
        self.particle, self.particle_opening = _particles(names)
        self.suffix = np.array([_SUFFIX_CODES.get(name.suffix or "", 0) for name in names], dtype=np.int32)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} forms)"

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def sorted_words(self) -> Strings:
        """All words of a form but its particles, in alphabetical order."""
        texts = [
            " ".join(
                sorted(
                    fold(f"{n.given or n.initials or ''} {n.family or ''} {n.partner_family or ''}").split()
                )
            )
            for n in self.names
        ]
        array = np.empty(len(texts), dtype=object)
        array[:] = texts
        return array


def _form(name: PersonName) -> _Form:
    given: list[str] = []
    if name.given is not None:
        words = [name_letters(word) for word in name.given.replace("-", " ").split()]
        words = [word for word in words if word]
        given = words[:2] + (["".join(words)] if len(words) == 2 or "-" in name.given else words[2:3])
    if name.nickname is not None:
        given = [*given[: GIVEN_SLOTS - 1], name_letters(name.nickname)]
    surnames: list[str] = []
    joined: list[bool] = []
    parts = ((name.particle, name.family), (name.partner_particle, name.partner_family))
    for _, family in parts:
        if family is not None:
            surnames.append(name_letters(family))
            joined.append(False)
    for particle, family in parts:
        if family is not None and particle is not None:
            surnames.append(name_letters(f"{particle} {family}"))
            joined.append(True)
    pieces = [piece for part in (name.initials or "").split(".") if (piece := fold(part))]
    if pieces:
        initials = "".join(piece[0] for piece in pieces)
    else:
        initials = "".join(word[0] for word in given[: len((name.given or "").replace("-", " ").split())])
    abbreviation = pieces[0] if pieces and len(pieces[0]) > 1 and pieces[0] != "ij" else ""
    return _Form(
        tuple(dict.fromkeys(word for word in given if word)),
        tuple(word for word in surnames if word), tuple(joined), initials, abbreviation,
    )  # fmt: skip


def _slots(rows: Sequence[tuple[str, ...]], width: int) -> tuple[WordTable, Integers]:
    row_of: dict[str, int] = {}
    slots = np.full((len(rows), width), -1, dtype=np.int64)
    for index, words in enumerate(rows):
        for slot, word in enumerate(words[:width]):
            slots[index, slot] = row_of.setdefault(word, len(row_of))
    return WordTable(list(row_of)), slots


def _letter_codes(texts: Sequence[str], width: int) -> Codes:
    codes = np.zeros((len(texts), width), dtype=np.int32)
    for row, text in enumerate(texts):
        for column, letter in enumerate(text[:width]):
            codes[row, column] = ord(letter)
    return codes


def _particles(names: Sequence[PersonName]) -> tuple[Codes, Codes]:
    """Number of the particle and of its first word; 0 = none."""
    whole: dict[str, int] = {}
    opening: dict[str, int] = {}
    numbers = np.zeros((len(names), 2), dtype=np.int32)
    for row, name in enumerate(names):
        if name.particle is not None and (key := fold(name.particle)):
            numbers[row] = (
                whole.setdefault(key, len(whole) + 1), opening.setdefault(key.split()[0], len(opening) + 1),
            )  # fmt: skip
    return numbers[:, 0], numbers[:, 1]
