"""Copies of windows with other names, other case, typing errors and other layout."""

import random
from bisect import bisect
from itertools import accumulate

from linkage.training.labels import NAME, PERSON
from linkage.training.variation import drop_layout, misspell
from ner_training.corpus import BLANK_LINE, LINE_BREAK, Window
from ner_training.lexicon import NameLists

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SWAPPED = frozenset({NAME, "CITY"})  # labels whose names another name takes the place of
_BEFORE_THINGS = frozenset({"de", "het", "een", "die", "dat", "deze"})


class Drawer:
    """Draws from names with weights."""

    def __init__(self, items: list[str], weights: list[float]) -> None:
        self._items = items
        self._cumulative = list(accumulate(weights))

    def draw(self, generator: random.Random) -> str:
        return self._items[bisect(self._cumulative, generator.random() * self._cumulative[-1])]


class Augmenter:
    """Makes a changed copy of a window; every chance is a probability."""

    def __init__(self, lists: NameLists, *, misspelt_windows: float = 0.18) -> None:
        self.misspelt_windows = misspelt_windows  # share of windows in which half the names get an error
        given = list(lists.given)
        # Square roots, so that common names lead but rare ones come up.
        self._given = Drawer(given, [lists.given[n] ** 0.5 for n in given])
        surnames = list(lists.surnames)
        self._surname_of = {f"{p} {c}".strip(): (p, c) for p, c in surnames}
        self._surnames = Drawer(
            [f"{p} {c}".strip() for p, c in surnames],
            [lists.surnames[s] ** 0.5 * (6.0 if s[0] else 1.0) for s in surnames],
        )
        self._foreign = [(g, s) for g, s in lists.foreign.values() if g and s]
        self._attested = lists.attested
        self._other_names = lists.other_names
        self._places = [p for p in lists.places if len(p) > 2]
        self._known_given = {n.lower() for n in lists.given}

    def augment(self, window: Window, generator: random.Random) -> Window:
        window = Window(list(window.tokens), list(window.spans), window.unmarked)
        roll = generator.random()
        if roll < 0.6:
            window = self._swap_names(
                window,
                generator,
                person_chance=0.65,
                place_chance=0.25,
                foreign_chance=generator.choice((0.1, 0.2, 0.8)),
            )
        if generator.random() < 0.3:
            window = drop_layout(window)
        if generator.random() < 0.15:
            window = _with_possessives(window, generator, chance=0.7)
        if generator.random() < self.misspelt_windows:
            self._misspell_names(window, generator, chance=0.5)
        roll = generator.random()
        if roll < 0.05:
            window.tokens = [t.lower() for t in window.tokens]
        elif roll < 0.09:
            window.tokens = [t.upper() for t in window.tokens]
        elif roll < 0.13:
            self._recase_names(window, generator, chance=0.5)
        return window

    @staticmethod
    def shorten(window: Window, generator: random.Random, *, chance: float) -> Window:
        """Full names cut down to the surname: the press and official papers write many so."""

        def rewrite(name: list[str], label: str) -> list[str]:
            if (
                label == PERSON
                and len(name) > 1
                and all(t[0].isalpha() for t in name)
                and generator.random() < chance
            ):
                short = _surname(name)
                return [short[0][0].upper() + short[0][1:], *short[1:]]
            return name

        return window.rewritten(rewrite)

    def _swap_names(
        self,
        window: Window,
        generator: random.Random,
        *,
        person_chance: float,
        place_chance: float,
        foreign_chance: float,
    ) -> Window:
        replaced: dict[str, list[str]] = {}  # surname of a full name -> that of its replacement

        def rewrite(old: list[str], label: str) -> list[str]:
            if label == PERSON and len(old) == 1 and old[0] in replaced:
                return replaced[old[0]]  # a person keeps the new name through the window
            if label == PERSON and generator.random() < person_chance:
                new = self._other_person(old, generator, foreign_chance)
                surname_first = "," in new or (new[0].isupper() and "." not in new[0])
                if len(old) > 1 and len(new) > 1 and not surname_first:
                    replaced[old[-1]] = self._capital_particle(_surname(new), generator)
                return new
            if label in _SWAPPED and old[0].istitle() and generator.random() < place_chance:
                if label == "CITY":
                    return generator.choice(self._places).split()
                if len(old) > 1 or (self._other_names and generator.random() < 0.4):
                    return list(generator.choice(self._other_names)) if self._other_names else old
                return generator.choice(self._places).split()
            return old

        return window.rewritten(rewrite)

    def _other_person(self, old: list[str], generator: random.Random, foreign_chance: float) -> list[str]:
        words = [t for t in old if t not in {LINE_BREAK, BLANK_LINE}]
        if not words or (any(len(w) == 1 or (w.isupper() and len(w) < 4) for w in words) and len(words) < 2):
            return old  # signature letters and other short forms keep their shape
        foreign = generator.random() < foreign_chance
        if foreign and self._attested and generator.random() < 0.4:
            name = list(generator.choice(self._attested))
            return name if len(words) > 1 else self._capital_particle(_surname(name), generator)
        given, surname = self._foreign_name(generator) if foreign else self._dutch_name(generator)
        first = words[0].lower()
        if len(words) == 1:
            if "." in first:
                return [self._initials(generator)]
            lone_given = first in self._known_given
            if generator.random() < (0.75 if lone_given else 0.12):
                return given.split()
            return self._capital_particle(surname.split(), generator)
        pattern = generator.random()
        capitals = words[0][:1].isupper() and words[0].lower() in {
            "van",
            "de",
            "der",
            "den",
            "ter",
            "ten",
            "te",
            "el",
        }
        if capitals:
            return self._capital_particle(surname.split(), generator, always=True)
        if "." in words[0] and generator.random() < 0.8:
            return [self._initials(generator), *surname.split()]
        if pattern < 0.60:
            return [*given.split(), *surname.split()]
        if pattern < 0.74:
            return [self._initials(generator), *surname.split()]
        if pattern < 0.79:
            return [*given.split(), generator.choice(_LETTERS).upper() + ".", *surname.split()]
        if pattern < 0.88:
            _, other = self._dutch_name(generator)
            core = self._surname_of.get(other, ("", other))
            double = f"{surname}-{other if generator.random() < 0.7 else core[1]}"
            return [given if generator.random() < 0.6 else self._initials(generator), *double.split()]
        if pattern < 0.93:
            second, _ = self._dutch_name(generator)
            return (
                [f"{given}-{second}", *surname.split()]
                if generator.random() < 0.4
                else [given, second, *surname.split()]
            )
        return self._surname_first(given, surname, generator)

    def _surname_first(self, given: str, surname: str, generator: random.Random) -> list[str]:
        """ "Vries, J. de", "DE SMEDT, Lieselot", "EL KHATTABI Karima"."""
        capitals = generator.random() < 0.3
        front = given if generator.random() < 0.5 else self._initials(generator)
        if capitals or generator.random() < 0.2:
            core = surname.upper() if capitals else surname
            comma = [","] if not capitals or generator.random() < 0.6 else []
            return [*core.split(), *comma, *front.split()]
        particle, core = self._surname_of.get(surname, ("", surname))
        return [*core.split(), ",", *front.split(), *particle.split()]

    def _dutch_name(self, generator: random.Random) -> tuple[str, str]:
        surname = self._surnames.draw(generator)
        return self._given.draw(generator), surname if len(surname.split()) < 5 else "Jansen"

    def _foreign_name(self, generator: random.Random) -> tuple[str, str]:
        given, surnames = generator.choice(self._foreign)
        return generator.choice(given), generator.choice(surnames)

    @staticmethod
    def _initials(generator: random.Random) -> str:
        letters = generator.choices("ABCDEFGHIJKLMNOPRSTVW", k=generator.choice((1, 1, 1, 2, 2, 3, 4)))
        if generator.random() < 0.08:
            letters[-1] = generator.choice(("Th", "Ch", "Ph", "IJ", "Chr", "Joh"))
        style = generator.random()
        if style < 0.85 or len(letters) == 1:
            return "".join(f"{letter}." for letter in letters)
        return "".join(letters) if style < 0.93 else ".-".join(letters) + "."

    @staticmethod
    def _capital_particle(words: list[str], generator: random.Random, *, always: bool = False) -> list[str]:
        if len(words) > 1 and words[0][0].isalpha() and (always or generator.random() < 0.75):
            return [words[0][0].upper() + words[0][1:], *words[1:]]
        return words

    @staticmethod
    def _misspell_names(window: Window, generator: random.Random, *, chance: float) -> None:
        for start, end, label in window.spans:
            if label == PERSON and generator.random() < chance:
                at = generator.randrange(start, end)
                window.tokens[at] = misspell(window.tokens[at], generator)

    @staticmethod
    def _recase_names(window: Window, generator: random.Random, *, chance: float) -> None:
        for start, end, label in window.spans:
            if label == PERSON and generator.random() < chance:
                change = generator.choice((str.lower, str.upper, str.upper))
                window.tokens[start:end] = [change(t) for t in window.tokens[start:end]]


