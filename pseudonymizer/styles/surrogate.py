"""The surrogate style: an invented full name for each person, and the tag style, a counter.

A surrogate keeps what a reader needs (gender, particle or none, double name) and nothing that points back:
no initials, no length. Every word of it stands for one person of the project only; when the lists are used
up, double names are made of words kept for that. It is never a real name that the project has seen.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from linkage.language import Language, ParticleUse
from linkage.records import Gender, PersonName, fold
from pseudonymizer.crypto import Entropy
from pseudonymizer.errors import SettingsError, SurrogatesExhaustedError
from pseudonymizer.records import Style
from pseudonymizer.styles.labels import LabelRequest, tag_number, tag_text
from pseudonymizer.styles.name_forms import label_of, parse_label
from pseudonymizer.styles.name_pool import NamePool, is_reserved

_TRIES: Final = 24
_LEAST_INSIDE: Final = 4  # a shorter real name inside a longer invented one tells nothing


class _Pick(Protocol):
    def __call__(self, below: int) -> int: ...


@dataclass(slots=True)
class _Bag:
    """Words to choose from, those for double names apart; empty once all of them are taken."""

    words: tuple[str, ...]
    reserved: tuple[str, ...]
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class SurrogateRules:
    """What surrogates may keep of the real names, which they do not unless asked."""

    keep_initials: bool = False
    keep_family: bool = False


@dataclass(frozen=True, slots=True)
class RealNames:
    """Folded words of all real names that the project knows, which no surrogate may have."""

    words: Collection[str] = field(repr=False)

    @classmethod
    def of(cls, names: Iterable[PersonName], surfaces: Iterable[str] = ()) -> "RealNames":
        words: set[str] = set()
        for name in names:
            for part in name.parts():
                if part is not None:
                    words.update(fold(part).split())
        for surface in surfaces:
            words.update(fold(surface).split())
        return cls(frozenset(word for word in words if len(word) > 1))

    def has(self, word: str) -> bool:
        return fold(word) in self.words

    def inside(self, word: str) -> bool:
        """Whether a real name of some length is a part of word."""
        text = fold(word)
        last = len(text) + 1
        return any(
            text[start:end] in self.words
            for start in range(last - _LEAST_INSIDE)
            for end in range(start + _LEAST_INSIDE, last)
        )


@dataclass(frozen=True, slots=True)
class GivenSurrogates:
    """What a project has given already, read when surrogates are first drawn.

    stored: the surrogates that it has or had. among: which of these folded words are known from elsewhere to
    have been in one. families: folded real family name -> family part of the surrogate that relatives share,
    for keep_family.
    """

    stored: Callable[[], Iterable[str]] = tuple
    among: Callable[[Collection[str]], Collection[str]] = lambda _: ()
    families: Mapping[str, str] = field(default_factory=dict, repr=False)


class SurrogateLabels:
    """Draws surrogates. A LabelSource for assign.

    gender_of a given name, where the text does not tell. seed_of: bytes that a request's material always
    gives (deterministic mode).
    """

    def __init__(
        self,
        pool: NamePool,
        *,
        given: GivenSurrogates,
        real: RealNames,
        rules: SurrogateRules | None = None,
        gender_of: Callable[[str], Gender | None] = lambda _: None,
        seed_of: Callable[[bytes], bytes] | None = None,
        entropy: Entropy = os.urandom,
    ) -> None:
        self._pool = pool
        self._stored = given.stored
        self._given_among = given.among
        self._real = real
        self._rules = rules or SurrogateRules()
        self._families = dict(given.families)
        self._gender_of = gender_of
        self._seed_of = seed_of
        self._entropy = entropy
        self._used: set[str] = set()
        self._never_given: set[str] = set()
        self._bags: dict[tuple[object, str | None], _Bag] = {}

    @property
    def style(self) -> Style:
        return Style.SURROGATE

    def draw(
        self, requests: Sequence[LabelRequest], *, taken: Callable[[Collection[str]], Collection[str]]
    ) -> list[str]:
        """Raises SurrogatesExhaustedError when even double names are used up."""
        self._used = {word for label in self._stored() for word in label_words(label)}
        self._never_given.clear()
        order = sorted(range(len(requests)), key=lambda n: requests[n].material or b"")
        labels = [""] * len(requests)
        for number in order:
            labels[number] = self._one(requests[number])
        if taken(labels):
            raise SurrogatesExhaustedError("a surrogate that was drawn is taken already; run again")
        return labels

    def _one(self, request: LabelRequest) -> str:
        pick = self._picker(request.material)
        fullest = max(
            request.names,
            key=lambda n: (n.is_full, sum(p is not None for p in n.parts())),
            default=PersonName(),
        )
        letter = _first_letter(fullest.given or fullest.initials) if self._rules.keep_initials else None
        given = self._given(pick, request, letter)
        particle, family, partner = self._family(pick, request, fullest)
        return label_of(PersonName(given=given, particle=particle, family=family, partner_family=partner))

    def _given(self, pick: _Pick, request: LabelRequest, letter: str | None) -> str:
        real = max(
            (name.given or "" for name in request.names), key=lambda g: (len(g.split()), "-" in g), default=""
        )
        gender = request.gender or (self._gender_of(real) if real else None)
        words: list[str] = []
        for position in range(min(max(len(real.split()), 1), 2)):
            first = letter if position == 0 else None
            if self._rules.keep_initials and position:
                first = _first_letter(real.split()[position])
            words.append(self._given_word(pick, gender, first))
            if "-" in real and position == 0 and len(real.split()) == 1:
                words[0] += f"-{self._given_word(pick, gender, None)}"
        return " ".join(words)

    def _given_word(self, pick: _Pick, gender: Gender | None, letter: str | None) -> str:
        first = self._bag(("given", gender), letter, lambda: self._pool.given_for(gender))
        wider = self._bag(("any given", gender), letter, lambda: self._pool.any_given(gender))
        found = self._single(pick, first) or self._single(pick, wider)
        return found if found is not None else self._double(pick, wider)

    def _family(
        self, pick: _Pick, request: LabelRequest, fullest: PersonName
    ) -> tuple[str | None, str, str | None]:
        """(particle, family name, family name of a partner)"""
        with_family = [name for name in request.names if name.family is not None]
        named = (
            fullest
            if fullest.family is not None
            else max(with_family, key=lambda n: bool(n.particle), default=None)
        )
        if named is None:
            named = PersonName()
        key = family_key(named)
        partner = next((n for n in with_family if n.partner_family), None)
        letter = _first_letter(named.family) if self._rules.keep_initials else None
        if self._rules.keep_family and key and key in self._families:
            shared = parse_label(f"X {self._families[key]}")
            particle, family = shared.particle, shared.family or ""
        else:
            particle, family = self._family_word(pick, named.particle, letter)
            if self._rules.keep_family and key:
                self._families[key] = " ".join(part for part in (particle, family) if part)
        second = self._family_word(pick, None, None)[1] if partner is not None else None
        if second is not None and is_reserved(family.partition("-")[0]):
            second = None  # a double name that is one unit stays as it is
        return particle, family, second

    def _family_word(self, pick: _Pick, particle: str | None, letter: str | None) -> tuple[str | None, str]:
        bare = self._bag(("family", None), letter, lambda: [f.word for f in self._pool.bare])
        wanted = _alike(particle) if particle is not None else ()
        known = self._pool.by_particle
        word: str | None = None
        if wanted:
            choices = self._bag(
                ("family", wanted), letter, lambda: sorted({f.word for p in wanted for f in known.get(p, ())})
            )
            word = self._single(pick, choices)
        if word is None:
            word = self._single(pick, bare)
        if word is None:
            word = self._double(pick, bare)
        if not wanted:
            return None, word
        fitting = [p for p in wanted if p in self._pool.particles_of(word)] or list(wanted)
        return fitting[pick(len(fitting))], word

    def _bag(self, key: tuple[str, object], letter: str | None, words: Callable[[], Iterable[str]]) -> "_Bag":
        if (bag := self._bags.get((key, letter))) is None:
            everything = tuple(word for word in words() if letter is None or fold(word).startswith(letter))
            bag = _Bag(
                tuple(word for word in everything if not is_reserved(word)),
                tuple(word for word in everything if is_reserved(word) and not self._real.has(word)),
            )
            self._bags[key, letter] = bag
        return bag

    def _single(self, pick: _Pick, bag: "_Bag") -> str | None:
        """A word of its own for one person; None when none is left."""
        words = bag.words
        if bag.is_empty or not words:
            return None
        for _ in range(_TRIES):
            word = words[pick(len(words))]
            if self._is_free(word) and not self._real.inside(word):
                return self._take(word)
        start = pick(len(words))
        left = [word for word in words[start:] + words[:start] if self._is_free(word)]
        if not left:
            bag.is_empty = True
            return None
        return self._take(next((word for word in left if not self._real.inside(word)), left[0]))

    def _double(self, pick: _Pick, bag: "_Bag") -> str:
        """Two words that only stand in double names.

        Raises:
            SurrogatesExhaustedError: all pairs are taken.
        """
        kept = bag.reserved
        if len(kept) > 1:
            first, second = pick(len(kept)), pick(len(kept))
            for step in range(len(kept) ** 2):
                left = kept[(first + step) % len(kept)]
                right = kept[(second + step // len(kept)) % len(kept)]
                if left != right and self._is_new(f"{left}-{right}"):
                    return self._take(f"{left}-{right}")
        raise SurrogatesExhaustedError(
            "no unique surrogate can be formed from the name lists; use another style, or another project"
        )

    def _is_free(self, word: str) -> bool:
        return not self._real.has(word) and self._is_new(word)

    def _is_new(self, word: str) -> bool:
        """Whether nobody of the project ever had the word."""
        folded = fold(word)
        if folded in self._used:
            return False
        if folded not in self._never_given:
            if self._given_among([folded]):
                self._used.add(folded)
                return False
            self._never_given.add(folded)
        return True

    def _take(self, word: str) -> str:
        self._used.add(fold(word))
        return word

    def _picker(self, material: bytes | None) -> _Pick:
        if material is None:
            return lambda below: int.from_bytes(self._entropy(8), "big") % below
        if self._seed_of is None:
            raise SettingsError("deterministic surrogates need a key of the project")
        stream = _stream(self._seed_of(material))
        return lambda below: next(stream) % below


class TagLabels:
    """<PERSOON-3>: a counter of the project.

    stored gives the tags that the project has or had, highest a number that is known from elsewhere to have
    been given. avoid: numbers that the inputs hold as their own text.
    """

    def __init__(
        self,
        *,
        word: str = "PERSOON",
        stored: Callable[[], Iterable[str]],
        highest: Callable[[], int] = lambda: 0,
        avoid: Collection[str] = (),
    ) -> None:
        self._word = word
        self._stored = stored
        self._highest = highest
        self._avoid = frozenset(avoid)

    @property
    def style(self) -> Style:
        return Style.TAG

    def draw(
        self, requests: Sequence[LabelRequest], *, taken: Callable[[Collection[str]], Collection[str]]
    ) -> list[str]:
        number = max((tag_number(label) for label in self._stored()), default=0)
        number = max(number, self._highest())
        labels: list[str] = []
        for request in requests:
            number += 1
            while (label := tag_text(request.word or self._word, number)) in self._avoid:
                number += 1
            labels.append(label)
        if taken(labels):
            raise SurrogatesExhaustedError("a tag that was drawn is taken already; run again")
        return labels


def family_key(name: PersonName) -> str:
    """Under which relatives of one family name meet; empty where it is not known."""
    return fold(" ".join(part for part in (name.particle, name.family) if part)) if name.family else ""


def count_clashes(labels: Iterable[str], real: RealNames) -> int:
    """Surrogates that hold a word which is, by now, a real name in the project too."""
    return sum(
        any(real.has(word) for unit in label_words(label) for word in unit.split()) for label in labels
    )


def label_words(label: str) -> Iterator[str]:
    """What of a surrogate stands for one person alone: words, and double names that are one unit; folded."""
    name = parse_label(label)
    for part in (*(name.given or "").split(), name.family, name.partner_family):
        if part is None:
            continue
        first = part.partition("-")[0]
        if first != part and not is_reserved(first):
            yield from (fold(word) for word in part.split("-"))
        else:
            yield fold(part)


def _alike(particle: str) -> tuple[str, ...]:
    """Particles to choose from: common Dutch ones of as many words; one of another language stays itself."""
    folded = " ".join(particle.lower().split())
    particles = Language.load("nl").particles
    usual = particles(ParticleUse.INVENTED)
    if folded in usual or folded.split(" ")[0] in particles(ParticleUse.INVENTED_START):
        count = 1 if " " not in folded else 2
        return tuple(p for p in usual if len(p.split()) == count)
    return (folded,)


def _first_letter(part: str | None) -> str | None:
    letters = [c for c in fold(part or "") if c.isalpha()]
    return letters[0] if letters else None


def _stream(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield int.from_bytes(hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()[:8], "big")
        counter += 1
