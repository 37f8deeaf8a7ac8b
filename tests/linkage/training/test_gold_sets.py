"""Gold documents against what a network finds."""

from linkage.training.gold_sets import as_marked, trim, windows_of
from linkage.training.windows import TextWithSpans


def test_a_window_ends_at_a_sentence() -> None:
    pieces = [(at, at + 1, "." if at == 70 else "mora") for at in range(120)]
    assert windows_of(pieces) == [(0, 71), (71, 120)]


def test_a_possessive_s_is_no_part_of_a_name() -> None:
    assert trim(" Abelo's ", 0, 8) == (1, 6)


def test_a_kind_counts_as_the_coarse_label_of_a_source() -> None:
    news = TextWithSpans("d", "Mora sa Abelo in Kiru", [(0, 4, "PER"), (17, 21, "LOC")], frozenset({"DATE"}))
    found = {(0, 4, "PER"), (17, 21, "CITY"), (8, 13, "CITY"), (5, 7, "DATE")}
    # The city is the place; the other city is false, and dates are not marked in this source.
    assert as_marked(news, found) == {(0, 4, "PER"), (17, 21, "LOC"), (8, 13, "CITY")}
    assert as_marked(news, {(17, 21, "ORGANIZATION")}) == {(17, 21, "ORGANIZATION")}


def test_where_all_kinds_are_marked_nothing_is_changed() -> None:
    office = TextWithSpans("d", "Mora in Kiru", [(0, 4, "PER"), (8, 12, "CITY")])
    found = {(0, 4, "PER"), (8, 12, "CITY"), (5, 7, "DATE")}
    assert as_marked(office, found) == found
