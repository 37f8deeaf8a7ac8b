"""Words of a text and their facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.recognition.words import without_lookalikes
from linkage.records import Document, DocumentId, Span
from tests.fakes import FakeRecognizer, fake_lexicon


def _surfaces(text: str) -> list[str]:
    return [word.surface for word in fake_lexicon().scan(text).words]


@pytest.mark.parametrize(
    ("text", "surfaces"),
    [
        ("Sanne's fiets", ["Sanne", "s", "fiets"]),
        ("van ’t Zand, d'Arcy", ["van", "’t", "Zand", "d'Arcy"]),
        ("Mulder-Bos belt", ["Mulder", "Bos", "belt"]),
        ("J.P. Bos² en B0s", ["J", "P", "Bos", "en", "B0s"]),
        ("Bos12 en groep8", ["Bos", "12", "en", "groep", "8"]),
        ("0tto, Ott0 en Jan0Bos", ["0tto", "Ott0", "en", "Jan0Bos"]),
        ("", []),
        ("... --", []),
    ],
)
def test_text_is_cut_into_words(text: str, surfaces: list[str]) -> None:
    assert _surfaces(text) == surfaces


def test_facts_come_from_the_lists_whatever_the_case() -> None:
    word = fake_lexicon().scan("TERPSTRA").words[0]
    assert (word.facts.key, word.facts.surname, word.facts.given, word.all_capitals) == (
        "terpstra",
        True,
        False,
        True,
    )


def test_sentences_start_after_full_stops_and_line_breaks() -> None:
    scanned = fake_lexicon().scan("Sanne belde. Later zei\nKees niets, dus Otto ook.")
    starts = [word.surface for index, word in enumerate(scanned.words) if scanned.starts_sentence(index)]
    assert starts == ["Sanne", "Later", "Kees"]


def test_sentences_of_the_network_are_taken_over() -> None:
    text = "Sanne belde dr. Kees vandaag"
    recognized = FakeRecognizer({}).recognize([Document(DocumentId("d"), text)])[0]
    scanned = fake_lexicon().scan(text, recognized)
    assert [scanned.starts_sentence(index) for index in range(len(scanned.words))] == [True, *[False] * 4]


def test_a_word_that_goes_on_behind_the_span_is_cut_there() -> None:
    scanned = fake_lexicon().scan("bij Annekes tas")
    assert [word.surface for word in scanned.words_in(Span(4, 10))] == ["Anneke"]
    assert scanned.words_in(Span(4, 10))[0].facts.given


def test_lookalikes_are_read_as_letters() -> None:
    assert without_lookalikes("0tt0") == "otto"
    assert without_lookalikes("Srnit") == "smit"
    assert without_lookalikes("2024") == "2024"


@given(st.text(max_size=60))
def test_words_lie_in_order_and_cut_out_their_surface(text: str) -> None:
    scanned = fake_lexicon().scan(text)
    end = 0
    for word in scanned.words:
        assert end <= word.start < word.end
        assert text[word.start : word.end] == word.surface
        end = word.end


def test_a_word_that_comes_again_is_kept_once() -> None:
    first, _, again = fake_lexicon().scan("Mulder en Mulder").words
    assert first.surface is again.surface
