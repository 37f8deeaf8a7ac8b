"""Pseudonyms of every style in text that was edited: where they stand, and what they stand for."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Span
from pseudonymizer.engine.pasted import FoundAddress, FoundLabel, LabelFinder
from pseudonymizer.records import Style
from tests.pseudonymizer.batch_fakes import name_of
from tests.pseudonymizer.engine.records_by_hand import FOREIGN_MAKER, StoringNothing, token

TAGS, INVENTED = ("<PERSOON-1>", "<PERSOON-31>"), ("Pieter Bakker", "Roos van Hovinga")
VAULT = StoringNothing({Style.TAG: TAGS, Style.SURROGATE: INVENTED}).as_vault()
FINDER = LabelFinder(VAULT, "p")
TOKEN, FOREIGN = token(1), token(1, FOREIGN_MAKER)


def found(text: str) -> list[tuple[str, str]]:
    return [(one.span.cut(text), one.label) for one in FINDER.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"voor {TOKEN}.", [(TOKEN, TOKEN)]),
        (f"voor {FOREIGN}.", [(FOREIGN, FOREIGN)]),
        ("<PERSOON-31> en <PERSOON-2>", [("<PERSOON-31>", "<PERSOON-31>")]),
        ("Bakker en P. Bakker", [("Bakker", "Pieter Bakker"), ("P. Bakker", "Pieter Bakker")]),
        ("bakkerij", []),
    ],
)
def test_labels_of_the_project_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


pieces = st.sampled_from(
    [TOKEN, FOREIGN, *TAGS, *INVENTED, "Hovinga, R.", "Roos", " ", ", ", "x@", ".nl", "-"]
)


@given(st.lists(pieces, max_size=9).map("".join))
def test_places_are_in_order_and_never_overlap(text: str) -> None:
    spans = [one.span for one in FINDER.find(text)]
    assert all(left.end <= right.start for left, right in pairwise(spans))
    assert all(one.label in {one.span.cut(text), *INVENTED} for one in FINDER.find(text))
    addresses = [one.span for one in FINDER.find_addresses(text)]
    assert all(left.end <= right.start for left, right in pairwise(addresses))


def test_only_a_token_with_wrong_check_letters_is_not_known() -> None:
    assert [FINDER.is_known(label) for label in (TOKEN, FOREIGN, "<PERSOON-1>", "Pieter Bakker")] == [
        True, False, True, True,
    ]  # fmt: skip


def test_a_name_comes_back_in_the_form_of_its_pseudonym() -> None:
    names = {"Roos van Hovinga": "Els Wiersma", TOKEN: "Els de Wiersma"}
    text = f"Roos, van Hovinga, Hovinga en {TOKEN}"
    assert [one.original(names, name_of) for one in FINDER.find(text)] == [
        "Els", "Wiersma", "Wiersma", "Els de Wiersma",
    ]  # fmt: skip
    assert [one.original({}, name_of) for one in FINDER.find(text)] == [None] * 4


def test_a_surrogate_takes_the_particle_of_the_real_name() -> None:
    names = {"Roos van Hovinga": "Jan van Douma"}
    (one,) = FINDER.find("mevrouw Roos van Hovinga kwam")
    assert one.original(names, name_of) == "Jan van Douma"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"mail {TOKEN}@nymlink.example!", [(TOKEN, "nymlink.example")]),
        (f"mail {FOREIGN}@nymlink.example!", []),
        ("PERSOON-31@Post.NL", [("<PERSOON-31>", "post.nl")]),
        ("PERSOON-2@post.nl", []),
        ("pieter.bakker@nymlink.example", [("Pieter Bakker", "nymlink.example")]),
        ("bakker@nymlink.example", [("Pieter Bakker", "nymlink.example")]),
        ("info@nymlink.example", []),
        (f"https://post.nl/{TOKEN}", []),
    ],
)
def test_addresses_that_follow_a_pseudonym_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.label, one.domain) for one in FINDER.find_addresses(text)] == expected


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
    (one,) = FINDER.find("heer BAKKER kwam")
    assert "BAKKER" not in repr(FoundLabel(one.span, one.label, one.surrogate, "BAKKER"))
    assert "post.nl" not in repr(FoundAddress(Span(0, 1), "P1-A", "post.nl"))
