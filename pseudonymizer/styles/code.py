"""The code style: the word of a kind and a short code, such as `PERSOON-7KQM3`.

A code is 5 to 9 letters of Crockford's base32. The last two are check letters. The first of them is a MAC of
the letters before it. The second makes a weighted sum over GF(32) of all letters come out at a secret number.
The weights are secret, distinct and not zero, so every single wrong letter and every swap of two letters is
found. A code holds a digit from 2 to 9 and a letter, so that no word and no number reads as one.

The letters before the check letters are a number that counts up, in an order that looks random: a permutation
of all numbers of a length under a secret key. So each code tells the holder of the key how many were given
before it, and a store that knows one code knows how far the project was.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from pseudonymizer.crypto import Binder, derive_key
from pseudonymizer.errors import SurrogatesExhaustedError
from pseudonymizer.records import Style
from pseudonymizer.styles.labels import ALPHABET, LabelRequest

SHORTEST: Final = 5  # letters of the first codes of a project, check letters included
LONGEST: Final = 9  # 2**35 codes before their check letters: no project comes to the end of them
CHECK_LETTERS: Final = 2
DEFAULT_WORD: Final = "PERSOON"
_BITS: Final = 5  # of a letter
_USED_SHARE: Final = 32  # of the numbers of a length, the first one in 32 is given
_ROUNDS: Final = 10  # of the permutation, as many as FF1 of NIST SP 800-38G has
_MOST_MADE: Final = 65_536  # codes whose numbers are kept in memory, a few megabytes
_VALUE: Final = {letter: value for value, letter in enumerate(ALPHABET)}
_TYPED: Final = str.maketrans({"O": "0", "I": "1", "L": "1"})
_DIGITS: Final = frozenset("23456789")
_LETTERS: Final = frozenset(ALPHABET) - frozenset("0123456789")
_FIELD: Final = 0b100101  # x^5 + x^2 + 1, a primitive polynomial over GF(2)


def _tables() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(powers of x in GF(32), twice in a row; the logarithm of each number but 0)."""
    powers, logs, value = [], [0] * 32, 1
    for exponent in range(31):
        powers.append(value)
        logs[value] = exponent
        value <<= 1
        if value & 32:
            value ^= _FIELD
    return tuple(powers * 2), tuple(logs)


_POWERS, _LOGS = _tables()


def code_text(word: str, code: str) -> str:
    """The label of a code: `PERSOON-7KQM3`."""
    return f"{word}-{code}"


def code_of(label: str) -> str | None:
    """The code in a label as it is stored; None where the label has another form."""
    word, hyphen, code = label.partition("-")
    is_label = bool(hyphen) and word.isascii() and word.isalpha() and word.isupper()
    return code if is_label and has_form(code) else None


def typed_code(text: str) -> str:
    """The letters as Crockford's alphabet reads them: capitals, O as 0, I and L as 1."""
    return text.upper().translate(_TYPED)


def has_form(code: str) -> bool:
    """Whether the letters could be a code: their number, the alphabet, a digit from 2 to 9 and a letter."""
    letters = set(code)
    return (
        SHORTEST <= len(code) <= LONGEST
        and letters <= _VALUE.keys()
        and not letters.isdisjoint(_DIGITS)
        and not letters.isdisjoint(_LETTERS)
    )


def numbers_of(length: int) -> int:
    """How many numbers of a length a project may use: one in 32. About three in four make a code."""
    return int(32 ** (length - CHECK_LETTERS)) // _USED_SHARE


