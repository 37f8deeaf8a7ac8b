"""Two words alike that a document has again and again. All names are invented."""

from linkage.clustering.contrast import contrasts_of, of_full_names, with_contrasts
from linkage.clustering.name_forms import NameForm
from linkage.clustering.names import PartLinks
from linkage.records import PersonName

LINKS = PartLinks({"anna": {"anne": 0.9}, "anne": {"anna": 0.9}}, {}, {}, {"piet": {"pieter": 0.8}})
TWICE = {"anna": 2, "anne": 3, "piet": 2, "pieter": 2}


def _are_called(left: str, right: str) -> bool:
    return {left, right} == {"piet", "pieter"}


def _full(given: str, family: str = "Woudstra") -> NameForm:
    return NameForm.of(PersonName(given=given, family=family))


def test_words_alike_that_come_twice_each_are_less_alike_and_nicknames_are_not() -> None:
    contrasts = contrasts_of(TWICE, TWICE, LINKS, _are_called)
    assert set(contrasts) == {("anna", "anne"), ("anne", "anna")}
    less = with_contrasts(LINKS, contrasts)
    assert less.given_probability("anna", "anne") == less.given_probability("anne", "anna") < 0.5
    assert less.given_probability("piet", "pieter") == 0.8
    assert LINKS.given_probability("anna", "anne") == 0.9


def test_what_comes_once_may_be_misspelt() -> None:
    once = TWICE | {"anne": 1}
    assert not contrasts_of(once, once, LINKS, _are_called)


def test_full_names_that_differ_in_such_words_are_less_alike() -> None:
    contrasts = contrasts_of(TWICE, TWICE, LINKS, _are_called)
    assert of_full_names(_full("Anna"), _full("Anne"), contrasts) < 0.5
    assert of_full_names(_full("Anna"), _full("Anna"), contrasts) == 1.0
    surnames = {("anna", "anne"): 0.4}
    assert of_full_names(_full("Piet", "Anna"), _full("Piet", "Anne"), surnames) == 0.4
