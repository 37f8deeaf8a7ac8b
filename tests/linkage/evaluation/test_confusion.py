"""Which kind each mention was found as."""

from hypothesis import given
from hypothesis import strategies as st

from linkage.evaluation.confusion import Confusion, confusion_of
from linkage.records import Span

MAIL, INNER, STREET = Span(0, 20), Span(2, 6), Span(30, 40)


def test_the_same_label_is_right_whatever_its_bounds() -> None:
    found = confusion_of([(STREET, "STREET")], [(Span(30, 36), "STREET")])
    assert found == Confusion({("STREET", "STREET"): 1}, {}, {})


def test_another_label_at_the_place_is_a_confusion_and_counts_once() -> None:
    found = confusion_of([(STREET, "STREET")], [(STREET, "PLACE"), (Span(31, 33), "CITY")])
    assert found == Confusion({("STREET", "PLACE"): 1}, {}, {"CITY": 1})


def test_a_name_inside_a_found_address_is_missed_and_no_confusion() -> None:
    gold = [(MAIL, "EMAIL"), (INNER, "PERSON")]
    assert confusion_of(gold, [(MAIL, "EMAIL")]) == Confusion({("EMAIL", "EMAIL"): 1}, {"PERSON": 1}, {})
    both = confusion_of(gold, gold)
    assert both == Confusion({("EMAIL", "EMAIL"): 1, ("PERSON", "PERSON"): 1}, {}, {})


def test_pieces_of_one_mention_are_one_and_two_mentions_in_one_span_are_two() -> None:
    pieces = [(Span(30, 34), "DATE"), (Span(35, 40), "DATE")]
    assert confusion_of([(STREET, "DATE")], pieces) == Confusion({("DATE", "DATE"): 1}, {}, {})
    assert confusion_of(pieces, [(STREET, "DATE")]) == Confusion({("DATE", "DATE"): 2}, {}, {})


def test_nothing_there_is_false_unless_it_is_unsure() -> None:
    assert confusion_of([], [(MAIL, "EMAIL")]) == Confusion({}, {}, {"EMAIL": 1})
    assert confusion_of([], [(MAIL, "EMAIL")], [INNER]) == Confusion()


_SPANS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from("ABC")).map(
        lambda one: (Span(one[0], one[0] + one[1]), one[2])
    ),
    max_size=7,
)


@given(_SPANS, _SPANS)
def test_each_mention_is_in_one_cell_and_no_found_span_in_two(
    gold: list[tuple[Span, str]], found: list[tuple[Span, str]]
) -> None:
    told = confusion_of(gold, found)
    assert sum(told.together.values()) + sum(told.missed.values()) == len(set(gold))
    wrong = sum(count for (a, b), count in told.together.items() if a != b)
    assert wrong + sum(told.false.values()) <= len(set(found))
    assert told == confusion_of(gold[::-1], found[::-1])
    assert told.labels <= {label for _, label in (*gold, *found)}
