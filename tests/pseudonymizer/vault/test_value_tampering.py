"""Every column of every row of a value altered: an error on reading, or a finding on verifying."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from linkage.records import DocumentId
from pseudonymizer.errors import PseudonymizerError, VaultDamagedError
from pseudonymizer.records import Rewrite, RewriteEdit, Style
from pseudonymizer.schema import keys_metadata, vault_metadata
from pseudonymizer.vault import Vault
from pseudonymizer.vault.rows import entities, people
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in
from tests.pseudonymizer.vault.test_tampering import change, each_flip
from tests.pseudonymizer.vault.values_by_hand import (
    BANK,
    BSN,
    IBAN,
    NATIONAL,
    PHONE,
    assigned,
    met,
    offering,
    texts,
)  # fmt: skip

FOUND = [met(BANK, IBAN), met(BANK, IBAN, "NL91 ABNA", at=40), met(NATIONAL, BSN, at=80)]
TELEPHONE = met(PHONE, "0201234567", at=120)
PEOPLE = linkage_result({"a": "Jan Tolsma"}, [[("a", "Jan Tolsma")]])
TABLES: Final = ("entity", "form", "name_index", "pseudonym")
COLUMNS = [(table, column.name) for table in TABLES for column in vault_metadata.tables[table].columns]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with values and one person, made once; each test alters a copy."""
    folder = tmp_path_factory.mktemp("template")
    with sqlite_place_in(folder).create() as vault:
        vault.assign(PEOPLE, project="p")
        made = assigned(vault, FOUND)
        table = {TELEPHONE.value: [["0200000001"]]}
        assigned(vault, [TELEPHONE], Style.SURROGATE, candidates=offering(table))
        edit = RewriteEdit(0, "", 0, 23, IBAN.encode(), made.owners[FOUND[0].mention_id])
        vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", (edit,)), output=b"uit")
        vault.commit()
        assert vault.verify().findings == ()
    return folder


@pytest.fixture
def filled(tmp_path: Path, template: Path) -> VaultPlace:
    for file in template.iterdir():
        shutil.copy2(file, tmp_path)
    return sqlite_place_in(tmp_path)


def altered(value: Any) -> Any:
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:] if value else b"x"
    return value + 1 if isinstance(value, int) else f"{value}x"


def each_row(place: VaultPlace, table: str, column: str) -> Iterator[str]:
    """Each row of the table with this column altered; put back afterwards."""
    names = [one.name for one in vault_metadata.tables[table].columns]
    number = names.index(column)
    with closing(sqlite3.connect(place.vault_file, isolation_level=None)) as connection:
        rows = connection.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()  # noqa: S608
        where = " AND ".join(f"{name} IS ?" for name in names)
        statement = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {where}"  # noqa: S608
        for row in rows:
            other = (*row[:number], altered(row[number]), *row[number + 1 :])
            if connection.execute(statement, (other[number], *row)).rowcount:
                yield f"{table}.{column} of {row[0]}"
                assert connection.execute(statement, (row[number], *other)).rowcount == 1


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=[f"{t}-{c}" for t, c in COLUMNS])
def test_an_altered_column_is_an_error_or_a_finding(filled: VaultPlace, table: str, column: str) -> None:
    tried = 0
    for what in each_row(filled, table, column):
        tried += 1
        try:
            with filled.open() as vault:
                findings = vault.verify().findings
        except PseudonymizerError as error:
            assert IBAN not in str(error)  # noqa: PT017
            continue
        assert findings, what
        assert IBAN not in "".join(findings)
    assert tried
    with filled.open() as vault:
        assert vault.verify().findings == ()


FLIPPED = [("vault", "form", "sealed"), ("keys", "entity_key", "wrapped")]


