"""No pattern takes more than linear time, on long lines made of the pattern's own pieces."""

import re
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

import pytest

from linkage.detection import find_values
from linkage.detection.finder import shipped_finder
from linkage.kinds import Kinds
from linkage.language import Language

_PARSER: Final = vars(re)["_parser"]  # the standard library has no public way to take an expression apart
_DUTCH: Final = Language.load("nl")
_SHORT, _LONG = 10_000, 40_000  # letters; linear time grows by 4 between them, quadratic time by 16
_MOST_GROWTH: Final = 8
# A quadratic pattern takes at least 10,000 * 10,000 / 2 steps of some ns for the short line, .2 s and more;
# below a tenth of that no second measuring is needed.
_SURELY_LINEAR: Final = 0.02  # seconds
_MOST_SECONDS: Final = 1.5  # for the long line: 37 us a letter
_SAMPLES: Final = 2
_ROUNDS: Final = 4  # of measuring again where a time looks too long: other work may have had the machine


class _Sampler:
    """Makes texts that a pattern may match: one choice at each bar, few repetitions, nothing looked ahead."""

    def __init__(self, pattern: re.Pattern[str], seed: int) -> None:
        self._tree = _PARSER.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
        self._random = Random(seed)  # noqa: S311  choices, not secrets
        self._groups: dict[int, str] = {}

    def pieces(self) -> list[str]:
        """The text of each part of the pattern, in order."""
        return [piece for part in self._tree if (piece := self._text([part]))]

    def _text(self, parts: Any) -> str:
        return "".join(self._one(str(name), told) for name, told in parts)

    def _one(self, name: str, told: Any) -> str:
        match name:
            case "LITERAL":
                return chr(told)
            case "NOT_LITERAL" | "ANY":
                return "a"
            case "IN":
                return self._of_class(told)
            case "BRANCH":
                return self._text(self._random.choice(told[1]))
            case "SUBPATTERN":
                text = self._text(told[3])
                if told[0] is not None:
                    self._groups[told[0]] = text
                return text
            case "ATOMIC_GROUP":
                return self._text(told)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, inner = told
                count = self._random.randint(int(least), min(int(most), int(least) + 2))
                return "".join(self._text(inner) for _ in range(count))
            case "GROUPREF":
                return self._groups.get(told, "")
        return ""  # a place in the text, or a look ahead or behind

    def _of_class(self, members: Sequence[Any]) -> str:
        name, told = self._random.choice([one for one in members if str(one[0]) != "NEGATE"])
        if str(members[0][0]) == "NEGATE":
            return "a"
        match str(name):
            case "LITERAL":
                return chr(told)
            case "RANGE":
                return chr(self._random.randint(*told))
        return {"CATEGORY_DIGIT": "7", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a"}.get(str(told), "-")


def _lines(pattern: re.Pattern[str]) -> Iterator[str]:
    """What is repeated to make a long line: matches, their beginnings, and matches that are broken off."""
    seen = set()
    for seed in range(_SAMPLES):
        pieces = _Sampler(pattern, seed).pieces()
        whole = "".join(pieces)
        beginnings = ["".join(pieces[:count]) for count in range(1, len(pieces))]
        longest = max(pieces, key=len, default="")
        for line in (
            whole,
            f"{whole}-",
            whole[:-1],
            f"{whole[:-1]}#",
            longest,
            *beginnings[-1:],
            *beginnings[:1],
        ):
            if line and line not in seen:
                seen.add(line)
                yield line


def _seconds(pattern: re.Pattern[str], line: str, length: int) -> float:
    text = (line * (length // len(line) + 1))[:length]
    start = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return time.process_time() - start


def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    table = shipped_finder().table(_DUTCH, frozenset(Kinds.load()))
    return [
        (rows[0].pattern.id, pattern)
        for (_, pattern), rows in table._searches.items()
        if isinstance(pattern, re.Pattern)
    ]


@pytest.mark.parametrize(("name", "pattern"), _patterns(), ids=[name for name, _ in _patterns()])
def test_a_pattern_takes_linear_time(name: str, pattern: re.Pattern[str]) -> None:
    for line in _lines(pattern):
        short = _seconds(pattern, line, _SHORT)
        if short < _SURELY_LINEAR:
            continue
        long = _seconds(pattern, line, _LONG)
        for _ in range(_ROUNDS):
            if long < _MOST_GROWTH * short and long < _MOST_SECONDS:
                break
            long = min(long, _seconds(pattern, line, _LONG))
        assert long < _MOST_GROWTH * short, (name, line, short, long)
        assert long < _MOST_SECONDS, (name, line, long)


def test_the_measure_tells_a_quadratic_pattern() -> None:
    pattern = re.compile(r"a+b")
    short, long = _seconds(pattern, "a", _SHORT // 4), _seconds(pattern, "a", _LONG // 4)
    assert long > _MOST_GROWTH * short


@pytest.mark.parametrize(
    "line", ["bsn ", "tel 06-", "12-", "geb. ", "nr ", "Laan van ", "NL91 ABNA 0417 ", "a.b@", '"']
)
def test_finding_values_takes_linear_time(line: str) -> None:
    short, long = ((line * length)[:length] for length in (_SHORT, _LONG))
    least_short, least_long = _time_of(short), _time_of(long)
    for _ in range(_ROUNDS):
        if least_long < _MOST_GROWTH * least_short:
            break
        least_long = min(least_long, _time_of(long))
    assert least_long < _MOST_GROWTH * least_short, (line, least_short, least_long)


def _time_of(text: str) -> float:
    start = time.process_time()
    find_values(text, _DUTCH)
    return time.process_time() - start
