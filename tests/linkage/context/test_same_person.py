"""Phrases and forms that say that two mentions are one person. All names are invented."""

import pytest

from linkage.context.same_person import same_person_pairs
from linkage.language import Language
from linkage.records import PersonName
from tests.linkage.context.marked import mentions_of

_DUTCH = Language.load("nl")
_WHOLE = PersonName(given="Marijke", family="Oostink")


def _are_one(text: str, first: str, second: str, name: PersonName) -> bool:
    return same_person_pairs(text, mentions_of(text, first, second), [_WHOLE, name], _DUTCH) == {(0, 1)}


@pytest.mark.parametrize(
    "phrase",
    [
        ", roepnaam ", " (geboren ", ", ook bekend als ", " alias ", ", hierna te noemen: ",
        ", verder te noemen: \u201c", ", hierna genoemd ", ", thans geheten ", ", meisjesnaam ", " (lees: ",
        ", gehuwd ", " (ook geschreven als ", " heeft haar naam laten wijzigen in ",
        " gaat sinds haar huwelijk door het leven als ",
    ],
)  # fmt: skip
def test_a_phrase_between_two_names_makes_them_one(phrase: str) -> None:
    assert _are_one(f"Marijke Oostink{phrase}Mies.", "Marijke Oostink", "Mies", PersonName(given="Mies"))


def test_other_words_between_them_do_not() -> None:
    assert not _are_one("Marijke Oostink belde Mies.", "Marijke Oostink", "Mies", PersonName(given="Mies"))


def test_who_signs_otherwise_must_have_a_name_that_is_alike() -> None:
    name = PersonName(initials="M.", family="Oostink")
    assert _are_one("Marijke Oostink tekent als M. Oostink.", "Marijke Oostink", "M. Oostink", name)
    other = PersonName(given="Fop")
    assert not _are_one("Marijke Oostink tekent als Fop.", "Marijke Oostink", "Fop", other)


@pytest.mark.parametrize("phrase", [" (voorheen ", ", destijds nog ", ", nu ", " v/h "])
def test_an_earlier_name_has_a_part_in_common_and_who_was_there_before_has_none(phrase: str) -> None:
    before = PersonName(given="Marijke", family="Zandwijk")
    text = f"Marijke Oostink{phrase}Marijke Zandwijk."
    assert _are_one(text, "Marijke Oostink", "Marijke Zandwijk", before)
    other = PersonName(given="Fop", family="Zandwijk")
    assert not _are_one(f"Marijke Oostink{phrase}Fop Zandwijk.", "Marijke Oostink", "Fop Zandwijk", other)


def test_a_sentence_says_how_the_one_named_before_signs() -> None:
    name = PersonName(initials="M.P.", family="Oostink")
    text = "Marijke Oostink was er. Zij tekent ook met M.P. Oostink."
    assert _are_one(text, "Marijke Oostink", "M.P. Oostink", name)
    other = PersonName(given="Fop", family="Zandwijk")
    text = "Marijke Oostink was er. Zij tekent ook met Fop Zandwijk."
    assert not _are_one(text, "Marijke Oostink", "Fop Zandwijk", other)


def test_is_the_same_means_a_full_name_before() -> None:
    text = "Marijke Oostink kwam. Mevrouw Oostink is dezelfde."
    assert _are_one(text, "Marijke Oostink", "Oostink", PersonName(family="Oostink"))
    other = "Marijke Oostink kwam. Mevrouw Zandwijk is dezelfde."
    assert not _are_one(other, "Marijke Oostink", "Zandwijk", PersonName(family="Zandwijk"))


def test_the_lines_of_a_form_are_one_person() -> None:
    text = "Achternaam: Oostink\nVoorletters: M.\nVoornaam: Mies\n"
    names = [PersonName(family="Oostink"), PersonName(initials="M."), PersonName(given="Mies")]
    mentions = mentions_of(text, "Oostink", "M.", "Mies")
    assert same_person_pairs(text, mentions, names, _DUTCH) == {(0, 1), (0, 2)}
    in_one = "Achternaam: Oostink   Voornaam: Mies"
    assert _are_one(in_one, "Oostink", "Mies", PersonName(given="Mies"))
    assert not _are_one("Achternaam: Oostink belt Mies", "Oostink", "Mies", PersonName(given="Mies"))
    twice = "Achternaam: Oostink\nAchternaam: Zandwijk\n"
    assert not _are_one(twice, "Oostink", "Zandwijk", PersonName(family="Zandwijk"))


def test_the_whole_name_of_somebody_else_in_a_form_is_another_person() -> None:
    own, partner = PersonName(family="Oostink"), PersonName(family="Zandwijk")
    text = "Eigen naam: Oostink\nPartnernaam: Zandwijk\n"
    assert same_person_pairs(text, mentions_of(text, "Oostink", "Zandwijk"), [own, partner], _DUTCH)
    whole = PersonName(given="Fop", family="Zandwijk")
    text = "Volledige naam: Marijke Oostink\nPartnernaam: Fop Zandwijk\n"
    assert not _are_one(text, "Marijke Oostink", "Fop Zandwijk", whole)


def test_a_given_name_in_parentheses_behind_a_full_name_is_the_same_person() -> None:
    name = PersonName(given="Mies")
    assert _are_one("Marijke Oostink (Mies) kwam.", "Marijke Oostink", "Mies", name)
    assert not _are_one("Marijke Oostink (Mies en co) kwam.", "Marijke Oostink", "Mies", name)
    other = PersonName(given="Mies", family="Zandwijk")
    assert not _are_one("Marijke Oostink (Mies Zandwijk) kwam.", "Marijke Oostink", "Mies Zandwijk", other)