@pytest.mark.parametrize(("store", "table", "column"), FLIPPED, ids=[f[1] for f in FLIPPED])
def test_every_altered_byte_is_an_error_on_reading(
    filled: VaultPlace, store: str, table: str, column: str
) -> None:
    assert {"vault": vault_metadata, "keys": keys_metadata}[store].tables[table] is not None
    with filled.open() as vault:
        numbers = [row[0] for row in vault.store.rows("SELECT entity_id FROM entity WHERE kind = 3")]
        chosen = f"WHERE entity_id IN ({', '.join(map(str, numbers))})"
        for what in each_flip(filled, store, table, column, chosen):
            vault.rollback()
            try:
                people.facts_of(vault, vault.keys_of("p"), numbers)
            except PseudonymizerError:
                continue
            pytest.fail(f"read as if nothing had happened: {what}")
        vault.rollback()
        assert vault.verify().findings == ()


SWAPS = {
    "kind of an entity": "UPDATE entity SET kind = 3 - kind",
    "owner of a tag": "UPDATE name_index SET entity_id = 5 - entity_id",
    "owner of a pseudonym": "UPDATE pseudonym SET entity_id = 3, scope = 'document' WHERE entity_id = 2",
    "style of a pseudonym": "UPDATE pseudonym SET style = 'tag' WHERE style = 'token'",
    "version of a data key": "UPDATE entity SET data_key_version = 2",
}


@pytest.mark.parametrize("what", sorted(SWAPS))
def test_what_is_moved_is_refused_by_whoever_assigns_or_reveals(filled: VaultPlace, what: str) -> None:
    change(filled.vault_file, SWAPS[what])
    with filled.open() as vault:
        labels = [row[0] for row in vault.store.rows("SELECT label FROM pseudonym")]
        with pytest.raises(VaultDamagedError):
            read_all(vault, labels)
        vault.rollback()
        assert vault.verify().findings != ()


def test_sealed_rows_of_two_values_cannot_be_exchanged(filled: VaultPlace) -> None:
    with closing(sqlite3.connect(filled.vault_file)) as connection, connection:
        (one, left), (two, right) = connection.execute(
            "SELECT form_id, sealed FROM form WHERE entity_id > 1 LIMIT 2"
        )
        connection.execute("UPDATE form SET sealed = ? WHERE form_id = ?", (right, one))
        connection.execute("UPDATE form SET sealed = ? WHERE form_id = ?", (left, two))
    with filled.open() as vault, pytest.raises(VaultDamagedError):
        assigned(vault, FOUND)


def test_a_person_under_the_kind_of_values_is_no_value(filled: VaultPlace) -> None:
    """Even the holder of the keys makes no value of a person by the kind alone."""
    with filled.open() as vault:
        keys = vault.keys_of("p")
        row = vault.store.rows("SELECT * FROM entity WHERE kind = 0")[0]
        binding = keys.binder("entity").tag(entities.entity_fields(row[0], row[1], 3, row[3], row[4]))
        vault.store.run_many(
            "UPDATE entity SET kind = 3, binding = ? WHERE entity_id = ?", [(binding, row[0])]
        )
        vault.store.commit()
        assert any("1 values have no kind and no form" in finding for finding in vault.verify().findings)


def read_all(vault: Vault, labels: Sequence[str] = ()) -> list[str]:
    """The labels of the values, read as a run reads them; and what stands behind these labels."""
    found = texts(assigned(vault, FOUND), FOUND)
    vault.rollback()
    if labels:
        vault.reveal(project="p", pseudonyms=labels, purpose="toets")
    return found


@pytest.mark.parametrize("table", TABLES)
def test_a_deleted_row_of_a_value_is_found(filled: VaultPlace, table: str) -> None:
    key = "tag" if table == "name_index" else f"{table}_id"
    owner = "SELECT max(entity_id) FROM entity"
    change(filled.vault_file, f"DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM {table} "  # noqa: S608
                              f"WHERE entity_id = ({owner}) LIMIT 1)")  # fmt: skip
    with filled.open() as vault:
        assert any(table in finding for finding in vault.verify().findings)
        assert read_all(vault), "other values go on"
