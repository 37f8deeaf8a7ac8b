"""Names taken apart. All names are invented."""

import re
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.names import parse_name, render_name
from linkage.normalization import gender_of, normalize
from linkage.records import Detector, Document, DocumentId, Gender, Mention, PersonName, Span, fold


@pytest.fixture(scope="module")
def gazetteer() -> Gazetteer:
    return Gazetteer.load()


def _name(**parts: str) -> PersonName:
    return PersonName(**parts)


DE_VRIES = _name(given="Jan", particle="de", family="Vries")
CASES = [
    ("Jan de Vries", DE_VRIES),
    ("JAN DE VRIES", DE_VRIES),
    ("jan de vries", DE_VRIES),
    ("de Vries, Jan", DE_VRIES),
    ("Vries, Jan de", DE_VRIES),
    ("Vries, de, Jan", DE_VRIES),
    ("De Vries Jan", DE_VRIES),
    ("dr. Jan de Vries", DE_VRIES),
    ("Jan\nde\n> Vries", DE_VRIES),
    ("J\u00adan de\u200b Vries", DE_VRIES),
    ("Jan de Vries's", DE_VRIES),
    ("De Vries", _name(particle="de", family="Vries")),
    ("J.P. de Vries", _name(initials="J.P.", particle="de", family="Vries")),
    ("JP de Vries", _name(initials="J.P.", particle="de", family="Vries")),
    ("J P de Vries", _name(initials="J.P.", particle="de", family="Vries")),
    ("VRIES, J. DE", _name(initials="J.", particle="de", family="Vries")),
    ("Boer|de|S.", _name(initials="S.", particle="de", family="Boer")),
    ("Berg, J. van den", _name(initials="J.", particle="van den", family="Berg")),
    ("Berg J. van den", _name(initials="J.", particle="van den", family="Berg")),
    ("Jan v.d. Berg", _name(given="Jan", particle="van der", family="Berg")),
    ("Th. Bos", _name(initials="Th.", family="Bos")),
    ("P. Bakker", _name(initials="P.", family="Bakker")),
    ("Jan P. de Vries", _name(given="Jan", initials="J.P.", particle="de", family="Vries")),
    ("J. Peter de Vries", _name(given="Peter", initials="J.P.", particle="de", family="Vries")),
    ("Tolsma Jan", _name(given="Jan", family="Tolsma")),
    ("Kovács Péter", _name(given="Péter", family="Kovács")),
    ("DE CLIPPELEIR Veerle", _name(given="Veerle", particle="de", family="Clippeleir")),
    ("Anne-Fleur", _name(given="Anne-Fleur")),
    ("Jan-\nWillem Bos", _name(given="Jan-Willem", family="Bos")),
    ("Piet Jan-\nsen", _name(given="Piet", family="Jansen")),
    ("Maria Johanna", _name(given="Maria Johanna")),
    ("Sanne Jansen-de Boer", _name(given="Sanne", particle="de", family="Boer", partner_family="Jansen")),
    ("mw. Jansen-de Boer", _name(particle="de", family="Boer", partner_family="Jansen")),
    ("Jacintha Martina-Roos", _name(given="Jacintha", family="Roos", partner_family="Martina")),
    ("Hans van Dijk-van den Berg", _name(
        given="Hans", particle="van den", family="Berg", partner_particle="van", partner_family="Dijk")),
    ("Marijke van Dorp geb. Tol", _name(
        given="Marijke", family="Tol", partner_particle="van", partner_family="Dorp")),
    ("Tol (Van Dorp), Marijke", _name(
        given="Marijke", family="Tol", partner_particle="van", partner_family="Dorp")),
    ("A. Jansen e/v de Boer", _name(
        initials="A.", family="Jansen", partner_particle="de", partner_family="Boer")),
    ("Jan Vosman sr.", _name(given="Jan", family="Vosman", suffix="sr.")),
    ("Vosman jr., J.", _name(initials="J.", family="Vosman", suffix="jr.")),
    ('Johannes "Hans" de Boer', _name(given="Johannes", particle="de", family="Boer", nickname="Hans")),
    ("Johannes (Hans) de Boer", _name(given="Johannes", particle="de", family="Boer", nickname="Hans")),
    ("Ĳsbrand Pĳnacker", _name(given="IJsbrand", family="Pijnacker")),
    ("IJSBRAND PIJNACKER", _name(given="IJsbrand", family="Pijnacker")),
    ("Piet D\u2019Hondt", _name(given="Piet", particle="d'", family="Hondt")),
    ("Jan van \u2019t Hart", _name(given="Jan", particle="van 't", family="Hart")),
    ("Mohammed El-Amrani", _name(given="Mohammed", particle="el", family="Amrani")),
    ("Ben de Vries", _name(given="Ben", particle="de", family="Vries")),
    ("\u0130brahim Y\u0131ld\u0131z", _name(given="Ibrahim", family="Yildiz")),
    ("MCDONALD", _name(family="McDonald")),
    ("Harm Klein Hesselink", _name(given="Harm", family="Klein Hesselink")),
    ("oom Piet", _name(given="Piet")),
    ("mevrouw Thomas", _name(family="Thomas")),
    ("T O L S M A", _name(family="Tolsma")),
    ("D E  V R I E S   J A N", DE_VRIES),
    ("TOLSMA SA", _name(initials="S.A.", family="Tolsma")),
    ("TOLSMA D-J", _name(initials="D.J.", family="Tolsma")),
    ("tolsma a", _name(initials="A.", family="Tolsma")),
    ("VRIES, de Jan", DE_VRIES),
    ("oude-wesselink", _name(family="Oude-Wesselink")),
    ("van den Bosch, mw. dr. H.", _name(initials="H.", particle="van den", family="Bosch")),
    ("Bosch, mw., H.", _name(initials="H.", family="Bosch")),
    ("'s-Gravesande", _name(particle="'s", family="Gravesande")),
    ("\u2019s Gravesande", _name(particle="'s", family="Gravesande")),
    ("W.A. baron van Heemstra", _name(initials="W.A.", particle="van", family="Heemstra")),
    ("Baron van Heemstra", _name(particle="van", family="Heemstra")),
    ("Heemstra, W.A. baron van", _name(initials="W.A.", particle="van", family="Heemstra")),
    ("ome Henk", _name(given="Henk")),
    ("Hr. Ter Horst", _name(particle="ter", family="Horst")),
    ("HR Tolsma", _name(initials="H.R.", family="Tolsma")),
    ("DE HEER J. JANSEN", _name(initials="J.", family="Jansen")),
    ("De Heer J.", _name(initials="J.", particle="de", family="Heer")),
    ("De Heer, J.", _name(initials="J.", particle="de", family="Heer")),
    ("Kees Smit ing.", _name(given="Kees", family="Smit")),
    ("kees smit mba", _name(given="Kees", family="Smit")),
    ("Tolsma MBA", _name(family="Tolsma")),
    ("drs. J.P. Balkenende MBA", _name(initials="J.P.", family="Balkenende")),
    ("Marco dell'Acqua", _name(given="Marco", particle="dell'", family="Acqua")),
    ("D'Angelo Tolsma", _name(given="D'Angelo", family="Tolsma")),
    ("Ronald Mc Donald", _name(given="Ronald", family="McDonald")),
    ("J. Zaalberg van Zelst", _name(initials="J.", family="Zaalberg Van Zelst")),
    ("J. Peter van Zelst", _name(given="Peter", initials="J.P.", particle="van", family="Zelst")),
    ("Jan Roos", _name(given="Jan", family="Roos")),
    ("Jan Maria", _name(given="Jan Maria")),
    ("JAN V.D. BERG", _name(given="Jan", particle="van der", family="Berg")),
    ("J.V.D. BERG", _name(initials="J.V.D.", family="Berg")),
    ("v.d. Berg, Jan", _name(given="Jan", particle="van der", family="Berg")),
    ("'T ISLE", _name(particle="'t", family="Isle")),
    ("Jan ter Braak\u2011de Wit", _name(
        given="Jan", particle="de", family="Wit", partner_particle="ter", partner_family="Braak")),
    ("Anna ten Cate Hoedemaker-de Wit", _name(
        given="Anna", particle="de", family="Wit", partner_particle="ten", partner_family="Cate Hoedemaker")),
    ("Anna Klein Hesselink-de Wit", _name(
        given="Anna", particle="de", family="Wit", partner_family="Klein Hesselink")),
    ("Anna Tolsma - Oude-Wesselink", _name(
        given="Anna", family="Oude-Wesselink", partner_family="Tolsma")),
    ("Anna Tolsma-Oude-Wesselink", _name(given="Anna", family="Oude-Wesselink", partner_family="Tolsma")),
    ("Anna Oude-Wesselink-d'Acqua", _name(
        given="Anna", particle="d'", family="Acqua", partner_family="Oude-Wesselink")),
    ("José Luis García Márquez", _name(given="José Luis", family="García Márquez")),
    ("J.L. García Márquez", _name(initials="J.L.", family="García Márquez")),
    ("José García", _name(given="José", family="García")),
    ("Anne Fleur Dekker", _name(given="Anne Fleur", family="Dekker")),
    ("Mohamed Ben Ali", _name(given="Mohamed", particle="ben", family="Ali")),
    ("Sean O\u2019BRIEN", _name(given="Sean", family="O'Brien")),
    ("Lars So\u0308rensen", _name(given="Lars", family="S\u00f6rensen")),
    ("J.-P.", _name(initials="J.P.")),
    ("IJ. de Boer", _name(initials="IJ.", particle="de", family="Boer")),
    ("Jan Peter", _name(given="Jan Peter")),
    ("Jan de Vries III", _name(given="Jan", particle="de", family="Vries", suffix="III")),
    ("mevrouw Tolsma jr.", _name(family="Tolsma", suffix="jr.")),
    ("Klaver / K.J. Tolsma", _name(given="Klaver", initials="K.K.J.", family="Tolsma")),
]  # fmt: skip


