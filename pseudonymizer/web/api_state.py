"""Health and readiness, and the session of a browser."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, Router, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from msgspec import Meta

from pseudonymizer.desk.records import Principal
from pseudonymizer.errors import EngineGoneError
from pseudonymizer.web import problems
from pseudonymizer.web.guards import is_public, json_body, needs_login
from pseudonymizer.web.parts import front_of
from pseudonymizer.web.problems import ProblemError
from pseudonymizer.web.sessions import COOKIE

_Request = Request[Any, Any, Any]
_LONGEST_CODE: Final = 200


class State(msgspec.Struct, frozen=True):
    """state: alive or ready."""

    state: str


class GivenCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The one-time code of the start page."""

    code: Annotated[str, Meta(max_length=_LONGEST_CODE)]

    def __repr__(self) -> str:
        return "GivenCode()"


class SessionShown(msgspec.Struct, frozen=True):
    """Who is logged in. actor: his name in the vault's trail. project: the only one; None: any."""

    actor: str
    project: str | None
    verbs: tuple[str, ...]


@get("/health", opt=is_public())
async def health() -> State:
    """Whether the front is alive."""
    return State("alive")


@get("/ready", opt=is_public())
async def ready(request: _Request) -> State:
    """Whether the models are loaded, the engine takes requests, and it can open the vault."""
    engine = front_of(request).engine
    if not await engine.is_ready():
        raise EngineGoneError("the models are loading")
    await engine.check_vault()
    return State("ready")


@get("/session", opt=needs_login())
async def session(request: _Request) -> SessionShown:
    """Who sends the request, and what for."""
    return _shown(request.user)


@post("/session", opt=is_public(), guards=[json_body])
async def begin_session(request: _Request, data: JSONBody[GivenCode]) -> Response[SessionShown]:
    """A session for the one-time code of the start page."""
    front = front_of(request)
    principal = None if front.code is None else front.code.use(data.code)
    if principal is None:
        raise ProblemError(problems.NO_LOGIN)
    return Response(
        _shown(principal),
        cookies=[
            Cookie(
                key=COOKIE, value=front.sessions.begin(principal), path="/", secure=True, httponly=True,
                samesite="strict",
            )
        ],
    )  # fmt: skip


@delete("/session", opt=needs_login())
async def end_session(request: _Request) -> Response[None]:
    """End the session of the cookie."""
    front_of(request).sessions.end(request.cookies.get(COOKIE, ""))
    return Response(None, status_code=204, headers={"Clear-Site-Data": '"cache", "cookies", "storage"'})


def _shown(principal: Principal) -> SessionShown:
    return SessionShown(principal.actor, principal.project, tuple(sorted(principal.verbs)))


state_router = Router("/", route_handlers=[health, ready])
session_router = Router("/api/v1", route_handlers=[session, begin_session, end_session])
