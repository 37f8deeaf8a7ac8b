"""Facts come back from their rows as they were; a row shows no length, and no other program misreads it."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import DocumentId, Gender, JudgedSide, MentionId, PersonName, Role, RoleClass, Sighting
from linkage.told import Verdict
from pseudonymizer.errors import VaultDamagedError, VaultOutdatedError
from pseudonymizer.vault.rows import sealed_facts
from pseudonymizer.vault.rows.fact_reader import FactReader
from pseudonymizer.vault.rows.forms import Attribute, Fact, Mark, SurfaceForm
from pseudonymizer.vault.rows.row_form import is_of_today
from pseudonymizer.vault.rows.sealed_facts import as_kept, pack, read_record, surely_names

FROZEN: dict[str, str] = json.loads((Path(__file__).parents[3] / "vectors" / "formats.json").read_text())
TOLSMA = PersonName(given="jan", particle="van", family="tolsma")
ALL: list[Fact] = [
    SurfaceForm("J. van Tolsma", TOLSMA),
    Attribute("birth_date", "1951-03-12"),
    Mark("registry:7"),
    Sighting(DocumentId("d"), 4, "J. van Tolsma", TOLSMA),
    Sighting(
        DocumentId("d"), 30, "Jan", PersonName(given="jan"), Gender.MALE, "7", (("role", "oom"),),
        (MentionId("d@000000040-000000043"), MentionId("e@1")), (MentionId("d@@x"),),
    ),
]  # fmt: skip


def _sorted(found: list[Any]) -> tuple[Any, ...]:
    return tuple(sorted(found))


text = st.text(st.characters(exclude_categories=()), min_size=1, max_size=12)
part = st.none() | text
names = st.builds(PersonName, *[part] * 8)
ids = st.lists(text.map(MentionId), max_size=2).map(tuple)
roles = st.builds(Role, st.sampled_from(RoleClass), text)
judged = st.builds(JudgedSide, text, st.integers(0, 1), st.sampled_from(Verdict), text)
facts = st.one_of(
    st.builds(SurfaceForm, text, names),
    st.builds(Attribute, text, text),
    st.builds(Mark, text),
    st.builds(
        Sighting, text.map(DocumentId), st.integers(0, 1 << 40), text, names,
        st.none() | st.sampled_from(Gender), st.none() | text,
        st.lists(st.tuples(text, text), max_size=2).map(_sorted), ids, ids,
        st.lists(roles, max_size=2).map(_sorted), st.lists(text, max_size=2).map(_sorted),
        st.lists(judged, max_size=2).map(_sorted),
    ),
)  # fmt: skip


@given(st.lists(facts, max_size=6, unique=True))
def test_facts_come_back_each_once(given_facts: list[Fact]) -> None:
    (plain,) = pack(given_facts)
    read = FactReader().facts([plain])
    assert (len(plain) + 4) % 128 == 0
    assert set(read) == set(given_facts)
    assert len(read) == len(set(given_facts))
    assert FactReader().facts([as_kept(plain)]) == read


@given(st.lists(facts, min_size=1, max_size=4, unique=True))
def test_what_is_read_of_everybody_is_what_the_whole_row_says(given_facts: list[Fact]) -> None:
    (plain,) = pack(given_facts)
    reader = FactReader()
    assert reader.told(as_kept(plain)) == reader.told_in([plain])
    assert reader.names_person(as_kept(plain)) == bool(reader.told_in([plain]).names)
    assert FactReader().names_person((as_kept(plain), as_kept(plain))) == reader.names_person(as_kept(plain))


@pytest.mark.parametrize("filling", range(256))
def test_what_fills_a_row_up_is_not_kept(filling: int) -> None:
    record = read_record(pack(ALL)[0])
    plain = msgspec.msgpack.encode(msgspec.structs.replace(record, filling=bytes(filling)))
    kept = as_kept(plain)
    assert kept == msgspec.msgpack.encode(msgspec.structs.replace(record, filling=b""))
    assert as_kept(kept) == kept


def test_a_decoy_and_a_row_without_a_name_are_no_person() -> None:
    named = SurfaceForm("Jan Tolsma", TOLSMA)
    met = Sighting(DocumentId("d"), 4, "Jan Tolsma", TOLSMA)
    nobody: list[list[Fact]] = [
        [named, Mark("decoy")], [named, Mark("decoy"), Mark("registry:\u0410")], [met], [Mark("x")], [],
    ]  # fmt: skip
    for given_facts in nobody:
        (plain,) = pack(given_facts)
        assert not surely_names(as_kept(plain))
        assert not FactReader().names_person(as_kept(plain))
    (plain,) = pack([named, Attribute("kind", "decoy")])
    assert FactReader().names_person(as_kept(plain)), "only the mark tells a decoy"
    assert surely_names(as_kept(pack([named, met])[0]))


def test_whoever_is_read_after_somebody_else_is_read_anew() -> None:
    (one,), (other,) = pack([SurfaceForm("Jan Tolsma", TOLSMA)]), pack([SurfaceForm("E", PersonName("e"))])
    reader = FactReader()
    assert [reader.told(row).names for row in (one, other, other, one)] == [
        (TOLSMA,), (PersonName("e"),), (PersonName("e"),), (TOLSMA,),
    ]  # fmt: skip


def test_a_person_met_very_often_is_counted() -> None:
    for count in (0, 1, 15, 16, 300, 70_000):
        many = [Sighting(DocumentId(f"d{n}"), n, "Jan Tolsma", TOLSMA) for n in range(count)]
        record = sealed_facts._record([SurfaceForm("Jan Tolsma", TOLSMA), *many])
        told = FactReader().told(msgspec.msgpack.encode(record))
        assert (told.names, told.sighting_count) == ((TOLSMA,), count)


def test_very_many_facts_take_several_rows() -> None:
    many: list[Fact] = [SurfaceForm(f"Jan Tolsma {n}", TOLSMA) for n in range(2_000)]
    packs = pack(many)
    assert len(packs) > 1
    assert max(map(len, packs)) < 33_000
    assert FactReader().facts(packs) == many


def test_lengths_say_nothing() -> None:
    short = pack([SurfaceForm("O", PersonName(family="o"))])[0]
    name = PersonName("johannes", None, "van", "tolsma-kok")
    assert len(short) == len(pack([SurfaceForm("Johannes van Tolsma-Kok", name)])[0]) == 124
    assert len(pack(ALL)[0]) == 252


def test_what_is_frozen_is_written_and_read() -> None:
    assert [plain.hex() for plain in pack(ALL)] == [FROZEN["facts"]]
    assert FactReader().facts([bytes.fromhex(FROZEN["facts"])]) == ALL


def test_half_of_a_surrogate_pair_is_kept() -> None:
    odd: list[Fact] = [SurfaceForm("Jan \ud800", TOLSMA), Mark("a\udfff")]
    (plain,) = pack(odd)
    assert (len(plain) + 4) % 128 == 0
    assert FactReader().facts([plain]) == odd
    assert FactReader().told(as_kept(plain)).names == (TOLSMA,)


@given(st.lists(facts, min_size=1, max_size=3))
def test_a_program_of_version_0_1_stops_at_such_a_row(given_facts: list[Fact]) -> None:
    (plain,) = pack(given_facts)
    with pytest.raises(UnicodeDecodeError):  # so 8952b15 begins to read a fact
        plain.lstrip(b"\0").decode("utf-8", "surrogatepass")
    assert plain.lstrip(b"\0")[:1] not in (b"P", b"L", b"F", b"S")
    assert is_of_today(plain)


def changed(**fields: object) -> bytes:
    return msgspec.msgpack.encode(msgspec.structs.replace(read_record(pack(ALL)[0]), **fields))


def test_a_row_of_a_newer_program_is_refused_and_not_misread() -> None:
    reader = FactReader()
    record = msgspec.structs.astuple(read_record(pack(ALL)[0]))
    longer = msgspec.msgpack.encode((4, *record[1:], "more"))
    other = msgspec.msgpack.encode((4, {"of": "another layout"}))
    for plain in (changed(form=4), changed(kind="VEHICLE"), longer, other, b"\xff[4,[]]"):
        with pytest.raises(VaultOutdatedError, match="newer program"):
            reader.facts([plain])
        with pytest.raises(VaultOutdatedError, match="newer program"):
            reader.told(plain)


@pytest.mark.parametrize(
    "plain",
    [
        b"\x80", b"\xff", b"\xff{", b"\xff[2]", msgspec.msgpack.encode((2, "", [])),
        changed(sightings=((0,),)),
        changed(named=(), referred=()), msgspec.msgpack.encode((2, "", [], [], [], [], [], b"", 1)),
    ],
)  # fmt: skip
def test_a_row_without_facts_is_damaged(plain: bytes) -> None:
    with pytest.raises(VaultDamagedError, match="vault verify"):
        FactReader().facts([plain])
    with pytest.raises(VaultDamagedError, match="vault verify"):
        FactReader().told_in([plain])


def test_nothing_personal_shows_in_a_repr() -> None:
    record = read_record(pack(ALL)[0])
    shown = f"{ALL} {FactReader().told(pack(ALL)[0])} {record} {record.named}"
    assert not any(word in shown for word in ("Tolsma", "tolsma", "1951", "oom", "registry"))
