"""The page /account: who is logged in, for which project and what, the sessions, and the password."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from litestar import Request, Response, Router, get, post

from pseudonymizer.desk.role_map import Right
from pseudonymizer.errors import AccountRefusedError
from pseudonymizer.web import page_problems
from pseudonymizer.web.forms import fields_of, form_body
from pseudonymizer.web.frame import page
from pseudonymizer.web.guards import needs_login
from pseudonymizer.web.logins import session_cookie
from pseudonymizer.web.pages_login import logins_of
from pseudonymizer.web.parts import front_of
from pseudonymizer.web.sessions import COOKIE, Session

_Request = Request[Any, Any, Any]
_EVERY: Final = "*"  # in the field of a project: all of them
_OF_NAMES: Final = "="  # before the name of one


@get("/account", opt=needs_login(), include_in_schema=False)
async def account_page(request: _Request) -> Response[str]:
    """Who is logged in, and where else."""
    return _shown(request)


@post(
    "/account/sessions/ended", opt=needs_login(), guards=[form_body], status_code=200, include_in_schema=False
)
async def end_sessions(request: _Request) -> Response[str]:
    """End another session of the reader, or all others."""
    name = (await fields_of(request)).one("session")
    own = request.cookies.get(COOKIE, "")
    ended = front_of(request).sessions.end_of(request.user.key, name or None, but=own)
    return _shown(request, ended=ended)


@post("/account/project", opt=needs_login(), guards=[form_body], status_code=303, include_in_schema=False)
async def choose_project(request: _Request) -> Response[None]:
    """Go on in another project, with what the reader may do there."""
    logins, session = logins_of(request), _session(request)
    chosen = (await fields_of(request)).one("project")
    project = None if chosen == _EVERY else chosen.removeprefix(_OF_NAMES)
    if session is not None and project != "":
        account = next(one for one in logins.accounts.all() if one.account_id == request.user.account)
        session.principal = logins.principal(account, session.groups, project)
    return Response(None, status_code=303, headers={"Location": "/account"})


@post("/account/password", opt=needs_login(), guards=[form_body], status_code=200, include_in_schema=False)
async def change_password(request: _Request) -> Response[str]:
    """Take another password; all sessions end, and this one begins anew."""
    fields, front, logins = await fields_of(request), front_of(request), logins_of(request)
    name, new = request.user.actor.partition(":")[2], fields.one("new")
    address = "-" if request.client is None else request.client.host
    account = await logins.by_password(name, fields.one("password"), address)
    if account is None:
        return _shown(request, status=401, problem="wrong")
    if new != fields.one("again"):
        return _shown(request, status=422, problem="differs")
    try:
        await asyncio.to_thread(logins.accounts.set_password, name, new)
    except AccountRefusedError:
        return _shown(request, status=422, problem="refused")
    groups = () if (session := _session(request)) is None else session.groups
    front.sessions.end_of(request.user.key)
    made = _shown(request, is_changed=True)
    made.cookies.append(session_cookie(front.sessions.begin(request.user, groups)))
    return made


def _session(request: _Request) -> Session | None:
    return front_of(request).sessions.session(request.cookies.get(COOKIE, ""))


def _shown(
    request: _Request, *, status: int = 200, ended: int = 0, problem: str = "", is_changed: bool = False
) -> Response[str]:
    front, own = front_of(request), _session(request)
    sessions = [
        {
            "name": one.name, "is_own": one is own, "since": one.since.isoformat(timespec="seconds"),
            "used": _ago(front.sessions.now() - one.used),
        }
        for one in front.sessions.all_of(request.user.key)
    ]  # fmt: skip
    rights: tuple[Right, ...] = ()
    if front.logins is not None and request.user.account and own is not None:
        rights = front.logins.roles.rights(request.user.actor.partition(":")[2], own.groups)
    return page(
        request, "account.html", status=status, sessions=sessions, ended=ended, problem=problem,
        is_changed=is_changed, rights=rights, project=request.user.project,
        verbs=sorted(map(str, request.user.verbs)),
        has_password=bool(rights) and front.logins is not None and front.logins.oidc is None,
    )  # fmt: skip


def _ago(seconds: float) -> str:
    """A moment some seconds ago, in ISO 8601."""
    return (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat(timespec="seconds")


router = Router(
    "/", route_handlers=[account_page, end_sessions, choose_project, change_password],
    exception_handlers={Exception: page_problems.answer},
)  # fmt: skip
