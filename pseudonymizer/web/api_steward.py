"""/api/v1: requests for names, approvals, grants, reveals, look-ups, and the trail."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Router, delete, get, post
from litestar.params import FromPath, JSONBody, Parameter

from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.steward_answered import (
    EventsShown,
    GrantGiven,
    LookedUp,
    NamesShown,
    PersonSplit,
    RequestShown,
    RequestsShown,
)
from pseudonymizer.desk.steward_asked import (
    LONGEST_REASON,
    AskForNames,
    AuditPage,
    DenyRequest,
    LookUp,
    OfRequest,
    RevealNames,
    SplitPerson,
)
from pseudonymizer.policy import Verb
from pseudonymizer.web import problems
from pseudonymizer.web.guards import RECENT, json_body, needs
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]
_After = Annotated[int, Parameter(ge=0, description="The last event of the page before.")]
_Limit = Annotated[int, Parameter(ge=1, le=1000)]
_SEEING = needs(Verb.REQUEST, Verb.APPROVE, Verb.READ_AUDIT)


class Denial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a request is denied."""

    reason: Annotated[str, msgspec.Meta(max_length=LONGEST_REASON)] = ""

    def __repr__(self) -> str:
        return "Denial()"


@post("/requests", opt=needs(Verb.REQUEST))
async def ask(request: _Request, data: JSONBody[AskForNames]) -> RequestShown:
    """Ask for the names behind pseudonyms."""
    return await front_of(request).engine.ask("ask-for-names", caller_of(request), data, RequestShown)


@get("/requests", opt=_SEEING)
async def list_requests(request: _Request) -> RequestsShown:
    """The requests that the caller may see: who approves or audits all, who requests the own ones."""
    return await front_of(request).engine.ask("requests", caller_of(request), OfProject(), RequestsShown)


@get("/requests/{number:int}", opt=_SEEING)
async def show(request: _Request, number: FromPath[int]) -> RequestShown:
    """One request as it stands."""
    return await _of(request, "request", number)


@post("/requests/{number:int}/approvals", status_code=200, opt=needs(Verb.APPROVE))
async def approve(request: _Request, number: FromPath[int]) -> RequestShown:
    """Approve the request of another account."""
    return await _of(request, "approve", number)


@post("/requests/{number:int}/denials", status_code=200, opt=needs(Verb.APPROVE))
async def deny(
    request: _Request, number: FromPath[int], data: JSONBody[Denial | None] = None
) -> RequestShown:
    """Deny a request that has not been used, with a reason for who asked, or without one."""
    asked = DenyRequest(number=number, reason="" if data is None else data.reason)
    return await front_of(request).engine.ask("deny", caller_of(request), asked, RequestShown)


@delete("/requests/{number:int}", status_code=200, opt=needs(Verb.REQUEST))
async def withdraw(request: _Request, number: FromPath[int]) -> RequestShown:
    """Take back a request of one's own that has not been used."""
    return await _of(request, "withdraw", number)


@post("/requests/{number:int}/grant", status_code=200, opt=needs(Verb.REQUEST))
async def give_grant(request: _Request, number: FromPath[int]) -> GrantGiven:
    """The grant of a request of one's own that has its approvals."""
    asked = OfRequest(number=number)
    return await front_of(request).engine.ask("grant", caller_of(request), asked, GrantGiven)


@post("/reveals", status_code=200, opt=needs(Verb.REVEAL) | RECENT)
async def reveal(request: _Request, data: JSONBody[RevealNames]) -> NamesShown:
    """The names behind pseudonyms, all or none. It is on record before a name leaves."""
    count_names(request)
    return await front_of(request).engine.ask("reveal", caller_of(request), data, NamesShown)


@post("/lookups", status_code=200, opt=needs(Verb.LOOKUP))
async def look_up(request: _Request, data: JSONBody[LookUp]) -> LookedUp:
    """The pseudonyms and documents of a name, and of likely others. It is on record, without the name."""
    count_names(request)
    return await front_of(request).engine.ask("lookup", caller_of(request), data, LookedUp)


@post("/splits", status_code=200, opt=needs(Verb.SEE_NAMES))
async def split(request: _Request, data: JSONBody[SplitPerson]) -> PersonSplit:
    """Take two people apart who have one pseudonym: forms of a name get another one. It is on record."""
    return await front_of(request).engine.ask("split-person", caller_of(request), data, PersonSplit)


@get("/audit", opt=needs(Verb.READ_AUDIT))
async def audit(request: _Request, after: _After = 0, limit: _Limit = 500) -> EventsShown:
    """The trail, page by page: of the token's project, or of all. Never a name."""
    asked = AuditPage(after=after, limit=limit)
    return await front_of(request).engine.ask("audit", caller_of(request), asked, EventsShown)


async def _of(request: _Request, verb: str, number: int) -> RequestShown:
    asked = OfRequest(number=number)
    return await front_of(request).engine.ask(verb, caller_of(request), asked, RequestShown)


def count_names(request: _Request) -> None:
    """Nothing; counts one look at names.

    Raises:
        ProblemError: the account has asked for names too often in a minute.
    """
    wait = front_of(request).reveals.take(request.user.key)
    if wait is not None:
        raise ProblemError(problems.TOO_MANY, headers={"Retry-After": str(wait)})


router = Router(
    "/api/v1",
    route_handlers=[
        ask, list_requests, show, approve, deny, withdraw, give_grant, reveal, look_up, split, audit,
    ],
    guards=[json_body],
)  # fmt: skip
