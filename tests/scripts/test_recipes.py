"""What a training reads by the recipe of a language."""

import json
from pathlib import Path

import pytest
from language_scores.gold_sets import SETS, is_held_out
from language_scores.preparation import GoldSource, NameSource, TextSource
from language_scores.recipes import Recipe

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "scripts" / "language_recipes.toml"


def made_up(shared: Path) -> Recipe:
    for folder in ("ner", "names/free", "text"):
        (shared / "data" / folder).mkdir(parents=True)
    rows = [{"doc_id": f"d{number}", "text": "Grüße, Özlem", "mentions": []} for number in range(40)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (shared / "data/ner/a.identifiers.jsonl").write_text(lines, encoding="utf-8")
    for name in ("b.bio", "c.bio"):
        (shared / "data/ner" / name).write_text("Anna\tB-PER\n", encoding="utf-8")
    (shared / "data/names/free/g.tsv").write_text("name\tcount\nAnna\t9\nBea\t8\n", encoding="utf-8")
    (shared / "data/text/t.txt").write_text("Guten Tag", encoding="utf-8")
    gold = GoldSource("a.identifiers.jsonl", times=2), GoldSource("b.bio")
    return Recipe("xx", gold, (GoldSource("c.bio"),), (NameSource("g.tsv", 1),), (TextSource("t.txt"),), 30)


def test_an_order_has_the_files_of_its_recipe(tmp_path: Path) -> None:
    order = made_up(tmp_path).order(tmp_path, tmp_path / "work", tmp_path / "out", batches=7)
    read = [json.loads(line) for line in order.gold[0].read_text(encoding="utf-8").splitlines()]
    assert [row["doc_id"] for row in read] == [f"d{n}" for n in range(40) if not is_held_out(f"d{n}")]
    assert order.gold[1:] == (order.gold[0], tmp_path / "data/ner/b.bio")
    assert order.borrowed == (tmp_path / "data/ner/c.bio",)
    assert order.names[0].read_text(encoding="utf-8") == "name\tcount\torigin\nAnna\t9\t\n"
    assert [path.name for path in order.names[1:]] == [
        "foreign_names-given.tsv",
        "foreign_names-surnames.tsv",
    ]
    assert order.texts == (tmp_path / "data/text/t.txt",)
    assert (order.batches, order.hold_out) == (7, 0)


def test_the_same_recipe_gives_the_same_order(tmp_path: Path) -> None:
    recipe = made_up(tmp_path)
    first = recipe.order(tmp_path, tmp_path / "work", tmp_path / "out")
    assert recipe.order(tmp_path, tmp_path / "work", tmp_path / "out") == first
    assert recipe.order(tmp_path, tmp_path / "other", tmp_path / "out").fingerprint() == first.fingerprint()


@pytest.mark.parametrize("language", ["de", "en", "it"])
def test_no_set_that_only_measures_trains(language: str) -> None:
    recipe = Recipe.read(RECIPES, language)
    assert recipe.batches > 0
    assert recipe.names
    files = {one.file for one in (*recipe.gold, *recipe.borrowed)}
    never = {name.format(code) for name, only in SETS.items() if only for code in ("de", "en", "it", "fr")}
    assert not files & never
    assert not any(".test." in file for file in files)


def test_a_language_without_a_recipe_is_told() -> None:
    with pytest.raises(KeyError):
        Recipe.read(RECIPES, "xx")
