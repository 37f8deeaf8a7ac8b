"""What stands left and right of a span says how much of a name is expected there: a table of log-odds.

The table is counted by scripts/train_detection from the training texts; it knows words that no list of cues
has ("zag", "belt", a colon at the start of a line), alone and in pairs.
"""

import re
from collections.abc import Mapping

from linkage.records import fold

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|\n+|[^\w\s]")
_LETTERS_AROUND = 60  # in which the two tokens beside a span are looked for
_LINE_END, _FIGURES, _TEXT_END = "¶", "#", "¶¶"


def slot_tokens(text: str) -> list[str]:
    """The tokens of a text as the table knows them: folded words, "#" for figures, "¶" for line ends."""
    return [_key(token) for token in _TOKEN.findall(text)]


def token_places(text: str) -> list[tuple[int, int, str]]:
    """The same with their places: start, end, token."""
    return [(match.start(), match.end(), _key(match.group())) for match in _TOKEN.finditer(text)]


def slot_keys(side: str, first: str, *, nearest: str, next_nearest: str) -> tuple[str, str]:
    """The table's keys for two tokens beside a span: the nearest alone, and both.

    side: "L" or "R"; first: the first character of the span.
    """
    case = "C" if first.isupper() else "l"
    return f"{side}{case} {nearest}", f"{side}{case} {nearest} {next_nearest}"


def slot_score(table: Mapping[str, float], side: str, text: str, start: int, end: int) -> float:
    """Log-odds of a name at text[start:end] by what stands on one side, "L" or "R"; 0 = nothing is known."""
    if side == "L":
        around = slot_tokens(text[max(0, start - _LETTERS_AROUND) : start])[-1:-3:-1]
    else:
        around = slot_tokens(text[end : end + _LETTERS_AROUND])[:2]
    nearest, next_nearest, *_ = (*around, _TEXT_END, _TEXT_END)
    alone, both = slot_keys(side, text[start], nearest=nearest, next_nearest=next_nearest)
    score = table.get(both)
    return table.get(alone, 0.0) if score is None else score


def _key(token: str) -> str:
    if token[0] == "\n":
        return _LINE_END
    if token[0].isdigit():
        return _FIGURES
    return fold(token) or token.lower()
