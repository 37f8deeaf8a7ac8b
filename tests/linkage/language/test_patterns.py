"""The table of phrases beside names."""

import re
from pathlib import Path

import pytest

from linkage.errors import KindsError
from linkage.language import Language, Meaning, Place
from linkage.language.patterns import read_patterns
from linkage.shipped_data import data_directory


def _table(folder: Path, *rows: str) -> Path:
    table = folder / "patterns.tsv"
    table.write_text("\n".join(["meaning\tplace\texpression", *rows]) + "\n", encoding="utf-8")
    return table


def test_phrases_of_one_meaning_and_place_are_one_expression(tmp_path: Path) -> None:
    table = _table(tmp_path, "and\tbetween\tka", "born\tbefore\tzu {TITLE}", "and\tbetween\tmo")
    found = read_patterns(table, {"TITLE": "(?:don|dona)"})
    assert found[Meaning.AND, Place.BETWEEN] == "(?:ka|mo)"
    assert re.fullmatch(found[Meaning.BORN, Place.BEFORE], "zu dona")


@pytest.mark.parametrize(
    "row", ["both\tbetween\tka", "and\tbeside\tka", "and\tbetween\t(ka", "and\tbetween\t{TITEL} ka"]
)
def test_a_row_that_cannot_be_used_is_refused_with_its_line(tmp_path: Path, row: str) -> None:
    with pytest.raises(KindsError, match=r"patterns\.tsv, line 3"):
        read_patterns(_table(tmp_path, "and\tbetween\tka", row), {})


@pytest.mark.parametrize("meaning", Meaning)
def test_dutch_has_phrases_of_every_meaning(meaning: Meaning) -> None:
    language = Language.load("nl")
    assert any(language.phrases(meaning, place) != "(?!)" for place in Place)


def test_every_row_is_one_that_the_code_asks_for() -> None:
    """A meaning in a place that nothing asks for would be dead."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in _SOURCES)
    rows = (data_directory() / "languages" / "nl" / "patterns.tsv").read_text(encoding="utf-8").splitlines()
    for meaning, place in {tuple(row.split("\t")[:2]) for row in rows[1:]}:
        asked = {f"Meaning.{Meaning(meaning).name}", f"Place.{Place(place).name}"}
        assert all(name in source for name in asked), (meaning, place)


_SOURCES = [
    path
    for package in ("linkage", "pseudonymizer")
    for path in (Path(__file__).resolve().parents[3] / package).rglob("*.py")
    if path.name != "patterns.py"
]
