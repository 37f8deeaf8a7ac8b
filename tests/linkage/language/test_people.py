"""Words for people: each table says what its words are asked for."""

from pathlib import Path

import pytest

from linkage.errors import KindsError
from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.language.people import PersonWord, TitleUse, Use, read_people, read_titles, used
from linkage.person_name import Gender

HEADER = "word\tgender\trole\tuses\n"

_HEAD = "title\tcategory\tposition\tgender\tvariants\tuses\n"


def test_a_row_is_a_word_with_its_uses(tmp_path: Path) -> None:
    table = tmp_path / "kin.tsv"
    table.write_text(HEADER + "zusje\tf\tzus\trelative cue\nouder\t\t\tcue\n")
    read = read_people(table)
    assert read == (
        PersonWord("zusje", Gender.FEMALE, "zus", frozenset({Use.RELATIVE, Use.CUE})),
        PersonWord("ouder", None, None, frozenset({Use.CUE})),
    )
    assert list(used(read, Use.RELATIVE)) == ["zusje"]


@pytest.mark.parametrize("row", ["zusje\tx\tzus\tcue", "zusje\tf\tzus\tcue sometimes"])
def test_an_unknown_gender_or_use_is_an_error_that_names_the_table(tmp_path: Path, row: str) -> None:
    table = tmp_path / "kin.tsv"
    table.write_text(HEADER + row + "\n")
    with pytest.raises(KindsError, match=r"kin\.tsv"):
        read_people(table)


def test_each_word_stands_once_in_its_table_in_small_letters() -> None:
    language = Language.load("nl")
    for table in (language.kin, language.roles, language.professions):
        words = [word.word for word in table]
        assert len(words) == len(set(words))
        assert [word for word in words if word != word.lower().strip()] == []
        assert [word.word for word in table if not (word.uses or word.role)] == []


def test_a_role_is_one_of_the_words_of_its_table() -> None:
    language = Language.load("nl")
    for table in (language.kin, language.professions):
        assert {word.role for word in table} - {None} <= {word.word for word in table}


def test_words_of_two_tables_are_a_sister_and_a_nurse_alone() -> None:
    language = Language.load("nl")
    tables = [{word.word for word in table} for table in (language.kin, language.roles, language.professions)]
    assert tables[0] & tables[2] == {"zuster"}
    assert tables[1] & (tables[0] | tables[2]) == set()


def test_a_word_that_is_a_cue_and_nothing_else_stands_in_one_table() -> None:
    """What only announces a name is a title where titles have it, and else a word for a person or a cue."""
    language = Language.load("nl")
    titles = {title.text.lower() for title in language.titles}
    announcing = {w.word for w in language.people if w.uses == {Use.CUE} and not (w.role or w.gender)}
    assert announcing & titles == set()
    people = {word.word for word in language.people}
    assert [cue for cue, kind in language.name_cues if kind in ("label", "role") and cue in people] == []


def test_a_title_has_its_uses(tmp_path: Path) -> None:
    table = tmp_path / "titles.tsv"
    table.write_text(_HEAD + "Mevr.\tcourtesy\tpre\tf\tmvr| mevr\tphrase path\nMSc\tacademic\tpost\t\t\t\n")
    read = read_titles(table)
    assert [title.bare for title in read] == ["mevr", "msc"]
    assert [title.gender for title in read] == [Gender.FEMALE, None]
    assert [title.variants for title in read] == [("mvr", "mevr"), ()]
    assert read[0].uses == {TitleUse.PHRASE, TitleUse.PATH}


def test_an_unknown_use_of_a_title_is_an_error(tmp_path: Path) -> None:
    table = tmp_path / "titles.tsv"
    table.write_text(_HEAD + "Mevr.\tcourtesy\tpre\tf\t\tsometimes\n")
    with pytest.raises(KindsError, match=r"titles\.tsv"):
        read_titles(table)


@pytest.mark.parametrize("use", list(TitleUse))
def test_every_use_has_its_titles(use: TitleUse) -> None:
    assert Language.load("nl").titles_for(use)


def test_a_department_is_no_title() -> None:
    titles = {title.text for title in Language.load("nl").titles}
    assert "hr." in titles
    assert Gazetteer.load().title("HR") is None
