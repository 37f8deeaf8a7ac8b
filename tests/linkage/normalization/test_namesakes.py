"""Two people of one name in one text: what tells them apart, and what must not. All names are invented."""

import time

import pytest

from linkage.normalization.context import sentence_starts
from linkage.normalization.namesakes import namesake_pairs
from linkage.records import Detector, Document, DocumentId, Mention, PersonName, Span

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
    found = namesake_pairs(text, mentions, [name, name], sentence_starts(text, mentions))
    assert found in (set(), {(0, 1)})
    return bool(found)


@pytest.mark.parametrize(
    "text",
    [
        "De brief voor adviseur S. Kuipers ging naar klant S. Kuipers.",
        "Coach: S. Kuipers.\nScheidsrechter: S. Kuipers (zelfde naam als de coach)",
        "Aan de heer S. Kuipers (geb. 02-07-1952) en\nde heer S. Kuipers (geb. 30-01-1983)",
        "S. Kuipers (trainer) is geschorst. Een brief van S. Kuipers (scheidsrechter) volgt.",
        "Cliënt: S. Kuipers (NIET: S. Kuipers, 14 juni)",
        "Vader is S. Kuipers. Een neef heet ook S. Kuipers.",
        "S. Kuipers    teamleider\nS. Kuipers    ontwikkeling\n",
        "1  S. Kuipers    08-08\n2  S. Kuipers    12-12\n",
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
    assert not namesake_pairs(text, mentions, names, ())


def test_given_names_count_only_where_the_text_says_so() -> None:
    assert _are_two("Roos en Roos vonden dat leuk.", "Roos", _LONE)
    assert not _are_two("Roos zei dat Roos zelf belt.", "Roos", _LONE)
    assert not _are_two("Ron spreekt Roos. Ook Roos komt.", "Roos", _LONE)
    assert _are_two("Bel Roos. Groet, Roos (de andere)", "Roos", _LONE)


def test_names_that_differ_are_no_namesakes() -> None:
    text = "Gerben Zandwijk vroeg of Gerrit Zandwijk komt."
    document = Document(DocumentId("d"), text)
    spans = [Span(0, 15), Span(25, 40)]
    mentions = [Mention.at(document, s, detector=Detector.NER, confidence=1.0) for s in spans]
    names = [_ZANDWIJK, PersonName(given="Gerrit", family="Zandwijk")]
    assert not namesake_pairs(text, mentions, names, ())


def test_thousands_of_one_name_take_no_square_time() -> None:
    line = "S. Kuipers komt. "

    def seconds(count: int) -> float:
        text = line * count
        document = Document(DocumentId("d"), text)
        spans = [Span(n * len(line), n * len(line) + 10) for n in range(count)]
        mentions = [Mention.at(document, s, detector=Detector.NER, confidence=1.0) for s in spans]
        started = time.process_time()
        namesake_pairs(text, mentions, [_KUIPERS] * count, [n * len(line) for n in range(1, count)])
        return time.process_time() - started

    seconds(500)
    assert seconds(8_000) < 24 * max(seconds(1_000), 0.002)
