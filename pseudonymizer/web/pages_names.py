"""The pages /reveal and /lookup: from pseudonyms to names, and from a name to its pseudonyms, on record."""

from typing import Any

from litestar import Request, Response, Router, get, post

from pseudonymizer.desk.steward_answered import LookedUp, NamesShown
from pseudonymizer.desk.steward_asked import LookUp, RevealNames
from pseudonymizer.policy import Verb
from pseudonymizer.web import page_problems
from pseudonymizer.web.api_steward import count_names
from pseudonymizer.web.forms import fields_of, form_body
from pseudonymizer.web.frame import page
from pseudonymizer.web.guards import RECENT, needs
from pseudonymizer.web.pages_requests import HIDDEN_AFTER, checked, names_page, projects_of, pseudonyms_of
from pseudonymizer.web.parts import caller_of, front_of

_Request = Request[Any, Any, Any]


@get("/reveal", opt=needs(Verb.REVEAL), include_in_schema=False)
async def reveal_page(request: _Request) -> Response[str]:
    """A form for pseudonyms, where no request is needed or its grant is at hand."""
    return page(request, "reveal.html", projects=await projects_of(request))


@post(
    "/reveal/names", opt=needs(Verb.REVEAL) | RECENT, guards=[form_body], status_code=200,
    include_in_schema=False,
)  # fmt: skip
async def reveal(request: _Request) -> Response[str]:
    """The names behind pseudonyms, all or none."""
    fields = await fields_of(request)
    asked = checked(
        {
            "pseudonyms": pseudonyms_of(fields.one("pseudonyms")), "purpose": fields.one("purpose").strip(),
            "project": fields.one("project") or None, "ticket": fields.one("ticket").strip(),
            "grant": fields.one("grant").strip() or None,
        },
        RevealNames,
    )  # fmt: skip
    count_names(request)
    shown = await front_of(request).engine.ask("reveal", caller_of(request), asked, NamesShown)
    return names_page(request, shown)


@get("/lookup", opt=needs(Verb.LOOKUP), include_in_schema=False)
async def lookup_page(request: _Request) -> Response[str]:
    """A form for the name of who asks what is known of him, or wants it erased."""
    return page(request, "lookup.html", projects=await projects_of(request))


@post("/lookup/found", opt=needs(Verb.LOOKUP), guards=[form_body], status_code=200, include_in_schema=False)
async def look_up(request: _Request) -> Response[str]:
    """The pseudonyms and documents of a name, and likely others."""
    fields = await fields_of(request)
    asked = checked(
        {
            "name": fields.one("name").strip(), "purpose": fields.one("purpose").strip(),
            "project": fields.one("project") or None, "ticket": fields.one("ticket").strip(),
        },
        LookUp,
    )  # fmt: skip
    count_names(request)
    found = await front_of(request).engine.ask("lookup", caller_of(request), asked, LookedUp)
    return page(request, "lookup_found.html", found=found, seconds=HIDDEN_AFTER, project=asked.project or "")


router = Router(
    "/", route_handlers=[reveal_page, reveal, lookup_page, look_up],
    exception_handlers={Exception: page_problems.answer},
)  # fmt: skip
