"""What a training reads by the recipe of a language: no document that measures, the first rows of lists."""

import json
from pathlib import Path

import pytest
from language_scores.gold_sets import is_held_out
from language_scores.recipes import Recipe

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "scripts" / "language_recipes.toml"


def made_up(shared: Path) -> Recipe:
    for folder in ("ner", "names/free", "text"):
        (shared / "data" / folder).mkdir(parents=True)
    rows = [{"doc_id": f"d{number}", "text": "Grüße, Özlem", "mentions": []} for number in range(40)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (shared / "data/ner/a.identifiers.jsonl").write_text(lines, encoding="utf-8")
    (shared / "data/ner/b.bio").write_text("Anna\tB-PER\n", encoding="utf-8")
    (shared / "data/names/free/g.tsv").write_text("name\tcount\nAnna\t9\nBea\t8\nCora\t7\n", encoding="utf-8")
    (shared / "data/text/t.txt").write_text("Guten Tag", encoding="utf-8")
    return Recipe("xx", ("a.identifiers.jsonl", "b.bio"), (("g.tsv", 2), ("g.tsv", 9)), ("t.txt",), 30)


def test_documents_that_measure_train_nothing(tmp_path: Path) -> None:
    order = made_up(tmp_path).order(tmp_path, tmp_path / "work", tmp_path / "out")
    read = [json.loads(line) for line in order.gold[0].read_text(encoding="utf-8").splitlines()]
    assert [row["doc_id"] for row in read] == [f"d{n}" for n in range(40) if not is_held_out(f"d{n}")]
    assert 0 < len(read) < 40
    assert {row["text"] for row in read} == {"Grüße, Özlem"}
    assert order.gold[1] == tmp_path / "data/ner/b.bio"
    assert order.hold_out == 0


def test_of_a_long_list_the_first_rows_are_read(tmp_path: Path) -> None:
    order = made_up(tmp_path).order(tmp_path, tmp_path / "work", tmp_path / "out", batches=7)
    assert order.names[0].read_text(encoding="utf-8") == "name\tcount\nAnna\t9\nBea\t8\n"
    assert order.names[1] == tmp_path / "data/names/free/g.tsv"
    assert order.texts == (tmp_path / "data/text/t.txt",)
    assert order.batches == 7


def test_the_same_recipe_gives_the_same_order(tmp_path: Path) -> None:
    recipe = made_up(tmp_path)
    first = recipe.order(tmp_path, tmp_path / "work", tmp_path / "out")
    assert recipe.order(tmp_path, tmp_path / "work", tmp_path / "out") == first
    assert recipe.order(tmp_path, tmp_path / "other", tmp_path / "out").fingerprint() == first.fingerprint()


def test_the_shipped_recipes_name_gold_names_and_text() -> None:
    recipe = Recipe.read(RECIPES, "de")
    assert recipe.batches == 2500
    assert recipe.gold
    assert recipe.names
    with pytest.raises(KeyError):
        Recipe.read(RECIPES, "xx")
