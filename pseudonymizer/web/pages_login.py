"""The pages of /login: by a password, or by a provider; and once more before what takes a recent login."""

from typing import TYPE_CHECKING, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.datastructures import Cookie

from pseudonymizer.errors import AccountRefusedError
from pseudonymizer.web import page_problems, problems
from pseudonymizer.web.forms import fields_of, form_body
from pseudonymizer.web.frame import page
from pseudonymizer.web.guards import is_public, needs_login
from pseudonymizer.web.login_state import COOKIE as STATE_COOKIE
from pseudonymizer.web.login_state import LOGIN_SECONDS, LoginFailedError, ProviderError
from pseudonymizer.web.logins import Logins, session_cookie
from pseudonymizer.web.pages import own_address
from pseudonymizer.web.parts import front_of
from pseudonymizer.web.problems import ProblemError
from pseudonymizer.web.sessions import COOKIE

if TYPE_CHECKING:
    from pseudonymizer.desk.accounts import Account
    from pseudonymizer.web.oidc import OidcLogin

_Request = Request[Any, Any, Any]
_NOWHERE: Final = "-"


def logins_of(request: _Request) -> Logins:
    """The logins of a front.

    Raises:
        ProblemError: it has no accounts.
    """
    found = front_of(request).logins
    if found is None:
        raise ProblemError(problems.NOT_FOUND)
    return found


@get("/login", opt=is_public(), include_in_schema=False)
async def login_page(request: _Request) -> Response[str]:
    """A form for name and password, or a link to the provider."""
    return _shown(request, own_address(request.query_params.get("back", "/")))


@post("/login", opt=is_public(), guards=[form_body], status_code=303, include_in_schema=False)
async def login(request: _Request) -> Response[Any]:
    """Log in by name and password."""
    fields, logins = await fields_of(request), _by_passwords(request)
    back = own_address(fields.one("back"))
    account = await logins.by_password(fields.one("name").strip(), fields.one("password"), _address(request))
    if account is None:
        return _shown(request, back, status=401, is_wrong=True)
    return _logged_in(request, account, back)


@get("/login/provider", opt=is_public(), status_code=303, include_in_schema=False)
async def to_provider(request: _Request) -> Response[None]:
    """Send the browser to the provider. Who is logged in shows there anew who he is."""
    oidc = _provider(request)
    is_again = request.scope.get("user") is not None
    try:
        place, state = await oidc.begin(own_address(request.query_params.get("back", "/")), is_again=is_again)
    except ProviderError:
        raise ProblemError(problems.NO_PROVIDER) from None
    return Response(None, status_code=303, headers={"Location": place}, cookies=[_state_cookie(state)])


@get("/login/back", opt=is_public(), status_code=303, include_in_schema=False)
async def from_provider(request: _Request) -> Response[Any]:
    """Where the provider sends the browser back."""
    logins, oidc = logins_of(request), _provider(request)
    try:
        known, back = await oidc.finish(request.query_params, request.cookies.get(STATE_COOKIE, ""))
        account = logins.of_provider(known)
    except LoginFailedError:
        return _shown(request, "/", status=401, is_wrong=True)
    except AccountRefusedError:
        raise ProblemError(problems.NO_RIGHTS) from None
    except ProviderError:
        raise ProblemError(problems.NO_PROVIDER) from None
    made = _logged_in(request, account, back, known.groups)
    made.cookies.append(_state_cookie("", seconds=0))
    return made


@get("/login/again", opt=needs_login(), include_in_schema=False)
async def again_page(request: _Request) -> Response[str]:
    """A form by which somebody who is logged in shows it anew, before an act that takes a recent login."""
    return _shown(request, own_address(request.query_params.get("back", "/")), is_again=True)


@post("/login/again", opt=needs_login(), guards=[form_body], status_code=303, include_in_schema=False)
async def again(request: _Request) -> Response[Any]:
    """Show once more who one is, by the password."""
    fields, logins = await fields_of(request), _by_passwords(request)
    back, name = own_address(fields.one("back")), request.user.actor.partition(":")[2]
    account = await logins.by_password(name, fields.one("password"), _address(request))
    if account is None or account.account_id != request.user.account:
        return _shown(request, back, status=401, is_wrong=True, is_again=True)
    return _logged_in(request, account, back, project=request.user.project)


def _logged_in(
    request: _Request,
    account: "Account",
    back: str,
    groups: frozenset[str] = frozenset(),
    project: str | None = "",
) -> Response[None]:
    """The page where the reader was, with a new session in place of the one that he had."""
    front, logins = front_of(request), logins_of(request)
    before: Any = request.scope.get("user")
    if before is not None and before.account == account.account_id:
        project = before.project
    principal = logins.principal(account, groups, project)
    front.sessions.end(request.cookies.get(COOKIE, ""))
    cookie = session_cookie(front.sessions.begin(principal, groups))
    return Response(None, status_code=303, headers={"Location": back}, cookies=[cookie])


def _by_passwords(request: _Request) -> Logins:
    """The logins of accounts with passwords. Raises ProblemError where a provider says who somebody is."""
    found = logins_of(request)
    if found.oidc is not None:
        raise ProblemError(problems.NOT_FOUND)
    return found


def _provider(request: _Request) -> "OidcLogin":
    """Raises ProblemError where people log in by passwords."""
    found = logins_of(request).oidc
    if found is None:
        raise ProblemError(problems.NOT_FOUND)
    return found


def _shown(
    request: _Request, back: str, *, status: int = 200, is_wrong: bool = False, is_again: bool = False
) -> Response[str]:
    by_provider = logins_of(request).oidc is not None
    return page(
        request, "login.html", status=status, back=back, is_wrong=is_wrong, is_again=is_again,
        by_provider=by_provider,
    )  # fmt: skip


def _state_cookie(state: str, seconds: int = int(LOGIN_SECONDS)) -> Cookie:
    return Cookie(
        key=STATE_COOKIE, value=state, path="/", secure=True, httponly=True, samesite="lax", max_age=seconds
    )


def _address(request: _Request) -> str:
    return _NOWHERE if request.client is None else request.client.host


router = Router(
    "/", route_handlers=[login_page, login, to_provider, from_provider, again_page, again],
    exception_handlers={Exception: page_problems.answer},
)  # fmt: skip
