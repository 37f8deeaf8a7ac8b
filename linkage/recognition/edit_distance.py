"""How far a misspelt form is from a name: optimal string alignment with cheaper likely slips.

A transposition counts once (Damerau 1964, doi:10.1145/363958.363994). Cheaper than 1: the neighbouring key
on a QWERTY keyboard, a letter doubled or a double letter made single, and letters that scanners confuse.
"""

import math

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_OFFSETS = (0.0, 0.25, 0.75)  # how far each row is shifted, in keys
NEIGHBOUR_COST = 0.7
REPEAT_COST = 0.6
TRANSPOSITION_COST = 0.8
LOOKALIKE_COST = 0.5
_LOOKALIKES = frozenset(
    frozenset(pair)
    for pair in ("o0", "l1", "i1", "il", "s5", "b8", "e3", "z2", "uv", "ce", "nu", "hb", "gq", "b6")
)


def _keyboard_neighbours() -> frozenset[frozenset[str]]:
    places = {
        letter: (column + _OFFSETS[row], row)
        for row, keys in enumerate(_ROWS)
        for column, letter in enumerate(keys)
    }
    return frozenset(
        frozenset((left, right))
        for left, (x, y) in places.items()
        for right, (other_x, other_y) in places.items()
        if left != right and abs(x - other_x) <= 1 and abs(y - other_y) <= 1
    )


def _substitution_costs() -> dict[str, dict[str, float]]:
    """Letter -> other letter -> the cost of one for the other, where it is less than 1."""
    pairs = dict.fromkeys(_keyboard_neighbours(), NEIGHBOUR_COST) | dict.fromkeys(_LOOKALIKES, LOOKALIKE_COST)
    costs: dict[str, dict[str, float]] = {}
    for pair, cost in pairs.items():
        left, right = pair
        costs.setdefault(left, {})[right] = cost
        costs.setdefault(right, {})[left] = cost
    return costs


_SUBSTITUTION_COSTS = _substitution_costs()
_NO_COSTS: dict[str, float] = {}


def typing_distance(written: str, meant: str, *, most: float = math.inf) -> float:
    """Weighted optimal string alignment distance of two folded forms; 0 for equal ones, symmetric, >= 0.

    most: a distance above it may be given as infinity.
    """
    if written == meant:
        return 0.0
    insertions, deletions = _insertion_costs(meant), _insertion_costs(written)
    before_last: list[float] = []
    last = [0.0]
    for insertion in insertions:
        last.append(last[-1] + insertion)
    letter_before = ""
    for letter, deletion in zip(written, deletions, strict=True):
        costs = _SUBSTITUTION_COSTS.get(letter, _NO_COSTS)
        cost = last[0] + deletion
        current = [cost]
        other_before = ""
        for column, other in enumerate(meant):
            substituted = last[column] + (0.0 if letter == other else costs.get(other, 1.0))
            cost += insertions[column]
            deleted = last[column + 1] + deletion
            cost = min(cost, deleted, substituted)
            if letter == other_before and letter_before == other != letter:
                cost = min(cost, before_last[column - 1] + TRANSPOSITION_COST)
            current.append(cost)
            other_before = other
        # A transposition looks two rows back.
        if min(current) > most and min(last) > most:
            return math.inf
        before_last, last = last, current
        letter_before = letter
    return last[-1]


def _insertion_costs(word: str) -> list[float]:
    """Cost of each letter being too much: less if it repeats its neighbour."""
    costs = [1.0] * len(word)
    for place in range(1, len(word)):
        if word[place - 1] == word[place]:
            costs[place - 1] = costs[place] = REPEAT_COST
    return costs
