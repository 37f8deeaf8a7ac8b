"""Logins of accounts: whose a password or a provider's word is, what he may, and how often one may try."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from litestar.datastructures import Cookie

from pseudonymizer.desk.records import Principal
from pseudonymizer.desk.role_map import RoleMap
from pseudonymizer.web import problems
from pseudonymizer.web.login_state import Known
from pseudonymizer.web.problems import ProblemError
from pseudonymizer.web.rates import Rates
from pseudonymizer.web.sessions import COOKIE

if TYPE_CHECKING:
    from pseudonymizer.desk.accounts import Account, Accounts
    from pseudonymizer.web.oidc import OidcLogin

TRIES_A_MINUTE: Final = 5  # of one account from one address
TRIES_OF_ACCOUNT: Final = 20  # a minute, from all addresses
TRIES_OF_ADDRESS: Final = 120  # a minute, of all accounts: behind a proxy all have one address


@dataclass(slots=True)
class Logins:
    """roles: what each account may. oidc: None where people log in by passwords."""

    accounts: "Accounts"
    roles: RoleMap
    oidc: "OidcLogin | None" = None
    _tries: Rates = field(default_factory=lambda: Rates(TRIES_A_MINUTE))
    _of_account: Rates = field(default_factory=lambda: Rates(TRIES_OF_ACCOUNT))
    _of_address: Rates = field(default_factory=lambda: Rates(TRIES_OF_ADDRESS))
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)  # a check takes 64 MiB

    async def by_password(self, name: str, password: str, address: str) -> "Account | None":
        """The account; None where name or password are wrong.

        Raises:
            ProblemError: too many were tried.
        """
        waits = (
            self._tries.take(f"{address} {name}"), self._of_account.take(name), self._of_address.take(address)
        )  # fmt: skip
        if any(waits):
            longest = max(wait or 0 for wait in waits)
            raise ProblemError(problems.TOO_MANY, headers={"Retry-After": str(longest)})
        async with self._one_at_a_time:
            return await asyncio.to_thread(self.accounts.by_password, name, password)

    def of_provider(self, known: Known) -> "Account":
        """The account of somebody whom the provider names. Who has no rights gets no account.

        Raises:
            ProblemError: nothing is for him.
            AccountRefusedError: his account has ended, or the name is another one's.
        """
        assert self.oidc is not None  # noqa: S101  for the type checker: it named him
        if not self.roles.rights(known.name, known.groups):
            raise ProblemError(problems.NO_RIGHTS)
        return self.accounts.by_provider(self.oidc.provider.issuer, known.subject, known.name)

    def principal(
        self, account: "Account", groups: Collection[str] = (), project: str | None = ""
    ) -> Principal:
        """The caller that an account stands for in a project (None: in every one); else in his first.

        Raises:
            ProblemError: nothing is for him, or nothing in that project.
        """
        rights = self.roles.rights(account.name, groups)
        right = next((one for one in rights if project in ("", one.project)), None)
        if right is None:
            raise ProblemError(problems.NO_RIGHTS)
        return Principal(
            session_key(account.account_id), account.actor, right.project, right.verbs, is_session=True,
            account=account.account_id,
        )  # fmt: skip


def session_key(account_id: str) -> str:
    """The key under which the sessions and the limits of an account are kept."""
    return f"a{account_id}"


def session_cookie(session_id: str) -> Cookie:
    """The cookie of a session of an account. It comes along when a provider sends the browser back."""
    return Cookie(key=COOKIE, value=session_id, path="/", secure=True, httponly=True, samesite="lax")
