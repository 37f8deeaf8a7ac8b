"""Linkage's own tables of a settings file."""

import logging
import re
from pathlib import Path

import pytest

from linkage import read_document
from linkage.errors import SettingsError, ThresholdError
from linkage.settings import LinkageSettings, LinkingSettings, RecognitionSettings
from linkage.texts import Document, DocumentId


def _read(folder: Path, text: str) -> LinkageSettings:
    place = folder / "s.toml"
    place.write_text(text, encoding="utf-8")
    return LinkageSettings.from_toml(place)


def test_both_tables_are_read_and_paths_count_from_the_folder(tmp_path: Path) -> None:
    found = _read(
        tmp_path,
        '[recognition]\nlanguage = "nl"\nner_model = "model"\nnames_files = ["a.txt", "/b.txt"]\n'
        "find_typing_errors = false\n[linking]\nlink_threshold = 1\nmax_block_size = 100\n",
    )
    assert found == LinkageSettings(
        RecognitionSettings(
            ner_model=tmp_path / "model",
            names_files=(tmp_path / "a.txt", Path("/b.txt")),
            find_typing_errors=False,
        ),
        LinkingSettings(link_threshold=1.0, max_block_size=100),
    )
    assert _read(tmp_path, "") == LinkageSettings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[linking]\n\nlink_treshold = 1\n", "s.toml, line 3: unknown setting 'link_treshold' of [linking]; "
         "did you mean 'link_threshold'? known: classifier, link_threshold, "),
        ('[linking]\nlink_threshold = "0.9"\n', "s.toml, line 2: link_threshold must be a number from 0 to"),
        ("[linking]\nlink_threshold = 1.5\n", "s.toml, line 2: link_threshold must be a number from 0 to 1"),
        ('[linking]\nmax_block_size = "x"\n', "s.toml, line 2: max_block_size must be a whole number, 1 or"),
        ("[linking]\nmax_block_size = 0\n", "s.toml, line 2: max_block_size must be a whole number, 1 or"),
        ("[recognition]\nnames_files = 'a'\n", "s.toml, line 2: names_files must be a list of paths"),
        ("[recognition]\nfind_typing_errors = true\nlanguage = 'fr'\n", "s.toml, line 3: [recognition]: "),
        ("linking = 3\n", "s.toml, line 1: [linking] must be a table"),
        ("\n[linkng]\nlink_threshold = 0.9\n", "s.toml, line 2: unknown table; did you mean [linking]?"),
        ("[reconition]\n", "s.toml, line 1: unknown table; did you mean [recognition]?"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_file_line_and_what_is_known(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        _read(tmp_path, text)
    assert str(raised.value).startswith(message)


def test_thresholds_out_of_order_are_said_with_their_table(tmp_path: Path) -> None:
    with pytest.raises(ThresholdError, match=r"^s\.toml, line 2: \[linking\]: review_threshold is"):
        _read(tmp_path, "\n[linking]\nlink_threshold = 0.5\nreview_threshold = 0.6\n")


def test_tables_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    assert _read(tmp_path, "[pseudonyms]\nstyle = 3\n[tool.link]\n") == LinkageSettings()


def test_a_key_without_effect_is_read_with_a_hint(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "linkage"):
        found = _read(tmp_path, "[recognition]\ncorpus_consistency = true\n")
    assert found == LinkageSettings(RecognitionSettings(corpus_consistency=True))
    assert [r.getMessage().split(":")[0] for r in caplog.records] == ["s.toml, line 2"]
    assert "corpus_consistency has no effect any more" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.WARNING, "linkage"):
        _read(tmp_path, "[recognition]\nfind_typing_errors = true\n")
    assert not caplog.records
    with pytest.raises(SettingsError, match="corpus_consistency must be true or false"):
        _read(tmp_path, "[recognition]\ncorpus_consistency = 1\n")


@pytest.mark.parametrize("language", ["fr", "NL", "nl-NL", "", "nederlands"])
def test_a_language_without_rules_is_refused(tmp_path: Path, language: str) -> None:
    settings, text = tmp_path / "settings.toml", tmp_path / "a.txt"
    settings.write_text(f'[recognition]\nlanguage = "{language}"\n')
    text.write_text("Gestern rief Jürgen Weber an.")
    for read in (
        lambda: RecognitionSettings(language=language),
        lambda: LinkageSettings.from_toml(settings),
        lambda: read_document(text, language=language),
        lambda: Document(DocumentId("d"), "Gestern rief Jürgen Weber an.", language),
    ):
        with pytest.raises(SettingsError, match="Leave the language out"):
            read()


def test_a_language_that_is_no_text_is_refused(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('[recognition]\nlanguage = ["nl", "de"]\n')
    with pytest.raises(SettingsError, match="language"):
        LinkageSettings.from_toml(settings)


def test_dutch_is_read(tmp_path: Path) -> None:
    settings, text = tmp_path / "settings.toml", tmp_path / "a.txt"
    settings.write_text('[recognition]\nlanguage = "nl"\n')
    text.write_text("Gisteren belde Els Mol.")
    assert LinkageSettings.from_toml(settings) == LinkageSettings()
    assert read_document(text, language="nl").language == read_document(text).language == "nl"


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("allow_file", "names of persons, unless .*always. PERSON"),
        ("deny_file", "in clear.*never. PERSON"),
    ],
)
def test_a_list_of_0_1_0_is_read_with_a_hint_of_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, key: str, says: str
) -> None:
    with caplog.at_level(logging.WARNING, "linkage"):
        found = _read(tmp_path, f"[recognition]\n{key} = 'a.txt'\n")
    assert getattr(found.recognition, key) == tmp_path / "a.txt"
    (record,) = caplog.records
    assert record.getMessage().startswith(f"s.toml, line 2: {key} is read until the next version: its texts")
    assert re.search(says, record.getMessage())
    assert "\n" not in record.getMessage()


def test_kinds_and_lists_are_part_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("Xqandu\n", encoding="utf-8")
    found = _read(
        tmp_path,
        "[kinds.DOG]\npattern = 'hond [0-9]+'\nlist_file = 'names.txt'\n"
        "[recognition]\nalways = { PERSON = 'names.txt', DOG = ['Vurbel'] }\nnever = { DOG = ['Xqandu'] }\n",
    )
    assert [kind.name for kind in found.kinds] == ["DOG"]
    assert {kind: set(texts) for kind, texts in found.own.always.items()} == {
        "PERSON": {"Xqandu"}, "DOG": {"Vurbel", "Xqandu"},
    }  # fmt: skip
    assert dict(found.own.never) == {"DOG": ("Xqandu",)}
    assert hash(found) == hash(_read(tmp_path, (tmp_path / "s.toml").read_text()))
    assert "urbel" not in repr(found)
    assert LinkageSettings().own.is_empty
