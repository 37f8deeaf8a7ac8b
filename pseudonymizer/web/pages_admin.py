"""The page /admin: the accounts of a service, what the map gives them, and the end of their sessions."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from litestar import Request, Response, Router, get, post

from pseudonymizer.policy import Verb
from pseudonymizer.web import page_problems
from pseudonymizer.web.forms import fields_of, form_body
from pseudonymizer.web.frame import page
from pseudonymizer.web.guards import RECENT, needs
from pseudonymizer.web.logins import session_key
from pseudonymizer.web.pages_login import logins_of
from pseudonymizer.web.parts import front_of

if TYPE_CHECKING:
    from pseudonymizer.desk.accounts import Account

_Request = Request[Any, Any, Any]
_MANAGE: Final = needs(Verb.MANAGE)


@dataclass(frozen=True, slots=True)
class _Row:
    """An account as the page shows it. sessions: how many of its sessions live."""

    account: "Account"
    sessions: int


@get("/admin", opt=_MANAGE, include_in_schema=False)
async def admin_page(request: _Request) -> Response[str]:
    """The accounts and the map of rights."""
    return await _shown(request)


@post("/admin/sessions/ended", opt=_MANAGE | RECENT, guards=[form_body], status_code=200,
      include_in_schema=False)  # fmt: skip
async def end_sessions(request: _Request) -> Response[str]:
    """End all sessions of an account; it may log in anew."""
    logins_of(request)
    account_id = (await fields_of(request)).one("account")
    ended = front_of(request).sessions.end_of(session_key(account_id)) if account_id else 0
    return await _shown(request, ended=ended)


async def _shown(request: _Request, *, ended: int | None = None) -> Response[str]:
    logins, sessions = logins_of(request), front_of(request).sessions
    accounts = await asyncio.to_thread(logins.accounts.all)
    rows = [_Row(one, len(sessions.all_of(session_key(one.account_id)))) for one in accounts]
    return page(
        request, "admin.html", rows=rows, allowed=logins.roles.allow, ended=ended,
        provider=None if logins.oidc is None else logins.oidc.provider.issuer,
    )  # fmt: skip


router = Router(
    "/", route_handlers=[admin_page, end_sessions], exception_handlers={Exception: page_problems.answer}
)
