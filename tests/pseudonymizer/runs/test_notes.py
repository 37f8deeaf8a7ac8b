"""How many notes the files of a run have, and in which words they are counted."""

from pathlib import Path

import pytest

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.formats.units import units_of
from pseudonymizer.runs.notes import counted, notes_of, rejected_of

ROWS = 'naam;notitie\r\nJan;"belde\r\nlater"\r\nEls;x\r\n'


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("a.jsonl", '{"a": 1}\n\n{"a": 2}\n{"a": 3}', 3),
        ("a.csv", ROWS, 2),
        ("a.csv", "1;2\r\n3;4\r\n", 2),
        ("a.mbox", "From a@b.nl Fri May  3 10:00:00 2024\nA: b\n\nx\n" * 4, 4),
        ("a.txt", "een\ntwee\n", 1),
        ("a.csv", "", 1),
    ],
)
def test_notes_are_counted_ahead(tmp_path: Path, name: str, text: str, count: int) -> None:
    (tmp_path / name).write_text(text, newline="")
    (source,) = find_sources([tmp_path / name])
    assert notes_of(source) == count


def test_notes_of_units_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(ROWS.replace("Els;x\r\n", "Els;x\r\n" * 600), newline="")
    units = units_of(path, unit_bytes=500)
    assert len(units) > 5
    assert sum(unit.notes for unit in units) == 601


def test_what_is_counted_is_said() -> None:
    assert [counted([1, 1]), counted([5, 7]), counted([1, 7]), counted([])] == [
        "files", "notes", "files and notes", "files",
    ]  # fmt: skip


def test_lines_that_are_left_out_are_read_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{oeps\n{"a": 3}')
    (source,) = find_sources([path])
    assert rejected_of(source, "jsonl", {2}) == {2: b"{oeps\n"}
    path.unlink()
    assert rejected_of(source, "jsonl", {2}) == {}
