"""Windows of tokens."""

import random

from linkage.training.windows import (
    BLANK_LINE,
    LINE_BREAK,
    LONGEST_WINDOW,
    TextWithSpans,
    Window,
    bounded,
    cut_all,
    document_window,
    without_breaks,
)  # fmt: skip


def test_a_document_shows_its_lines_and_keeps_its_spans() -> None:
    document = TextWithSpans("d", "Abelo\nGralo\n\nmora", [(0, 5, "PER"), (6, 11, "PER")])
    window = document_window(document, [(0, 5), (6, 11), (13, 17)])
    assert window.tokens == ["Abelo", LINE_BREAK, "Gralo", BLANK_LINE, "mora"]
    assert window.spans == [(0, 1, "PER"), (2, 3, "PER")]


def test_parts_cut_no_span() -> None:
    window = Window(["mora"] * 400, [(at, at + 3, "PER") for at in range(0, 399, 3)])
    parts = cut_all([[window]], random.Random(1))  # noqa: S311
    assert sum(len(part.spans) for part in parts) == len(window.spans)
    assert sum(len(part.tokens) for part in parts) == len(window.tokens)
    assert max(len(one.tokens) for one in bounded([window])) == LONGEST_WINDOW


def test_breaks_become_spaces_of_the_same_length() -> None:
    assert without_breaks("ora\n> mora") == "ora   mora"
