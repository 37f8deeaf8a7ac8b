"""A language as a folder: a made-up one works, and one that lacks tables is refused."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from linkage.context.relations import NamedText, Relation, RelationKind, relations_of
from linkage.errors import KindsError
from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.names import parse_name
from linkage.names.spelling import pet_stems
from linkage.records import PersonName
from tests.linkage.context.marked import mentions_of
from tests.linkage.language.made_up import write_made_up


@pytest.fixture
def made_up(tmp_path: Path) -> Language:
    return Language.read(write_made_up(tmp_path))


def test_a_language_without_tables_is_refused_with_their_names(tmp_path: Path) -> None:
    directory = write_made_up(tmp_path)
    (directory / "kin.tsv").unlink()
    shutil.rmtree(directory / "lexicon" / "places")
    said = r"'xx' is incomplete; it lacks kin\.tsv, lexicon/places/places\.txt\.gz\."
    with pytest.raises(KindsError, match=said):
        Language.read(directory)


def test_a_language_without_a_folder_is_refused() -> None:
    with pytest.raises(KindsError, match="'qq'"):
        Language.load("qq")


def test_a_language_half_made_is_refused() -> None:
    with pytest.raises(KindsError, match=r"'fr' is incomplete; it lacks titles\.tsv"):
        Language.load("fr")


def test_names_of_a_made_up_language_are_taken_apart(made_up: Language) -> None:
    lists = Gazetteer(made_up)
    assert parse_name("dona Yara zu Kwop", lists) == PersonName(given="Yara", particle="zu", family="Kwop")
    assert parse_name("Kwop, Xilo", lists) == PersonName(given="Xilo", family="Kwop")
    assert parse_name("mevrouw Yara Kwop", lists).given != "Yara"  # Dutch titles are no words of it


def test_relations_of_a_made_up_language_are_read(made_up: Language) -> None:
    def kinds(text: str) -> list[RelationKind]:
        names = [PersonName(given="Xilo"), PersonName(given="Yara")]
        named = NamedText(text, mentions_of(text, "Xilo", "Yara"), names, ())
        return [relation.kind for relation in relations_of(named, str.islower, made_up)]

    assert kinds("Xilo ka Yara") == [RelationKind.APART]
    assert kinds("Xilo dita Yara") == [RelationKind.SAME]
    assert kinds("Xilo es madu zu Yara") == [RelationKind.KIN]
    assert kinds("da: Xilo\npa: Yara\n") == [RelationKind.APART]
    assert kinds("Xilo en Yara") == []
    assert kinds("Xilo, roepnaam Yara") == []


def test_a_language_without_diminutives_makes_none(made_up: Language) -> None:
    assert list(pet_stems("Yaraje", made_up)) == []
    (made_up.directory / "grammar.toml").write_text('diminutive_endings = ["ilo"]\n')
    assert list(pet_stems("Yarailo", Language("xx", made_up.directory))) == ["Yara"]


def test_a_whole_language_passes_its_check(made_up: Language) -> None:
    made_up.check()
    Language.load("nl").check()
    (made_up.directory / "patterns.tsv").write_text("meaning\tplace\texpression\nand\tbetween\t(ka\n")
    with pytest.raises(KindsError, match=r"patterns\.tsv, line 2"):
        Language("xx", made_up.directory).check()


@pytest.mark.parametrize("module", ["linkage.pipeline", "pseudonymizer.project"])
def test_an_import_loads_no_language(module: str) -> None:
    program = f"import {module}\nfrom linkage.language import pack\nprint(pack._loaded.cache_info().currsize)"
    done = subprocess.run(  # noqa: S603  a program of this test
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "0"


def test_the_repr_shows_no_path(made_up: Language) -> None:
    assert repr(made_up) == "Language(code='xx')"
    assert Relation(0, 1, RelationKind.APART).kind == "apart"
