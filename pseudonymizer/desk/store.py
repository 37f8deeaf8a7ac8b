"""desk.db: API tokens and accounts of a front, and in a file of its own the workspaces of an engine. No text
is in the clear: of workspaces ids, counts and times; names of files and corrections are sealed.

It is a SQLite file of its own beside the vault, with a branch of migrations of its own.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from pseudonymizer.errors import DeskStoreError

BRANCH: Final = "desk"
HEAD: Final = "desk_0003"
SUFFIX: Final = ".desk.db"
_BUSY_SECONDS: Final = 20.0  # that a writer waits for another one

metadata: Final = sa.MetaData()

api_token: Final = sa.Table(
    "api_token", metadata,
    sa.Column("token_id", sa.String, primary_key=True),
    sa.Column("secret_hash", sa.LargeBinary, nullable=False),  # SHA-256; the secret has 256 bits
    sa.Column("account", sa.String, nullable=False),
    sa.Column("project", sa.String, nullable=False),
    sa.Column("verbs", sa.String, nullable=False),  # with blanks between them
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("expires_at", sa.String, nullable=False),
    sa.Column("revoked_at", sa.String),
    sa.Column("last_used", sa.String),
)  # fmt: skip

account: Final = sa.Table(
    "account", metadata,
    sa.Column("account_id", sa.String, primary_key=True),
    sa.Column("name", sa.String, nullable=False, unique=True),
    sa.Column("password_hash", sa.String),  # Argon2id, PHC string format; None: by a provider
    sa.Column("issuer", sa.String),  # of an account by a provider (OpenID Connect)
    sa.Column("subject", sa.String),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("changed_at", sa.String, nullable=False),  # sessions that began before it have ended
    sa.Column("ended_at", sa.String),
    sa.Column("last_login", sa.String),  # a day
    sa.UniqueConstraint("issuer", "subject"),
)  # fmt: skip

workspace: Final = sa.Table(
    "workspace", metadata,
    sa.Column("workspace_id", sa.String, primary_key=True),
    sa.Column("actor", sa.String, nullable=False),
    sa.Column("project", sa.String, nullable=False),
    sa.Column("intent", sa.String, nullable=False),
    sa.Column("sealed_key", sa.LargeBinary, nullable=False),  # under the project's work key
    sa.Column("keep_hours", sa.Integer, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("expires_at", sa.String, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("state", sa.String, nullable=False),
)  # fmt: skip

held_file: Final = sa.Table(
    "held_file", metadata,
    sa.Column("file_id", sa.String, primary_key=True),
    sa.Column("workspace_id", sa.String, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("sealed_name", sa.LargeBinary, nullable=False),
    sa.Column("bytes", sa.Integer, nullable=False),
    sa.Column("pieces", sa.Integer, nullable=False),  # that have come
    sa.Column("state", sa.String, nullable=False),
    sa.Column("error", sa.String, nullable=False),
    sa.Column("remedy", sa.String, nullable=False),
    sa.Column("mentions", sa.String, nullable=False),  # JSON: how many by kind
    sa.UniqueConstraint("workspace_id", "number"),
)  # fmt: skip

step: Final = sa.Table(
    "step", metadata,
    sa.Column("workspace_id", sa.String, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("is_undone", sa.Boolean, nullable=False),
)  # fmt: skip

job: Final = sa.Table(
    "job", metadata,
    sa.Column("job_id", sa.String, primary_key=True),
    sa.Column("workspace_id", sa.String, nullable=False),
    sa.Column("actor", sa.String, nullable=False),
    sa.Column("project", sa.String, nullable=False),
    sa.Column("work", sa.String, nullable=False),
    sa.Column("sealed_options", sa.LargeBinary, nullable=False),
    sa.Column("state", sa.String, nullable=False),
    sa.Column("is_cancelled", sa.Boolean, nullable=False),  # somebody asked for it
    sa.Column("stage", sa.String, nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("failed", sa.Integer, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),  # how often it was begun
    sa.Column("error", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("ended_at", sa.String, nullable=False),
)  # fmt: skip


def vault_file(vault: str) -> Path | None:
    """The file of a SQLite vault by its address; None for any other vault."""
    path = vault.removeprefix("sqlite:///") if vault.startswith("sqlite:///") else vault
    return None if "://" in path or path.startswith("unix:") else Path(path)


def desk_file(vault: str) -> Path | None:
    """Where the desk of a vault lies: beside a SQLite vault; None for others, whose user names a place."""
    place = vault_file(vault)
    return None if place is None else place.with_name(place.name.removesuffix(".db") + SUFFIX)


class DeskStore:
    """A desk.db that is there."""

    def __init__(self, place: Path) -> None:
        self._engine = sa.create_engine(
            f"sqlite:///{place}", poolclass=NullPool, connect_args={"timeout": _BUSY_SECONDS}
        )
        sa.event.listen(self._engine, "connect", _overwrite_what_is_deleted)

    @classmethod
    def open(cls, place: Path, *, make: bool = True) -> Self:
        """The store at this place, brought to the newest revision. make: it is made, for this user alone,
        where it is not there.

        Raises:
            DeskStoreError: it cannot be made, is not there, is none, or is of a newer program.
        """
        if not make and not place.is_file():
            raise DeskStoreError(
                "there are no tokens at this place yet; `nymlink web token create` makes one"
            )
        try:
            if not place.exists():
                os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            opened = cls(place)
            opened._bring_up_to_date()
        except (OSError, sa.exc.SQLAlchemyError):
            raise DeskStoreError(
                "the file of tokens and jobs (desk.db) cannot be opened; name another one with --desk"
            ) from None
        return opened

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A connection whose work is committed at the end.

        Raises:
            DeskStoreError: the file cannot be read or written.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except sa.exc.SQLAlchemyError as error:
            raise DeskStoreError(
                f"the file of tokens and jobs (desk.db) cannot be used ({type(error).__name__})"
            ) from None

    def _bring_up_to_date(self) -> None:
        revision = None
        with self._engine.begin() as connection:
            if sa.inspect(connection).has_table("alembic_version"):
                revision = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        if revision == HEAD:
            return
        if revision is not None and not str(revision).startswith(BRANCH):
            raise DeskStoreError(
                "this file holds no tokens and jobs of nymlink; name another one with --desk"
            )
        _upgrade(self._engine)


def _overwrite_what_is_deleted(connection: Any, record: object) -> None:
    """A key that is destroyed must not stay in a free page of the file."""
    del record
    connection.execute("PRAGMA secure_delete = ON")


def _upgrade(engine: sa.Engine) -> None:
    from alembic.config import Config
    from alembic.util import CommandError

    from alembic import command
    from pseudonymizer.vault.store.migration import migrations_directory

    config = Config()
    config.set_main_option("script_location", str(migrations_directory()).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, f"{BRANCH}@head")
    except CommandError:
        raise DeskStoreError("a newer nymlink made the file of tokens and jobs; use that nymlink") from None
