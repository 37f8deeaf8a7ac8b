"""Whole names in paths: who is meant, taken apart as a sentence would have it."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from pseudonymizer.full_names import full_names


@pytest.fixture(scope="module")
def lists() -> Gazetteer:
    return Gazetteer.load()


@pytest.mark.parametrize(
    ("part", "spelled"),
    [
        ("Dossier Jansen-van den Berg, Fatima", "Fatima Jansen-van den Berg"),
        ("Dossier_Jansen-van_den_Berg,_Fatima", "Fatima Jansen-van den Berg"),
        ("van den Berg, Fatima", "Fatima van den Berg"),
        ("De Vries, Jan Peter", "Jan Peter de Vries"),
        ("Berg, F. van den", "F. van den Berg"),
        ("Berg, Fatima van den (2024)", "Fatima van den Berg"),
        ("Jansen - van den Berg, Fatima", "Fatima Jansen-van den Berg"),
        ("Bakker-de Vries, Mohamed", "Mohamed Bakker-de Vries"),
        ("intake Mohamed Bakker-de Vries", "Mohamed Bakker-de Vries"),
        ("J.P. Bakker-de Vries", "J.P. Bakker-de Vries"),
        ("Vries-Bakker, J.P. de", "J.P. de Vries-Bakker"),
        ("El Amrani, Rachid", "Rachid el Amrani"),
        ("Yilmaz-Kaya, Ayse", "Ayse Yilmaz-Kaya"),
        ("brief de Vries-Jansen", "de Vries-Jansen"),
    ],
)
def test_a_name_in_a_path_is_read_as_in_a_sentence(part: str, spelled: str, lists: Gazetteer) -> None:
    (found,) = full_names(f"{part}.txt", lists)
    assert found.name == parse_name(spelled, lists)


@pytest.mark.parametrize(
    "part",
    [
        "verslag Utrecht-de Bilt",
        "Vergadering, maart",
        "Wiersma en Bakker",
        "bakker-de-vries",
        "A-B, c",
        "Jan Peter",
    ],
)
def test_what_no_form_tells_is_left_to_others(part: str, lists: Gazetteer) -> None:
    assert list(full_names(part, lists)) == []
