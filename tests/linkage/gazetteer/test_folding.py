"""The look-up key of names and words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import lookup_key
from linkage.records import fold as fold_name


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Zoë", "zoe"),
        ("Zoe\u0308", "zoe"),
        ("GROß", "gross"),
        ("\u0132sbrand", "ijsbrand"),
        ("IJsbrand", "ijsbrand"),
        ("I\u015f\u0131l", "isil"),
        ("\u0130lker", "ilker"),
        ("Søren Łukasz", "soren lukasz"),
        ("d\u2019Arcy", "d'arcy"),
        ("Anne\u2011Marie", "anne-marie"),
        ("van\u00ad den", "van den"),
        ("", ""),
    ],
)
def test_case_accents_and_ligatures_fall_away(text: str, key: str) -> None:
    assert lookup_key(text) == key


@given(st.text(max_size=30))
def test_folding_twice_equals_folding_once(text: str) -> None:
    assert lookup_key(lookup_key(text)) == lookup_key(text)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz '-", max_size=20))
def test_case_does_not_matter(text: str) -> None:
    assert lookup_key(text.upper()) == lookup_key(text)


ASCII = st.text(alphabet=st.characters(max_codepoint=127), max_size=30)


@given(ASCII)
def test_plain_letters_fold_as_letters_with_an_accent_do(text: str) -> None:
    assert lookup_key(text) == lookup_key(text + "\u0301")
    assert fold_name(text) == fold_name(text + "\u0301")
