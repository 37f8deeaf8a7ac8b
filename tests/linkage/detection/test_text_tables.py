"""Tables and lists inside a text: a header or a title announces what stands below it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.detection import find_values
from linkage.detection.text_tables import TextTables
from linkage.language import Language
from linkage.texts import KindId

_DUTCH = Language.load("nl")
_TABLES = TextTables(_DUTCH)


def _found(text: str, kind: str) -> list[str]:
    return [value.span.cut(text) for value in find_values(text, _DUTCH) if value.kind == KindId(kind)]


@pytest.mark.parametrize(
    "text",
    [
        "Naam;BSN;Plaats\nBos;295755132;Ede\nVos;123456781;Ede\n",
        "| Naam | BSN | Plaats |\n|---|---|---|\n| Bos | 295755132 | Ede |\n| Vos | 123456781 | Ede |\n",
        "Naam\tBSN\tPlaats\nBos\t295755132\tEde\nVos\t123456781\tEde\n",
        '"Naam";"BSN";"Plaats"\n"Bos";"295755132";"Ede"\n"Vos";"123456781";"Ede"\n',
        "Naam        BSN          1e dag\nBos         295755132    Ede\nVos, A.     123456781    Ede\n",
        "Naam        BSN\n-----       ----\nBos         295755132\n            123456781    Ede\n",
    ],
)
def test_a_header_announces_the_cells_below_it(text: str) -> None:
    assert _found(text, "NATIONAL_ID") == ["295755132", "123456781"]


def test_a_column_of_numbers_at_the_margin_is_of_cases() -> None:
    text = "startnr   naam        cat\n201       Bos         M50\n202       Vos         V40\n\n203       x"
    assert _found(text, "CASE_NUMBER") == ["201", "202"]


@pytest.mark.parametrize(
    "text",
    [
        "BSN;Naam\n\nBos;295755132\n",  # an empty line ends the table
        "Naam 4711;BSN\nBos;295755132\n",  # a value is no header
        "Naam;Plaats BSN-houder\nBos;295755132\n",  # the cue does not end its cell
    ],
)
def test_what_is_no_header_announces_nothing(text: str) -> None:
    assert _found(text, "NATIONAL_ID") == []


def test_a_list_of_birthdays_has_birth_dates() -> None:
    text = (
        "VERJAARDAGEN TEAM ZUID\n\nmaart\n 8 Teddy\n 12 Oma Toos\n3 april Ans\n\nDe vergadering is op 4 mei."
    )
    assert _found(text, "BIRTH_DATE") == ["maart", "8", "12", "3 april"]
    assert _found(text, "DATE") == ["4 mei"]


def test_numbers_in_brackets_behind_neighbours_are_house_numbers() -> None:
    minutes = "VvE De Hoek\nAanwezig: Bos (2), mw. Vos (4a) en Smit (14, via Teams)."
    assert _found(minutes, "STREET") == ["2", "4a", "14"]
    assert _found(minutes, "AGE") == []
    children = "VvE De Hoek\nMevrouw Bos komt met Tim (7) en Eva (9)."
    assert _found(children, "STREET") == []


@pytest.mark.parametrize("header", ["badgenr", "llnr", "Pers.nr"])
def test_a_number_of_a_pass_or_a_pupil_heads_cases(header: str) -> None:
    text = f"{header:10}naam            opm\n004417    Bos             A\n004418    Vos             B\n"
    assert _found(text, "CASE_NUMBER") == ["004417", "004418"]


def test_an_age_without_unit_stands_in_a_column_of_ages() -> None:
    text = "HUT   NAAM          LFT\n114   Bos, H.       41\n115   Vos, D.       28\n"
    assert _found(text, "AGE") == ["41", "28"]


@given(st.text(alphabet='ab1;|\t \n"', max_size=80), st.lists(st.integers(0, 80), max_size=4))
def test_places_stand_in_the_text_and_at_no_blank(text: str, ends: list[int]) -> None:
    places = _TABLES.places(text, {KindId("CASE_NUMBER"): sorted(end for end in ends if end <= len(text))})
    for _, place in places:
        assert not text[place].isspace()
