"""Rows of values come back as they were; they show no length, and no other program misreads them."""

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import PersonName
from pseudonymizer.errors import VaultDamagedError, VaultOutdatedError
from pseudonymizer.vault.rows.fact_reader import FactReader
from pseudonymizer.vault.rows.forms import Fact, Invented, Spelling, SurfaceForm, ValueForm
from pseudonymizer.vault.rows.row_form import VALUE_FORM, form_of, is_of_today
from pseudonymizer.vault.rows.sealed_facts import pack, read_record
from pseudonymizer.vault.rows.sealed_values import facts_in, pack_value
from pseudonymizer.vault.rows.values import invented_in, spellings_in, value_in

FROZEN: dict[str, str] = json.loads((Path(__file__).parents[3] / "vectors" / "formats.json").read_text())
ACCOUNT = ValueForm("BANK_ACCOUNT", "NL91ABNA0417164300", 1)
ALL: list[Fact] = [ACCOUNT, Spelling("NL91 ABNA 0417 1643 00"), Invented("NL00ABNA0000000000")]
some_text = st.text(st.characters(exclude_categories=()), max_size=9)
facts = st.lists(st.builds(Spelling, some_text) | st.builds(Invented, some_text), max_size=4)


@given(st.builds(ValueForm, some_text, some_text, st.integers(0, 9)), facts)
def test_what_is_packed_comes_back(what: ValueForm, more: list[Fact]) -> None:
    plains = pack_value([what, *more])
    read = FactReader().facts(plains)
    assert read[0] == what
    assert [f for f in read if isinstance(f, Spelling)] == [f for f in more if isinstance(f, Spelling)]
    assert [f for f in read if isinstance(f, Invented)] == [f for f in more if isinstance(f, Invented)]
    for plain in plains:
        assert (len(plain) + 4) % 128 == 0
        assert is_of_today(plain)
        with pytest.raises(UnicodeDecodeError):  # so 8952b15 begins to read a fact
            plain.lstrip(b"\0").decode("utf-8", "surrogatepass")


def test_what_is_frozen_is_written_and_read() -> None:
    assert [plain.hex() for plain in pack_value(ALL)] == [FROZEN["value"]]
    assert facts_in(bytes.fromhex(FROZEN["value"])) == ALL


def test_very_many_or_long_spellings_take_several_rows_which_all_say_what_it_is() -> None:
    many: list[Fact] = [
        ACCOUNT,
        *[Spelling(f"NL91 {n}") for n in range(500)],
        *[Spelling("x" * 20_000 + str(n)) for n in range(5)],
    ]
    packs = pack_value(many)
    assert len(packs) > 3
    assert max(map(len, packs)) < 64_000
    assert [facts_in(plain)[0] for plain in packs] == [ACCOUNT] * len(packs)
    read = FactReader().facts(packs)
    assert list(spellings_in(read)) == [fact.surface for fact in many if isinstance(fact, Spelling)]


def test_what_it_is_stands_first() -> None:
    with pytest.raises(TypeError):
        pack_value(ALL[1:])
    read = FactReader().facts(pack_value(ALL))
    value = value_in(read)
    assert value is not None
    assert (value.kind, value.normal) == (ACCOUNT.kind, ACCOUNT.normal)
    assert invented_in(read) == ("NL00ABNA0000000000",)
    assert value_in([SurfaceForm("Jan", PersonName(given="jan"))]) is None


def changed(**fields: object) -> bytes:
    record = msgspec.msgpack.decode(pack_value(ALL)[0])
    names = ("form", "kind", "normal", "version", "spellings", "invented", "filling")
    told = [fields.get(name, value) for name, value in zip(names, record, strict=True)]
    return msgspec.msgpack.encode(told)


def test_a_row_of_a_newer_program_is_refused_and_not_misread() -> None:
    for plain in (changed(form=4), b"\xff[4]"):
        with pytest.raises(VaultOutdatedError, match="newer program"):
            FactReader().facts([plain])


@pytest.mark.parametrize(
    "plain",
    [
        changed(form=2), changed(kind=1), changed(spellings=[1]), b"\x97\x03", b"\xff[3]",
        msgspec.msgpack.encode([3, "", "", 1, [], [], b"", "more"]),
    ],
)  # fmt: skip
def test_a_row_that_is_no_value_is_damaged(plain: bytes) -> None:
    with pytest.raises(VaultDamagedError, match="vault verify"):
        FactReader().facts([plain])


def test_rows_of_people_and_of_values_are_not_taken_for_one_another() -> None:
    (value,), (person,) = pack_value(ALL), pack([SurfaceForm("Jan", PersonName(given="jan"))])
    assert (form_of(value), form_of(person)) == (VALUE_FORM, 2)
    with pytest.raises(VaultDamagedError):
        read_record(value)
    with pytest.raises(VaultDamagedError):
        facts_in(person)
    with pytest.raises(VaultDamagedError):
        FactReader().told(value)


def test_nothing_shows_in_a_repr() -> None:
    assert not any(word in f"{ALL}" for word in ("NL", "BANK", "1643"))
