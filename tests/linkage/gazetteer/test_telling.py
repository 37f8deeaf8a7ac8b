"""Which language a text is in, by its words."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.gazetteer.telling import LanguageTeller

DUTCH = "Vandaag heb ik gesproken met mevrouw Körner over het dossier van haar broer; zij komt morgen weer."
GERMAN = "Heute habe ich mit Frau de Vries über die Akte ihres Bruders gesprochen; sie kommt morgen wieder."
ENGLISH = "Today I have spoken with Mrs de Vries about her brother; she will be back tomorrow."
ITALIAN = "Oggi ho parlato con la signora Körner della pratica di suo fratello, che torna domani mattina."
FRENCH = "Aujourd'hui j'ai parlé avec madame Körner du dossier de son frère, qui revient demain matin."


def test_english_without_names_of_days_or_people_is_english() -> None:
    text = "Please find attached the form that we talked about; could you sign both copies and return them?"
    assert LanguageTeller.load().language_of(text, "nl") == "en"


@pytest.mark.parametrize(
    ("text", "code"), [(DUTCH, "nl"), (GERMAN, "de"), (ENGLISH, "en"), (ITALIAN, "it"), (FRENCH, None)]
)
def test_a_language_that_is_not_installed_is_none(text: str, code: str | None) -> None:
    assert LanguageTeller.load().language_of(text, "nl") == code


@pytest.mark.parametrize(
    "text", ["", "Körner, Sabine", "IBAN DE89 3704 0044 0532 0130 00", "AKTE VRIES BREMEN"]
)
def test_too_few_words_leave_the_usual_language(text: str) -> None:
    assert LanguageTeller.load().language_of(text, "de") == "de"


def test_a_language_without_models_is_none_unless_it_is_the_usual_one() -> None:
    lists = {code: Gazetteer.load(code) for code in ("nl", "de")}
    teller = LanguageTeller(lists, without_models=["de"])
    assert teller.language_of(GERMAN, "nl") is None
    assert teller.language_of(GERMAN, "de") == "de"
    assert teller.language_of(DUTCH, "nl") == "nl"


def test_a_teller_is_loaded_once() -> None:
    assert LanguageTeller.load() is LanguageTeller.load()


def test_where_one_language_is_installed_its_own_words_tell() -> None:
    alone = LanguageTeller({"nl": Gazetteer.load("nl")})
    assert [alone.language_of(text, "nl") for text in (DUTCH, ENGLISH, ITALIAN)] == ["nl", None, None]
