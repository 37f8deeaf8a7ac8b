"""Copies of windows with other names, case, typing errors and layout, in any language."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from linkage.training.labels import PERSON
from linkage.training.numbers import numbers
from linkage.training.windows import BLANK_LINE, LINE_BREAK, Window

_NUMBERS: Final = numbers("variation")
_KEYBOARD = {
    "a": "sqz",
    "b": "vgn",
    "c": "xvd",
    "d": "sfe",
    "e": "wrd",
    "f": "dgr",
    "g": "fht",
    "h": "gjy",
    "i": "uok",
    "j": "hku",
    "k": "jli",
    "l": "ko",
    "m": "nj",
    "n": "bmh",
    "o": "ipl",
    "p": "ol",
    "q": "wa",
    "r": "etf",
    "s": "adw",
    "t": "ryg",
    "u": "yij",
    "v": "cbf",
    "w": "qes",
    "x": "zcs",
    "y": "tuh",
    "z": "xsa",
}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def misspell(word: str, generator: random.Random) -> str:
    """One typing error: substitution, deletion, insertion, transposition or doubling; short words stay."""
    if len(word) < 4:
        return word
    at = generator.randrange(1, len(word) - 1)
    kind = generator.randrange(5)
    low = word[at].lower()
    if kind == 0:
        return word[:at] + generator.choice(_KEYBOARD.get(low, _LETTERS)) + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    if kind == 2:
        return word[:at] + generator.choice(_KEYBOARD.get(low, _LETTERS)) + word[at:]
    if kind == 3:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + word[at] + word[at:]


@dataclass(frozen=True, slots=True)
class NameLists:
    """Given names and surnames, as written, that are borne together; every one a name of one word or more."""

    given: Sequence[str] = field(repr=False)
    surnames: Sequence[str] = field(repr=False)


class NameVariation:
    """Puts other names of lists, typing errors and other case into copies of windows.

    own: names of the language; elsewhere: those of other origins, from which a share is drawn, each origin as
    often as another. particles: in small letters, that may stand before a surname; one that ends in an
    apostrophe is a token of its own.
    """

    def __init__(
        self, own: NameLists, elsewhere: Sequence[NameLists] = (), particles: Sequence[str] = ()
    ) -> None:
        self._own = own
        self._elsewhere = [lists for lists in elsewhere if lists.given and lists.surnames]
        self._particles = particles
        self._within = {word for particle in particles for word in particle.split()}
        self._long = [surname for surname in own.surnames if " " in surname]
        self._known_given = {name.lower() for lists in (own, *self._elsewhere) for name in lists.given}

    def augment(self, window: Window, generator: random.Random) -> Window:
        """A changed copy of the window."""
        window = Window(list(window.tokens), list(window.spans), window.unmarked)
        if self._own.given and self._own.surnames:
            window = self._with_other_names(window, generator)
        if generator.randrange(3) == 0:
            window = drop_layout(window)
        if generator.random() < _NUMBERS["misspelt"]:
            for at in self._inside(window):
                if generator.randrange(2):
                    window.tokens[at] = misspell(window.tokens[at], generator)
        if generator.random() < _NUMBERS["recased"]:
            change = generator.choice((str.lower, str.upper))
            for at in self._inside(window):
                window.tokens[at] = change(window.tokens[at])
        roll = generator.random()
        if roll < _NUMBERS["lowered"]:
            window.tokens = [token.lower() for token in window.tokens]
        elif roll < _NUMBERS["lowered"] + _NUMBERS["raised"]:
            window.tokens = [token.upper() for token in window.tokens]
        return window

    @staticmethod
    def _inside(window: Window) -> list[int]:
        return [at for start, end, label in window.spans if label == PERSON for at in range(start, end)]

    def _with_other_names(self, window: Window, generator: random.Random) -> Window:
        """The window with other names; a surname that stands alone, too, follows the full name before it."""
        replaced: dict[str, list[str]] = {}

        def rewrite(name: list[str], label: str) -> list[str]:
            if label != PERSON or not self._is_name(name):
                return name
            if len(name) == 1 and name[0] in replaced:
                return replaced[name[0]]
            if generator.random() >= _NUMBERS["swapped"]:
                return name
            given, surname = self._drawn(generator)
            if len(name) > 1:
                replaced[name[-1]] = surname
                return self._full_name(given, surname, generator)
            if any(letter.islower() for letter in name[0]) and name[0].lower() in self._known_given:
                return given
            return surname

        return window.rewritten(rewrite)

    def _is_name(self, name: Sequence[str]) -> bool:
        """Whether these are words of a name that another name can take the place of: not "M K", not "¶"."""
        last = name[-1]
        return (
            len(last) > 2
            and last[0].isupper()
            and last[-1] != "."
            and all(word[0].isupper() or word.lower() in self._within for word in name)
        )

    def _drawn(self, generator: random.Random) -> tuple[list[str], list[str]]:
        """Words of a given name and of a surname of one origin."""
        lists = self._own
        if self._elsewhere and generator.random() < _NUMBERS["elsewhere"]:
            lists = generator.choice(self._elsewhere)
        given, surname = generator.choice(lists.given), generator.choice(lists.surnames)
        roll = generator.random()
        if roll < _NUMBERS["with_particle"]:
            if self._long and generator.randrange(2):
                surname = generator.choice(self._long)
            elif self._particles and " " not in surname:
                surname = f"{generator.choice(self._particles)} {surname}"
                if generator.randrange(2):
                    surname = surname[0].upper() + surname[1:]
        elif roll < _NUMBERS["with_particle"] + _NUMBERS["double_surname"] and " " not in surname:
            surname = f"{surname}-{generator.choice(lists.surnames)}"
        return given.split(), surname.split()

    @staticmethod
    def _full_name(given: list[str], surname: list[str], generator: random.Random) -> list[str]:
        """A full name as papers write it: also with initials, the surname first, or the surname alone."""
        initial = f"{given[0][0].upper()}."
        middle = f"{generator.choice(_LETTERS).upper()}."
        forms = {
            "alone": surname,
            "initial": [initial, *surname],
            "initials": [initial, middle, *surname],
            "middle_initial": [*given, middle, *surname],
            "surname_first": [*surname, *given],
            "surname_capitals": [*(word.upper() for word in surname), *given],
            "surname_comma": [*surname, ",", *given],
        }
        roll = generator.random()
        for name, form in forms.items():
            roll -= _NUMBERS[name]
            if roll < 0:
                return form
        return [*given, *surname]


def drop_layout(window: Window) -> Window:
    """The window without line-break tokens, as a plain Stanza pipeline gives it."""
    kept = [i for i, token in enumerate(window.tokens) if token not in {LINE_BREAK, BLANK_LINE}]
    place = {old: new for new, old in enumerate(kept)}
    spans = []
    for start, end, label in window.spans:
        inside = [place[i] for i in range(start, end) if i in place]
        if inside:
            spans.append((inside[0], inside[-1] + 1, label))
    return Window([window.tokens[i] for i in kept], spans, window.unmarked)
