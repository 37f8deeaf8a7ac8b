"""What a folder of a language must hold."""

import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from linkage import language_contents
from linkage.errors import KindsError, ModelNotFoundError, SettingsError
from linkage.language import Language, pack
from linkage.language_contents import (
    CONTENTS,
    LANGUAGE_PACKS,
    MODELS,
    SPARED,
    installed_languages,
    is_installed,
    language_folder,
    missing,
    missing_models,
)
from linkage.records import Document, DocumentId
from linkage.shipped_data import data_directory
from linkage.texts import refuse_unknown_language
from tests.linkage.language.made_up import write_made_up


def test_dutch_lacks_nothing_and_has_nothing_else() -> None:
    directory = data_directory() / "languages" / "nl"
    assert missing(directory) == ()
    assert missing_models(directory) == ()
    there = {str(file.relative_to(directory)) for file in directory.rglob("*") if file.is_file()}
    assert {name for name in there if not name.endswith(".md")} == {*CONTENTS, *MODELS}


@pytest.mark.parametrize("name", CONTENTS)
def test_each_file_that_lacks_is_named(tmp_path: Path, name: str) -> None:
    directory = write_made_up(tmp_path)
    assert missing(directory) == ()
    (directory / name).unlink()
    assert missing(directory) == (name,)


def test_models_that_lack_are_named(tmp_path: Path) -> None:
    """Those that a language may do without are not."""
    assert missing_models(tmp_path) == tuple(name for name in MODELS if name not in SPARED)


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in place of the shipped data."""
    monkeypatch.setattr(language_contents, "data_directory", lambda: tmp_path)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    """What is kept of the languages that are installed."""
    for kept in (installed_languages, is_installed, language_contents._packs, pack._loaded):
        kept.cache_clear()


def test_a_language_is_installed_where_its_folder_lacks_no_table(own_data: Path) -> None:
    directory = write_made_up(own_data / "languages")
    (own_data / "languages" / "yy").mkdir()
    (own_data / "languages" / "README.md").touch()
    assert installed_languages() == ("xx",)
    refuse_unknown_language("xx")
    with pytest.raises(SettingsError, match=r"known: xx\."):
        refuse_unknown_language("nl")
    forget()
    (directory / "kin.tsv").unlink()
    assert installed_languages() == ()


def test_a_shipped_language_is_known_without_a_look_at_all_distributions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def looked(*, group: str) -> list[metadata.EntryPoint]:
        raise AssertionError(group)

    forget()
    monkeypatch.setattr(metadata, "entry_points", looked)
    assert is_installed("nl")
    assert Document(DocumentId("a"), "Dag", language="nl").language == "nl"
    assert Language.load("nl").code == "nl"


@pytest.mark.parametrize("code", ["nl/../nl", "nl/", "./nl", "../languages/nl", "", ".", "NL"])
def test_a_path_is_no_code(code: str) -> None:
    assert not is_installed(code)
    with pytest.raises(KindsError, match="no tables"):
        Language.load(code)


def test_whole_languages_are_installed_and_those_that_texts_quote_are_not() -> None:
    assert installed_languages() == ("de", "en", "it", "nl")


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package invented_xx, whose entry points give the languages xx and nl; yy has no tables."""
    package = write_made_up(tmp_path).rename(tmp_path / "invented_xx")
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    entries = [
        metadata.EntryPoint(code, module, LANGUAGE_PACKS)
        for code, module in (("xx", "invented_xx"), ("nl", "invented_xx"), ("yy", "tests.linkage"))
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: [e for e in entries if e.group == group])
    forget()
    yield package
    sys.modules.pop("invented_xx", None)
    forget()


def test_a_distribution_gives_a_language_by_an_entry_point(packs: Path) -> None:
    assert installed_languages() == ("de", "en", "it", "nl", "xx")
    assert is_installed("xx")
    assert language_folder("xx") == packs
    assert Language.load("xx").code == "xx"
    assert Language.load("xx").kin[0].word == "madu"
    assert Document(DocumentId("a"), "Salu", language="xx").language == "xx"


def test_the_shipped_folder_goes_before_an_installed_one(packs: Path) -> None:
    assert language_folder("nl") == data_directory() / "languages" / "nl" != packs


@pytest.mark.usefixtures("own_data")
def test_missing_data_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing_data() -> Path:
        raise ModelNotFoundError("the shipped models are missing")

    monkeypatch.setattr(language_contents, "data_directory", missing_data)
    monkeypatch.setattr("linkage.texts.data_directory", missing_data)
    assert installed_languages() == ()
    with pytest.raises(ModelNotFoundError):
        refuse_unknown_language("nl")
