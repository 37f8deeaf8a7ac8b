"""Labels of conversations and headers of letters as evidence of different people."""

import time

from linkage.normalization.evidence import joined_pairs
from linkage.normalization.turns import different_people
from linkage.records import Detector, Document, DocumentId, Mention, PersonName, Span


def _found(text: str, *surfaces: str) -> set[tuple[str, str]]:
    document = Document(DocumentId("d"), text)
    mentions: list[Mention] = []
    for surface in surfaces:
        start = text.index(surface, mentions[-1].span.end if mentions else 0)
        span = Span(start, start + len(surface))
        mentions.append(Mention.at(document, span, detector=Detector.NER, confidence=1.0))
    names = [PersonName(given=surface) for surface in surfaces]
    pairs = different_people(text, mentions, names)
    return {(surfaces[left], surfaces[right]) for left, right in pairs}


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


def test_sender_and_receivers_of_one_header() -> None:
    text = "Van: Marit Oosting\nAan: Marit Oostink\nCc: M. Oosterling\n\nHoi Marit,"
    found = _found(text, "Marit Oosting", "Marit Oostink", "M. Oosterling", "Marit")
    assert found == {
        ("Marit Oosting", "Marit Oostink"),
        ("Marit Oosting", "M. Oosterling"),
        ("Marit Oostink", "M. Oosterling"),
    }


def test_the_header_of_an_answered_letter_is_one_of_its_own() -> None:
    text = "Van: Marit Oosting\nAan: Fenna\n\nJa.\n\nVan: Fenna Oostink\nAan: Marit\n"
    found = _found(text, "Marit Oosting", "Fenna", "Fenna Oostink", "Marit")
    assert found == {("Marit Oosting", "Fenna"), ("Fenna Oostink", "Marit")}


def test_headers_without_end_are_a_list() -> None:
    names = [f"Naam{number}" for number in range(2_000)]
    pairs = _found("".join(f"aan: {name}\n" for name in names), *names)
    assert len(pairs) < 310 * 2_000 / 2  # and not their square


def test_a_text_of_one_line_is_not_read_again_for_each_mention() -> None:
    names = [f"Naam{number}" for number in range(20_000)]
    text = "\u20ac" + " " * 4_000_000 + " ".join(names)
    started = time.process_time()
    assert not _found(text, *names)
    assert time.process_time() - started < 5


def _row(length: int) -> set[tuple[int, int]]:
    names = [f"Naam{number}" for number in range(length)]
    document = Document(DocumentId("d"), ", ".join(names))
    mentions: list[Mention] = []
    for name in names:
        start = mentions[-1].span.end + 2 if mentions else 0
        span = Span(start, start + len(name))
        mentions.append(Mention.at(document, span, detector=Detector.NER, confidence=1.0))
    return joined_pairs(document.text, mentions, [PersonName(given=name) for name in names], str.islower)


def test_a_row_of_names_is_as_many_people() -> None:
    assert len(_row(300)) == 300 * 299 // 2


def test_of_a_row_of_thousands_only_near_names_are_told_apart() -> None:
    pairs = _row(5_000)
    assert (17, 18) in pairs
    assert len(pairs) < 90_001
