"""Words that a network knows beforehand."""

from pathlib import Path

import pytest

from linkage.errors import GazetteerError
from linkage.training.tokens import TokenRules
from linkage.training.windows import Window
from linkage.training.word_table import WIDTH, Names, build_words, read_names
from tests.linkage.training.invented import names


def test_names_are_read_by_their_columns(tmp_path: Path) -> None:
    read = read_names(names(tmp_path))
    assert read.given["Abelo"] == read.surnames["Kastrun"] == 9


def test_a_name_is_as_many_tokens_as_in_a_text(tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    path.write_text("surname\tcount\nD'Angra\t4\n", encoding="utf-8")
    assert read_names([path], TokenRules(elisions=frozenset({"d'"}))).surnames == {"D' Angra": 4}


def test_names_of_another_origin_are_kept_apart_and_known_with_one_bearer(tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    path.write_text("surname\tcount\torigin\nGralo\t4\t\nYendo\t900\teast\n", encoding="utf-8")
    read = read_names([path])
    assert (read.surnames, read.elsewhere["east"].surnames) == ({"Gralo": 4}, {"Yendo": 900})
    assert read.all_surnames() == {"Gralo": 4, "Yendo": 1}
    words, vectors = build_words([], read, "xx")
    assert words == ["gralo", "yendo"]
    assert vectors[0, 3] > vectors[1, 3] > 0


@pytest.mark.parametrize(("content", "told"), [("naam\nX\n", "no column"), ("name\tcount\nX\tv\n", "line 2")])
def test_bad_names_are_told_by_place(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "names.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(GazetteerError, match=told):
        read_names([path])


def test_words_that_stand_only_inside_names_of_persons_are_left_out() -> None:
    windows = [Window(["Abelo", "qmora", "Zutalq"], [(0, 1, "PER")])] * 2
    words, vectors = build_words(windows, Names({"Tavina": 3}, {}), "xx")
    assert words == ["qmora", "zutalq", "tavina"]
    assert vectors.shape == (3, WIDTH)
    assert vectors[2, 0] > 0
    assert vectors[0, 0] == 0
