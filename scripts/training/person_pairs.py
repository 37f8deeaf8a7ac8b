"""Invented people and how they are written: pairs of full names that are, or are not, one person.

A small town is made: families with shared surnames, names drawn as often as people bear them, so that chance
agreements ("J. de Jong" twice) occur as often as they do. Every person gets written in several ways, some
with typing or scanning errors; pairs that a blocking would propose are kept.
"""

import csv
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from linkage.comparison.sounds import consonant_skeleton, dutch_spelling_key
from linkage.comparison.words import name_letters
from training.name_pairs import PART_SHARES, part_of

SECOND_ERROR = 0.15  # share of misspelt names with another error
_COMMON_FROM = 20_000  # people; commoner surnames belong to all parts: their commonness is what is learned
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SCANNING = (
    ("rn", "m"),
    ("m", "rn"),
    ("l", "i"),
    ("i", "l"),
    ("e", "c"),
    ("o", "0"),
    ("u", "n"),
    ("cl", "d"),
    ("h", "b"),
    ("b", "h"),
    ("ss", "b"),  # a German sharp s is read as b
    ("b", "ss"),
    ("vv", "w"),
    ("w", "vv"),
    ("c", "e"),
    ("ii", "n"),
)
_SPELLINGS = (
    ("ij", "y"), ("y", "ij"), ("ei", "ij"), ("ij", "ei"), ("c", "k"), ("k", "c"), ("ck", "k"), ("dt", "t"),
    ("d", "dt"), ("s", "z"), ("z", "s"), ("sen", "ssen"), ("ssen", "sen"), ("ph", "f"), ("f", "ph"),
    ("aa", "a"),
    ("ae", "aa"), ("oe", "u"), ("ou", "au"), ("au", "ou"), ("ss", "s"), ("tt", "t"), ("ll", "l"), ("th", "t"),
    ("ks", "x"), ("x", "ks"), ("ch", "g"), ("v", "f"), ("ien", "ijn"), ("ee", "e"), ("nn", "n"), ("rr", "r"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NameStock:
    """Names of one part of the split, with how often each is borne; variants: given name -> other forms."""

    given: Mapping[str, tuple[list[str], list[float]]] = field(repr=False)
    surnames: tuple[list[tuple[str, str]], list[float]] = field(repr=False)
    variants: Mapping[str, list[str]] = field(repr=False)


@dataclass(slots=True)
class _Person:
    number: int
    gender: str
    given: list[str]
    call_name: str
    particle: str
    surname: str
    partner: tuple[str, str] | None = None
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class WrittenPair:
    left: str = field(repr=False)
    right: str = field(repr=False)
    is_match: bool


def name_stock(data: Path, part: str, variants: Iterable[tuple[str, str]]) -> NameStock:
    """Given names and surnames of one part; surnames are split by the same hash."""
    given: dict[str, tuple[list[str], list[float]]] = {"f": ([], []), "m": ([], [])}
    for row in _tsv(data / "names" / "given_names_nl.tsv"):
        count = int(row["freq_nl_2010"] or 0) + int(row["freq_be_2022"] or 0)
        if row["gender"] in given and part_of(name_letters(row["name"])) == part and count >= 3:
            given[row["gender"]][0].append(row["name"])
            given[row["gender"]][1].append(count**0.8)
    names: list[tuple[str, str]] = []
    weights: list[float] = []
    for row in _tsv(data / "names" / "surnames_nl.tsv"):
        count = _borne(row)
        common = count >= _COMMON_FROM
        # A part holds a share of the other names, so that a common one counts as much beside them as it does
        # in the country.
        borne = count * PART_SHARES[part] if common else count
        if count >= 5 and row["core"] and (common or part_of(name_letters(row["core"])) == part):
            names.append((row["particle"] or "", row["core"]))
            weights.append(float(borne))
    forms: dict[str, list[str]] = defaultdict(list)
    for a, b in variants:
        forms[a].append(b)
        forms[b].append(a)
    return NameStock(given, (names, weights), forms)


def borne_surnames(data: Path) -> list[tuple[str, str]]:
    """Particle, "" for none, and surname of those that at least 5 people bear."""
    rows = _tsv(data / "names" / "surnames_nl.tsv")
    return [(row["particle"] or "", row["core"]) for row in rows if row["core"] and _borne(row) >= 5]


def common_surnames(data: Path) -> frozenset[str]:
    """Letters of the surnames that belong to all parts of the split."""
    rows = _tsv(data / "names" / "surnames_nl.tsv")
    return frozenset(name_letters(row["core"]) for row in rows if row["core"] and _borne(row) >= _COMMON_FROM)


def _borne(row: Mapping[str, str]) -> int:
    return int(row["count_nl_2007"] or 0) or int(row["count_be"] or 0) // 2


def _tsv(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def written_pairs(stock: NameStock, *, people: int, seed: int) -> list[WrittenPair]:
    """Pairs from one town of about this many people, matches and blocked non-matches."""
    chance = random.Random(seed)
    town = _Town(stock, chance)
    forms: list[tuple[int, str]] = []
    for person in town.people(people):
        forms += [(person.number, town.written(person)) for _ in range(chance.choice((2, 3, 3, 4, 5)))]
    return _blocked(forms, chance)


def _blocked(forms: Sequence[tuple[int, str]], chance: random.Random) -> list[WrittenPair]:
    blocks: dict[str, list[int]] = defaultdict(list)
    for row, (_, form) in enumerate(forms):
        words = [name_letters(word) for word in form.replace("-", " ").replace(",", " ").split()]
        keys = {dutch_spelling_key(word)[:5] for word in words if len(word) > 3}
        keys |= {f"s{consonant_skeleton(word)}" for word in words if len(word) > 3}
        for key in keys:
            blocks[key].append(row)
    chosen: set[tuple[int, int]] = set()
    for members in blocks.values():
        if len(members) <= 60:
            chosen.update(combinations(members, 2))
            continue
        for _ in range(1_500):
            left, right = sorted(chance.sample(members, 2))
            chosen.add((left, right))
    rows_of: dict[int, list[int]] = defaultdict(list)
    for row, (number, _) in enumerate(forms):
        rows_of[number].append(row)
    for rows in rows_of.values():
        chosen.update(combinations(rows, 2))
    for _ in range(len(forms)):
        a, b = chance.sample(range(len(forms)), 2)
        chosen.add((min(a, b), max(a, b)))
    return [
        WrittenPair(forms[a][1], forms[b][1], forms[a][0] == forms[b][0])
        for a, b in sorted(chosen)
        if forms[a][1] != forms[b][1] or forms[a][0] != forms[b][0] or chance.random() < 0.2
    ]  # fmt: skip


class _Town:
    def __init__(self, stock: NameStock, chance: random.Random) -> None:
        self._stock, self._chance = stock, chance

    def people(self, count: int) -> list[_Person]:
        made: list[_Person] = []
        while len(made) < count:
            surname = self._surname()
            father = self._person(len(made), "m", surname)
            made.append(father)
            kind = self._chance.random()
            if kind < 0.45:  # a couple, perhaps with children
                mother = self._person(len(made), "f", self._surname())
                if self._chance.random() < 0.6:
                    mother.partner = surname
                made.append(mother)
                for _ in range(self._chance.choice((0, 1, 1, 2, 3))):
                    child = self._person(len(made), self._chance.choice("fm"), surname)
                    if child.gender == "m" and self._chance.random() < 0.08:
                        child.given, child.call_name = list(father.given), father.call_name
                        father.suffix, child.suffix = "sr.", "jr."
                    made.append(child)
            elif kind < 0.55:
                made.append(self._person(len(made), "f", surname))
        return made

    def _surname(self) -> tuple[str, str]:
        names, weights = self._stock.surnames
        return self._chance.choices(names, weights)[0]

    def _given(self, gender: str) -> str:
        names, weights = self._stock.given[gender]
        return self._chance.choices(names, weights)[0]

    def _person(self, number: int, gender: str, surname: tuple[str, str]) -> _Person:
        given = [self._given(gender) for _ in range(self._chance.choice((1, 1, 1, 2, 2, 3)))]
        call_name = given[0]
        forms = self._stock.variants.get(name_letters(given[0]))
        if forms and self._chance.random() < 0.5:
            call_name = self._chance.choice(forms).capitalize()
        return _Person(number, gender, given, call_name, *surname)

    def written(self, person: _Person) -> str:
        """One way of writing this person, perhaps with an error."""
        chance = self._chance
        forename = self._forename(person)
        particle, surname = self._particle(person.particle), self._family(person.surname)
        whole = f"{particle} {surname}".strip()
        if person.partner is not None and (kind := chance.random()) < 0.75:
            partner = f"{self._particle(person.partner[0])} {self._family(person.partner[1])}".strip()
            whole = f"{partner}-{whole}" if kind < 0.4 else f"{whole}-{partner}" if kind < 0.5 else partner
        kind = chance.random()
        if kind < 0.07:
            text = whole[0].upper() + whole[1:]
        elif kind < 0.13:
            text = self._error(person.call_name, 0.08)
        elif kind < 0.22:
            moved = f"{surname}, {forename} {particle}".strip()
            text = moved if chance.random() < 0.5 and "-" not in whole else f"{whole}, {forename}"
        elif kind < 0.25:
            text = f"{whole} {forename}"
        else:
            text = f"{forename} {whole}"
        if person.suffix and chance.random() < 0.5:
            text = f"{text} {person.suffix}"
        kind = chance.random()
        return text.upper() if kind < 0.04 else text.lower() if kind < 0.08 else text

    def _forename(self, person: _Person) -> str:
        chance = self._chance
        kind = chance.random()
        initials = [f"{name[0].upper()}." for name in " ".join(person.given).replace("-", " ").split()]
        if kind < 0.14:
            return initials[0]
        if kind < 0.30:
            return "".join(initials)
        if kind < 0.36:
            return " ".join(self._error(name, 0.08) for name in person.given)
        if kind < 0.40:
            return f"{person.call_name} {''.join(initials[1:])}".strip()
        if kind < 0.42 and len(person.given[0]) > 4:
            return f"{person.given[0][: chance.choice((2, 3))]}."
        if kind < 0.44 and person.call_name != person.given[0]:
            return f'{person.given[0]} "{person.call_name}"'
        return self._error(person.given[0] if kind < 0.6 else person.call_name, 0.1)

    def _particle(self, particle: str) -> str:
        if not particle or self._chance.random() < 0.05:
            return ""
        if self._chance.random() < 0.06:
            short = {"van der": "v.d.", "van den": "v.d.", "van de": "v.d.", "van": "v."}
            other = {"van der": "van de", "van den": "van der", "van de": "van der", "ter": "te", "ten": "te"}
            return self._chance.choice((short, other)).get(particle, particle)
        return particle

    def _family(self, surname: str) -> str:
        if self._chance.random() < 0.05:
            return respelled(surname, self._chance)
        return self._error(surname, 0.1)

    def _error(self, name: str, share: float) -> str:
        if self._chance.random() >= share:
            return name
        wrong = misspelt(name, self._chance)
        # Who writes badly, or a bad scan, does so twice.
        return misspelt(wrong, self._chance) if self._chance.random() < SECOND_ERROR else wrong


def misspelt(name: str, chance: random.Random) -> str:
    """One typing or scanning error; never in a name under three letters."""
    if len(name) < 3:
        return name
    place = chance.randrange(1 if chance.random() < 0.8 else 0, len(name))
    makers: tuple[Callable[[], str], ...] = (
        lambda: name[:place] + name[place + 1 :],
        lambda: name[:place] + name[place] + name[place:],
        lambda: name[:place] + _neighbour(name[place], chance) + name[place + 1 :],
        lambda: name[:place] + _neighbour(name[place], chance) + name[place:],
        lambda: name[: place - 1] + name[place] + name[place - 1] + name[place + 1 :] if place else name,
        lambda: _replaced(name, _SCANNING, chance),
    )
    wrong = chance.choice(makers)()
    return wrong if wrong[:1].isalpha() else name


def respelled(name: str, chance: random.Random) -> str:
    """Another spelling of the same sound, if the name has a place for one."""
    return _replaced(name, _SPELLINGS, chance)


def _replaced(name: str, rules: Sequence[tuple[str, str]], chance: random.Random) -> str:
    fitting = [(a, b) for a, b in rules if a in name[1:]]
    if not fitting:
        return name
    a, b = chance.choice(fitting)
    place = name.index(a, 1)
    return name[:place] + b + name[place + len(a) :]


def _neighbour(letter: str, chance: random.Random) -> str:
    for row in _KEYBOARD:
        if (at := row.find(letter.lower())) >= 0:
            near = [row[i] for i in (at - 1, at + 1) if 0 <= i < len(row)]
            chosen = chance.choice(near)
            return chosen.upper() if letter.isupper() else chosen
    return letter
