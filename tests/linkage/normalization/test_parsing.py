"""Names taken apart. All names are invented."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.normalization import gender_of, parse_name, render_name
from linkage.records import Gender, PersonName


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


@pytest.mark.parametrize(("surface", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_listing_is_read_back_as_the_same_name(
    surface: str, expected: PersonName, gazetteer: Gazetteer
) -> None:
    name = parse_name(surface, gazetteer)
    assert parse_name(render_name(name, listing=True), gazetteer) == expected


GIVEN = st.sampled_from(["Jan", "Anne-Fleur", "Péter", "Mohamed", "IJsbrand", "Hendrikje", "Zoltar"])
INITIALS = st.sampled_from(["J.", "J.P.", "Th.", "A.B.C."])
FAMILY = st.sampled_from(["Vries", "Tolsma", "Kovács", "Quibbeldorp", "Pijnacker", "McDonald", "Hesselink"])
PARTICLE = st.sampled_from([None, "de", "van der", "van 't", "ten"])
SUFFIX = st.sampled_from([None, "jr.", "sr.", "II"])


@st.composite
def person_names(draw: st.DrawFn) -> PersonName:
    has_given = draw(st.booleans())
    partner = draw(st.none() | FAMILY)
    return PersonName(
        given=draw(GIVEN) if has_given else None,
        initials=None if has_given else draw(INITIALS),
        particle=draw(PARTICLE),
        family=draw(FAMILY),
        partner_particle=draw(PARTICLE) if partner else None,
        partner_family=partner,
        suffix=draw(SUFFIX),
    )


@given(name=person_names())
@settings(max_examples=150, deadline=None)
def test_round_trip_through_a_listing(name: PersonName) -> None:
    assert parse_name(render_name(name, listing=True), _GAZETTEER) == name


@given(name=person_names())
@settings(max_examples=100, deadline=None)
def test_parsing_twice_equals_once_and_case_does_not_matter(name: PersonName) -> None:
    text = render_name(name)
    once = parse_name(text, _GAZETTEER)
    assert parse_name(render_name(once), _GAZETTEER) == once
    if name.given is not None:
        assert parse_name(text.upper(), _GAZETTEER) == parse_name(text.lower(), _GAZETTEER)


@given(surface=st.text(min_size=1, max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_a_name_with_a_part(surface: str) -> None:
    assert any(part is not None for part in parse_name(surface, _GAZETTEER).parts())


def test_gender_is_what_the_lists_know(gazetteer: Gazetteer) -> None:
    assert gender_of(PersonName(given="Jan"), gazetteer) is Gender.MALE
    assert gender_of(PersonName(given="Maria Johanna"), gazetteer) is Gender.FEMALE
    assert gender_of(PersonName(family="Bakker"), gazetteer) is None


_GAZETTEER = Gazetteer.load()
