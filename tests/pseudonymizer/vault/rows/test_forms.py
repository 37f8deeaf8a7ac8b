"""What is sealed about a person comes back as it was, alone or packed with the rest, and shows no length."""

import json
from contextlib import suppress
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import DocumentId, EntityId, KnownIdentity, PersonName, Sighting
from linkage.sighting_text import SightingReader
from linkage.sightings import sighting_of
from pseudonymizer.vault.rows.forms import (
    Attribute,
    Fact,
    Mark,
    Place,
    SurfaceForm,
    attribute_fact,
    decode_facts,
    decoded,
    facts_in,
    form_fact,
    mark_fact,
    only_name,
    pack,
    sighting_fact,
    sightings_in,
)
from tests.fakes import linkage_result

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


@given(st.lists(facts, min_size=1, max_size=6))
def test_facts_come_back_from_a_pack(given_facts: list[tuple[bytes, Fact]]) -> None:
    (plain,) = pack([raw for raw, _ in given_facts])
    assert facts_in(plain) == [raw for raw, _ in given_facts]
    assert decode_facts(plain) == tuple(fact for _, fact in given_facts)
    assert (len(plain) + 4) % 128 == 0


@given(text, names)
def test_a_name_alone_is_read_the_short_way_too(surface: str, name: PersonName) -> None:
    raw = form_fact(surface, name)
    assert only_name(raw) == (name if raw[:1] == b"F" else None)
    assert only_name(pack([raw])[0]) in {name, None}
    assert only_name(pack([raw, mark_fact("decoy")])[0]) is None


def test_very_many_facts_take_several_rows() -> None:
    many = [form_fact(f"Jan Tolsma {n}", TOLSMA) for n in range(2_000)]
    packs = pack(many)
    assert len(packs) > 1
    assert [fact for plain in packs for fact in facts_in(plain)] == many


@given(st.binary(max_size=200))
def test_bytes_that_are_no_facts_give_facts_or_an_error_never_a_hang(raw: bytes) -> None:
    # Nobody can write such a row without the data key; what is read must still end.
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        decode_facts(raw)


def test_what_was_written_before_is_still_read() -> None:
    old = bytes.fromhex(FROZEN["form"])
    assert decode_facts(old) == (SurfaceForm("Jan Tolsma", PersonName(given="jan", family="tolsma")),)
    packed = [
        form_fact("J. van Tolsma", TOLSMA),
        attribute_fact("birth_date", "1951-03-12"),
        mark_fact("decoy"),
    ]
    assert [plain.hex() for plain in pack(packed)] == [FROZEN["pack"]]
    assert pack([form_fact("Jan Tolsma", PersonName(given="jan", family="tolsma"))]) == [old]


def test_lengths_say_nothing() -> None:
    short = pack([form_fact("O", PersonName(family="o"))])[0]
    long = pack([form_fact("Johannes van Tolsma-Kok", PersonName("johannes", None, "van", "tolsma-kok"))])[0]
    assert len(short) == len(long)


@given(st.lists(st.text(max_size=5), min_size=1, max_size=8))
def test_quick_names_are_the_checked_ones(texts: list[str]) -> None:
    quick = PersonName.of_texts(texts)
    checked = PersonName(*[each or None for each in texts])
    assert quick == checked
    assert hash(quick) == hash(checked)


def test_a_quick_identity_is_the_checked_one() -> None:
    company, apart = frozenset({EntityId("vault:2")}), frozenset({EntityId("vault:3")})
    told = EntityId("vault:1"), (TOLSMA,), frozenset({("kind", "value")}), company
    met = (Sighting(DocumentId("d"), 0, "Jan Tolsma", TOLSMA),)
    quick = KnownIdentity.quickly(*told, met, apart)
    assert quick == KnownIdentity(*told, sightings=met, apart=apart)


def test_a_sighting_is_read_with_the_form_that_it_was_met_under() -> None:
    result = linkage_result({"d": "J. van Tolsma en Jan"}, [[("d", "J. van Tolsma"), ("d", "Jan")]])
    forms = [form_fact(m.mention.surface, m.name) for m in result.mentions]
    places = [sighting_fact(m, form) for m, form in zip(result.mentions, forms, strict=True)]
    told = sightings_in(decoded([*places, *forms]), SightingReader())
    assert list(told.values()) == [sighting_of(m) for m in result.mentions]
    left = sightings_in(decoded([*places, forms[0]]), SightingReader())
    assert list(left) == places[:1], "a form that went elsewhere is not guessed"
    assert not any(b"Tolsma" in place or b"Jan" in place for place in places)
    assert all(isinstance(fact, Place) for place in places for fact in decode_facts(place))
