"""Misspelt names near a known one."""

import pytest

from linkage.recognition.listed_names import ListedNames
from linkage.recognition.typos import TypoFinder
from linkage.records import Detector, Document, DocumentId, Mention
from tests.fakes import fake_lexicon, span_of


def _find(text: str, *known: str) -> list[tuple[str, str | None]]:
    document = Document(DocumentId("d"), text)
    mentions = [
        Mention.at(document, span_of(text, name), detector=Detector.NER, confidence=0.95) for name in known
    ]
    found = TypoFinder(fake_lexicon()).find(document, mentions)
    return [(m.surface, m.typo_of) for m in found if m.confidence >= 0.4]


@pytest.mark.parametrize(
    "wrong",
    [
        "Hoekstar",
        "Heokstra",
        "Hoesktra",
        "Hoekstrra",
        "Hoekstr",
        "Hoeksta",
        "Hoejstra",
        "oekstra",
        "Hoexkstra",
        "hoekstar",
    ],
)
def test_each_kind_of_slip_is_found(wrong: str) -> None:
    text = f"Morgen belde Hoekstra. Later zei {wrong} niets."
    ((surface, correction),) = _find(text, "Hoekstra")
    assert surface == wrong
    assert correction is not None
    assert correction.lower() == "hoekstra"


def test_correction_keeps_the_rest_of_the_name_and_its_capitals() -> None:
    text = "Sanne Hoekstra belde. SANNE HOEKSTAR zei niets."
    assert _find(text, "Sanne Hoekstra") == [("SANNE HOEKSTAR", "SANNE HOEKSTRA")]


def test_initials_and_particles_belong_to_the_misspelt_name() -> None:
    text = "Kees van der Terpstra belde. Daarna J. van der Terpsrta ook."
    assert _find(text, "Kees van der Terpstra") == [("J. van der Terpsrta", "J. van der Terpstra")]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Jan belde vorig jaar.", "Jan"),
        ("Bos belde. Los en vos en das.", "Bos"),
        ("Mulder belde en Zwolle ook.", "Mulder"),
    ],
)
def test_ordinary_words_are_no_misspelt_names(text: str, known: str) -> None:
    assert _find(text, known) == []


@pytest.mark.parametrize("user_name", ["shoekstra88", "hoekstra88x"])
def test_a_user_name_with_figures_is_no_misspelt_name(user_name: str) -> None:
    assert _find(f"Hoekstra belde vanaf {user_name} daarover.", "Hoekstra") == []
    assert _find("Hoekstra belde. De noot bij Hoekstrra12 ook.", "Hoekstra") == [("Hoekstrra", "Hoekstra")]


def test_lookalikes_of_scanners_are_read() -> None:
    assert _find("Otto Bos tekende. Ook 0tto B0s tekende.", "Otto Bos") == [("0tto B0s", "Otto Bos")]


def test_a_blank_too_many_or_too_few_is_a_typing_error() -> None:
    assert _find("Met Wilhelmina. Later zei Wil helmina ja.", "Wilhelmina") == [("Wil helmina", "Wilhelmina")]
    assert _find("Met Sanne Hoekstra. Later SanneHoekstra ook.", "Sanne Hoekstra") == [
        ("SanneHoekstra", "Sanne Hoekstra")
    ]


def test_a_name_that_only_occurs_misspelt_is_read_from_the_lists() -> None:
    document = Document(DocumentId("d"), "Morgen belt Marlene Hoekstar.")
    lexicon = fake_lexicon()
    finder = TypoFinder(
        lexicon, ListedNames({"marleen": None, "sanne": None}, {"hoekstra": None, "mulder": None})
    )
    mention = Mention.at(
        document, span_of(document.text, "Marlene Hoekstar"), detector=Detector.NER, confidence=0.9
    )
    assert finder.correct(document, mention, lexicon.scan(document.text)) == "Marleen Hoekstra"


def test_two_names_as_near_leave_it_open() -> None:
    listed = ListedNames({"hanne": None, "hanna": None}, {})
    assert listed.near("hannu") == ("hanna", "hanne")
    assert listed.only_near("hannu", given=True) is None
    assert listed.only_near("hannne", given=True) == "hanne"


@pytest.mark.parametrize(
    "key", ["hoekstar", "oekstra", "hoekstr", "hoeksstra", "hoekxtra", "xoekstra", "heokstra"]
)
def test_index_by_ends_finds_what_a_full_comparison_finds(key: str) -> None:
    assert ListedNames({}, {"hoekstra": None, "mulder": None, "terpstra": None}).near(key) == ("hoekstra",)
