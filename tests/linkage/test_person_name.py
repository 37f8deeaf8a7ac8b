"""A name taken apart, and the key under which its spellings meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage import person_name, records
from linkage.errors import InvalidRecordError
from linkage.person_name import PersonName, fold

PARTS = st.lists(st.text(max_size=6), max_size=8)


@given(st.text(max_size=30))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=30))
def test_a_key_has_no_space_at_its_ends_and_none_twice(text: str) -> None:
    assert fold(text) == " ".join(fold(text).split())


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Søren Ørsted", "soren orsted"),
        ("Y\u0131ld\u0131z", "YILDIZ"),
        ("İnan", "inan"),
        ("Jan\u00adsen", "Jansen"),
        ("d\u2019Ancona", "D'ANCONA"),
        ("Ter Braak\u2011de Wit", "ter braak - de wit"),
        ("Zoe\u0308", "ZOË"),
        ("Strauß", "STRAUSS"),
    ],
)
def test_spellings_of_one_name_meet(left: str, right: str) -> None:
    assert fold(left) == fold(right)


@given(PARTS)
def test_texts_and_parts_give_the_same_name(texts: list[str]) -> None:
    assert PersonName.of_texts(texts) == PersonName(*(text or None for text in texts))


def test_an_empty_part_is_refused_and_no_part_is_shown() -> None:
    with pytest.raises(InvalidRecordError, match="never an empty string"):
        PersonName(given="")
    assert "Qarstra" not in repr(PersonName(given="Fenna", family="Qarstra"))


def test_the_records_module_hands_the_same_names_on() -> None:
    assert (records.PersonName, records.fold) == (person_name.PersonName, person_name.fold)
