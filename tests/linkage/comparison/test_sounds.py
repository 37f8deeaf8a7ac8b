"""Keys of names that sound alike. All names are invented or common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.comparison.double_metaphone import double_metaphone
from linkage.comparison.sounds import (
    cologne_code,
    consonant_skeleton,
    diminutive_stem,
    dutch_spelling_key,
)

LETTERS = st.text("abcdefghijklmnopqrstuvwxyz", max_size=15)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("dijkstra", "dykstra"), ("philip", "filip"), ("claas", "klaas"), ("schmidt", "schmit"),
        ("haan", "haen"), ("boer", "bour"), ("janssen", "jansen"), ("meyer", "meier"),
        ("ruud", "rudd"), ("thijs", "tijs"), ("wouter", "vouter"), ("jozef", "josef"),
    ],
)  # fmt: skip
def test_dutch_spellings_of_one_sound_meet(left: str, right: str) -> None:
    assert dutch_spelling_key(left) == dutch_spelling_key(right)


@pytest.mark.parametrize(("left", "right"), [("bakker", "visser"), ("jan", "piet"), ("smit", "smal")])
def test_other_names_stay_apart(left: str, right: str) -> None:
    assert dutch_spelling_key(left) != dutch_spelling_key(right)
    assert consonant_skeleton(left) != consonant_skeleton(right)


@pytest.mark.parametrize(
    ("diminutive", "stem"),
    [("liesje", "lies"), ("jantje", "jan"), ("mieke", "mie"), ("jo", "jo")],
)
def test_diminutive_loses_its_ending(diminutive: str, stem: str) -> None:
    assert diminutive_stem(diminutive) == stem


@pytest.mark.parametrize(
    ("name", "code"),
    [
        # From Postel's own rules: "Müller-Lüdenscheidt", "Wikipedia", "Breschnew".
        ("mullerludenscheidt", "65752682"),
        ("wikipedia", "3412"),
        ("breschnew", "17863"),
        ("maier", "67"),
        ("meyer", "67"),
        ("heithabu", "021"),
    ],
)
def test_cologne_phonetics(name: str, code: str) -> None:
    assert cologne_code(name) == code


@pytest.mark.parametrize(
    ("left", "right"),
    [("schmidt", "smith"), ("thomas", "tomas"), ("catharina", "katarina"), ("philip", "filip")],
)
def test_double_metaphone_codes_of_one_name_meet(left: str, right: str) -> None:
    assert set(double_metaphone(left)) & set(double_metaphone(right))


@given(word=LETTERS)
def test_keys_are_defined_for_every_word(word: str) -> None:
    assert all(isinstance(key(word), str) for key in (dutch_spelling_key, consonant_skeleton, cologne_code))
    assert all(len(code) <= 6 for code in double_metaphone(word))
    assert len(diminutive_stem(word)) <= len(word)
