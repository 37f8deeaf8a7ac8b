"""Evidence about candidates."""

import math

import pytest

from linkage.recognition.evidence import Candidate, Surroundings, collect
from linkage.recognition.features import FEATURES, feature_values
from linkage.records import Detector, Document, DocumentId, Mention, Span
from tests.fakes import FakeRecognizer, fake_lexicon, span_of


def _features(text: str, surface: str, **others: float) -> dict[str, float]:
    lexicon = fake_lexicon()
    document = Document(DocumentId("d"), text)
    recognized = FakeRecognizer(others, {"Zwolle": 0.8}).recognize([document])[0]
    mentions = [
        Mention.at(document, p.span, detector=Detector.NER, confidence=p.confidence)
        for p in recognized.persons
    ]
    mentions.append(Mention.at(document, span_of(text, surface), detector=Detector.LIST, confidence=0.6))
    scanned = lexicon.scan(text, recognized)
    candidates = collect(scanned, mentions, lexicon)
    rows = feature_values(Surroundings.of(scanned, candidates, recognized))
    place = [candidate.span.cut(text) for candidate in candidates].index(surface)
    return dict(zip(FEATURES, map(float, rows[place]), strict=True))


def test_detectors_of_one_span_meet_in_one_candidate() -> None:
    lexicon = fake_lexicon()
    document = Document(DocumentId("d"), "dr. Kees Mulder, belt")
    mentions = [
        Mention.at(document, span_of(document.text, surface), detector=detector, confidence=confidence)
        for surface, detector, confidence in (
            ("dr. Kees Mulder", Detector.NER, 0.7),
            ("Kees Mulder,", Detector.LIST, 0.9),
            ("Kees Mulder", Detector.CONSISTENCY, 0.4),
        )
    ]
    (candidate,) = collect(lexicon.scan(document.text), mentions, lexicon)
    assert (candidate.ner, candidate.listed, candidate.consistent) == (0.7, 0.9, 0.4)
    assert candidate.detector is Detector.LIST


def test_the_registry_keeps_its_bounds_and_its_person() -> None:
    lexicon = fake_lexicon()
    document = Document(DocumentId("d"), "dr. Kees Mulder")
    mention = Mention.at(
        document,
        span_of(document.text, "dr. Kees"),
        detector=Detector.REGISTRY,
        confidence=1.0,
        person_id="p1",
    )
    (candidate,) = collect(lexicon.scan(document.text), [mention], lexicon)
    assert (candidate.span, candidate.person_id, candidate.detector) == (
        mention.span,
        "p1",
        Detector.REGISTRY,
    )
    assert "p1" not in repr(candidate)


@pytest.mark.parametrize(
    ("text", "feature", "value"),
    [
        ("Met dr. Mulder", "title_before", 1.0),
        ("Met Mulder", "title_before", 0.0),
        ("Beste Mulder", "salutation_before", 1.0),
        ("Mulder zei", "sentence_start", 1.0),
        ("Met Mulder zei", "sentence_start", 0.0),
        ("in Mulder", "preposition_before", 1.0),
        ("mail Mulder@zwolle", "in_address", 1.0),
        ("J. Mulder", "initials_before", 1.0),
        ("met Kees Mulder", "name_goes_on_before", 0.9),
        ("met van Mulder", "name_goes_on_before", 0.5),
        ("MULDER en Mulder", "case", 2.0),
        ("roept @Mulder iets", "in_address", 0.0),
        ("Kees (Mulder) won", "bracketed", 1.0),
        ("Kees, Mulder won", "bracketed", 0.0),
        ("m;Mulder;v", "cell", 3.0),
        ("Jan  Mulder belt", "cell", 1.0),
        ("de mulder en Mulder", "small_elsewhere", 1.0),
        ("met Kees, Mulder en Anneke", "enumerated", 0.0),
        ("met Mulder VVD", "odd_capitals", 0.0),
        ("van Mulder", "particle_known", 0.0),
    ],
)
def test_surroundings_are_read(text: str, feature: str, value: float) -> None:
    assert _features(text, "Mulder")[feature] == pytest.approx(value)


def test_the_other_occurrences_of_a_word_count() -> None:
    found = _features("Mulder belde. Later zei Mulder iets. Mulder zei niets.", "Mulder", Mulder=0.9)
    assert found["person_vote"] == pytest.approx(0.9)
    assert found["strong_elsewhere"] == 3


