"""Copies of windows with other names, case, typing errors and layout, in any language."""

import random
from collections.abc import Sequence
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


class NameVariation:
    """Puts other names of lists, typing errors and other case into copies of windows."""

    def __init__(self, given: Sequence[str], surnames: Sequence[str]) -> None:
        self._given, self._surnames = given, surnames
        self._known_given = {name.lower() for name in given}

    def augment(self, window: Window, generator: random.Random) -> Window:
        """A changed copy of the window."""
        window = Window(list(window.tokens), list(window.spans), window.unmarked)
        if self._given and self._surnames:
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
        def rewrite(name: list[str], label: str) -> list[str]:
            whole = all(len(word) > 2 and word[0].isupper() for word in name)
            if label == PERSON and whole and generator.random() < _NUMBERS["swapped"]:
                return self._name_like(name, generator)
            return name

        return window.rewritten(rewrite)

    def _name_like(self, name: Sequence[str], generator: random.Random) -> list[str]:
        given, surname = generator.choice(self._given), generator.choice(self._surnames)
        if len(name) > 1:
            return [*given.split(), *surname.split()]
        return (given if name[0].lower() in self._known_given else surname).split()


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
