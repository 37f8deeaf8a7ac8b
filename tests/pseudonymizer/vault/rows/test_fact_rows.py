"""Rows of an older form are read as they are, compared by value, and written in the form of today."""

import gzip
from pathlib import Path

import pytest

from linkage.records import DocumentId, LinkageResult
from pseudonymizer.assignment import assign
from pseudonymizer.errors import VaultError, VaultOutdatedError
from pseudonymizer.records import Rotated
from pseudonymizer.reidentification import lookup, reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import rotate
from pseudonymizer.vault.care.splitting import Part, split
from pseudonymizer.vault.rows import entities
from pseudonymizer.vault.rows.fact_rows import reseal_older, stored_facts
from pseudonymizer.vault.rows.forms import Fact
from pseudonymizer.vault.rows.row_form import is_of_today
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.stores import make_engine, store_addresses
from tests.fakes import linkage_result
from tests.kept.material import rows_of
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.store.test_copies import GOLDEN, opened

TEXTS = {"a": "Jan Tolsma, Els Kok, Jan en Bert"}
GROUPS = [[("a", "Jan Tolsma"), ("a", "Jan")], [("a", "Els Kok")], [("a", "Bert")]]


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A vault as 8952b15 made it."""
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((GOLDEN / f"0002.{name}.gz").read_bytes()))
    return tmp_path


def plains(vault: Vault) -> list[bytes]:
    """Every row of facts, opened."""
    keys = vault.keys_of("p")
    rows = vault.store.rows("SELECT entity_id, form_id, revision, sealed FROM form ORDER BY form_id")
    sealers = entities.sealers_of(vault, keys, {row[0] for row in rows})
    return [
        sealers[row[0]].unseal(bytes(row[3]), context=keys.contexts.form(row[0], row[1], row[2]))
        for row in rows
    ]


def facts(vault: Vault) -> dict[int, set[Fact]]:
    keys = vault.keys_of("p")
    numbers = [row[0] for row in vault.store.rows("SELECT entity_id FROM entity")]
    stored = stored_facts(vault, keys, entities.sealers_of(vault, keys, numbers))
    return {number: set(told) for number, told in stored.items()}


def revision(vault: Vault) -> str | None:
    return migration.current_revision(vault.store.address)


def forms_of_today(vault: Vault) -> list[bool]:
    return [is_of_today(plain) for plain in plains(vault)]


def test_what_is_known_already_adds_no_row(golden: Path) -> None:
    result = linkage_result(TEXTS, GROUPS)
    with opened(golden) as vault:
        assign(result, vault, project="p")  # the golden vault knows the names, and not where they stand
        vault.commit()
        again = rows_of(golden / "vault.db")["form"]
        assert forms_of_today(vault)[:1] == [False]
        assign(result, vault, project="p")
        vault.commit()
    assert rows_of(golden / "vault.db")["form"] == again


def test_the_first_new_value_raises_the_revision_and_reading_does_not(golden: Path) -> None:
    with opened(golden) as vault:
        labels = [row[0] for row in vault.store.rows("SELECT label FROM pseudonym ORDER BY pseudonym_id")]
        reveal(vault, project="p", pseudonyms=labels[:1], purpose="toets")
        lookup(vault, project="p", name="Jan Tolsma", purpose="toets")
        before = facts(vault)
        assert vault.verify().findings == ()
        assert revision(vault) == "vault_0002"
        assert not any(forms_of_today(vault))
        assign(linkage_result({"b": "Wim Vos"}, [[("b", "Wim Vos")]]), vault, project="p")
        vault.rollback()
        assert revision(vault) == "vault_0002", "what is taken back needs no newer program"
        assign(linkage_result({"b": "Wim Vos"}, [[("b", "Wim Vos")]]), vault, project="p")
        vault.commit()
        assert revision(vault) == "vault_0006"
        assert [*forms_of_today(vault)][-1]
        assert facts(vault).items() > before.items()
        assert vault.verify().findings == ()


def test_a_program_that_may_not_raise_the_revision_says_who_can(
    golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise VaultError("the database of the vault failed (InsufficientPrivilege)")

    with opened(golden) as vault:
        vault.begin_keys()  # the key store grows
        vault.commit()
        monkeypatch.setattr(migration, "_upgrade_on", refused)
        with pytest.raises(VaultOutdatedError, match="nymlink vault migrate"):
            assign(linkage_result({"b": "Wim Vos"}, [[("b", "Wim Vos")]]), vault, project="p")


def test_rotated_data_keys_seal_in_the_form_of_today(golden: Path) -> None:
    with opened(golden) as vault:
        before = facts(vault)
        count = len(plains(vault))
        rotate(vault, Rotated.DATA, project_name="p")
        assert facts(vault) == before
        assert forms_of_today(vault) == [True] * count
        assert revision(vault) == "vault_0006"
        assert vault.verify().findings == ()
        rotate(vault, Rotated.DATA, project_name="p")
        assert facts(vault) == before
        assert vault.verify().findings == ()


def test_a_split_writes_both_people_in_the_form_of_today(golden: Path) -> None:
    with opened(golden) as vault:
        label = vault.store.scalar("SELECT label FROM pseudonym ORDER BY pseudonym_id LIMIT 1")
        assign(
            linkage_result({"c": "J. Tolsma"}, [[("c", "J. Tolsma")]], known={0: "vault:1"}),
            vault,
            project="p",
        )
        vault.commit()
        split(vault, project="p", pseudonym=label, part=Part(["J. Tolsma"]), purpose="toets")
        before = {number for number, told in facts(vault).items() if told}
        rows = vault.store.rows("SELECT entity_id FROM form WHERE entity_id IN (1, ?)", (max(before),))
        assert len(rows) == 2
        shown = dict(zip([r[0] for r in vault.store.rows("SELECT entity_id FROM form ORDER BY form_id")],
                         forms_of_today(vault), strict=True))  # fmt: skip
        assert (shown[1], shown[max(before)]) == (True, True)
        assert vault.verify().findings == ()


def test_older_rows_are_sealed_anew_and_others_left(golden: Path) -> None:
    with opened(golden) as vault:
        assign(linkage_result({"b": "Wim Vos"}, [[("b", "Wim Vos")]]), vault, project="p")
        vault.commit()
        before, old = facts(vault), plains(vault)
        last = vault.store.rows("SELECT * FROM form ORDER BY form_id DESC LIMIT 1")
        vault.begin()
        keys = vault.keys_of("p")
        sealers = entities.sealers_of(vault, keys, facts(vault))
        assert reseal_older(vault, keys, sealers) == len(old) - 1
        vault.commit()
        assert facts(vault) == before
        assert all(forms_of_today(vault))
        assert vault.store.rows("SELECT * FROM form ORDER BY form_id DESC LIMIT 1") == last
        assert vault.verify().findings == ()
        vault.begin()
        assert reseal_older(vault, vault.keys_of("p"), sealers) == 0


def result_of(count: int) -> LinkageResult:
    texts = {f"d{n}": "Jan Tolsma" for n in range(count)}
    return linkage_result(texts, [[(name, "Jan Tolsma") for name in texts]])


def test_further_rows_are_read_in_the_order_in_which_they_were_stored(place: VaultPlace) -> None:
    with place.create() as vault:
        for count in (1, 2, 3):
            assign(result_of(count), vault, project="p", seen_through=0)
            vault.commit()
        assert len(plains(vault)) == 3
        keys = vault.keys_of("p")
        before = facts(vault)
        told = vault.known_identities("p")[0].sightings
        assert [one.doc_id for one in told] == [DocumentId(f"d{n}") for n in range(3)]
        vault.begin()
        assert reseal_older(vault, keys, entities.sealers_of(vault, keys, before)) == 0
        vault.rollback()
        assert vault.verify().checked["names"] == 1, "a name that further rows refer to is stored once"


def test_an_open_vault_takes_no_notice_of_who_raised_the_revision(golden: Path) -> None:
    with opened(golden) as one, opened(golden) as other:
        assign(linkage_result({"b": "Wim Vos"}, [[("b", "Wim Vos")]]), one, project="p")
        one.commit()
        assign(linkage_result({"c": "Ad Wit"}, [[("c", "Ad Wit")]]), other, project="p")
        other.commit()
        assert revision(other) == "vault_0006"
        assert other.verify().findings == ()


def test_the_revision_is_raised_in_the_unit_of_work(place: VaultPlace) -> None:
    place.create().close()
    vault_address, _ = store_addresses(place.url, None)
    with make_engine(vault_address).connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'vault_0003'")
    with place.open() as vault:
        assign(result_of(1), vault, project="p")
        vault.rollback()
        assert revision(vault) == "vault_0003"
        assign(result_of(1), vault, project="p")
        vault.commit()
        assert revision(vault) == "vault_0006"


def test_two_halves_of_a_pair_in_a_name_are_known_the_next_time(place: VaultPlace) -> None:
    """As 8952b15 had it: they are no character together, and the same text again adds no row."""
    surface = "Jan \ud83d\ude00 Tolsma"
    result = linkage_result({"a": surface}, [[("a", surface)]])
    with place.create() as vault:
        for _ in range(2):
            assign(result, vault, project="p")
            vault.commit()
        assert vault.store.scalar("SELECT count(*) FROM form") == 1
        (told,) = vault.known("p").people
        assert told.sightings[0].surface == surface
