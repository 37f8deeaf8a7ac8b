"""Which files hold several notes."""

import pytest

from pseudonymizer import formats
from pseudonymizer.engine.notes import notes_in


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
