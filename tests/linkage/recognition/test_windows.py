"""Large documents in windows: every letter once, and names hold over all windows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.recognition.windows import MOST_LETTERS, batches, joined, windows
from linkage.records import Detector, Document, DocumentId, Mention, Span
from tests.fakes import span_of


def _document(text: str) -> Document:
    return Document(DocumentId("d"), text)


@given(st.text("ab \n", max_size=80), st.integers(1, 30))
def test_windows_hold_every_letter_once_and_are_small(text: str, most: int) -> None:
    pieces = list(windows(_document(text), most))
    assert "".join(piece.text for _, piece in pieces) == text
    assert all(len(piece.text) <= most for _, piece in pieces)
    assert all(text.startswith(piece.text, start) for start, piece in pieces)


def test_batches_hold_every_document_once_and_are_small() -> None:
    documents = [_document("a" * size) for size in (1, MOST_LETTERS - 1, 5, MOST_LETTERS + 1, 3)]
    found = list(batches(documents))
    assert [document for batch in found for document in batch] == documents
    assert [len(batch) for batch in found] == [2, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("een twee\n\ndrie vier vijf", "een twee\n\n"),
        ("een twee\ndrie vier vijf", "een twee\n"),
        ("een twee drie vier vijf", "een twee drie "),
        ("eentweedrieviervijfzes", "eentweedriev"),
    ],
)
def test_a_window_ends_with_a_paragraph_a_line_or_a_word(text: str, first: str) -> None:
    most = 12 if " " not in text else 15
    assert next(iter(windows(_document(text), most)))[1].text == first


def _found(text: str, surface: str, occurrence: int = 0, *, confidence: float = 0.97) -> Mention:
    return Mention.at(
        _document(text), span_of(text, surface, occurrence), detector=Detector.NER, confidence=confidence
    )


def test_mentions_come_back_at_their_places() -> None:
    text = "Roelien Bouwma belde. Thijmen Hoekzema niet."
    second = text[22:]
    parts = [(0, [_found(text[:22], "Roelien Bouwma")]), (22, [_found(second, "Thijmen Hoekzema")])]
    mentions = joined(_document(text), parts)
    assert [mention.surface for mention in mentions] == ["Roelien Bouwma", "Thijmen Hoekzema"]
    assert mentions[1].span == Span(22, 38)


def test_a_sure_full_name_of_one_window_is_found_in_others() -> None:
    text = "Roelien Bouwma belde. Roelien Bouwmans niet. Roelien Bouwma wel. Bouwma."
    parts = [(0, [_found(text[:22], "Roelien Bouwma")]), (22, [])]
    assert [mention.span.start for mention in joined(_document(text), parts)] == [0, 45]
    assert len(joined(_document(text), parts, [Span(40, 60)])) == 1


def test_doubtful_names_and_single_words_stay_in_their_window() -> None:
    text = "Roelien Bouwma en Jan. Roelien Bouwma en Jan."
    parts = [(0, [_found(text[:23], "Roelien Bouwma", confidence=0.6), _found(text[:23], "Jan")]), (23, [])]
    assert [mention.span.start for mention in joined(_document(text), parts)] == [0, 18]
