"""The page /erase: people are erased for good, after it was shown what that destroys, with a receipt."""

from typing import Any

import msgspec
from litestar import Request, Response, Router, get, post

from pseudonymizer.desk.steward_answered import Erased, ErasurePlanned
from pseudonymizer.desk.steward_asked import Erase, PlanErasure
from pseudonymizer.policy import Verb
from pseudonymizer.web import page_problems, problems
from pseudonymizer.web.choices import checked
from pseudonymizer.web.forms import Fields, fields_of, form_body
from pseudonymizer.web.frame import page
from pseudonymizer.web.guards import RECENT, needs
from pseudonymizer.web.pages_requests import projects_of, pseudonyms_of
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]


@get("/erase", opt=needs(Verb.ERASE), include_in_schema=False)
async def erase_page(request: _Request) -> Response[str]:
    """A form for the people whom somebody wants erased."""
    return page(request, "erase.html", projects=await projects_of(request))


@post("/erase/planned", opt=needs(Verb.ERASE), guards=[form_body], status_code=200, include_in_schema=False)
async def plan(request: _Request) -> Response[str]:
    """What erasing these people would destroy, and a form that does it."""
    asked = checked(_told(await fields_of(request)), PlanErasure)
    planned = await front_of(request).engine.ask("plan-erasure", caller_of(request), asked, ErasurePlanned)
    return page(request, "erase_planned.html", asked=asked, planned=planned)


@post(
    "/erase/done",
    opt=needs(Verb.ERASE) | RECENT,
    guards=[form_body],
    status_code=200,
    include_in_schema=False,
)
async def erase(request: _Request) -> Response[str]:
    """The receipt of an erasure."""
    fields = await fields_of(request)
    if not fields.has("sure"):
        raise ProblemError(problems.NOTHING_TICKED)
    asked = checked(_told(fields), Erase)
    erased = await front_of(request).engine.ask("erase", caller_of(request), asked, Erased)
    receipt = msgspec.json.format(msgspec.json.encode(erased), indent=1).decode()
    return page(request, "erase_done.html", erased=erased, receipt=receipt)


def _told(fields: Fields) -> dict[str, Any]:
    """What both forms say. Who names no pseudonym has ticked that the retention time is meant.

    Raises:
        ProblemError: neither is there.
    """
    pseudonyms = pseudonyms_of(fields.one("pseudonyms"))
    if not pseudonyms and not fields.has("unseen"):
        raise ProblemError(problems.WRONG_VALUE)
    return {
        "pseudonyms": pseudonyms, "purpose": fields.one("purpose").strip(),
        "project": fields.one("project") or None, "ticket": fields.one("ticket").strip(),
    }  # fmt: skip


router = Router(
    "/", route_handlers=[erase_page, plan, erase], exception_handlers={Exception: page_problems.answer}
)
