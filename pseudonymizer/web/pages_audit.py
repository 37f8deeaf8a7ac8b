"""The page /audit: the trail by pages, with filters, and whether it is as the vault wrote it."""

from typing import Any, Final

from litestar import Request, Response, Router, get, post

from pseudonymizer.desk.steward_answered import EventsFound, TrailVerified
from pseudonymizer.desk.steward_asked import AuditSearch, VerifyTrail
from pseudonymizer.policy import Verb
from pseudonymizer.web import page_problems
from pseudonymizer.web.forms import Fields, fields_of, form_body
from pseudonymizer.web.frame import page
from pseudonymizer.web.guards import needs
from pseudonymizer.web.pages_requests import checked
from pseudonymizer.web.parts import caller_of, front_of

_Request = Request[Any, Any, Any]
EVENTS_A_PAGE: Final = 50
_FILTERS: Final = ("account", "action", "project")


@get("/audit", opt=needs(Verb.READ_AUDIT), include_in_schema=False)
async def audit_page(request: _Request) -> Response[str]:
    """The latest events of the trail."""
    return page(request, "audit.html", **await _found(request, Fields()))


@post(
    "/audit/events", opt=needs(Verb.READ_AUDIT), guards=[form_body], status_code=200, include_in_schema=False
)
async def events(request: _Request) -> Response[str]:
    """The events that fit the filters of a form, which are never in an address."""
    return page(request, "audit_events.html", **await _found(request, await fields_of(request)))


@post("/audit/verified", opt=needs(Verb.VERIFY), guards=[form_body], status_code=200, include_in_schema=False)
async def verify(request: _Request) -> Response[str]:
    """Whether every event of the trail is as it was written."""
    found = await front_of(request).engine.ask(
        "verify-trail", caller_of(request), VerifyTrail(), TrailVerified
    )
    return page(request, "audit_verified.html", found=found)


async def _found(request: _Request, fields: Fields) -> dict[str, Any]:
    """What the template of a page of the trail shows."""
    filters = {name: fields.one(name).strip() for name in (*_FILTERS, "since", "refused")}
    asked = checked(
        {
            **{name: filters[name] for name in _FILTERS}, "before": fields.one("before") or None,
            "since": filters["since"] or None, "refused": bool(filters["refused"]), "limit": EVENTS_A_PAGE,
        },
        AuditSearch,
    )  # fmt: skip
    found = await front_of(request).engine.ask("audit-search", caller_of(request), asked, EventsFound)
    return {"found": found, "filters": filters, "is_first": asked.before is None}


router = Router(
    "/", route_handlers=[audit_page, events, verify], exception_handlers={Exception: page_problems.answer}
)