def test_a_neighbour_in_a_list_counts() -> None:
    assert _features("met Kees en Mulder", "Mulder", Kees=0.9)["enumerated"] == pytest.approx(0.9)
    assert _features("met Mulder, Kees", "Mulder", Kees=0.9)["enumerated"] == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("text", "surface", "feature", "value"),
    [
        ("nieuwe Boerlaan nodig", "Boerlaan", "compound", 5.0),
        ("nieuwe Boerslaan nodig", "Boerslaan", "compound", 5.0),
        ("nieuwe Hoekstra nodig", "Hoekstra", "compound", 0.0),
        ("van Hessel TD hoor", "Hessel TD", "odd_capitals", 2.0),
        ("van VenJ hoor", "VenJ", "odd_capitals", 1.0),
        ("van HESSEL TD hoor", "HESSEL TD", "odd_capitals", 0.0),
        ("van Kees, Anneke hoor", "Kees, Anneke", "comma_given", 2.0043),
        ("van Mulder, Kees hoor", "Mulder, Kees", "comma_given", -2.0043),
    ],
)
def test_words_of_the_span_are_read(text: str, surface: str, feature: str, value: float) -> None:
    assert _features(text, surface)[feature] == pytest.approx(value, abs=0.001)


def test_a_particle_seen_behind_a_given_name_speaks_for_itself_elsewhere() -> None:
    text = "Kees van Hidde belde. Later zei van Hidde iets."
    lexicon = fake_lexicon()
    scanned = lexicon.scan(text)
    whole, again = span_of(text, "Kees van Hidde"), span_of(text, "van Hidde", 1)
    core = Span(again.start + 4, again.end)
    candidates = [Candidate(whole, ner=0.9), Candidate(again), Candidate(core)]
    rows = feature_values(Surroundings.of(scanned, candidates, None))
    place = list(FEATURES).index("particle_known")
    assert [float(row[place]) for row in rows] == [0.0, 1.0, -1.0]


def test_every_feature_is_a_number_for_odd_candidates() -> None:
    lexicon = fake_lexicon()
    text = "’t 0"
    scanned = lexicon.scan(text)
    rows = feature_values(Surroundings.of(scanned, [Candidate(span_of(text, "’t"))], None))
    assert rows.shape == (1, len(FEATURES))
    assert not any(math.isinf(value) for value in rows[0])
    assert feature_values(Surroundings.of(scanned, [], None)).shape == (0, len(FEATURES))


def test_names_with_two_blanks_between_all_of_them_are_columns() -> None:
    lexicon = fake_lexicon()
    text = "Bos  Vos  Kok"
    document = Document(DocumentId("a"), text)
    mention = Mention.at(document, Span(0, len(text)), detector=Detector.NER, confidence=0.9)
    found = collect(lexicon.scan(text), [mention], lexicon)
    assert [candidate.span for candidate in found] == [Span(0, 3), Span(5, 8), Span(10, 13)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bos;Kees", ["Bos", "Kees"]),
        ("Hans' jas", ["Hans"]),
        ("Hans' Mercedes", ["Hans", "Mercedes"]),
        ("Kees 'Hans' Mulder", ["Kees 'Hans' Mulder"]),
        ("Kees, Otto, Jan", ["Kees", "Otto", "Jan"]),
        ("Kees, Otto, Jan Bos, Sanne", ["Kees", "Otto", "Jan Bos", "Sanne"]),
        ("Bos, Jan, Sanne", ["Bos, Jan", "Sanne"]),
        ("Bos, Jan", ["Bos, Jan"]),
        ("Kees Bos, Jan", ["Kees Bos, Jan"]),
    ],
)
def test_a_span_is_cut_at_fields_and_possessives(text: str, names: list[str]) -> None:
    lexicon = fake_lexicon()
    document = Document(DocumentId("a"), text)
    mention = Mention.at(document, Span(0, len(text)), detector=Detector.NER, confidence=0.9)
    found = collect(lexicon.scan(text), [mention], lexicon)
    assert [candidate.span.cut(text) for candidate in found] == names


@pytest.mark.parametrize("joint", ["E/O", "e/o", "EN/OF"])
def test_holders_of_one_account_are_cut_apart(joint: str) -> None:
    text = f"J BOUWMA {joint} K HOEKZEMA"
    mention = Mention.at(
        Document(DocumentId("d"), text), Span(0, len(text)), detector=Detector.NER, confidence=0.9
    )
    lexicon = fake_lexicon()
    found = collect(lexicon.scan(text), [mention], lexicon)
    assert [text[one.span.start : one.span.end] for one in found] == ["J BOUWMA", "K HOEKZEMA"]
