"""What the text says about mentions. All names are invented."""

import re
import time

import pytest

from linkage.detection.values import value_mentions
from linkage.gazetteer import Gazetteer
from linkage.normalization import gender_of, normalize
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    Gender,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
)


@pytest.fixture(scope="module")
def gazetteer() -> Gazetteer:
    return Gazetteer.load()


def _normalized(
    marked: str, gazetteer: Gazetteer, typo_of: str | None = None
) -> tuple[NormalizedMention, ...]:
    """Mentions are written in [brackets]."""
    text, spans, start = "", [], 0
    for character in marked:
        if character == "[":
            start = len(text)
        elif character == "]":
            spans.append(Span(start, len(text)))
        else:
            text += character
    document = Document(DocumentId("d"), text)
    mentions = [
        Mention.at(document, span, detector=Detector.NER, confidence=1.0, typo_of=typo_of) for span in spans
    ]
    found = normalize(document, mentions, gazetteer)
    assert [n.mention for n in found] == mentions  # never changed, in the order given
    return found


def _joined(found: tuple[NormalizedMention, ...]) -> set[tuple[int, int]]:
    number = {n.mention_id: i for i, n in enumerate(found)}
    return {(i, number[m]) for i, n in enumerate(found) for m in n.context.joined_with if i < number[m]}


def _same(found: tuple[NormalizedMention, ...]) -> set[tuple[int, int]]:
    number = {n.mention_id: i for i, n in enumerate(found)}
    return {(i, number[m]) for i, n in enumerate(found) for m in n.context.same_as if i < number[m]}


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("[Jan Vos] en [Piet Bos] kwamen.", {(0, 1)}),
        ("[Jan Vos], [Piet Bos] en mevrouw [Kok] kwamen.", {(0, 1), (0, 2), (1, 2)}),
        ("[Jan Vos] (inkoop) en [Piet Bos] (verkoop).", {(0, 1)}),
        ("[Jan Vos] sr. en [Jan Vos] jr. kwamen.", {(0, 1)}),
        ("[Vos], [Jan] kwam.", set()),
        ("[Piet Bos] en [Pieter Bos] is dezelfde man.", set()),
        ("[Corry Barelds] en [Corry Barrelds] ook.", set()),
        ("[Jan Vos] belde met [Piet Bos].", set()),
        ("[Jan Vos]; [S. de Wit-Kok] en mw. [Kok-de Wit] is zij ook.", set()),
    ],
)
def test_two_names_side_by_side_are_two_people(
    marked: str, expected: set[tuple[int, int]], gazetteer: Gazetteer
) -> None:
    assert _joined(_normalized(marked, gazetteer)) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("[Hendrika Brouwer] (roepnaam [Riet]) kwam.", {(0, 1)}),
        ("[Marijke van Dorp] (geb. [Tol]), dus [Marijke Tol].", {(0, 1), (1, 2)}),
        ("[Piet Bos] en [Pieter Bos] is dezelfde man.", {(0, 1)}),
        ("[Theo Bos] tekent [Th. Bos].", {(0, 1)}),
        ("[Jan Vos] sprak. De heer [Vos] is dezelfde.", {(0, 1)}),
        (
            "Van: [Jan Vos]\nAan: [Piet Bos]\n\nBeste [Piet],\n\nTot morgen.\n\nGroet,\n[Jan]\n",
            {(0, 3), (1, 2)},
        ),
        (
            "Van: [Jan Vos]\nAan: [Piet Bos]\n\n[Piet],\n\nTot morgen.\n\n[Jan]\n",
            {(0, 3), (1, 2)},
        ),
        ("Van: [Jan Vos]\n\nTot morgen.\n\nGroet,\n[JV]\n", {(0, 1)}),
        ("Van: [Jan Vos]\n\nTot morgen.\n\nGroet,\n[HB]\n", set()),
        ("[Jan Vos] tekent [Riet Kuiper].", set()),
        ("Van: [Jan Vos]\n\nHoi,\n\nGroet,\n[Riet Kuiper]\n", set()),
    ],
)
def test_text_that_says_two_mentions_are_one(
    marked: str, expected: set[tuple[int, int]], gazetteer: Gazetteer
) -> None:
    assert _same(_normalized(marked, gazetteer)) == expected


