"""Settings: a language without rules is refused wherever one can be given."""

from pathlib import Path

import pytest

from linkage import read_document
from linkage.errors import SettingsError
from linkage.settings import LinkageSettings, RecognitionSettings
from linkage.texts import Document, DocumentId


@pytest.mark.parametrize("language", ["de", "NL", "nl-NL", "", "nederlands"])
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
