"""What stands left and right of a span says how much of a name is expected there: a table of log-odds.

The table is counted by scripts/train_detection from the training texts; it knows words that no list of cues
has ("zag", "belt", a colon at the start of a line), alone and in pairs.
"""

import re
from collections.abc import Mapping
from itertools import islice

from linkage.kept_words import remembered
from linkage.records import fold

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|\n+|[^\w\s]")
_LETTERS_AROUND = 60  # in which the two tokens beside a span are looked for
_LETTERS_NEAR = 16  # in which they mostly are
_WORDS_KEPT = 16_384
_LINE_END, _FIGURES, _TEXT_END = "¶", "#", "¶¶"


def token_places(text: str) -> list[tuple[int, int, str]]:
    """Start, end and token of each in a text: folded words, "#" for figures, "¶" for line ends."""
    return [(match.start(), match.end(), _key(match.group())) for match in _TOKEN.finditer(text)]


def slot_keys(side: str, first: str, *, nearest: str, next_nearest: str) -> tuple[str, str]:
    """The table's keys for two tokens beside a span: the nearest alone, and both.

    side: "L" or "R"; first: the first character of the span.
    """
    case = "C" if first.isupper() else "l"
    return f"{side}{case} {nearest}", f"{side}{case} {nearest} {next_nearest}"


def slot_score(table: Mapping[str, float], side: str, text: str, start: int, end: int) -> float:
    """Log-odds of a name at text[start:end] by what stands on one side, "L" or "R"; 0 = nothing is known."""
    around = _before(text, start) if side == "L" else _after(text, end)
    nearest, next_nearest, *_ = (*map(_key, around), _TEXT_END, _TEXT_END)
    alone, both = slot_keys(side, text[start], nearest=nearest, next_nearest=next_nearest)
    score = table.get(both)
    return table.get(alone, 0.0) if score is None else score


def _before(text: str, start: int) -> list[str]:
    """The two tokens before start, the nearest first."""
    first = max(0, start - _LETTERS_AROUND)
    # No token holds a blank: from one on the tokens are those of the whole, and mostly two are there.
    blank = text.rfind(" ", first, max(first, start - _LETTERS_NEAR))
    if blank >= 0 and len(near := _TOKEN.findall(text, blank, start)) > 1:
        return near[-1:-3:-1]
    return _TOKEN.findall(text, first, start)[-1:-3:-1]


def _after(text: str, end: int) -> list[str]:
    """The two tokens from end on."""
    return [match.group() for match in islice(_TOKEN.finditer(text, end, end + _LETTERS_AROUND), 2)]


@remembered(_WORDS_KEPT)
def _key(token: str) -> str:
    if token[0] == "\n":
        return _LINE_END
    if token[0].isdigit():
        return _FIGURES
    return fold(token) or token.lower()
