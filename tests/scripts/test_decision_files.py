from pathlib import Path

import pytest
from ner_training.decision_files import destinations, write_together


def test_another_model_leaves_the_shipped_table_alone() -> None:
    data, elsewhere = Path("data"), Path("tries") / "a.json"
    shipped = (
        data / "languages/nl/models/detection.json",
        data / "languages/nl/lexicon/name_slots/name_slots.tsv",
    )
    assert destinations(data, out=None, slots=None) == shipped
    assert destinations(data, out=elsewhere, slots=None) == (elsewhere, Path("tries/name_slots.tsv"))
    assert destinations(data, out=elsewhere, slots=Path("b.tsv")) == (elsewhere, Path("b.tsv"))
    assert destinations(data, out=None, slots=Path("b.tsv")) == (shipped[0], Path("b.tsv"))


def test_files_are_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    model, table = tmp_path / "a" / "model.json", tmp_path / "table.tsv"
    table.write_text("old", encoding="utf-8")
    write_together({model: "{}\n", table: "new é"})
    assert model.read_text(encoding="utf-8") == "{}\n"
    assert table.read_text(encoding="utf-8") == "new é"
    assert table.stat().st_mode & 0o777 == 0o644
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "model.json", "table.tsv"]


def test_where_one_cannot_be_written_none_is_changed(tmp_path: Path) -> None:
    model, blocked = tmp_path / "model.json", tmp_path / "file" / "table.tsv"
    model.write_text("old", encoding="utf-8")
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    with pytest.raises(OSError):  # noqa: PT011 - whichever the system gives
        write_together({model: "new", blocked: "new"})
    assert model.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "model.json"]
