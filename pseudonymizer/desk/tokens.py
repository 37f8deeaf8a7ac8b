"""API tokens: made once, shown once, kept as a hash, for one project, some verbs and a time that ends."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from pseudonymizer.desk.records import ApiToken
from pseudonymizer.desk.store import DeskStore, api_token
from pseudonymizer.errors import TokenRefusedError
from pseudonymizer.policy import Verb

PREFIX: Final = "nym"
LONGEST_DAYS: Final = 366
_ID_BYTES: Final = 8
_SECRET_BYTES: Final = 32
_LONGEST_ACCOUNT: Final = 100
_NO_SECRET: Final = bytes(32)


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token with its secret, which is nowhere else. written: as a program sends it."""

    token: ApiToken
    written: str

    def __repr__(self) -> str:
        return f"NewToken({self.token.token_id})"


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a desk."""

    store: DeskStore
    clock: Callable[[], datetime] = utc_now

    def create(self, account: str, project: str, verbs: Collection[Verb], *, days: int) -> NewToken:
        """A new token of an account, for some days.

        Raises:
            TokenRefusedError: there is no verb, the days are out of range, or the account cannot be named so.
        """
        if not verbs:
            raise TokenRefusedError("a token needs at least one verb, such as pseudonymize")
        if not 1 <= days <= LONGEST_DAYS:
            raise TokenRefusedError(f"a token lives 1 to {LONGEST_DAYS} days")
        if not account.strip() or not account.isprintable() or len(account) > _LONGEST_ACCOUNT:
            raise TokenRefusedError(
                f"an account has a name of 1 to {_LONGEST_ACCOUNT} characters that can be seen"
            )
        now = self.clock()
        made = ApiToken(
            secrets.token_hex(_ID_BYTES), account, project, frozenset(verbs), now, now + timedelta(days=days)
        )
        secret = secrets.token_hex(_SECRET_BYTES)
        with self.store.transaction() as connection:
            connection.execute(
                api_token.insert().values(
                    token_id=made.token_id, secret_hash=_hash(secret), account=account, project=project,
                    verbs=" ".join(sorted(verbs)), created_at=now.isoformat(),
                    expires_at=made.expires_at.isoformat(),
                )
            )  # fmt: skip
        return NewToken(made, f"{PREFIX}_{made.token_id}_{secret}")

    def all(self) -> tuple[ApiToken, ...]:
        """Every token, the first made first; also those that are revoked or expired."""
        with self.store.transaction() as connection:
            rows = connection.execute(sa.select(api_token).order_by(api_token.c.created_at)).all()
        return tuple(map(_token, rows))

    def revoke(self, token_id: str) -> ApiToken:
        """The token, which nobody can use from now on.

        Raises:
            TokenRefusedError: there is none of this id.
        """
        with self.store.transaction() as connection:
            connection.execute(
                api_token.update()
                .where(api_token.c.token_id == token_id, api_token.c.revoked_at.is_(None))
                .values(revoked_at=self.clock().isoformat())
            )
            row = connection.execute(sa.select(api_token).where(api_token.c.token_id == token_id)).first()
        if row is None:
            raise TokenRefusedError("there is no token of this id; `nymlink web token list` shows all")
        return _token(row)

    def of(self, written: str) -> ApiToken | None:
        """The living token that a program sent; None for anything else. The day of its use is kept."""
        if not written.isascii():
            return None
        prefix, _, rest = written.partition("_")
        token_id, _, secret = rest.partition("_")
        now = self.clock()
        with self.store.transaction() as connection:
            row = connection.execute(sa.select(api_token).where(api_token.c.token_id == token_id)).first()
            kept = _NO_SECRET if row is None else bytes(row.secret_hash)
            if not hmac.compare_digest(kept, _hash(secret)) or row is None or prefix != PREFIX:
                return None
            found = _token(row)
            if not found.is_alive(now):
                return None
            today = now.date()
            if found.last_used != today:
                connection.execute(
                    api_token.update()
                    .where(api_token.c.token_id == token_id)
                    .values(last_used=today.isoformat())
                )
        return found


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("ascii")).digest()


def _token(row: Any) -> ApiToken:
    return ApiToken(
        row.token_id, row.account, row.project, frozenset(map(Verb, row.verbs.split())),
        datetime.fromisoformat(row.created_at), datetime.fromisoformat(row.expires_at),
        None if row.revoked_at is None else datetime.fromisoformat(row.revoked_at),
        None if row.last_used is None else date.fromisoformat(row.last_used),
    )  # fmt: skip
