"""Which files hold several notes."""

import pytest

from pseudonymizer import formats
from pseudonymizer.engine.notes import NotesDone, notes_in


@pytest.mark.parametrize(
    ("name", "raw", "count"),
    [
        ("a.jsonl", b'{"text": "Jan", "van": "Els Mol"}\n{"text": "Piet"}\n', 2),
        ("a.csv", b"naam;notitie\r\nJan;belde\r\nEls;kwam\r\n", 2),
        ("a.csv", b"1;2\r\n3;4\r\n5;6\r\n", 3),
        ("a.txt", b"Jan belde.\nEls kwam.\n", 0),
    ],
)
def test_lines_and_rows_are_notes_and_a_text_is_none(name: str, raw: bytes, count: int) -> None:
    assert notes_in(formats.read(raw, name=name)) == count


def test_notes_are_done_as_their_texts_are_searched() -> None:
    told: list[int] = []
    # A mail of three texts, lines of JSON, and a table of 100 rows in four texts.
    done = NotesDone([1, 3, 100], [0, 0, 0, 1, 1, 1, 2, 2, 2, 2], told.append)
    for _ in range(10):
        done(1)
    assert told == [0, 0, 1, 2, 3, 4, 29, 54, 79, 104]
    assert NotesDone.of([], [], None) is None
    files = [formats.read(b'{"text": "Jan"}\n{"text": "Piet"}\n', name="a.jsonl")]
    made = NotesDone.of(files, [0, 0], told.append)
    assert made is not None
    made(2)
    assert told[-1] == 2
