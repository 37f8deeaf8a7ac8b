"""Accounts of people: by a password that is kept as a hash, or by a provider's word for who somebody is."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from pseudonymizer.crypto import password_fits, password_hash
from pseudonymizer.desk.records import WEB
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.store import account as table
from pseudonymizer.desk.tokens import utc_now
from pseudonymizer.errors import AccountRefusedError

SHORTEST_PASSWORD: Final = 12  # characters, as NIST SP 800-63B asks of a single factor (8) and somewhat more
LONGEST_PASSWORD: Final = 1_000
LONGEST_NAME: Final = 100
_ID_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Account:
    """An account without its password.

    name: with WEB before it, the name in the vault's trail. is_by_provider: a provider (OpenID Connect) says
    who it is. changed_at: sessions that began before it have ended. last_login: the last day of one.
    """

    account_id: str
    name: str
    is_by_provider: bool
    created_at: datetime
    changed_at: datetime
    ended_at: datetime | None = None
    last_login: date | None = None

    @property
    def actor(self) -> str:
        """The name in the vault's trail."""
        return f"{WEB}{self.name}"


@dataclass(frozen=True, slots=True)
class Accounts:
    """The accounts of a desk."""

    store: DeskStore
    clock: Callable[[], datetime] = utc_now

    def create(self, name: str, password: str) -> Account:
        """A new account with a password.

        Raises:
            AccountRefusedError: the name or the password cannot be used, or the name was given before.
        """
        check_name(name)
        check_password(password, name)
        return self._made(name, password_hash=password_hash(password))

    def all(self) -> tuple[Account, ...]:
        """Every account by its name, also those that have ended."""
        with self.store.transaction() as connection:
            rows = connection.execute(sa.select(table).order_by(table.c.name)).all()
        return tuple(map(_account, rows))

    def set_password(self, name: str, password: str) -> Account:
        """The account with a new password; its sessions have ended.

        Raises:
            AccountRefusedError: the password cannot be used, or there is no living account of this name that
                has one.
        """
        check_password(password, name)
        hashed = password_hash(password)
        is_meant = sa.and_(
            table.c.name == name, table.c.ended_at.is_(None), table.c.password_hash.is_not(None)
        )
        return self._changed(is_meant, password_hash=hashed, changed_at=self.clock().isoformat())

    def end(self, name: str) -> Account:
        """The account, with which nobody can log in from now on; its sessions have ended.

        Raises:
            AccountRefusedError: there is none of this name that has not ended.
        """
        now = self.clock().isoformat()
        is_meant = sa.and_(table.c.name == name, table.c.ended_at.is_(None))
        return self._changed(is_meant, changed_at=now, ended_at=now)

    def by_password(self, name: str, password: str) -> Account | None:
        """The account whose name and password these are; None for anything else, after the same time."""
        with self.store.transaction() as connection:
            row = connection.execute(
                sa.select(table).where(table.c.name == name, table.c.ended_at.is_(None))
            ).first()
        kept = None if row is None else row.password_hash
        fits = password_fits(password[: LONGEST_PASSWORD + 1], kept or _nobodys_hash())
        return self._logged_in(row) if fits and row is not None and kept is not None else None

    def by_provider(self, issuer: str, subject: str, name: str) -> Account:
        """The account of a subject of a provider, which is made with his first login under this name.

        Raises:
            AccountRefusedError: it has ended, or the name is another one's.
        """
        with self.store.transaction() as connection:
            row = connection.execute(
                sa.select(table).where(table.c.issuer == issuer, table.c.subject == subject)
            ).first()
        if row is None:
            check_name(name)
            return self._made(name, issuer=issuer, subject=subject)
        if row.ended_at is not None:
            raise AccountRefusedError("the account has ended")
        return self._logged_in(row)

    def has_stayed(self, account_id: str, since: datetime) -> bool:
        """Whether an account is alive and its password is the one of that moment."""
        with self.store.transaction() as connection:
            row = connection.execute(
                sa.select(table.c.changed_at, table.c.ended_at).where(table.c.account_id == account_id)
            ).first()
        return row is not None and row.ended_at is None and datetime.fromisoformat(row.changed_at) <= since

    def _made(self, name: str, **values: Any) -> Account:
        now = self.clock().isoformat()
        row = {
            "account_id": secrets.token_hex(_ID_BYTES), "name": name, "created_at": now, "changed_at": now,
            **values,
        }  # fmt: skip
        with self.store.transaction() as connection:
            if connection.execute(sa.select(table.c.name).where(table.c.name == name)).first() is not None:
                raise AccountRefusedError(
                    "an account of this name is there, or was: what the trail says of it must stay true. "
                    "Take another name"
                )
            connection.execute(table.insert().values(**row))
            return _account(connection.execute(_of_id(row["account_id"])).one())

    def _changed(self, is_meant: sa.ColumnElement[bool], **values: Any) -> Account:
        with self.store.transaction() as connection:
            row = connection.execute(sa.select(table.c.account_id).where(is_meant)).first()
            if row is None:
                raise AccountRefusedError(
                    "there is no living account of this name that could be changed so; "
                    "`nymlink web account list` shows all"
                )
            connection.execute(table.update().where(table.c.account_id == row.account_id).values(**values))
            return _account(connection.execute(_of_id(row.account_id)).one())

    def _logged_in(self, row: Any) -> Account:
        today = self.clock().date().isoformat()
        if row.last_login != today:
            with self.store.transaction() as connection:
                connection.execute(
                    table.update().where(table.c.account_id == row.account_id).values(last_login=today)
                )
        return _account(row)


def check_name(name: str) -> None:
    """Nothing, for a name that an account may have.

    Raises:
        AccountRefusedError: it is empty, too long, or has characters that cannot be seen.
    """
    if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise AccountRefusedError(
            f"an account has a name of 1 to {LONGEST_NAME} characters that can be seen, none of them "
            "a blank at its ends"
        )


def check_password(password: str, name: str) -> None:
    """Nothing, for a password that an account of this name may have.

    Raises:
        AccountRefusedError: it is too short, too long, or easily guessed.
    """
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise AccountRefusedError(
            f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD:,} characters; a few words are a good "
            "one"
        )
    rest = password.casefold().replace(name.casefold(), "")
    if len(set(password)) < _FEWEST_SIGNS or len(rest) < SHORTEST_PASSWORD // 2:
        raise AccountRefusedError(
            "the password is easily guessed; take a few words that belong together for you alone"
        )


_FEWEST_SIGNS: Final = 5  # different ones in a password


@cache
def _nobodys_hash() -> str:
    """Of a password that nobody has: who names an account that is not there waits as long as others."""
    return password_hash(secrets.token_hex())


def _of_id(account_id: str) -> Any:
    return sa.select(table).where(table.c.account_id == account_id)


def _account(row: Any) -> Account:
    return Account(
        row.account_id, row.name, row.password_hash is None, datetime.fromisoformat(row.created_at),
        datetime.fromisoformat(row.changed_at),
        None if row.ended_at is None else datetime.fromisoformat(row.ended_at),
        None if row.last_login is None else date.fromisoformat(row.last_login),
    )  # fmt: skip
