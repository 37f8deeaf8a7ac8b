"""/api/v1/text: find, pseudonymize and restore texts of programs."""

from typing import Any

from litestar import Request, Router, post
from litestar.params import JSONBody

from pseudonymizer.desk.answered import FoundTexts, RestoredTexts, WrittenTexts
from pseudonymizer.desk.asked import DetectTexts, PseudonymizeTexts, RestoreTexts
from pseudonymizer.policy import Verb
from pseudonymizer.web import problems
from pseudonymizer.web.guards import json_body, needs
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]


@post("/detect", status_code=200, opt=needs(Verb.PSEUDONYMIZE))
async def detect(request: _Request, data: JSONBody[DetectTexts]) -> FoundTexts:
    """Find mentions, and who is who, in several texts. Nothing is stored."""
    return await front_of(request).engine.ask("detect", caller_of(request), data, FoundTexts)


@post("/pseudonymize", status_code=200, opt=needs(Verb.PSEUDONYMIZE))
async def pseudonymize(request: _Request, data: JSONBody[PseudonymizeTexts]) -> WrittenTexts:
    """Write labels in place of names and values in several texts, which are linked together."""
    return await front_of(request).engine.ask("pseudonymize", caller_of(request), data, WrittenTexts)


@post("/restore", status_code=200, opt=needs(Verb.RESTORE, Verb.GIVE_BACK))
async def restore(request: _Request, data: JSONBody[RestoreTexts]) -> RestoredTexts:
    """Give names back in texts, for a stated purpose or by a receipt. It is on record."""
    wanted = Verb.RESTORE if data.receipt is None else Verb.GIVE_BACK
    if wanted not in request.user.verbs:
        raise ProblemError(problems.NOT_ALLOWED)
    return await front_of(request).engine.ask("restore", caller_of(request), data, RestoredTexts)


router = Router("/api/v1/text", route_handlers=[detect, pseudonymize, restore], guards=[json_body])
