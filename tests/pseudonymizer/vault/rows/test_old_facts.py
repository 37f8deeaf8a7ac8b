"""Facts that version 0.1 sealed are read as they were meant, whatever they hold."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.errors import InvalidRecordError
from linkage.records import PersonName
from linkage.sighting_text import SightingReader
from linkage.sightings import sighting_of
from pseudonymizer.vault.rows import old_facts
from pseudonymizer.vault.rows.fact_reader import FactReader
from pseudonymizer.vault.rows.forms import Attribute, Fact, Mark, SurfaceForm
from tests.fakes import linkage_result
from tests.old_facts import attribute_fact, form_fact, mark_fact, row, sighting_fact

FROZEN: dict[str, str] = json.loads((Path(__file__).parents[3] / "vectors" / "formats.json").read_text())
TOLSMA = PersonName(given="jan", particle="van", family="tolsma")

text = st.text(st.characters(exclude_categories=()), min_size=1, max_size=12)
part = st.none() | text
names = st.builds(PersonName, *[part] * 8)
facts = st.one_of(
    st.builds(lambda surface, name: (form_fact(surface, name), SurfaceForm(surface, name)), text, names),
    st.builds(lambda kind, value: (attribute_fact(kind, value), Attribute(kind, value)), text, text),
    st.builds(lambda kind: (mark_fact(kind), Mark(kind)), text.filter(lambda t: t.isprintable())),
)


def read(*plains: bytes) -> list[Fact]:
    pieces = [piece for plain in plains for piece in old_facts.pieces_in(plain.lstrip(b"\0"))]
    return old_facts.facts_of(pieces, SightingReader())


@given(st.lists(facts, min_size=1, max_size=6))
def test_facts_come_back_from_a_row(given_facts: list[tuple[bytes, Fact]]) -> None:
    assert read(row([raw for raw, _ in given_facts])) == list(dict.fromkeys(f for _, f in given_facts))


@given(text, names)
def test_a_name_alone_is_read_the_short_way_too(surface: str, name: PersonName) -> None:
    raw = form_fact(surface, name)
    assert old_facts.only_name(raw) == ((name, 0) if raw[:1] == b"F" else (None, 0))
    assert old_facts.only_name(row([raw, mark_fact("decoy")]).lstrip(b"\0"))[0] is None


@given(st.binary(max_size=200))
def test_bytes_that_are_no_facts_give_facts_or_an_error_never_a_hang(raw: bytes) -> None:
    # Nobody can write such a row without the data key; what is read must still end.
    with suppress(ValueError, TypeError, IndexError, InvalidRecordError):
        read(raw)
    with suppress(ValueError, IndexError):
        old_facts.only_name(raw)


@given(st.lists(facts, min_size=1, max_size=4))
def test_who_surely_is_a_person_is_one(given_facts: list[tuple[bytes, Fact]]) -> None:
    kept = row([raw for raw, _ in given_facts]).lstrip(b"\0")
    told = [fact for _, fact in given_facts]
    named = any(isinstance(fact, SurfaceForm) for fact in told) and Mark("decoy") not in told
    assert named or not old_facts.surely_names(kept)
    assert FactReader().names_person(kept) == named


def test_most_people_are_told_quickly() -> None:
    form, mark = form_fact("Jan Tolsma", TOLSMA), mark_fact("registry:7")
    for pieces in ([form], [form, mark], [mark, form]):
        assert old_facts.surely_names(row(pieces).lstrip(b"\0"))
    for pieces in ([mark_fact("decoy"), form], [form, mark_fact("decoy")], [mark], [mark, mark_fact("x")]):
        assert not old_facts.surely_names(row(pieces).lstrip(b"\0"))


def test_what_was_frozen_is_read() -> None:
    old = bytes.fromhex(FROZEN["form"])
    assert read(old) == [SurfaceForm("Jan Tolsma", PersonName(given="jan", family="tolsma"))]
    assert read(bytes.fromhex(FROZEN["pack"])) == [
        SurfaceForm("J. van Tolsma", TOLSMA), Attribute("birth_date", "1951-03-12"), Mark("decoy"),
    ]  # fmt: skip


def test_a_sighting_is_read_with_the_form_that_it_was_met_under() -> None:
    result = linkage_result({"d": "J. van Tolsma en Jan"}, [[("d", "J. van Tolsma"), ("d", "Jan")]])
    forms = [form_fact(m.mention.surface, m.name) for m in result.mentions]
    places = [sighting_fact(m, form) for m, form in zip(result.mentions, forms, strict=True)]
    told = [SurfaceForm(m.mention.surface, m.name) for m in result.mentions]
    met = [sighting_of(m) for m in result.mentions]
    assert read(row(places), row(forms)) == [*told, *met], "forms and places may lie in different rows"
    assert read(row([*places, forms[0]])) == [told[0], met[0]], "a form that went elsewhere is not guessed"
    only = old_facts.only_name(row([forms[0], places[0]]).lstrip(b"\0"))
    assert only == (result.mentions[0].name, 1)
    assert old_facts.only_name(row([forms[0], *places]).lstrip(b"\0"))[0] is None


def test_a_row_that_ends_inside_a_fact_is_an_error() -> None:
    with pytest.raises(ValueError, match="ends inside"):
        old_facts.pieces_in(b"L\0\0\0\1x\0\0")
