"""Other bounds for a proposed span."""

import pytest

from linkage.recognition.evidence import Candidate
from linkage.recognition.variants import derived_candidates
from linkage.recognition.words import Lexicon
from tests.fakes import FakeKnowledge, fake_lexicon, span_of


def _variants(text: str, *proposed: str) -> set[str]:
    lexicon = fake_lexicon()
    candidates = [Candidate(span_of(text, surface), ner=0.9) for surface in proposed]
    derived = derived_candidates(lexicon.scan(text), candidates, lexicon)
    assert all(candidate.derived == 0.9 for candidate in derived)
    return {candidate.span.cut(text) for candidate in derived}


@pytest.mark.parametrize(
    ("text", "proposed", "wanted"),
    [
        ("bij J.P. van der Laan thuis", ["Laan"], {"van der Laan", "J.P. van der Laan"}),
        ("bij v.d. Laan thuis", ["Laan"], {"v.d. Laan"}),
        ("Dmytro L.     Vanhoutte", ["Dmytro L.     Vanhoutte"], {"Dmytro L.", "Vanhoutte"}),
        ("tygo, elif", ["tygo, elif"], {"tygo", "elif"}),
        ("zei Sanne\nHoekstra", ["Sanne", "Hoekstra"], {"Sanne\nHoekstra"}),
        ('Kees ("Kas") Mulder', ["Kees", "Mulder"], {'Kees ("Kas") Mulder'}),
        ("zei Iyad ag Mossad", ["Iyad", "Mossad"], {"Iyad ag Mossad"}),
        ("Later Kees belde", ["Later Kees"], {"Kees"}),
        ("bij Annekes tas", ["Annekes"], {"Anneke"}),
        ("zei Sanne Obaro toen", ["Sanne"], {"Sanne Obaro"}),
        ("zei Sanne van der Laan toen", ["Sanne"], {"Sanne van der Laan"}),
        ("tas van Kees Mulder", ["van Kees Mulder"], {"Kees Mulder"}),
    ],
)
def test_bounds_that_may_be_meant_are_offered(text: str, proposed: list[str], wanted: set[str]) -> None:
    assert wanted <= _variants(text, *proposed)


def test_an_office_in_two_capitals_is_offered_with_and_without_it() -> None:
    lexicon = Lexicon(FakeKnowledge(cues={"tc": frozenset({"role"})}))
    text = "bij TC Terpstra thuis"
    scanned = lexicon.scan(text)
    for surface, other in (("TC Terpstra", "Terpstra"), ("Terpstra", "TC Terpstra")):
        derived = derived_candidates(scanned, [Candidate(span_of(text, surface), ner=0.9)], lexicon)
        assert other in {candidate.span.cut(text) for candidate in derived}


def test_people_joined_by_en_are_not_offered_as_one() -> None:
    assert "Sanne en Kees" not in _variants("zei Sanne en Kees", "Sanne", "Kees")
