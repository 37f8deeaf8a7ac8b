"""Who may use a route: each names the verbs of policy.MATRIX of which a caller needs one."""

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.middleware.authentication import AbstractAuthenticationMiddleware, AuthenticationResult

from pseudonymizer.desk.records import EVERY_VERB, ApiToken, Principal
from pseudonymizer.policy import Verb
from pseudonymizer.web import problems
from pseudonymizer.web.parts import Front
from pseudonymizer.web.problems import ProblemError
from pseudonymizer.web.sessions import COOKIE

VERBS: Final = "verbs"  # the key in the options of a route
PUBLIC: Final[frozenset[Verb]] = frozenset()  # of routes that need no login: they tell nothing of anybody
ANY: Final = EVERY_VERB
UNCOUNTED: Final = {"is_uncounted": True}  # of routes that do not count among the requests of a minute
RECENT: Final = {"needs_proof": True}  # of routes for which an account logs in anew after five minutes
_BEARER: Final = "bearer "
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_Connection = ASGIConnection[Any, Any, Any, Any]


def needs(*verbs: Verb) -> dict[str, Any]:
    """Options of a route that needs one of these verbs."""
    return {VERBS: frozenset(verbs)}


def needs_login() -> dict[str, Any]:
    """Options of a route for whoever has any verb."""
    return {VERBS: ANY}


def is_public() -> dict[str, Any]:
    """Options of a route for everybody."""
    return {VERBS: PUBLIC}


def principal_of(token: ApiToken) -> Principal:
    """The caller that a token stands for."""
    return Principal(f"t{token.token_id}", token.actor, token.project, token.verbs)


class Login(AbstractAuthenticationMiddleware):
    """Finds out who sends a request: by a token in the header, or by the cookie of a session."""

    async def authenticate_request(self, connection: _Connection) -> AuthenticationResult:
        """user is a Principal; None of who sends neither. A token that is dead is an error on every route.

        Raises:
            ProblemError: the token or cookie is not valid, or both are sent.
        """
        front = connection.app.state.front
        header = connection.headers.get("authorization", "")
        cookie = connection.cookies.get(COOKIE)
        if not header:
            principal = None if cookie is None else _of_session(front, cookie)
            return AuthenticationResult(user=principal, auth=None)
        found = front.tokens.of(header[len(_BEARER) :]) if header.lower().startswith(_BEARER) else None
        if found is None or cookie is not None:
            raise ProblemError(problems.NO_LOGIN, headers=_CHALLENGE)
        return AuthenticationResult(user=principal_of(found), auth=None)


def _of_session(front: Front, cookie: str) -> Principal | None:
    """Whose session it is. That of an account ends with the account, and with its password."""
    principal = front.sessions.of(cookie)
    if principal is None or not principal.account:
        return principal
    session = front.sessions.session(cookie)
    if front.logins is None or session is None:
        return None
    if front.logins.accounts.has_stayed(principal.account, session.since):
        return principal
    front.sessions.end(cookie)
    return None


_CHALLENGE: Final = {"WWW-Authenticate": "Bearer"}


def may_use(connection: _Connection, handler: BaseRouteHandler) -> None:
    """Nothing, for a caller who may use the route.

    Raises:
        ProblemError: nobody is logged in, the caller has no verb for it, the request comes from another site,
            or too many came.
    """
    verbs: frozenset[Verb] = handler.opt[VERBS]
    principal: Principal | None = connection.scope.get("user")
    if _method(connection) not in _SAFE and (principal is None or principal.is_session):
        _refuse_other_sites(connection)
    if verbs == PUBLIC:
        return
    if principal is None:
        raise ProblemError(problems.NO_LOGIN, headers=_CHALLENGE)
    connection.scope["nymlink_account"] = principal.key  # type: ignore[typeddict-unknown-key]
    if verbs.isdisjoint(principal.verbs):
        raise ProblemError(problems.NOT_ALLOWED)
    if handler.opt.get("needs_proof") and principal.account:
        _refuse_old_login(connection)
    if handler.opt.get("is_uncounted"):
        return
    wait = connection.app.state.front.rates.take(principal.key)
    if wait is not None:
        raise ProblemError(problems.TOO_MANY, headers={"Retry-After": str(wait)})


def _refuse_old_login(connection: _Connection) -> None:
    """Raises ProblemError where the reader showed who he is too long ago."""
    if not connection.app.state.front.sessions.is_proved(connection.cookies.get(COOKIE, "")):
        raise ProblemError(problems.LOGIN_AGAIN)


def _method(connection: _Connection) -> str:
    return str(connection.scope.get("method", ""))


def _refuse_other_sites(connection: _Connection) -> None:
    """Raises ProblemError for what a browser sends from a page of another site."""
    site, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
    if site is not None:
        is_own = site == "same-origin"
    else:
        is_own = origin is None and connection.scope.get("user") is None
        is_own = is_own or (origin is not None and origin in connection.app.state.front.origins)
    if not is_own:
        raise ProblemError(problems.FOREIGN_ORIGIN)


def json_body(connection: _Connection, handler: BaseRouteHandler) -> None:
    """Nothing, for a request without a body, or with one in JSON; raises ProblemError for any other."""
    del handler
    if _method(connection) in _SAFE or connection.headers.get("content-length", "0") == "0":
        return
    kind = connection.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ProblemError(problems.WRONG_TYPE)


def origins_of(url: str) -> Iterable[str]:
    """The origin of an address, as a browser sends it."""
    parts = urlsplit(url)
    yield f"{parts.scheme}://{parts.netloc}"
