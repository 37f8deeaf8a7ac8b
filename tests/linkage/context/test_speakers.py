"""Labels of conversations as evidence of different people. All names are invented."""

import time

from linkage.context.speakers import speakers
from tests.linkage.context.marked import mentions_of


def _found(text: str, *surfaces: str) -> set[tuple[str, str]]:
    mentions = mentions_of(text, *surfaces)
    return {(surfaces[left], surfaces[right]) for left, right in speakers(text, mentions)}


def test_labels_that_a_program_wrote_are_two_people() -> None:
    text = "[09:10] Sietske: hoi\n[09:11] Sytske: ha\n[09:12] Sietske: tot zo\n"
    assert _found(text, "Sietske", "Sytske", "Sietske") == {("Sietske", "Sytske")}


def test_typed_labels_count_where_both_come_back() -> None:
    once = "Sietske: hoi\nSytske: ha\nSietske: ja\n"
    assert not _found(once, "Sietske", "Sytske", "Sietske")
    assert _found(once + "Sytske: nee\n", "Sietske", "Sytske", "Sietske", "Sytske")


def test_a_list_of_thousands_is_no_conversation() -> None:
    labels = [f"Naam{number}" for number in range(5_000)]
    assert not _found("".join(f"09:10 {label}: hoi\n" for label in labels), *labels)


def test_a_shorter_label_may_be_the_same_person() -> None:
    text = "[09:10] Fenna Oosting: hoi\n[09:11] Fenna: ha\n[09:12] Fenna: ja\n"
    assert not _found(text, "Fenna Oosting", "Fenna", "Fenna")


def test_a_text_of_one_line_is_not_read_again_for_each_mention() -> None:
    names = [f"Naam{number}" for number in range(20_000)]
    text = "\u20ac" + " " * 4_000_000 + " ".join(names)
    started = time.process_time()
    assert not _found(text, *names)
    assert time.process_time() - started < 5
