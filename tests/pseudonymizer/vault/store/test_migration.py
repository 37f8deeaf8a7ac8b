"""Vaults of every earlier schema revision: brought up to date without keys, and then read whole."""

import gzip
from pathlib import Path

import pytest
import sqlalchemy

from pseudonymizer.keyring import EnvironmentKey
from pseudonymizer.reidentification import restore, reveal
from pseudonymizer.schema import keys_metadata, vault_metadata
from pseudonymizer.vault import Vault
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.stores import make_engine, store_addresses
from tests.fakes import FakeClock
from tests.pseudonymizer.conftest import VaultPlace

GOLDEN = Path(__file__).parents[3] / "vectors" / "golden"
KEY = EnvironmentKey(environment={"NYMLINK_KEY": "11" * 32})
PEOPLE = ("Jan Tolsma", "Els Kok", "Bert")
VALUES = ("NL91 ABNA 0417 1643 00", "123456782", "0201234567")
REVISIONS = sorted({file.name.split(".")[0] for file in GOLDEN.glob("*.gz")})


@pytest.mark.parametrize("revision", REVISIONS)
def test_golden_databases_are_migrated_and_read(tmp_path: Path, revision: str) -> None:
    for name in ("vault.db", "vault.keys.db"):
        (tmp_path / name).write_bytes(gzip.decompress((GOLDEN / f"{revision}.{name}.gz").read_bytes()))
    url = f"sqlite:///{tmp_path}/vault.db"
    for address in store_addresses(url, None):
        migration.upgrade(address)
        migration.upgrade(address)  # a second time changes nothing
        assert migration.current_revision(address) == migration.head_revision(address)
    with Vault.open(url, KEY, clock=FakeClock()) as vault:
        labels = [row[0] for row in vault.store.rows("SELECT label FROM pseudonym ORDER BY pseudonym_id")]
        names = reveal(vault, project="p", pseudonyms=labels, purpose="toets")
        assert [names[label].name for label in labels] == [*PEOPLE, *(VALUES if revision >= "0005" else ())]
        (rewrite,) = restore(vault, project="p", outputs=[b"uit"], purpose="toets")
        assert rewrite is not None
        assert (rewrite.path, rewrite.edits[0].original) == ("pad", b"Jan Tolsma")
        assert vault.verify().findings == ()


def test_every_revision_has_a_golden_database() -> None:
    versions = migration.migrations_directory() / "versions"
    assert {file.stem.split("_")[1] for file in versions.glob("vault_*.py")} == set(REVISIONS)


def test_migrations_make_what_the_schema_says(place: VaultPlace) -> None:
    place.create().close()
    for address, metadata in zip(
        store_addresses(place.url, None), (vault_metadata, keys_metadata), strict=True
    ):
        inspector = sqlalchemy.inspect(make_engine(address))
        schema = None if address.is_sqlite else address.schema
        found = {
            t: {c["name"] for c in inspector.get_columns(t, schema=schema)}
            for t in inspector.get_table_names(schema=schema)
        }
        found.pop("alembic_version")
        assert found == {table.name: {c.name for c in table.columns} for table in metadata.sorted_tables}
