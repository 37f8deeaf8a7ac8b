"""Two people of one name in one text: what tells them apart, and what must not. All names are invented."""

import re
import time

import pytest

from linkage.context.namesakes import namesake_pairs
from linkage.language import Language
from linkage.normalization.context import sentence_starts
from linkage.records import Detector, Document, DocumentId, Mention, PersonName, Span

_DUTCH = Language.load("nl")
_KUIPERS = PersonName(initials="S.", family="Kuipers")
_ZANDWIJK = PersonName(given="Gerben", family="Zandwijk")
_TITLED = PersonName(family="Oosterling")
_LONE = PersonName(given="Roos")


def _are_two(text: str, surface: str, name: PersonName) -> bool:
    """Whether the two places of surface in text are two people."""
    document = Document(DocumentId("d"), text)
    first = text.index(surface)
    second = text.index(surface, first + 1)
    mentions = [
        Mention.at(document, Span(at, at + len(surface)), detector=Detector.NER, confidence=1.0)
        for at in (first, second)
    ]
    found = namesake_pairs(text, mentions, [name, name], sentence_starts(text, mentions, _DUTCH), _DUTCH)
    assert found in (set(), {(0, 1)})
    return bool(found)


@pytest.mark.parametrize(
    "text",
    [
        "De brief voor adviseur S. Kuipers ging naar klant S. Kuipers.",
        "Coach: S. Kuipers.\nScheidsrechter: S. Kuipers (zelfde naam als de coach)",
        "Aan de heer S. Kuipers (geb. 02-07-1952) en de heer S. Kuipers (geb. 30-01-1983)",
        "S. Kuipers (trainer) is geschorst. Een brief van S. Kuipers (scheidsrechter) volgt.",
        "Cliënt: S. Kuipers (NIET: S. Kuipers, 14 juni)",
        "Vader is S. Kuipers. Een neef heet ook S. Kuipers.",
        "S. Kuipers    teamleider\nS. Kuipers    ontwikkeling\n",
        "1  S. Kuipers    bestuur\n2  S. Kuipers    jeugd\n",
        "Wij spraken met S. Kuipers. Op de lijst staat een man die ook S. Kuipers heet.",
    ],
)
def test_the_text_tells_two_full_names_apart(text: str) -> None:
    assert _are_two(text, "S. Kuipers", _KUIPERS)


@pytest.mark.parametrize(
    "text",
    [
        "Van: S. Kuipers <s.kuipers@voorbeeld.example> namens S. Kuipers",
        "S. Kuipers, handelend onder de naam S. Kuipers, verklaart",
        "S. Kuipers, S. Kuipers, hoort u mij?",
        '"Vraag het S. Kuipers", zei S. Kuipers zelf.',
        "rooster      S. Kuipers     S. Kuipers     W. Wil",
        "S. Kuipers (SP) vroeg iets.\n\nIk dank S. Kuipers (CU).",
        "S. Kuipers belde.\n\nOok S. Kuipers is om.",
        "S. Kuipers kwam maandag. Dinsdag kwam ook S. Kuipers.",
        "S. Kuipers (geb. 1-2-1950) kwam. S. Kuipers (geboren 1 februari 1950) ging.",
        "S. Kuipers (45) kwam. S. Kuipers (voorzitter) opent.",
        "S. Kuipers (voorzitter) opent. S. Kuipers (afwezig) gaat.",
        "S. Kuipers; 3 uur\nS. Kuipers; 4 uur\n",
        "S. Kuipers | 10:00 | inlog\nS. Kuipers | 11:00 | uitlog\n",
        "S. Kuipers    10:00  hoi\nS. Kuipers    10:01  ja\n",
        "Groet,\nS. Kuipers\nS. Kuipers | Adviseur\n",
        "Klacht van S. Kuipers\nS. Kuipers schrijft dat het regent.",
        "Hij belde S. Kuipers, en S. Kuipers belde Bea.",
        "S. Kuipers zei dat S. Kuipers zelf betaalt.",
    ],
)
def test_one_person_may_come_twice(text: str) -> None:
    assert not _are_two(text, "S. Kuipers", _KUIPERS)


def test_another_sentence_tells_nothing() -> None:
    text = "Gerben Zandwijk belde. Gerben Zandwijk komt morgen."
    assert not _are_two(text, "Gerben Zandwijk", _ZANDWIJK)
    assert _are_two("Gerben Zandwijk vroeg of Gerben Zandwijk komt.", "Gerben Zandwijk", _ZANDWIJK)


