"""Pseudonyms of every style in text that was edited: where they stand, and what they stand for."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import EntityId, Span
from pseudonymizer.engine.pasted import FoundAddress, FoundLabel, LabelFinder, TextOrigin
from pseudonymizer.records import LabelState, Style
from tests.pseudonymizer.batch_fakes import name_of
from tests.pseudonymizer.engine.records_by_hand import FOREIGN_MAKER, StoringNothing, token

TAGS, INVENTED = ("<PERSOON-1>", "<PERSOON-31>"), ("Pieter Bakker", "Roos van Hovinga")
CODES = ("PERSOON-7KQM3", "KENTEKEN-9AB2C", "CLIENT-4XY7Z")
TOKEN, FOREIGN = token(1), token(1, FOREIGN_MAKER)
STORED = {Style.TOKEN: [TOKEN], Style.TAG: TAGS, Style.SURROGATE: INVENTED, Style.CODE: CODES}
EVERYBODY = frozenset(EntityId(f"vault:{n}") for n in range(20))
ISSUED, SHARED, UNKNOWN, MALFORMED = (
    LabelState.ISSUED, LabelState.SHARED, LabelState.UNKNOWN, LabelState.MALFORMED,
)  # fmt: skip


def finder(origin: TextOrigin | None = None, shared: str = "") -> LabelFinder:
    vault = StoringNothing(STORED)
    vault.shared = {shared}
    return LabelFinder(vault.as_vault(), "p", origin)


FINDER = finder(TextOrigin(persons=EVERYBODY))


def found(text: str, which: LabelFinder = FINDER) -> list[tuple[str, str]]:
    return [(one.span.cut(text), one.label) for one in which.find(text).labels]


def left(text: str, which: LabelFinder = FINDER) -> list[tuple[str, LabelState]]:
    return [(one.label, one.state) for one in which.find(text).left]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"voor {TOKEN}.", [(TOKEN, TOKEN)]),
        (f"voor {FOREIGN}.", []),
        ("<PERSOON-31> en <PERSOON-2>", [("<PERSOON-31>", "<PERSOON-31>")]),
        ("Pieter Bakker en P. Bakker en Bakker, Pieter", [
            ("Pieter Bakker", "Pieter Bakker"), ("Bakker, Pieter", "Pieter Bakker"),
        ]),
        ("PIETER BAKKER, Bakker, Roos Hovinga", [("PIETER BAKKER", "Pieter Bakker")]),
        ("bakkerij", []),
        ("persoon-7kqm3s en 7KQM3", [("persoon-7kqm3", CODES[0]), ("7KQM3", CODES[0])]),
        ("PERSON-7KQM3, KLANT-7KQM3, klant-7kqm3", [("PERSON-7KQM3", CODES[0]), ("7KQM3", CODES[0])]),
        ("client-4xy7z Client 4XY7Z", [("client-4xy7z", CODES[2]), ("Client 4XY7Z", CODES[2])]),
        ("persoon-9ab2c", []),
    ],
)  # fmt: skip
def test_labels_of_the_project_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{TOKEN[:-1]} {FOREIGN}", [(TOKEN[:-1], MALFORMED), (FOREIGN, MALFORMED)]),
        ("<PERSOON-99>, persoon-1", [("<PERSOON-99>", UNKNOWN), ("<PERSOON-1>", ISSUED)]),
        ("PERSOON-7KQM4, PERSOON-7KQM", [("PERSOON-7KQM4", MALFORMED), ("PERSOON-7KQM", MALFORMED)]),
        ("klant-7kqm3", [("7KQM3", ISSUED)]),
        ("P. Bakker kwam", [("Pieter Bakker", ISSUED)]),
        (f"{TOKEN} kwam met 4 mensen", []),
    ],
)
def test_what_is_not_restored_is_listed(text: str, expected: list[tuple[str, LabelState]]) -> None:
    assert left(text) == expected


def test_an_invented_name_counts_for_the_people_of_the_origin_alone() -> None:
    text = "Pieter Bakker en Roos van Hovinga"
    assert (found(text, finder()), len(left(text, finder()))) == ([], 2)
    confirmed = finder(TextOrigin(is_confirmed=True))
    assert found(text, confirmed) == []
    pieter = EntityId("vault:3")
    assert found(text, finder(TextOrigin(persons=frozenset({pieter})))) == [
        ("Pieter Bakker", "Pieter Bakker")
    ]


def test_a_real_bearer_of_an_invented_name_stays() -> None:
    origin = TextOrigin(persons=frozenset())
    assert left("Pieter Bakker", finder(origin, shared="Pieter Bakker")) == [("Pieter Bakker", SHARED)]


def test_a_tag_of_two_projects_needs_the_user_or_the_output() -> None:
    text = "<PERSOON-1>"
    assert left(text, finder(shared=text)) == [(text, SHARED)]
    for origin in (TextOrigin(is_confirmed=True), TextOrigin(persons=EVERYBODY)):
        assert found(text, finder(origin, shared=text)) == [(text, text)]
    assert found(text, finder(TextOrigin(persons=frozenset()), shared=text)) == []


pieces = st.sampled_from(
    [TOKEN, FOREIGN, *TAGS, *CODES, *INVENTED, "Hovinga, R.", "Roos", " ", ", ", "x@", ".nl", "-", "\n", "s"]
)


@given(st.lists(pieces, max_size=9).map("".join))
def test_places_are_in_order_and_never_overlap(text: str) -> None:
    read = FINDER.find(text)
    places = sorted([*(one.span for one in read.labels), *(one.span for one in read.left)])
    assert all(one.end <= other.start for one, other in pairwise(places))
    addresses = [one.span for one in read.addresses]
    assert all(one.end <= other.start for one, other in pairwise(addresses))


def test_a_name_comes_back_in_the_form_of_its_pseudonym() -> None:
    names = {"Pieter Bakker": "Els Wiersma", TOKEN: "Els de Wiersma"}
    text = f"Bakker, Pieter, PIETER BAKKER en {TOKEN}"
    assert [one.original(names, name_of) for one in FINDER.find(text).labels] == [
        "Wiersma, Els", "ELS WIERSMA", "Els de Wiersma",
    ]  # fmt: skip
    assert [one.original({}, name_of) for one in FINDER.find(text).labels] == [None] * 3


def test_a_surrogate_takes_the_particle_of_the_real_name() -> None:
    names = {"Roos van Hovinga": "Jan van Douma"}
    (one,) = FINDER.find("mevrouw Roos van Hovinga kwam").labels
    assert one.original(names, name_of) == "Jan van Douma"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"mail {TOKEN}@nymlink.example!", [(TOKEN, "nymlink.example")]),
        (f"mail {FOREIGN}@nymlink.example!", []),
        ("PERSOON-31@Post.NL", [("<PERSOON-31>", "post.nl")]),
        ("persoon-7kqm3@nymlink.example", [(CODES[0], "nymlink.example")]),
        ("PERSOON-2@post.nl", []),
        ("pieter.bakker@nymlink.example", [("Pieter Bakker", "nymlink.example")]),
        ("bakker@nymlink.example", [("Pieter Bakker", "nymlink.example")]),
        ("info@nymlink.example", []),
        (f"https://post.nl/{TOKEN}", []),
    ],
)
def test_addresses_that_follow_a_pseudonym_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.label, one.domain) for one in FINDER.find(text).addresses] == expected


@pytest.mark.parametrize(
    ("known", "domain", "expected"),
    [
        (("jan@post.nl",), "nymlink.example", "jan@post.nl"),
        (("jan@post.nl", "jan@werk.nl"), "nymlink.example", None),
        (("jan@post.nl", "jan@Werk.nl"), "werk.nl", "jan@Werk.nl"),
        (("jan@post.nl",), "werk.nl", None),
        ((), "nymlink.example", None),
    ],
)
def test_an_address_comes_back_where_only_one_can_be_meant(
    known: tuple[str, ...], domain: str, expected: str | None
) -> None:
    address = FoundAddress(Span(0, 1), "Pieter Bakker", domain)
    assert address.original({"Pieter Bakker": known}) == expected
    assert address.original({}) is None


def test_what_stood_there_stays_out_of_every_repr() -> None:
    (one,) = FINDER.find("heer PIETER BAKKER kwam").labels
    assert isinstance(one, FoundLabel)
    assert "BAKKER" not in repr(one)
