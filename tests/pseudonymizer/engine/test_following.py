"""The label that follows a person into addresses and paths: of the corpus, of the document, of somebody."""

from collections.abc import Mapping, Sequence

import pytest

from linkage.records import EntityId, PersonName, Span
from pseudonymizer.engine.following import SOMEBODY, Follower
from pseudonymizer.engine.records import Label, LabelledPerson
from pseudonymizer.engine.spelled import PATH_PART, path_text

JAN, ELS = EntityId("jan"), EntityId("els")
TEXT = "mail jan.tolsma@post.nl of els.wiersma@post.nl"


def person(
    entity: EntityId, label: str, given: str, family: str, kinds: Mapping[str, str] | None = None
) -> LabelledPerson:
    return LabelledPerson(entity, label, (PersonName(given=given, family=family),), kinds or {})


PEOPLE = (person(JAN, "P1-JAN", "Jan", "Tolsma"), person(ELS, "P1-ELS", "Els", "Wiersma"))


def label(entity: EntityId, text: str | None, full: str | None = None) -> Label:
    return Label("", Span(0, 3), text, entity, full)


def written(follower: Follower, text: str = TEXT) -> list[tuple[EntityId | None, str] | None]:
    return [follower.follow(found) for found in follower.index.find(text)]


def test_an_address_follows_its_person_and_the_domain_goes() -> None:
    assert written(Follower(PEOPLE)) == [(JAN, "P1-JAN@nymlink.example"), (ELS, "P1-ELS@nymlink.example")]


def test_the_domain_stays_where_that_is_asked_for() -> None:
    kept = Follower(PEOPLE).within((), keep_domain=True)
    assert written(kept) == [(JAN, "P1-JAN@post.nl"), (ELS, "P1-ELS@post.nl")]


def test_a_name_of_two_people_is_somebody() -> None:
    follower = Follower((*PEOPLE, person(EntityId("son"), "P1-SON", "Jan", "Tolsma")))
    assert written(follower)[0] == (None, f"{SOMEBODY}@nymlink.example")


def test_who_stays_readable_in_a_document_is_left_alone_in_it_and_only_there() -> None:
    follower = Follower(PEOPLE)
    kept = follower.within([label(JAN, None)])
    assert written(kept) == [None, (ELS, "P1-ELS@nymlink.example")]
    assert kept.path("jan.tolsma/els wiersma.txt") == "jan.tolsma/P1-ELS.txt"
    assert written(follower.within(())) == written(follower)


def test_a_label_of_the_document_holds_for_who_has_none_in_the_corpus() -> None:
    follower = Follower((person(JAN, SOMEBODY, "Jan", "Tolsma"), PEOPLE[1]))
    own = follower.within([label(JAN, "P1-HERE"), label(JAN, "P1-LATER"), label(ELS, "P1-OTHER")])
    assert written(own) == [(JAN, "P1-HERE@nymlink.example"), (ELS, "P1-ELS@nymlink.example")]
    assert written(follower.within(()))[0] == (JAN, f"{SOMEBODY}@nymlink.example")


def test_the_full_name_of_a_pseudonym_is_followed_and_not_its_form_in_the_text() -> None:
    follower = Follower((person(JAN, SOMEBODY, "Jan", "Tolsma"),))
    own = follower.within([label(JAN, "Pieter", full="Pieter Bakker")])
    assert written(own)[0] == (JAN, "pieter.bakker@nymlink.example")


def test_a_kind_of_identifier_may_have_a_label_of_its_own() -> None:
    follower = Follower((person(JAN, "Pieter Bakker", "Jan", "Tolsma", {"email": "P1-MAIL"}),))
    assert written(follower)[0] == (JAN, "P1-MAIL@nymlink.example")
    assert follower.path("jan tolsma.txt") == "pieter bakker.txt"


@pytest.mark.parametrize(
    ("relative", "expected"),
    [
        ("brief Jan Tolsma.txt", "brief P1-JAN.txt"),
        ("Tolsma/els.wiersma.docx", "P1-JAN/P1-ELS.docx"),
        ("niets/bijzonders.txt", "niets/bijzonders.txt"),
    ],
)
def test_names_in_a_path_are_replaced_and_suffixes_stay(relative: str, expected: str) -> None:
    assert Follower(PEOPLE).path(relative) == expected


def test_a_mention_in_the_path_is_followed_where_no_spelling_tells_it() -> None:
    relative = "map/brief van jan.txt"
    at = path_text(relative).index("jan")
    labels: Sequence[Label] = [Label(PATH_PART, Span(at, at + 3), "P1-JAN", JAN)]
    follower = Follower(PEOPLE)
    assert follower.path(relative) == relative
    assert follower.within(labels).path(relative, labels) == "map/brief van P1-JAN.txt"
