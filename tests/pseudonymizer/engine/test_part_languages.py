"""The language of a text: its file, its words, the settings."""

import logging

import pytest

from linkage.errors import UnsupportedInputError
from pseudonymizer.engine.part_languages import PartLanguages
from pseudonymizer.formats import TextPart

GERMAN = "Heute habe ich mit Frau de Vries über die Akte gesprochen, und sie kommt morgen wieder zu uns."
FRENCH = "Aujourd'hui j'ai parlé du dossier avec madame de Vries, et elle revient demain pour signer."


def test_what_the_file_says_goes_before_what_words_tell() -> None:
    assert PartLanguages("nl", is_told=True).of(TextPart("", GERMAN, language="nl")) == "nl"
    assert PartLanguages("nl", is_told=True).of(TextPart("", GERMAN)) == "de"
    assert PartLanguages("nl", is_told=False).of(TextPart("", GERMAN)) == "nl"


@pytest.mark.parametrize("language", ["", "fr"])
def test_a_language_that_is_not_installed_is_refused_where_words_tell(language: str) -> None:
    with pytest.raises(UnsupportedInputError, match="known: de, en, it, nl") as refused:
        PartLanguages("nl", is_told=True).of(TextPart("", FRENCH, language=language))
    assert "Vries" not in str(refused.value)


def test_elsewhere_a_warning_says_whose_rules_read_it(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert PartLanguages("nl", is_told=False).of(TextPart("", FRENCH, language="fr")) == "nl"
    assert "not installed" in caplog.text
    assert "Vries" not in caplog.text


def test_a_short_text_is_in_the_usual_language() -> None:
    assert PartLanguages("de", is_told=True).of(TextPart("", "Körner, Sabine")) == "de"