@pytest.mark.parametrize(("surface", "expected"), CASES, ids=[case[0] for case in CASES])
def test_takes_a_name_apart(surface: str, expected: PersonName, gazetteer: Gazetteer) -> None:
    assert parse_name(surface, gazetteer) == expected


@pytest.mark.parametrize(
    ("surface", "initials"), [("Jan H-W", "J.H.W."), ("Jan vdH", "J.Vdh."), ("Jan el I.", "J.I.")]
)
def test_letters_that_stand_for_a_surname(surface: str, initials: str, gazetteer: Gazetteer) -> None:
    assert parse_name(surface, gazetteer) == _name(given="Jan", initials=initials)


@pytest.mark.parametrize(
    ("surface", "expected"),
    [
        ("ROSSI MARIA", _name(given="Maria", family="Rossi")),
        ("Costa Andrea", _name(given="Andrea", family="Costa")),
        ("DI GIAMBERARDINO ASSUNTA", _name(given="Assunta", particle="di", family="Giamberardino")),
        ("Lo Presti Salvatore", _name(given="Salvatore", particle="lo", family="Presti")),
        ("Anna Della Valle", _name(given="Anna", particle="della", family="Valle")),
        ("Carmela D'Angelo", _name(given="Carmela", particle="d'", family="Angelo")),
        ("DELL'ORTO PAOLO", _name(given="Paolo", particle="dell'", family="Orto")),
        ("Lorenzo de' Medici", _name(given="Lorenzo", particle="de'", family="Medici")),
        ("Dott.ssa Maria Grazia Deledda", _name(given="Maria Grazia", family="Deledda")),
        ("Ing. Luca Della Torre", _name(given="Luca", particle="della", family="Torre")),
        ("Rossi Maria in Bianchi", _name(given="Maria", family="Rossi", partner_family="Bianchi")),
        ("Bianchi Maria nata Rossi", _name(given="Maria", family="Rossi", partner_family="Bianchi")),
        ("Teresa Gallo ved. Conti", _name(given="Teresa", family="Gallo", partner_family="Conti")),
    ],
)
def test_italian_names(surface: str, expected: PersonName) -> None:
    assert parse_name(surface, Gazetteer.load("it")) == expected


