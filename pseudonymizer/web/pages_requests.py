"""The pages /requests and /requests/N: ask for names, decide about it, take the grant, see the names."""

import re
from typing import Any, Final

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.params import FromPath

from pseudonymizer.desk.answered import ProjectsShown
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.steward_answered import GrantGiven, NamesShown, RequestShown, RequestsShown
from pseudonymizer.desk.steward_asked import AskForNames, DenyRequest, OfRequest, RevealRequested
from pseudonymizer.policy import Verb
from pseudonymizer.web import page_problems, problems
from pseudonymizer.web.api_steward import count_names
from pseudonymizer.web.forms import fields_of, form_body
from pseudonymizer.web.frame import page, reader_of
from pseudonymizer.web.guards import RECENT, needs
from pseudonymizer.web.page_words import kind_told
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]
_SEEING: Final = needs(Verb.REQUEST, Verb.APPROVE, Verb.READ_AUDIT)
_SEPARATORS: Final = re.compile(r"[\s,;]+")  # none of them is part of a pseudonym of a request
HIDDEN_AFTER: Final = 60  # seconds for which names are shown, by WEB.md section 4
_ACTIVE: Final = frozenset({"open", "approved", "granted"})  # states in which something can still happen


def pseudonyms_of(written: str) -> tuple[str, ...]:
    """The pseudonyms of a field, each once: a line may have several, with blanks or commas between them. A
    line that holds a blank otherwise, such as one of an invented name, is taken as a whole.
    """
    found: list[str] = []
    for line in written.splitlines():
        parts = [one for one in _SEPARATORS.split(line) if one]
        is_codes = all(any(letter.isdigit() or letter == "-" for letter in one) for one in parts)
        found += parts if is_codes else [one.strip() for one in re.split("[,;]", line) if one.strip()]
    return tuple(dict.fromkeys(found))


def checked(values: dict[str, Any], kind: Any) -> Any:
    """A request of these values, checked as one of a program is.

    Raises:
        ProblemError: a value is missing, too long, or of another type.
    """
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError:
        raise ProblemError(problems.WRONG_VALUE) from None


async def projects_of(request: _Request) -> list[str]:
    """The projects that the caller may name in a form."""
    known = await front_of(request).engine.ask("projects", caller_of(request), OfProject(), ProjectsShown)
    return [one.project for one in known.projects]


def names_page(request: _Request, shown: NamesShown) -> Response[str]:
    """The piece of a page that shows names, for a while."""
    reader = reader_of(request)
    kinds = {one.kind: kind_told(reader, one.kind) for one in shown.names}
    return page(request, "names.html", shown=shown, kinds=kinds, seconds=HIDDEN_AFTER)


@get("/requests", opt=_SEEING, include_in_schema=False)
async def requests_page(request: _Request) -> Response[str]:
    """The requests that the reader may see, the latest one first, and a form for a new one."""
    engine, caller = front_of(request).engine, caller_of(request)
    found = await engine.ask("requests", caller, OfProject(), RequestsShown)
    projects = await projects_of(request) if reader_of(request).may(Verb.REQUEST) else []
    return page(request, "requests.html", requests=found.requests[::-1], projects=projects)


@post(
    "/requests/asked", opt=needs(Verb.REQUEST), guards=[form_body], status_code=200, include_in_schema=False
)
async def ask(request: _Request) -> Response[str]:
    """Ask for names; the answer leads to the new request."""
    fields = await fields_of(request)
    asked = checked(
        {
            "pseudonyms": pseudonyms_of(fields.one("pseudonyms")), "purpose": fields.one("purpose").strip(),
            "project": fields.one("project") or None, "legal_basis": fields.one("legal_basis").strip(),
            "ticket": fields.one("ticket").strip(),
        },
        AskForNames,
    )  # fmt: skip
    made = await front_of(request).engine.ask("ask-for-names", caller_of(request), asked, RequestShown)
    return page(request, "request_made.html", one=made)


@get("/requests/{number:int}", opt=_SEEING, include_in_schema=False)
async def request_page(request: _Request, number: FromPath[int]) -> Response[str]:
    """One request, and what the reader may do with it."""
    asked = OfRequest(number=number)
    one = await front_of(request).engine.ask("request", caller_of(request), asked, RequestShown)
    is_own = one.requester == caller_of(request).actor
    return page(request, "request.html", one=one, is_own=is_own, is_active=one.state in _ACTIVE)


async def _decided(request: _Request, verb: str, number: int) -> Response[None]:
    """Back to the page of a request after a decision about it."""
    await front_of(request).engine.ask(verb, caller_of(request), OfRequest(number=number), RequestShown)
    return Response(None, status_code=303, headers={"Location": f"/requests/{number}"})


@post("/requests/{number:int}/approved", opt=needs(Verb.APPROVE), guards=[form_body], include_in_schema=False)
async def approve(request: _Request, number: FromPath[int]) -> Response[None]:
    """Approve a request."""
    return await _decided(request, "approve", number)


@post("/requests/{number:int}/denied", opt=needs(Verb.APPROVE), guards=[form_body], include_in_schema=False)
async def deny(request: _Request, number: FromPath[int]) -> Response[None]:
    """Deny a request, with a reason or without one."""
    fields = await fields_of(request)
    asked = checked({"number": number, "reason": fields.one("reason").strip()}, DenyRequest)
    await front_of(request).engine.ask("deny", caller_of(request), asked, RequestShown)
    return Response(None, status_code=303, headers={"Location": f"/requests/{number}"})


@post(
    "/requests/{number:int}/withdrawn", opt=needs(Verb.REQUEST), guards=[form_body], include_in_schema=False
)
async def withdraw(request: _Request, number: FromPath[int]) -> Response[None]:
    """Take back a request of one's own."""
    return await _decided(request, "withdraw", number)


@post(
    "/requests/{number:int}/grant", opt=needs(Verb.REQUEST), guards=[form_body], status_code=200,
    include_in_schema=False,
)  # fmt: skip
async def take_grant(request: _Request, number: FromPath[int]) -> Response[str]:
    """The grant of a request of one's own, shown once, with the button that uses it."""
    engine, caller, asked = front_of(request).engine, caller_of(request), OfRequest(number=number)
    one = await engine.ask("request", caller, asked, RequestShown)
    given = await engine.ask("grant", caller, asked, GrantGiven)
    return page(request, "request_granted.html", one=one, grant=given.grant)


@post(
    "/requests/{number:int}/names", opt=needs(Verb.REVEAL) | RECENT, guards=[form_body], status_code=200,
    include_in_schema=False,
)  # fmt: skip
async def names(request: _Request, number: FromPath[int]) -> Response[str]:
    """The names behind the pseudonyms of a request, for its grant."""
    fields = await fields_of(request)
    asked = checked({"number": number, "grant": fields.one("grant").strip()}, RevealRequested)
    count_names(request)
    shown = await front_of(request).engine.ask("reveal-requested", caller_of(request), asked, NamesShown)
    return names_page(request, shown)


router = Router(
    "/", route_handlers=[requests_page, ask, request_page, approve, deny, withdraw, take_grant, names],
    exception_handlers={Exception: page_problems.answer},
)  # fmt: skip