def test_a_surname_twice_in_a_sentence_needs_two_roles() -> None:
    assert _are_two("verdachte Oosterling is aan getuige Oosterling betekend", "Oosterling", _TITLED)
    assert not _are_two("mevrouw Oosterling belt als Oosterling dat wil", "Oosterling", _TITLED)
    assert not _are_two("zei Oosterling toen ze Oosterling belden", "Oosterling", _TITLED)


def test_another_spelling_is_rather_the_same_person() -> None:
    text = "Gerben Zandwijk tekent G. Zandwijk, en GERBEN ZANDWIJK op de kaart."
    document = Document(DocumentId("d"), text)
    spans = [Span(0, 15), Span(23, 34), Span(39, 54)]
    mentions = [Mention.at(document, s, detector=Detector.NER, confidence=1.0) for s in spans]
    names = [_ZANDWIJK, PersonName(initials="G.", family="Zandwijk"), _ZANDWIJK]
    assert not namesake_pairs(text, mentions, names, (), _DUTCH)


def test_given_names_count_only_where_the_text_says_so() -> None:
    assert _are_two("Roos en Roos vonden dat leuk.", "Roos", _LONE)
    assert not _are_two("Roos zei dat Roos zelf belt.", "Roos", _LONE)
    assert not _are_two("Ron spreekt Roos. Ook Roos komt.", "Roos", _LONE)
    assert _are_two("Bel Roos. Groet, Roos (de andere)", "Roos", _LONE)


def test_all_namesakes_of_a_sentence_are_told_apart() -> None:
    text = "opa S. Kuipers, vader S. Kuipers en kleinzoon S. Kuipers kwamen."
    document = Document(DocumentId("d"), text)
    spans = [Span(m.start(), m.end()) for m in re.finditer("S. Kuipers", text)]
    mentions = [Mention.at(document, s, detector=Detector.NER, confidence=1.0) for s in spans]
    found = namesake_pairs(text, mentions, [_KUIPERS] * 3, sentence_starts(text, mentions, _DUTCH), _DUTCH)
    assert found == {(0, 1), (0, 2), (1, 2)}


def test_names_that_differ_are_no_namesakes() -> None:
    text = "Gerben Zandwijk vroeg of Gerrit Zandwijk komt."
    document = Document(DocumentId("d"), text)
    spans = [Span(0, 15), Span(25, 40)]
    mentions = [Mention.at(document, s, detector=Detector.NER, confidence=1.0) for s in spans]
    names = [_ZANDWIJK, PersonName(given="Gerrit", family="Zandwijk")]
    assert not namesake_pairs(text, mentions, names, (), _DUTCH)


def test_and_joins_only_names_that_stand_next_to_each_other() -> None:
    text = "Er zijn drie kinderen: Lambert, Drieka en Hanneke. Drieka is ziek."
    document = Document(DocumentId("d"), text)
    spans = [Span(m.start(), m.end()) for m in re.finditer("Lambert|Drieka|Hanneke", text)]
    mentions = [Mention.at(document, s, detector=Detector.NER, confidence=1.0) for s in spans]
    names = [PersonName(given=mention.surface) for mention in mentions]
    assert not namesake_pairs(text, mentions, names, sentence_starts(text, mentions, _DUTCH), _DUTCH)


@pytest.mark.parametrize("filler", [" ", "x", "\t", "1"])
def test_a_line_without_end_takes_no_square_time(filler: str) -> None:
    def seconds(length: int) -> float:
        text = filler * length + " S. Kuipers\nS. Kuipers   x"
        started = time.process_time()
        for _ in range(20):
            _are_two(text, "S. Kuipers", _KUIPERS)
        return time.process_time() - started

    seconds(1_000)
    assert seconds(40_000) < 30 * max(seconds(4_000), 0.005)


def test_thousands_of_one_name_take_no_square_time() -> None:
    line = "S. Kuipers komt. "

    def seconds(count: int) -> float:
        text = line * count
        document = Document(DocumentId("d"), text)
        spans = [Span(n * len(line), n * len(line) + 10) for n in range(count)]
        mentions = [Mention.at(document, s, detector=Detector.NER, confidence=1.0) for s in spans]
        sentences = [n * len(line) for n in range(1, count)]
        started = time.process_time()
        namesake_pairs(text, mentions, [_KUIPERS] * count, sentences, _DUTCH)
        return time.process_time() - started

    seconds(500)
    assert seconds(8_000) < 24 * max(seconds(1_000), 0.002)
