"""How far a misspelt form is from a name: optimal string alignment with cheaper likely slips.

A transposition counts once (Damerau 1964, doi:10.1145/363958.363994). Cheaper than 1: the neighbouring key
on a QWERTY keyboard, a letter doubled or a double letter made single, and letters that scanners confuse.
"""

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


_NEIGHBOURS = _keyboard_neighbours()


def typing_distance(written: str, meant: str) -> float:
    """Weighted optimal string alignment distance of two folded forms; 0 for equal ones, symmetric, >= 0."""
    if written == meant:
        return 0.0
    before_last: list[float] = []
    last = [0.0]
    for column in range(1, len(meant) + 1):
        last.append(last[-1] + _insertion_cost(meant, column - 1))
    for row in range(1, len(written) + 1):
        letter = written[row - 1]
        deletion = _insertion_cost(written, row - 1)
        current = [last[0] + deletion]
        for column in range(1, len(meant) + 1):
            other = meant[column - 1]
            cost = min(
                last[column] + deletion,
                current[column - 1] + _insertion_cost(meant, column - 1),
                last[column - 1] + _substitution_cost(letter, other),
            )
            if row > 1 and column > 1 and letter == meant[column - 2] and written[row - 2] == other != letter:
                cost = min(cost, before_last[column - 2] + TRANSPOSITION_COST)
            current.append(cost)
        before_last, last = last, current
    return last[-1]


def _insertion_cost(word: str, place: int) -> float:
    """Cost of the letter at place being too much: less if it repeats its neighbour."""
    letter = word[place]
    repeats = (place > 0 and word[place - 1] == letter) or (
        place + 1 < len(word) and word[place + 1] == letter
    )
    return REPEAT_COST if repeats else 1.0


def _substitution_cost(left: str, right: str) -> float:
    if left == right:
        return 0.0
    pair = frozenset((left, right))
    if pair in _LOOKALIKES:
        return LOOKALIKE_COST
    return NEIGHBOUR_COST if pair in _NEIGHBOURS else 1.0
