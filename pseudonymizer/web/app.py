"""The application: all routes, each with the verbs of which a caller needs one."""

from collections.abc import Iterator
from typing import Any, Final

from litestar import Litestar, Request, Response, Router
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.routes import HTTPRoute

from pseudonymizer.errors import InvalidRecordError
from pseudonymizer.policy import Verb
from pseudonymizer.web import (
    api_corrections,
    api_documents,
    api_facts,
    api_jobs,
    api_presidio,
    api_state,
    api_steward,
    api_streams,
    api_texts,
    api_workspaces,
    page_problems,
    pages,
    pages_account,
    pages_admin,
    pages_audit,
    pages_check,
    pages_erase,
    pages_file,
    pages_governing,
    pages_login,
    pages_names,
    pages_people,
    pages_requests,
    pages_restore,
    pages_text,
    pages_workspaces,
    problems,
    static_files,
)
from pseudonymizer.web.door import Door
from pseudonymizer.web.guards import VERBS, Login, may_use, needs_login
from pseudonymizer.web.idempotency import Idempotency
from pseudonymizer.web.parts import Front

API: Final = "/api/v1"
_DESCRIPTION: Final = (
    "Finds names and other identifiers in texts, links the variants that mean one person, and writes "
    "pseudonyms in their place, whose way back lies in a sealed vault. No answer repeats what was sent."
)


def make_app(front: Front) -> Door:
    """The application of a front, as a server calls it.

    Raises:
        InvalidRecordError: a route names no verb.
    """
    return Door(make_routes(front), front)


def make_routes(front: Front) -> Litestar:
    """The routes of a front; see make_app."""
    made = Litestar(
        [
            api_texts.router,
            api_streams.router,
            api_documents.router,
            api_workspaces.router,
            api_jobs.router,
            api_corrections.router,
            api_facts.router,
            api_steward.router,
            api_state.state_router,
            api_state.session_router,
            *([api_presidio.router] if front.presidio else []),
            pages.router,
            pages_login.router,
            pages_account.router,
            pages_admin.router,
            pages_text.router,
            pages_workspaces.router,
            pages_requests.router,
            pages_names.router,
            pages_audit.router,
            pages_file.router,
            pages_people.router,
            pages_check.router,
            pages_restore.router,
            pages_erase.router,
            pages_governing.router,
            static_files.router,
        ],
        state=State({"front": front}, deep_copy=False),
        middleware=[Login, Idempotency()],
        guards=[may_use],
        exception_handlers={Exception: _answer, 500: _answer},
        openapi_config=_openapi(front.version),
        request_max_body_size=front.limits.largest_body,
        logging_config=None,
        debug=False,
    )
    for path, method, verbs in routes_of(made):
        if verbs is None:
            raise InvalidRecordError(f"the route {method} {path} names no verb")
    return made


def _answer(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """An error outside the pages: in words for a browser that asks for a page, else as a problem."""
    wants_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(API)
    return page_problems.answer(request, error) if wants_page else problems.answer(request, error)


def routes_of(app: Litestar) -> Iterator[tuple[str, str, frozenset[Verb] | None]]:
    """(path template, method, verbs of which a caller needs one) of every route; None where it names none."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                for method in sorted(handler.http_methods):
                    if method != "OPTIONS":
                        yield route.path, str(method), handler.opt.get(VERBS)


def _openapi(version: str) -> OpenAPIConfig:
    """OpenAPI 3.1 at /api/v1/openapi.json; no page that loads scripts from elsewhere."""
    return OpenAPIConfig(
        title="nymlink", version=version, description=_DESCRIPTION, use_handler_docstrings=True,
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        openapi_router=Router(API, route_handlers=[], opt=needs_login()),
        components=Components(
            security_schemes={
                "token": SecurityScheme(type="http", scheme="bearer", description="nymlink web token create"),
            }
        ),
        security=[{"token": []}],
    )  # fmt: skip
