"""A name found once is found everywhere."""

import pytest

from linkage.recognition.consistency import spread
from linkage.recognition.known_names import KnownNames
from linkage.records import Detector, Document, DocumentId, Mention
from tests.fakes import fake_lexicon, span_of


def _document(text: str) -> Document:
    return Document(DocumentId("d"), text)


def _spread(text: str, *known: str) -> dict[str, float]:
    document = _document(text)
    mentions = [
        Mention.at(document, span_of(text, name), detector=Detector.NER, confidence=0.9) for name in known
    ]
    found = spread(document, mentions, fake_lexicon())
    assert all(mention.detector is Detector.CONSISTENCY for mention in found)
    return {f"{mention.surface}@{mention.span.start}": mention.confidence for mention in found}


def _surfaces(text: str, *known: str, least: float = 0.5) -> list[str]:
    return [key.split("@")[0] for key, confidence in _spread(text, *known).items() if confidence >= least]


def test_surname_alone_is_found_in_any_case() -> None:
    text = "Mevrouw Terpstra belde. Later zei terpstra ja. TERPSTRA: akkoord."
    assert _surfaces(text, "Terpstra") == ["Terpstra", "terpstra", "TERPSTRA"]


def test_parts_of_a_full_name_are_found() -> None:
    text = "Sanne Hoekstra belde. Daarna zei Sanne dat Hoekstra belde."
    assert _surfaces(text, "Sanne Hoekstra") == ["Sanne Hoekstra", "Sanne", "Hoekstra"]


def test_possessives_end_before_the_s() -> None:
    text = "Met Anneke. Bij Annekes tas, bij Anneke's tas."
    assert _surfaces(text, "Anneke") == ["Anneke", "Anneke", "Anneke"]


def test_the_figure_of_a_note_is_no_part_of_the_name() -> None:
    text = "Sanne Hoekstra belde. Dat zei Hoekstra12 ook, en Hoekstra2."
    assert _surfaces(text, "Sanne Hoekstra") == ["Sanne Hoekstra", "Hoekstra", "Hoekstra"]


def test_particles_and_initials_go_with_the_surname() -> None:
    text = "Kees van der Laan belde; J. van der Laan en Van der Laan kwamen."
    assert _surfaces(text, "Kees van der Laan") == ["Kees van der Laan", "J. van der Laan", "Van der Laan"]


def test_name_broken_over_a_line_is_one_mention() -> None:
    text = "Met Sanne Hoekstra gebeld. Later zei Sanne\nHoekstra niets."
    assert "Sanne\nHoekstra" in _surfaces(text, "Sanne Hoekstra")


def test_names_side_by_side_stay_apart() -> None:
    text = "Sanne Hoekstra en Kees Mulder. Aanwezig: Hoekstra  Mulder"
    assert _surfaces(text, "Sanne Hoekstra", "Kees Mulder")[-2:] == ["Hoekstra", "Mulder"]


def test_surname_before_a_comma_and_the_given_name_are_one_mention() -> None:
    text = "Kees Mulder belde. Lijst: Mulder, Kees"
    assert _surfaces(text, "Kees Mulder") == ["Kees Mulder", "Mulder, Kees"]


@pytest.mark.parametrize("text", ["Sanne de Boer belde de boer.", "Otto de Rijk werd niet rijk."])
def test_ordinary_words_in_small_letters_stay_doubtful(text: str) -> None:
    name = text[: text.index(" ", text.index("de ") + 3)]
    confidences = list(_spread(text, name).values())
    assert confidences[0] > 0.5
    assert all(confidence < 0.3 for confidence in confidences[1:])


def test_longer_words_are_other_words() -> None:
    text = "Otto had een Ottomotor in Bottrop."
    assert _surfaces(text, "Otto", least=0.0) == ["Otto"]


def test_first_part_of_a_compound_is_the_name() -> None:
    text = "Hoekstra kwam. De Hoekstramissie liep af; de Hoekstralaan niet. De Hoekstra-norm ook."
    found = _spread(text, "Hoekstra")
    assert [key.split("@")[0] for key in found] == ["Hoekstra"] * 3
    assert not any("Hoekstralaan" in text[int(key.split("@")[1]) :][:12] for key in found)


def test_names_from_elsewhere_are_found_without_a_mention_here() -> None:
    lexicon = fake_lexicon()
    other = _document("Sanne Hoekstra belde.")
    mention = Mention.at(other, span_of(other.text, "Sanne Hoekstra"), detector=Detector.NER, confidence=0.9)
    known = KnownNames.of(lexicon.scan(other.text), [mention])
    found = spread(_document("Morgen belde Hoekstra."), (), lexicon, known=known)
    assert [m.surface for m in found] == ["Hoekstra"]


def test_a_second_s_is_a_typing_error_and_no_possessive() -> None:
    assert _surfaces("Jochems belde. Het dossier van Jochemss ligt hier.", "Jochems") == ["Jochems"]
