"""desk.db: made once, opened again, with a branch of migrations of its own."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from pseudonymizer.desk.store import HEAD, DeskStore, metadata
from pseudonymizer.desk.tokens import Tokens
from pseudonymizer.errors import DeskStoreError
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Verb
from pseudonymizer.vault import Vault


def test_the_migrations_make_what_the_tables_say(tmp_path: Path) -> None:
    for _ in range(2):
        with DeskStore.open(tmp_path / "desk.db").transaction() as connection:
            found = sa.inspect(connection)
            for table in metadata.sorted_tables:
                told = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
                assert told == {column.name: column.nullable for column in table.columns}
            assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == HEAD


def test_a_vault_is_no_desk(tmp_path: Path) -> None:
    with Vault.create(tmp_path / "vault.db", FileKey(tmp_path / "key")) as made:
        made.commit()
    before = (tmp_path / "vault.db").read_bytes()
    with pytest.raises(DeskStoreError, match="holds no tokens"):
        DeskStore.open(tmp_path / "vault.db")
    assert (tmp_path / "vault.db").read_bytes() == before


def test_a_desk_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    with DeskStore.open(tmp_path / "desk.db").transaction() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'desk_9999'"))
    with pytest.raises(DeskStoreError, match="newer"):
        DeskStore.open(tmp_path / "desk.db")


def test_a_desk_of_the_first_revision_keeps_its_tokens(tmp_path: Path) -> None:
    place = tmp_path / "desk.db"
    made = Tokens(DeskStore.open(place)).create("chat", "study", [Verb.PSEUDONYMIZE], days=9)
    with DeskStore(place).transaction() as connection:  # as desk_0001 made it
        for table in ("account", "workspace", "held_file", "step", "job"):
            connection.execute(sa.text(f"DROP TABLE {table}"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'desk_0001'"))
    found = Tokens(DeskStore.open(place)).of(made.written)
    assert found == made.token or (found is not None and found.token_id == made.token.token_id)
    with DeskStore(place).transaction() as connection:
        assert connection.execute(sa.text("PRAGMA secure_delete")).scalar() == 1
        assert connection.execute(sa.text("SELECT count(*) FROM workspace")).scalar() == 0
