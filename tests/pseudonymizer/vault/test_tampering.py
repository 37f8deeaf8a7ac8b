"""Every stored byte altered, rows swapped, moved, deleted, put back: an error on reading, a finding on
verifying."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import LargeBinary

from linkage.records import DocumentId
from pseudonymizer.assignment import assign
from pseudonymizer.errors import PseudonymizerError, VaultDamagedError
from pseudonymizer.open_links import LinkedSource
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.reidentification import restore, reveal
from pseudonymizer.runs.open_links import open_links_of
from pseudonymizer.schema import keys_metadata, vault_metadata
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.rotation import Rotated, rotate
from pseudonymizer.vault.rows import documents, mentions, people
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in

METADATA = {"vault": vault_metadata, "keys": keys_metadata}
RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok en Bert"},
    [[("a", "Jan Tolsma")], [("a", "Els Kok")], [("a", "Bert")]],
    candidates={2: (0, 1)},
    open_links=[(0, 2, 0.5)],
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A filled vault, made once; each test alters a copy."""
    folder = tmp_path_factory.mktemp("template")
    place = sqlite_place_in(folder)
    with place.create() as vault:
        pseudonyms = assign(RESULT, vault, project="p")
        people = [pseudonyms[m.mention_id] for m in RESULT.mentions]
        edits = tuple(
            RewriteEdit(n, "kop", 30 * n, 30 * n + 23, b"origineel %d" % n, p.entity_id)
            for n, p in enumerate(people)
        )
        vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits, "pad"), output=b"uit")
        source = LinkedSource(DocumentId("bron"))
        vault.keep_open_links("p", open_links_of(RESULT, {DocumentId("a"): source}, ()))
        vault.commit()
        assert vault.verify().findings == ()
    return folder, [p.label for p in people]


@pytest.fixture
def filled(tmp_path: Path, template: tuple[Path, list[str]]) -> tuple[VaultPlace, list[str]]:
    folder, labels = template
    for file in folder.iterdir():
        shutil.copy2(file, tmp_path)
    return sqlite_place_in(tmp_path), labels


def change(file: Path, statement: str, values: tuple[Any, ...] = ()) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)


