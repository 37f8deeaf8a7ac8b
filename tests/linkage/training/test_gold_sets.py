"""Gold documents against what a network finds."""

from linkage.training.gold_sets import trim, windows_of


def test_a_window_ends_at_a_sentence() -> None:
    pieces = [(at, at + 1, "." if at == 70 else "mora") for at in range(120)]
    assert windows_of(pieces) == [(0, 71), (71, 120)]


def test_a_possessive_s_is_no_part_of_a_name() -> None:
    assert trim(" Abelo's ", 0, 8) == (1, 6)
