"""What a maker of values is, and what it draws from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Final, TypeVar

from faker import Faker

from linkage.texts import KindId

NONZERO: Final = "123456789"
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_T = TypeVar("_T")


@dataclass(frozen=True)
class Draw:
    """Chance with a seed, and Faker with the same seed for each locale."""

    seed: int
    random: Random = field(init=False)
    _fakers: dict[str, Faker] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "random", Random(self.seed))

    def faker(self, locale: str) -> Faker:
        if locale not in self._fakers:
            self._fakers[locale] = Faker(locale)
            self._fakers[locale].seed_instance(self.seed)
        return self._fakers[locale]

    def one_of(self, choices: Sequence[_T]) -> _T:
        return self.random.choice(choices)

    def digits(self, count: int, *, first: str = "0123456789") -> str:
        """So many figures, the first of them one of first."""
        rest = "".join(self.random.choice("0123456789") for _ in range(count - 1))
        return self.random.choice(first) + rest

    def letters(self, count: int, alphabet: str = _LETTERS) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(count))

    def shaped(self, shape: str) -> str:
        """The shape with a figure for each "#", one from 1 to 9 for each "%", a capital for each "?"."""
        made = {
            "#": lambda: self.digits(1),
            "%": lambda: self.digits(1, first=NONZERO),
            "?": lambda: self.letters(1),
        }
        return "".join(made[sign]() if sign in made else sign for sign in shape)

    def day(self, first: int = 1935, last: int = 2009) -> date:
        """A day of the years from first to last."""
        start = date(first, 1, 1)
        return start + timedelta(days=self.random.randrange((date(last, 12, 31) - start).days + 1))


@dataclass(frozen=True, slots=True)
class Made:
    """A value, and what stands right before and behind it: a town behind a postcode."""

    value: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes values of a kind as one country, or everybody, writes them.

    labels: words before such a value. alone: it is to be found without a label as well. by_generator: Faker,
    python-stdnum or phonenumbers makes or checks it.
    """

    kind: KindId
    country: str
    spelling: str
    make: Callable[[Draw], str | Made]
    labels: tuple[str, ...]
    alone: bool = False
    by_generator: bool = True

    @property
    def name(self) -> str:
        return f"{self.kind} {self.country} {self.spelling}"


def grouped(text: str, sizes: Sequence[int], mark: str = " ") -> str:
    """The text in groups of these sizes; the last size holds for all that is left."""
    groups: list[str] = []
    read_to = 0
    while read_to < len(text):
        size = sizes[min(len(groups), len(sizes) - 1)]
        groups.append(text[read_to : read_to + size])
        read_to += size
    return mark.join(groups)
