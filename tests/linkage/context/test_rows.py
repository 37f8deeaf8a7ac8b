"""Names in a row. All names are invented."""

import pytest

from linkage.context.rows import is_one, joined_pairs, row_phrases
from linkage.language import Language
from linkage.records import Detector, Document, DocumentId, Mention, PersonName, Span
from tests.linkage.context.marked import mentions_of

_DUTCH = Language.load("nl")


def _row(length: int) -> set[tuple[int, int]]:
    names = [f"Naam{number}" for number in range(length)]
    document = Document(DocumentId("d"), ", ".join(names))
    mentions: list[Mention] = []
    for name in names:
        start = mentions[-1].span.end + 2 if mentions else 0
        span = Span(start, start + len(name))
        mentions.append(Mention.at(document, span, detector=Detector.NER, confidence=1.0))
    written = [PersonName(given=name) for name in names]
    return joined_pairs(document.text, mentions, written, str.islower, _DUTCH)


def test_a_row_of_names_is_as_many_people() -> None:
    assert len(_row(300)) == 300 * 299 // 2


def test_of_a_row_of_thousands_only_near_names_are_told_apart() -> None:
    pairs = _row(5_000)
    assert (17, 18) in pairs
    assert len(pairs) < 90_001


@pytest.mark.parametrize("joint", ["en", "&", "alsmede mevrouw", "evenals haar buurman"])
def test_two_names_joined_by_a_word_are_two_people(joint: str) -> None:
    text = f"Fenna {joint} Marit"
    names = [PersonName(given="Fenna"), PersonName(given="Marit")]
    assert joined_pairs(text, mentions_of(text, "Fenna", "Marit"), names, str.islower, _DUTCH) == {(0, 1)}


def test_a_comma_between_two_names_says_nothing() -> None:
    text = "Bos, Fenna"
    names = [PersonName(family="Bos"), PersonName(given="Fenna")]
    assert not joined_pairs(text, mentions_of(text, "Bos", "Fenna"), names, str.islower, _DUTCH)


def test_words_after_a_name_say_that_two_are_one() -> None:
    text = "Fenna en Fenna Oostink zijn dezelfde."
    mentions = mentions_of(text, "Fenna", "Fenna Oostink")
    assert is_one(text, mentions[1], row_phrases(_DUTCH))
    other = "Fenna en Marit Oostink zijn er. Dat is dezelfde dag."
    assert not is_one(other, mentions_of(other, "Fenna", "Marit Oostink")[1], row_phrases(_DUTCH))