class CodeMaker:
    """Makes and checks the codes of a project.

    order: the key of the permutation and of the sums. It is never rotated, so that numbers go on, and that a
    code of any age which was altered in one letter fits no code of today. checks: the MAC keys by version.
    The newest makes codes, all of them check.
    """

    __slots__ = ("_binders", "_made", "_newest", "_order", "_rounds", "_sums")

    def __init__(self, order: bytes, checks: Mapping[int, bytes]) -> None:
        self._order = order
        self._rounds = Binder(derive_key(order, b"nymlink/code/order"), b"nymlink/order")
        self._binders = {version: Binder(key, b"nymlink/code") for version, key in checks.items()}
        self._newest = self._binders[max(checks)]
        self._sums: dict[int, tuple[tuple[int, ...], int]] = {}
        self._made: dict[
            str, int
        ] = {}  # numbers of codes made last, which are asked for when they are stored

    def code(self, number: int, length: int) -> str:
        """The code of a number, below 32 ** (length - 2). It may lack the form of a code."""
        count = length - CHECK_LETTERS
        start = self._permuted(number, count * _BITS)
        values = [start >> _BITS * place & 31 for place in reversed(range(count))]
        values.append(_check(self._newest, values))
        weights, aim = self._sum_of(length)
        rest = aim ^ _weighted(weights, values)
        values.append(_POWERS[_LOGS[rest] - _LOGS[weights[-1]] + 31] if rest else 0)
        code = "".join([ALPHABET[value] for value in values])
        if len(self._made) >= _MOST_MADE:
            self._made.clear()
        self._made[code] = number
        return code

    def number(self, code: str) -> int:
        """The number of a code of any version."""
        if (made := self._made.get(code)) is not None:
            return made
        start = 0
        for letter in code[:-CHECK_LETTERS]:
            start = start << _BITS | _VALUE[letter]
        return self._permuted(start, (len(code) - CHECK_LETTERS) * _BITS, back=True)

    def is_valid(self, code: str) -> bool:
        """Whether the letters have the form of a code and the check letters of this project."""
        if not has_form(code):
            return False
        values = [_VALUE[letter] for letter in code]
        weights, aim = self._sum_of(len(code))
        if _weighted(weights, values) != aim:
            return False
        start, check = values[:-CHECK_LETTERS], values[-CHECK_LETTERS]
        return any(_check(binder, start) == check for binder in self._binders.values())

    def _permuted(self, number: int, bits: int, *, back: bool = False) -> int:
        """The number that the permutation of all numbers of so many bits puts in place of this one.

        A Feistel network: in each round one part of the bits is changed by a keyed hash of the other part.
        """
        half = bits // 2
        low = bits - half
        left, right = number >> low, number & (1 << low) - 1
        for turn in reversed(range(_ROUNDS)) if back else range(_ROUNDS):
            if turn % 2 == 0:
                left ^= self._round(bits, turn, right) & (1 << half) - 1
            else:
                right ^= self._round(bits, turn, left) & (1 << low) - 1
        return left << low | right

    def _round(self, bits: int, turn: int, part: int) -> int:
        return int.from_bytes(self._rounds.tag(bytes([bits, turn]) + part.to_bytes(4, "big"))[:4], "big")

    def _sum_of(self, length: int) -> tuple[tuple[int, ...], int]:
        """(the weight of each letter, the sum that the letters of a code must come to)."""
        if (found := self._sums.get(length)) is None:
            stream = derive_key(self._order, b"nymlink/code/sum/%d" % length, length=8 * 32)
            pieces = [int.from_bytes(stream[at : at + 8], "big") for at in range(0, len(stream), 8)]
            left = list(range(1, 32))
            weights = tuple([left.pop(piece % len(left)) for piece in pieces[:length]])
            found = self._sums[length] = weights, pieces[length] % 32
        return found


def _weighted(weights: Sequence[int], values: Sequence[int]) -> int:
    """The weighted sum over GF(32) of as many values as there are."""
    total = 0
    for weight, value in zip(weights, values, strict=False):
        if value:
            total ^= _POWERS[_LOGS[weight] + _LOGS[value]]
    return total


def _check(binder: Binder, values: Sequence[int]) -> int:
    return binder.tag(bytes([len(values), *values]))[0] & 31


@dataclass(frozen=True, slots=True, order=True)
class CodesGiven:
    """How far a project is: the length of the codes that it gives now, and the first number not yet used."""

    length: int = SHORTEST
    number: int = 0

    @classmethod
    def by(cls, maker: CodeMaker, codes: Iterable[str]) -> Self:
        """How far a project is that has given these codes."""
        return max((cls(len(code), maker.number(code) + 1) for code in codes), default=cls())


class CodeLabels:
    """Draws codes. A LabelSource.

    word: of a request without a word of its own. given: how far the project is. avoid: labels and codes that
    the inputs hold as their own text.
    """

    def __init__(
        self,
        maker: CodeMaker,
        *,
        word: str = DEFAULT_WORD,
        given: Callable[[], CodesGiven] = CodesGiven,
        avoid: Iterable[str] = (),
    ) -> None:
        self._maker, self._word, self._given = maker, word, given
        self._avoid = frozenset(typed_code(text.rpartition("-")[2]) for text in avoid)

    @property
    def style(self) -> Style:
        return Style.CODE

    def draw(
        self, requests: Sequence[LabelRequest], *, taken: Callable[[Collection[str]], Collection[str]]
    ) -> list[str]:
        """A label for each request; no code of them was ever given, whatever word stood before it."""
        codes = self._free() if requests else iter(())
        labels = [code_text(request.word or self._word, next(codes)) for request in requests]
        if labels and taken(labels):
            raise SurrogatesExhaustedError("a code that was drawn is taken already; run again")
        return labels

    def _free(self) -> Iterator[str]:
        """The codes that the project gives next.

        Raises:
            SurrogatesExhaustedError: the longest length is used up.
        """
        given = self._given()
        number = given.number
        for length in range(given.length, LONGEST + 1):
            while number < numbers_of(length):
                code = self._maker.code(number, length)
                number += 1
                if has_form(code) and code not in self._avoid:
                    yield code
            number = 0
        raise SurrogatesExhaustedError("the project has used up its codes; use the style token")
