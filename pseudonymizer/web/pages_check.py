"""The page of open questions of a workspace: the least sure mention first, then persons who may be one. One
key gives an answer.
"""

from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, Parameter

from pseudonymizer.desk.answered import KindsInUse
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.correction_answered import Corrections, PassagesShown, QuestionsShown
from pseudonymizer.desk.correction_asked import GetPassages, GiveCommands, OpenQuestions, TurnBack
from pseudonymizer.desk.workspace_answered import WorkspaceShown
from pseudonymizer.desk.workspace_asked import MOST_LISTED, OfWorkspace
from pseudonymizer.policy import Verb
from pseudonymizer.web import problems
from pseudonymizer.web.choices import checked
from pseudonymizer.web.forms import Fields, fields_of, form_body, number_of
from pseudonymizer.web.frame import is_fragment, page
from pseudonymizer.web.guards import needs
from pseudonymizer.web.page_words import looks_of
from pseudonymizer.web.pages_workspaces import told_in_place
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]
_Id = FromPath[str]
_Later = Annotated[int, Parameter(ge=0, lt=MOST_LISTED)]
_Sure = Annotated[int, Parameter(ge=0, le=100)]
_OPEN: Final = needs(Verb.PSEUDONYMIZE)
_PLACE: Final = "/workspaces/{workspace:str}/check"
_SURE: Final = (50, 80, 90, 99, 100)  # per cent: mentions that are less sure are asked
_USUAL: Final = 90  # per cent; that of the API
_LETTERS: Final = 200  # around a mention


@get(_PLACE, opt=_OPEN, include_in_schema=False)
async def check_page(
    request: _Request, workspace: _Id, later: _Later = 0, sure: _Sure = _USUAL
) -> Response[str]:
    """The next open question. later: how many are passed by. sure: per cent; mentions below it are asked."""
    values = await _question(request, workspace, later, sure)
    return page(request, "check_view.html" if is_fragment(request) else "check.html", **values)


@post(f"{_PLACE}/answered", opt=_OPEN, guards=[form_body], status_code=200, include_in_schema=False)
async def answer(request: _Request, workspace: _Id) -> Response[Any]:
    """Answer a question, or take the last answer back; the answer is stored at once."""
    engine, caller = front_of(request).engine, caller_of(request)
    fields = await fields_of(request)
    told = {"workspace": workspace, "revision": number_of(fields.one("revision"), -1)}
    later = min(number_of(fields.one("later"), 0), MOST_LISTED - 1)
    sure = min(number_of(fields.one("sure"), _USUAL), 100)
    if fields.one("answer") == "undo":
        await engine.ask("turn-back", caller, checked({**told, "by": "undo"}, TurnBack), Corrections)
    else:
        given = checked({**told, "commands": [_command(fields)]}, GiveCommands)
        await engine.ask("give-commands", caller, given, Corrections)
    if not is_fragment(request):
        place = f"/workspaces/{workspace}/check?later={later}&sure={sure}"
        return Response(None, status_code=303, headers={"Location": place})
    return page(request, "check_view.html", **await _question(request, workspace, later, sure))


def _command(fields: Fields) -> dict[str, Any]:
    """The command that an answer is.

    Raises:
        ProblemError: it is neither yes nor no.
    """
    said = fields.one("answer")
    if said not in ("yes", "no"):
        raise ProblemError(problems.WRONG_VALUE)
    if fields.has("left"):
        verdict = "accept" if said == "yes" else "reject"
        return {"do": "judge", "left": fields.one("left"), "right": fields.one("right"), "verdict": verdict}
    return {
        "do": "confirm" if said == "yes" else "reject", "mention": fields.one("mention"),
        "everywhere": fields.has("everywhere"),
    }  # fmt: skip


async def _question(request: _Request, workspace: str, later: int, sure: int) -> dict[str, Any]:
    """What the templates of questions show."""
    engine, caller = front_of(request).engine, caller_of(request)
    shown = await engine.ask("workspace", caller, OfWorkspace(workspace=workspace), WorkspaceShown)
    kinds = await engine.ask("kinds", caller, OfProject(project=shown.project), KindsInUse)
    asked = OpenQuestions(workspace=workspace, sure_from=sure / 100, limit=later + 1)
    found = await engine.ask("open-questions", caller, asked, QuestionsShown)
    mention = found.mentions[later] if later < len(found.mentions) else None
    at = later - len(found.mentions)
    link = found.links[at] if mention is None and 0 <= at < len(found.links) else None
    sides = [mention] if mention is not None else [] if link is None else [link.left, link.right]
    passages = PassagesShown(found.revision, ())
    if sides:
        wanted = GetPassages(
            workspace=workspace, mentions=tuple(one.mention for one in sides), letters=_LETTERS
        )
        passages = await engine.ask("passages", caller, wanted, PassagesShown)
    return {
        "workspace": shown, "found": found, "mention": mention, "link": link, "later": later, "sure": sure,
        "passages": passages.passages, "looks": looks_of(kinds), "sures": _SURE,
    }  # fmt: skip


router = Router("/", route_handlers=[check_page, answer], exception_handlers={Exception: told_in_place})
