"""Comparison vectors on the shipped tables. All names are invented."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.comparison import FEATURES, FormComparer
from linkage.comparison.lexicon import LexiconRelations
from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from linkage.records import PersonName

Vector = Callable[[PersonName, PersonName], dict[str, float]]
_GAZETTEER = Gazetteer.load()
_COMPARER = FormComparer.load(_GAZETTEER)


def _vector(left: PersonName, right: PersonName) -> dict[str, float]:
    values = _COMPARER.vectors([left], [right])
    return dict(zip(_COMPARER.feature_names, values[0].tolist(), strict=True))


WORDS = st.text("abcdefghijklmnopqrstuvwxyzéïç-'", min_size=1, max_size=12).map(str.capitalize)
PARTS = st.none() | WORDS


@st.composite
def names(draw: st.DrawFn) -> PersonName:
    family = draw(PARTS)
    return PersonName(
        given=draw(PARTS),
        initials=draw(st.none() | st.sampled_from(["J.", "J.P.", "Th."])),
        particle=draw(st.none() | st.sampled_from(["van", "van de", "de"])) if family else None,
        family=family,
        partner_family=draw(PARTS) if family else None,
        suffix=draw(st.sampled_from([None, "jr."])),
        nickname=draw(st.none() | WORDS),
    )


@given(left=names(), right=names())
@settings(max_examples=60, deadline=None)
def test_vectors_are_symmetric(left: PersonName, right: PersonName) -> None:
    there, back = _COMPARER.vectors([left], [right]), _COMPARER.vectors([right], [left])
    np.testing.assert_array_equal(there, back)


@given(left=names(), right=names())
@settings(max_examples=50, deadline=None)
def test_a_missing_part_is_nan_and_only_then(left: PersonName, right: PersonName) -> None:
    found = _vector(left, right)
    has_given = all(bool(_letters(n.given) or _letters(n.nickname)) for n in (left, right))
    has_surname = all(bool(_letters(n.family)) for n in (left, right))
    assert math.isnan(found["given_levenshtein"]) == (not has_given)
    if has_surname:
        assert not math.isnan(found["surname_levenshtein"])


def _letters(text: str | None) -> str:
    from linkage.comparison.words import name_letters

    return name_letters(text or "")


@given(left=names(), right=names())
@settings(max_examples=50, deadline=None)
def test_similarities_lie_between_nought_and_one(left: PersonName, right: PersonName) -> None:
    unbounded = (
        "length",
        "difference",
        "rarity",
        "kind",
        "forms",
        "counts",
        "filled",
        "only",
        "parts",
        "embedding",
    )
    for name, value in _vector(left, right).items():
        if not math.isnan(value) and not name.endswith(unbounded):
            assert 0 <= value <= 1, name


def test_equal_names_are_alike_in_everything() -> None:
    name = PersonName(given="Jan", particle="de", family="Quibbel")
    found = _vector(name, name)
    for feature in ("given_levenshtein", "surname_cosine", "given_embedding", "particle", "words_sorted"):
        assert found[feature] == pytest.approx(1, abs=1e-5)


def test_many_pairs_at_once_equal_one_by_one() -> None:
    people = [
        PersonName(given="Jan Pieter", particle="de", family="Vries"),
        PersonName(given="Piet", family="Vries", partner_family="Bos"),
        PersonName(initials="J.P.", family="Devries"),
        PersonName(given="Hendrika", nickname="Riet", family="Bos"),
        PersonName(given="Riet"),
        PersonName(family="Bos"),
    ]
    known = _COMPARER.prepare(people)
    left, right = (np.array(rows) for rows in np.triu_indices(len(people), 1))
    at_once = _COMPARER.vectors_at(known, left, right)
    for row, (a, b) in enumerate(zip(left, right, strict=True)):
        np.testing.assert_array_equal(at_once[row], _COMPARER.vectors([people[a]], [people[b]])[0])


def test_the_best_of_several_words_is_compared() -> None:
    found = _vector(
        PersonName(given="Hendrika Elisabeth", family="Bos", partner_family="Kuiper"),
        PersonName(given="Elisabeth", family="Kuiper"),
    )
    assert found["given_levenshtein"] == 1
    assert found["surname_levenshtein"] == 1
    assert found["surnames_matched"] == pytest.approx(0.5)


def test_a_particle_written_to_the_surname_meets_it() -> None:
    found = _vector(PersonName(particle="el", family="Amrani"), PersonName(family="Elamrani"))
    assert found["surname_levenshtein"] == 1


def test_lexicon_knows_kind_and_full_forms() -> None:
    found = _vector(PersonName(given="Bert"), PersonName(given="Albert"))
    assert found["given_lexicon"] == 1
    assert found["given_full_forms"] > 1
    assert math.isnan(_vector(PersonName(given="Qaxbert"), PersonName(given="Albert"))["given_lexicon"])


def test_hidden_names_are_unknown_to_the_lexicon() -> None:
    from linkage.settings import data_directory

    loaded = FormComparer.load(_GAZETTEER, data_directory() / "models" / "linkage")
    hiding = loaded.hiding(["bert"])
    values = hiding.vectors([PersonName(given="Bert")], [PersonName(given="Albert")])[0]
    assert math.isnan(values[list(FEATURES).index("given_lexicon")])


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        (PersonName(given="Jan", family="Bos"), PersonName(given="Jan", family="Bos"), "equal"),
        (PersonName(given="Johannes", family="Bos"), PersonName(initials="J.", family="Bos"), "initials"),
        (PersonName(given="Jan", family="Bos"), PersonName(family="Bos"), "part"),
        (PersonName(given="Tolsma", family="Jan"), PersonName(given="Jan", family="Tolsma"), "order"),
        (PersonName(given="Jan", family="Bos"), PersonName(given="Riet", family="Zwartveld"), None),
    ],
)
def test_kind_of_variant(left: PersonName, right: PersonName, kind: str | None) -> None:
    known = _COMPARER.prepare([left, right])
    assert _COMPARER.variant_kinds(known, np.array([0]), np.array([1])) == [kind]


def test_filter_keeps_forms_of_one_person_and_drops_strangers() -> None:
    people = [
        PersonName(given="Hendrika", family="Tolsma"),
        PersonName(given="Riek", family="Tolsma"),
        PersonName(initials="H.", family="Tolsma"),
        PersonName(given="Hendrika", family="Tolmsa"),
        PersonName(given="Tolsma", family="Hendrika"),
        PersonName(given="Willem", family="Quadvlieg"),
    ]
    known = _COMPARER.prepare(people)
    kept = _kept(known, [0, 0, 0, 0, 0], [1, 2, 3, 4, 5])
    assert kept.tolist() == [True, True, True, True, False]


def _kept(known: object, left: list[int], right: list[int]) -> npt.NDArray[np.bool_]:
    from linkage.comparison import PreparedForms

    assert isinstance(known, PreparedForms)
    return _COMPARER.cheap_filter(known, np.array(left), np.array(right))


def test_no_repr_shows_a_name() -> None:
    known = _COMPARER.prepare([PersonName(given="Zoltarius", family="Quibbeldorp")])
    shown = f"{known!r}{known.forms!r}{known.forms.given_words!r}{known.quick_look!r}{_COMPARER!r}"
    assert "zoltar" not in shown.lower()
    assert "quibbel" not in shown.lower()


def test_every_feature_is_explained() -> None:
    assert all(feature.explanation for feature in FEATURES.values())
    assert {f.part for f in FEATURES.values()} == {"given", "surname", "form"}


def test_the_lexicon_has_pairs_together_that_are_listed_or_share_a_form() -> None:
    words = ["bert", "albert", "robert", "klaas", "qaxbert"]
    relations = LexiconRelations(words, _GAZETTEER)
    left, right = (np.array(rows) for rows in np.triu_indices(len(words), 1))
    expected = (relations.listed(left, right) > 0) | (relations.shared(left, right) > 0)
    np.testing.assert_array_equal(relations.related(left, right), expected)
    np.testing.assert_array_equal(relations.related(right, left), expected)
    assert relations.related(np.array([0]), np.array([1])).all()
    assert not LexiconRelations(["qaxbert", "quoolf"], _GAZETTEER).related(np.array([0]), np.array([1])).any()


def test_filter_tells_full_names_of_one_surname_apart_by_their_given_names() -> None:
    people = [
        PersonName(given="Klaas", family="Quibbel"),
        PersonName(given="Fatima", family="Quibbel"),
        PersonName(given="Robert", family="Quibbel"),
        PersonName(given="Bert", family="Quibbel"),
        PersonName(given="Quibbel", family="Klaas"),
    ]
    known = _COMPARER.prepare(people)
    kept = _COMPARER.cheap_filter(known, np.array([0, 2, 0]), np.array([1, 3, 4]))
    assert kept.tolist() == [False, True, True]


def test_a_misspelt_surname_looks_rarer_and_letters_drawn_alike_are_seen() -> None:
    found = _vector(PersonName(family="Jansen"), PersonName(family="Jxnqsen"))
    assert found["surname_rarity_difference"] > 1
    assert _vector(PersonName(family="Quorn"), PersonName(family="Quom"))["surname_look_alike"] == 1
    assert math.isnan(_vector(PersonName(given="Jan"), PersonName(family="Quom"))["surname_look_alike"])


@given(
    surface=st.text("abIJ ./-'&;,()0\u00e9", min_size=1, max_size=20), initials=st.text("A./'- ", max_size=8)
)
@settings(max_examples=300, deadline=None)
def test_whatever_was_taken_for_a_name_can_be_compared(surface: str, initials: str) -> None:
    odd = PersonName(initials=initials or None, family="Klaver")
    assert _COMPARER.vectors([parse_name(surface, _GAZETTEER)], [odd]).shape == (1, len(FEATURES))
