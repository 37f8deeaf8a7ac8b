"""Schema revisions by alembic: two branches, `vault` and `keys`, one for each store. Runs without keys."""

from importlib import resources
from pathlib import Path
from typing import Final

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from alembic import command
from pseudonymizer.errors import VaultError
from pseudonymizer.vault.stores import KEYS_SCHEMA, VAULT_SCHEMA, StoreAddress, make_engine, translated

_BRANCH: Final = {VAULT_SCHEMA: "vault", KEYS_SCHEMA: "keys"}


def migrations_directory() -> Path:
    """Inside an installed package, or in the checkout.

    Raises:
        VaultError: if neither place has them.
    """
    package = Path(str(resources.files("pseudonymizer")))
    for place in (package / "migrations", package.parent / "alembic"):
        if (place / "env.py").is_file():
            return place
    raise VaultError("the schema migrations are missing; install nymlink again, or run from a whole checkout")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_directory()).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def head_revision(address: StoreAddress) -> str:
    """The revision that this program needs."""
    branch = _BRANCH[address.schema]
    revision = ScriptDirectory.from_config(_config()).get_revision(f"{branch}@head")
    return revision.revision


def current_revision(address: StoreAddress) -> str | None:
    """The revision that the store has, or None if it has none."""
    engine = make_engine(address)
    with translated(), engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table_schema": _version_schema(address)}
        )
        return context.get_current_revision()


def upgrade(address: StoreAddress, revision: str | None = None) -> None:
    """Bring one store to the newest revision, or to the one named, in one transaction."""
    engine = make_engine(address)
    config = _config()
    with translated(), engine.connect() as connection:
        if not address.is_sqlite:
            connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {address.schema}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if address.is_sqlite else "BEGIN")
        config.attributes["connection"] = connection
        config.attributes["version_table_schema"] = _version_schema(address)
        try:
            command.upgrade(config, revision or f"{_BRANCH[address.schema]}@head")
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")


def _version_schema(address: StoreAddress) -> str | None:
    return None if address.is_sqlite else address.schema