@pytest.mark.parametrize(
    ("marked", "index", "expected"),
    [
        ("[Jan Vos], geb. 03-04-1951, belde.", 0, ("birth_date", "1951-04-03")),
        ("[Jan Vos] (geboren op 3 april 1951)", 0, ("birth_date", "1951-04-03")),
        ("Naam: [Jan Vos]\nGeboortedatum: 03-04-1951\n", 0, ("birth_date", "1951-04-03")),
        ("[Jan Vos] <jan.vos@voorbeeld.nl>", 0, ("email", "jan.vos@voorbeeld.nl")),
        ("[Jan Vos], BSN 111222333", 0, ("bsn", "111222333")),
        ("[Zhang Weiming] (nr. 5)", 0, ("number", "5")),
        ("[Jan Vos], dossiernummer 4711-A", 0, ("dossier", "4711-a")),
        ("[Jan Vos]\nKerkstraat 5\n", 0, ("address", "kerkstraat 5")),
        ("[Jan Vos] (zoon), geb. 03-04-1951", 0, ("birth_date", "1951-04-03")),
        ("[Jan Vos], DOB: 3/4/1951", 0, ("birth_date", "1951-04-03")),
        ("[Jan Vos] (\u00b0 3 apr 1951)", 0, ("birth_date", "1951-04-03")),
        ("Geboortedatum: 3-4-1951\nNaam: [Jan Vos]\n", 0, ("birth_date", "1951-04-03")),
        ("Naam: [Els Mol]\n\nGeb.dat.: 3-4-1951\nNaam: [Jan Vos]\n", 1, ("birth_date", "1951-04-03")),
        ("Naam: [Els Mol]\nGeb.dat.: 3-4-1951\nNaam: [Jan Vos]\n", 0, ("birth_date", "1951-04-03")),
    ],
)
def test_attribute_near_a_name(
    marked: str, index: int, expected: tuple[str, str], gazetteer: Gazetteer
) -> None:
    assert expected in _normalized(marked, gazetteer)[index].context.attributes


@pytest.mark.parametrize(
    "marked",
    [
        "[Jan Vos] en [Piet Bos], geb. 03-04-1951",  # whose of the two is not said
        "[Jan Vos] belde. Op 03-04-1951 was het warm.",
        "[Jan Vos], BSN 111222334",  # fails the eleven test
        "[Jan Vos], geb. 31-02-1951",
        "[Jan Vos] kwam met zijn zoon, geboren op 1-2-1980.",
        "[Jan Vos] kwam met zijn jongste zoon (geb. 1-2-1980).",
        "[Jan Vos] heeft een dochter, geb. 1-2-1980",
        "Mevrouw [Vos] belde over haar man, geb. 1-2-1950",
        "Naam: [Jan Vos]\nDit betreft zijn zoon, geb. 1-2-1980\n",
        "Geboortedatum: 3-4-1951\nNaam: [Jan Vos] en [Els Mol]\n",
    ],
)
def test_a_doubtful_attribute_is_left_out(marked: str, gazetteer: Gazetteer) -> None:
    assert all(not n.context.attributes for n in _normalized(marked, gazetteer))


def test_gender_from_the_title_goes_before_the_lists(gazetteer: Gazetteer) -> None:
    assert _normalized("mevrouw [Thomas] belde", gazetteer)[0].gender is Gender.FEMALE
    assert _normalized("zijn zoon [Kim] belde", gazetteer)[0].gender is Gender.MALE
    assert _normalized("[N. Bos] (vrouw) belde", gazetteer)[0].gender is Gender.FEMALE
    assert _normalized("de heer en mevrouw [Bos] belden", gazetteer)[0].gender is None


def test_a_womans_name_that_is_a_mans_pet_name_is_both(gazetteer: Gazetteer) -> None:
    for name in ("Jantje", "Pietje"):
        assert _normalized(f"[{name}] belde", gazetteer)[0].gender is Gender.BOTH
    assert _normalized("[Roosje] belde", gazetteer)[0].gender is Gender.FEMALE
    for name in ("Albertje", "Hendrikje", "Geertje", "Klaasje", "Jantje"):
        assert _normalized(f"[{name} Hoekstra] belde", gazetteer)[0].gender is Gender.FEMALE