def blobs(file: Path, table: str, column: str, key: str) -> list[tuple[int, bytes]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(f"SELECT {key}, {column} FROM {table} ORDER BY {key}").fetchall()  # noqa: S608


def read_everything(vault: Vault, labels: list[str]) -> None:
    vault.known_identities("p")
    reveal(vault, project="p", pseudonyms=labels, purpose="toets")
    restore(vault, project="p", outputs=[b"uit"], purpose="toets")
    assign(RESULT, vault, project="p")
    vault.rollback()


def read_and_meet_again(vault: Vault, labels: list[str]) -> None:
    """The same, and a full name that the blind index has to find."""
    read_everything(vault, labels)
    again = linkage_result({"z": "Jan Tolsma"}, [[("z", "Jan Tolsma")]])
    assign(again, vault, project="p", seen_through=0)


READ = [
    ("vault", "form", "sealed"),
    ("vault", "edit", "sealed"),
    ("vault", "document", "sealed"),
    ("vault", "mention_list", "entries"),
    ("keys", "entity_key", "wrapped"),
    ("keys", "document_key", "wrapped"),
    ("keys", "project_key", "wrapped"),
]


def each_flip(
    place: VaultPlace, store: str, table: str, column: str, rows: str = "", step: int = 1
) -> Iterator[str]:
    """Every byte of every value of the column, altered one at a time; put back at the end."""
    file = place.vault_file if store == "vault" else place.keys_file
    key = [c.name for c in METADATA[store].tables[table].primary_key.columns]
    where = " AND ".join(f"{name} = ?" for name in key)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        found = connection.execute(f"SELECT {column}, {', '.join(key)} FROM {table} {rows}").fetchall()  # noqa: S608
        assert found
        statement = f"UPDATE {table} SET {column} = ? WHERE {where}"  # noqa: S608
        for blob, *values in found:
            now = values
            for position in range(0, len(blob), step):
                altered = blob[:position] + bytes([blob[position] ^ 0x01]) + blob[position + 1 :]
                connection.execute(statement, (altered, *now))
                now = [altered if name == column else value for name, value in zip(key, now, strict=True)]
                yield f"{table}.{column} {values} byte {position}"
            connection.execute(statement, (blob, *now))


@pytest.mark.parametrize(("store", "table", "column"), READ, ids=[r[1] for r in READ])
def test_every_altered_byte_is_an_error_on_reading(
    filled: tuple[VaultPlace, list[str]], store: str, table: str, column: str
) -> None:
    place, labels = filled
    # Of the vault's project keys the active record keys are read by every opening: the others belong here.
    rows = "WHERE project_id > 0" if table == "project_key" else ""
    with place.open() as vault:
        for what in each_flip(place, store, table, column, rows):
            vault.rollback()  # forgets what it has read
            try:
                read_quietly(vault, table)
            except PseudonymizerError as error:
                assert "Tolsma" not in str(error)  # noqa: PT017
            else:
                raise AssertionError(f"read as if nothing had happened: {what}")
        vault.rollback()
        read_everything(vault, labels)


def read_quietly(vault: Vault, table: str) -> None:
    """Read what the table is for, without an audit event for each of a thousand tries."""
    keys = vault.keys_of("p")
    if table in {"edit", "document", "document_key"}:
        documents.read_rewrites(vault, keys, [b"uit"])
        return
    people.facts_of(vault, keys, [1, 2, 3])
    vault.known_identities("p")
    if table == "mention_list":
        tags = mentions.document_tags(keys, [DocumentId("a")])
        mentions.find_mentions(vault, keys, tags.values(), [])


# Everything else that is stored as bytes, with the name under which it is found.
FOUND = [
    (store, table.name, column.name)
    for store, metadata in METADATA.items()
    for table in metadata.sorted_tables
    for column in table.columns
    if isinstance(column.type, LargeBinary) and (store, table.name, column.name) not in READ
    # Empty here, or rows of the first revision; the key store's own rows are in test_opening.py.
    if table.name not in {"mention", "actor_role", "access_request", "approval", "rate_bucket", "job"}
    if table.name not in {"tombstone", "kek", "key_meta", "vault_meta"}
    if table.name not in {"counter", "given_word"}  # in test_published.py
    if table.name != "work_key"  # below
]


@pytest.mark.parametrize(("store", "table", "column"), FOUND, ids=[f"{f[1]}-{f[2]}" for f in FOUND])
def test_altered_bytes_that_no_name_hangs_on_are_errors_or_findings(
    filled: tuple[VaultPlace, list[str]], store: str, table: str, column: str
) -> None:
    place, _ = filled
    with place.open() as vault:
        for what in each_flip(place, store, table, column, "LIMIT 2", step=5):
            vault.rollback()
            try:
                findings = vault.verify().findings
            except PseudonymizerError:
                continue
            assert findings, what
        vault.rollback()
        assert vault.verify().findings == ()


@pytest.mark.parametrize("column", ["folder_id", "wrapped"])
def test_an_altered_key_of_a_folder_opens_nothing(
    filled: tuple[VaultPlace, list[str]], tmp_path: Path, column: str
) -> None:
    place, _ = filled
    folder_id = bytes(range(16))
    with place.open() as vault:
        before = vault.folder_keys("p", folder_id, tmp_path / "out", is_new=True)
        for _ in each_flip(place, "keys", "work_key", column):
            vault.rollback()
            with pytest.raises(PseudonymizerError):
                vault.folder_keys("p", folder_id, tmp_path / "out", is_new=False)
        vault.rollback()
        assert vault.folder_keys("p", folder_id, tmp_path / "out", is_new=False) == before


def swap(table: str, column: str, key: str, store: str = "vault") -> Callable[[VaultPlace], None]:
    def act(place: VaultPlace) -> None:
        file = place.vault_file if store == "vault" else place.keys_file
        (first, left), (second, right) = blobs(file, table, column, key)[:2]
        change(file, f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (right, first))  # noqa: S608
        change(file, f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (left, second))  # noqa: S608

    return act


def swap_labels(place: VaultPlace) -> None:
    (first, left), (second, right) = blobs(place.vault_file, "pseudonym", "label", "pseudonym_id")[:2]
    for number, label in ((first, b"x"), (second, left), (first, right)):
        change(place.vault_file, "UPDATE pseudonym SET label = ? WHERE pseudonym_id = ?", (label, number))


def run(statement: str) -> Callable[[VaultPlace], None]:
    return lambda place: change(place.vault_file, statement)


def move_mention(place: VaultPlace) -> None:
    ((part, entries),) = blobs(place.vault_file, "mention_list", "entries", "part")
    moved = entries[:23] + bytes([3 - entries[23]]) + entries[24:]
    change(place.vault_file, "UPDATE mention_list SET entries = ? WHERE part = ?", (moved, part))


SWAPS: dict[str, Callable[[VaultPlace], None]] = {
    "sealed forms": swap("form", "sealed", "form_id"),
    "sealed edits": swap("edit", "sealed", "ordinal"),
    "data keys": swap("entity_key", "wrapped", "entity_id", "keys"),
    "labels": swap_labels,
    "owner of a pseudonym": run(
        "UPDATE pseudonym SET entity_id = 2, scope = 'document' WHERE pseudonym_id = 1"
    ),
    "owner of a mention": move_mention,
    "owner of a tag": run("UPDATE name_index SET entity_id = 3 - entity_id"),
    "kind of an entity": run("UPDATE entity SET kind = 1 - kind"),
    "place of an edit": run("UPDATE edit SET start_offset = start_offset + 1"),
    "project settings": run("UPDATE project SET settings = replace(settings, 'true', 'false')"),
}


@pytest.mark.parametrize("what", sorted(SWAPS))
def test_what_is_moved_is_refused(filled: tuple[VaultPlace, list[str]], what: str) -> None:
    place, labels = filled
    SWAPS[what](place)
    with place.open() as vault, pytest.raises(VaultDamagedError):
        read_and_meet_again(vault, labels)
    with place.open() as vault:
        assert vault.verify().findings != ()


DELETED = ["entity", "form", "name_index", "pseudonym", "mention_list", "link", "document", "edit"]


@pytest.mark.parametrize("table", DELETED)
def test_a_deleted_row_is_found(filled: tuple[VaultPlace, list[str]], table: str) -> None:
    place, _ = filled
    keys = {"name_index": "tag", "mention_list": "doc_tag", "edit": "ordinal", "link": "right_entity"}
    key = keys.get(table, f"{table}_id")
    change(place.vault_file, f"DELETE FROM {table} WHERE {key} = (SELECT max({key}) FROM {table})")  # noqa: S608
    with place.open() as vault:
        assert any(table in finding for finding in vault.verify().findings)


@pytest.mark.parametrize("table", ["form", "entity", "edit", "document", "checkpoint", "mention_list"])
def test_an_old_version_of_a_row_put_back_is_found(filled: tuple[VaultPlace, list[str]], table: str) -> None:
    place, _ = filled
    key = [column.name for column in vault_metadata.tables[table].primary_key.columns]
    with closing(sqlite3.connect(place.vault_file)) as connection:
        connection.row_factory = sqlite3.Row
        chosen = "WHERE table_name = 'form'" if table == "checkpoint" else ""
        old = connection.execute(f"SELECT * FROM {table} {chosen}").fetchone()  # noqa: S608
    with place.open() as vault:
        rotate(vault, Rotated.DATA, project_name="p")
        edit = RewriteEdit(0, "kop", 0, 23, b"nieuw", None)
        vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", (edit,), "pad"), output=b"uit2")
        keys = vault.keys_of("p")
        mentions.move_mentions(vault, keys, lambda _doc, _tag, was: 1 if was == 2 else was)
        vault.commit()
        assert vault.verify().findings == ()
    where = " AND ".join(f"{name} = ?" for name in key)
    change(place.vault_file, f"DELETE FROM {table} WHERE {where}", tuple(old[name] for name in key))  # noqa: S608
    change(place.vault_file, f"INSERT INTO {table} VALUES ({', '.join('?' * len(old))})", tuple(old))  # noqa: S608
    with place.open() as vault:
        findings = vault.verify().findings
        told = "form" if table == "checkpoint" else table
        assert any(told in finding for finding in findings), findings


def test_all_tables_put_back_are_found_by_the_trail(filled: tuple[VaultPlace, list[str]]) -> None:
    place, _ = filled
    tables = [*DELETED, "checkpoint"]
    with closing(sqlite3.connect(place.vault_file)) as connection:
        saved = {t: connection.execute(f"SELECT * FROM {t}").fetchall() for t in tables}  # noqa: S608
    with place.open() as vault:
        later = linkage_result({"z": "Wim Bos"}, [[("z", "Wim Bos")]])
        assign(later, vault, project="p")
        vault.commit()
    for table, rows in saved.items():
        change(place.vault_file, f"DELETE FROM {table}")  # noqa: S608
        for row in rows:
            change(place.vault_file, f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
    with place.open() as vault:
        assert any("audit trail says" in finding for finding in vault.verify().findings)


def test_nothing_stored_shows_a_name(filled: tuple[VaultPlace, list[str]]) -> None:
    place, _ = filled
    # Three letters stand in random bytes, too: these names are looked for with what would stand beside them.
    canaries = (
        b"tolsma", b'"jan', b"jan ", b"els kok", b'kok"', b"bert", b"origineel", "tolsma".encode("utf-16-le"),
    )  # fmt: skip
    for file in place.folder.iterdir():
        raw = file.read_bytes().lower()
        for canary in canaries:
            assert canary not in raw, file.name