def _surname(name: list[str]) -> list[str]:
    """The surname of a full name with its particles, as far as small letters tell."""
    first = next((i for i, t in enumerate(name[1:], 1) if t.islower()), len(name) - 1)
    return name[first:]


def _with_possessives(window: Window, generator: random.Random, *, chance: float) -> Window:
    """The window with "de jas van Hans" turned into "Hans' jas", "moeder van Jan" into "Jan's moeder"."""
    tokens: list[str] = []
    spans: list[tuple[int, int, str]] = []
    at = 0
    for start, end, label in window.spans:
        tokens += window.tokens[at:start]
        name = window.tokens[start:end]
        thing = None
        if (
            label == PERSON
            and len(tokens) > 2
            and start - at > 2
            and tokens[-1] == "van"
            and tokens[-2].isalpha()
            and tokens[-2].islower()
            and tokens[-3].lower() in _BEFORE_THINGS
            and name[-1].isalpha()
            and generator.random() < chance
        ):
            *_, article, thing, _ = tokens
            del tokens[-3:]
            if article.istitle():
                name = [name[0][0].upper() + name[0][1:], *name[1:]]
        first = len(tokens)
        tokens += name
        if thing is not None:
            mark = generator.choice("'’")
            if name[-1][-1] in "sxzSXZ":
                tokens.append(mark)
            elif generator.random() < 0.5:
                tokens[-1] += f"{mark}s"
            else:
                tokens[-1] += "s"
            spans.append((first, first + len(name), label))
            tokens.append(thing)
        else:
            spans.append((first, first + len(name), label))
        at = end
    return Window(tokens + window.tokens[at:], spans, window.unmarked)