@pytest.mark.parametrize(("surface", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_listing_is_read_back_as_the_same_name(
    surface: str, expected: PersonName, gazetteer: Gazetteer
) -> None:
    name = parse_name(surface, gazetteer)
    assert parse_name(render_name(name, listing=True), gazetteer) == expected


TITLES = st.sampled_from(
    ["", "", "", "dr.", "mevrouw", "de heer", "prof. dr.", "jhr.", "Hr.", "oom", "mw. dr."]
)
FORENAMES = st.sampled_from(
    [
        "Jan", "Anne-Fleur", "Péter", "Mohamed", "IJsbrand", "Hendrikje", "Zoltar", "Jan Peter", "Zoë",
        "Ayşe",
        "Y\u0131ld\u0131z", "Łukasz", "Đorđe", "Maria", "Bart-Jan", "Xi", "Abdel-Rahman", "Björn", "J.-P.",
        "J.P.", "Th.", "Chr.", "IJ.", "A.B.C.", "Ph.J.",
    ]
)  # fmt: skip
PARTICLES = st.sampled_from(
    [
        "", "", "de", "van der", "van 't", "'t", "ten", "ter", "d'", "l'", "el", "al", "van de", "v.d.",
        "op den",
        "in 't", "dell'", "von der", "da", "'s", "van", "uit den",
    ]
)  # fmt: skip
FAMILIES = st.sampled_from(
    [
        "Vries", "Tolsma", "Kovács", "Quibbeldorp", "Pijnacker", "McDonald", "O'Brien", "Sørensen",
        "IJzerman",
        "Cate Hoedemaker", "Klein Hesselink", "Großmann", "Ancona", "Hoff", "Gravesande", "Khatib", "Ali",
        "Đurić", "Oude-Wesselink", "Bakker", "Isle", "Zaalberg van Zelst", "Willems", "Peters", "Maria",
        "Smit",
    ]
)  # fmt: skip
SUFFIXES = st.sampled_from(["", "", "jr.", "sr.", "III", "II", "jr", "senior", "MBA", "jr. BSc", "ing."])
HYPHENS = st.sampled_from(["-", " - ", "\u2011"])


@st.composite
def surnames(draw: st.DrawFn) -> str:
    particle = draw(PARTICLES)
    return f"{particle}{'' if re.search(r'[a-z].?$', particle) is None else ' '}{draw(FAMILIES)}".strip()


@st.composite
def written_names(draw: st.DrawFn) -> str:
    """A name as documents write them: title, order, two surnames, suffix, degree, letter case."""
    surname = draw(surnames())
    if draw(st.booleans()):
        surname = f"{surname}{draw(HYPHENS)}{draw(surnames())}"
    forenames = draw(FORENAMES)
    text = draw(st.sampled_from([f"{forenames} {surname}", f"{surname}, {forenames}", surname, forenames]))
    text = " ".join(part for part in (draw(TITLES), text, draw(SUFFIXES)) if part)
    return draw(st.sampled_from([text, text, text.upper(), text.lower()]))


def _otherwise_written(text: str) -> list[str]:
    """The same name with other code points: nobody sees a difference."""
    return [
        unicodedata.normalize("NFD", text),
        unicodedata.normalize("NFC", text),
        "\u00ad".join(re.split(r"(?<=[a-z])(?=[a-z])", text)),
        text.replace("'", "\u2019"),
        text.replace(" ", "\u00a0 "),
        text.replace("IJ", "\u0132").replace("ij", "\u0133"),
        text.replace("-", "\u2010"),
        f"\u200b{text}\ufeff",
    ]


@given(text=written_names())
@settings(max_examples=400, deadline=None)
def test_round_trip_through_a_listing(text: str) -> None:
    name = parse_name(text, _GAZETTEER)
    assert parse_name(render_name(name, listing=True), _GAZETTEER) == name


@given(text=written_names())
@settings(max_examples=400, deadline=None)
def test_parsing_twice_equals_once(text: str) -> None:
    once = parse_name(render_name(parse_name(text, _GAZETTEER)), _GAZETTEER)
    assert parse_name(render_name(once), _GAZETTEER) == once


@given(text=written_names())
@settings(max_examples=200, deadline=None)
def test_code_points_that_look_alike_make_no_difference(text: str) -> None:
    name = parse_name(text, _GAZETTEER)
    for other in _otherwise_written(text):
        assert parse_name(other, _GAZETTEER) == name


@given(forename=FORENAMES, surname=surnames())
@settings(max_examples=200, deadline=None)
def test_case_does_not_matter_for_a_given_name_and_a_surname(forename: str, surname: str) -> None:
    if "." in forename or "v.d." in surname:  # small or capital letters tell these apart
        return
    text = f"{forename} {surname}"
    upper, lower = (parse_name(written, _GAZETTEER).parts() for written in (text.upper(), text.lower()))
    assert [fold(part or "") for part in upper] == [fold(part or "") for part in lower]


@given(before=st.text(max_size=12), names=st.lists(written_names(), min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_normalizing_never_changes_a_mention_and_gives_the_same_twice(before: str, names: list[str]) -> None:
    text, mentions = before, []
    for name in names:
        span = Span(len(text) + 1, len(text) + 1 + len(name))
        text = f"{text} {name}."
        mentions.append(span)
    document = Document(DocumentId("d1"), text)
    found = [Mention.at(document, span, detector=Detector.NER, confidence=1.0) for span in mentions]
    copies = [replace(mention) for mention in found]
    first, second = (normalize(document, found, _GAZETTEER) for _ in range(2))
    assert [normalized.mention for normalized in first] == copies
    assert all(one.mention is mention for one, mention in zip(first, found, strict=True))
    assert [one.mention.span.cut(text) for one in first] == names
    assert first == second


@given(surface=st.text(min_size=1, max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_a_name_with_a_part(surface: str) -> None:
    assert any(part is not None for part in parse_name(surface, _GAZETTEER).parts())


@pytest.mark.parametrize(
    ("surface", "expected"),
    [
        ("Zoltara Tolsma", _name(given="Zoltara", family="Tolsma")),  # in no list
        ("Zoltara Desrosiers-Tolsma", _name(given="Zoltara", family="Tolsma", partner_family="Desrosiers")),
        ("Klein Hesselink", _name(family="Klein Hesselink")),
        ("Bakker Tolsma", _name(family="Bakker Tolsma")),
        ("Thomas", _name(family="Thomas")),
    ],
)
def test_behind_a_title(surface: str, expected: PersonName, gazetteer: Gazetteer) -> None:
    assert parse_name(surface, gazetteer, titled=True) == expected


def test_gender_is_what_the_lists_know(gazetteer: Gazetteer) -> None:
    assert gender_of(PersonName(given="Jan"), gazetteer) is Gender.MALE
    assert gender_of(PersonName(given="Maria Johanna"), gazetteer) is Gender.FEMALE
    assert gender_of(PersonName(family="Bakker"), gazetteer) is None


@pytest.mark.parametrize(
    ("surface", "given", "family"),
    [
        ("Xavier Martina", "Xavier", "Martina"),
        ("Edson Martina", "Edson", "Martina"),
        ("Fatima Osman", "Fatima", "Osman"),
        ("Jan Willem", "Jan Willem", None),
        ("Johanna Wilhelmina", "Johanna Wilhelmina", None),
    ],
)
def test_a_mans_name_with_a_womans_is_a_given_name_and_a_surname(
    surface: str, given: str, family: str | None, gazetteer: Gazetteer
) -> None:
    name = parse_name(surface, gazetteer)
    assert (name.given, name.family) == (given, family)


_GAZETTEER = Gazetteer.load()


def test_a_call_name_without_a_letter_is_none(gazetteer: Gazetteer) -> None:
    assert parse_name("Jan roepnaam -", gazetteer).nickname is None


@pytest.mark.parametrize(
    ("language", "written", "name"),
    [
        ("it", "TIRABASSI Fosca", PersonName(given="Fosca", family="Tirabassi")),
        ("it", "DE SIO Lia", PersonName(given="Lia", particle="de", family="Sio")),
        ("it", "SERRA BLANCO Ignacio", PersonName(given="Ignacio", family="Serra Blanco")),
        ("en", "TOMLINSON Rex", PersonName(given="Rex", family="Tomlinson")),
        ("en", "JOHN Smith", PersonName(given="John", family="Smith")),
        ("nl", "JAN de Wit", PersonName(given="Jan", particle="de", family="Wit")),
    ],
)
def test_a_surname_in_capitals_stands_first(language: str, written: str, name: PersonName) -> None:
    assert parse_name(written, Gazetteer.load(language)) == name