def test_a_lone_word_is_read_as_the_document_uses_it(gazetteer: Gazetteer) -> None:
    found = _normalized("[Zoltar de Wit] kwam. [Zoltar] ging.", gazetteer)
    assert found[1].name.given == "Zoltar"
    found = _normalized("[J. Thomas] kwam. [Thomas] ging.", gazetteer)
    assert found[1].name.family == "Thomas"
    assert _normalized("mevrouw [Thomas]", gazetteer)[0].name.family == "Thomas"


def test_both_orders_of_two_unknown_words_become_one(gazetteer: Gazetteer) -> None:
    found = _normalized("[Xhanq Weimzing] en later [Weimzing Xhanq]", gazetteer)
    assert found[0].name == found[1].name


def test_sentences_are_counted_but_not_after_initials(gazetteer: Gazetteer) -> None:
    found = _normalized("Dr. [J. Vos] kwam. Toen kwam [Piet]. [Riet] niet.", gazetteer)
    assert [n.context.sentence for n in found] == [0, 1, 2]


def test_a_typing_error_is_kept_as_a_correction(gazetteer: Gazetteer) -> None:
    found = _normalized("[Jan Tolmsa] belde", gazetteer, typo_of="Jan Tolsma")[0]
    assert found.name.family == "Tolsma"
    assert [(c.part, c.before, c.after, c.edit_distance) for c in found.corrections] == [
        ("family", "Tolmsa", "Tolsma", 1)
    ]


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("Jan de Vries\n" + "Tel 0612345678, " * 30_000, {"0612345678"}),  # a long line below a name
        ("Jan de Vries " + "tel 0612345678, " * 30_000, {"0612345678"}),  # and one behind it
        ("dossier 12345678 van Jan de Vries, tel 0612345678, " * 3_000, {"0612345678", "12345678"}),
    ],
)
def test_time_grows_with_a_line_and_not_with_its_square(
    text: str, attributes: set[str], gazetteer: Gazetteer
) -> None:
    document = Document(DocumentId("d"), text)
    spans = [Span(found.start(), found.end()) for found in re.finditer("Jan de Vries", text)]
    mentions = [Mention.at(document, span, detector=Detector.NER, confidence=1.0) for span in spans]
    values = value_mentions(document, persons=spans)
    started = time.process_time()
    found = normalize(document, mentions, gazetteer, values)
    assert time.process_time() - started < 6  # 16 seconds when each value looked back to its line's start
    assert attributes <= {value for _, value in found[0].context.attributes}


def test_nobody_knows_the_gender_of_a_word_behind_anothers_initial(gazetteer: Gazetteer) -> None:
    assert gender_of(PersonName(given="Truus", family="Bos"), gazetteer) is Gender.FEMALE
    assert gender_of(PersonName(given="Truus", initials="T.", family="Bos"), gazetteer) is Gender.FEMALE
    assert gender_of(PersonName(given="Truus", initials="S.T.", family="Bos"), gazetteer) is None
    called = PersonName(given="Truus", initials="S.", nickname="Truus", family="Bos")
    assert gender_of(called, gazetteer) is Gender.FEMALE


def test_a_short_form_of_a_given_name_of_the_document_is_no_surname() -> None:
    english = Gazetteer.load("en")
    text = "Dominic Hale came. Dom laughed. Mr Dom left."
    spans = [Span(0, 12), Span(19, 22), Span(35, 38)]
    document = Document(DocumentId("d"), text, language="en")
    mentions = [Mention.at(document, span, detector=Detector.NER, confidence=1.0) for span in spans]
    _, lone, titled = normalize(document, mentions, english)
    assert lone.name == PersonName(given="Dom")
    assert titled.name == PersonName(family="Dom")
    (alone,) = normalize(document, mentions[1:2], english)
    assert alone.name == PersonName(family="Dom")
