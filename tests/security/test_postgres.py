"""Stores in PostgreSQL: every column altered once, a row of each table gone, texts that look like SQL."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy
from sqlalchemy import Connection, Float, Integer, LargeBinary, Table

from pseudonymizer.assignment import assign
from pseudonymizer.errors import PseudonymizerError
from pseudonymizer.reidentification import reveal
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.transfer import export_bundle, import_bundle
from pseudonymizer.vault.store.stores import VAULT_SCHEMA, make_engine, store_addresses
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in
from tests.security.used_stores import STORES, as_actor, use_stores

PASSPHRASE: Final = "paard batterij nietje"  # noqa: S105  a test's
# See known_store_changes.txt: what nothing reads, or the chain of digests tells already.
NOT_TOLD: Final = {
    ("vault", "audit_event", "mac"),
    ("vault", "vault_meta", "name"),
    ("vault", "vault_meta", "value"),
}


def _moved(tmp_path: Path, url: str) -> VaultPlace:
    """A vault that every verb has written to, in a server."""
    stores = use_stores(_folder(tmp_path / "used"))
    place = stores.copied_to(_folder(tmp_path / "copy"))
    with place.open("tester") as vault:
        export_bundle(vault, tmp_path / "export", PASSPHRASE, purpose="verhuizing", memory_kib=64)
    import_bundle(tmp_path / "export", PASSPHRASE, url, actor="tester")
    return VaultPlace(url, place.folder, place.key, place.clock)


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _is_found(place: VaultPlace) -> bool:
    try:
        with as_actor(place, "audra") as vault:
            return vault.verify().findings != ()
    except PseudonymizerError:
        return True


def _connections(url: str) -> dict[str, Connection]:
    return {
        "vault" if address.schema == VAULT_SCHEMA else "keys": make_engine(address).connect()
        for address in store_addresses(url, None)
    }


def _altered(value: Any, kind: object) -> Any:
    if isinstance(kind, LargeBinary):
        raw = bytes(value)
        return raw[:-1] + bytes([raw[-1] ^ 1]) if raw else b"x"
    if isinstance(kind, (Integer, Float)):
        return value + 1
    return f"{value}x"


def _one_row(connection: Connection, table: Table) -> Any:
    return connection.execute(sqlalchemy.select(table).limit(1)).one_or_none()


def _exactly(table: Table, row: Any) -> Any:
    return sqlalchemy.and_(*(column == value for column, value in zip(table.columns, row, strict=True)))


@pytest.mark.slow  # two hundred verifications
def test_every_altered_column_and_every_row_that_is_gone_is_found(tmp_path: Path, postgres_url: str) -> None:
    place = _moved(tmp_path, postgres_url)
    assert not _is_found(place)
    missed, tried = set(), 0
    for store, connection in _connections(postgres_url).items():
        for table in STORES[store].sorted_tables:
            row = _one_row(connection, table)
            assert row is not None, table.name
            for column, value in zip(table.columns, row, strict=True):
                changed = {**row._mapping, column.name: _altered(value, column.type)}
                try:
                    connection.execute(table.update().where(_exactly(table, row)).values(changed))
                except sqlalchemy.exc.IntegrityError:
                    continue  # the database refuses it
                tried += 1
                if not _is_found(place):
                    missed.add((store, table.name, column.name))
                connection.execute(table.delete().where(_exactly(table, tuple(changed.values()))))
                connection.execute(table.insert().values(dict(row._mapping)))
            connection.execute(table.delete().where(_exactly(table, row)))
            if not _is_found(place) and table.name != "vault_meta":
                missed.add((store, table.name, "a row"))
            connection.execute(table.insert().values(dict(row._mapping)))
        connection.close()
    assert tried > 100
    assert missed <= NOT_TOLD
    assert not _is_found(place)


@pytest.fixture
def vault(tmp_path: Path, postgres_url: str) -> Iterator[Vault]:
    place = sqlite_place_in(tmp_path)
    with Vault.create(postgres_url, place.key, clock=place.clock) as made:
        yield made


_LIKE_SQL: Final = (
    "'; DROP TABLE nymlink.pseudonym; --", "%s", "%(name)s", "?", '"', "\\", "$1", "{0}", "a%b_c", "';--\\",
    "\u2019",
)  # fmt: skip


@pytest.mark.parametrize("text", _LIKE_SQL)
def test_texts_that_look_like_sql_are_texts(vault: Vault, text: str) -> None:
    surface = f"Jan {text}"
    result = linkage_result({text: surface}, [[(text, surface)]])
    given = assign(result, vault, project=text)
    vault.commit()
    label = given[result.mentions[0].mention_id].label
    names = reveal(vault, project=text, pseudonyms=[label], purpose=text, ticket=text)
    assert names[label].name == surface
    assert [event.purpose for event in vault.audit_events()][-1] == text
    assert vault.projects() == (text,)
    assert vault.verify().findings == ()
    with pytest.raises(PseudonymizerError):
        reveal(vault, project="p", pseudonyms=[text], purpose=text)
