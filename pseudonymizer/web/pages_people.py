"""The pages of the people of a workspace: their forms, who is one person, who is two, what is no name."""

from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, Parameter

from pseudonymizer.desk.answered import KindsInUse
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.correction_answered import Corrections, PassagesShown, PeopleShown
from pseudonymizer.desk.correction_asked import GetPassages, GiveCommands, ListPeople, TurnBack
from pseudonymizer.desk.workspace_answered import WorkspaceShown
from pseudonymizer.desk.workspace_asked import OfWorkspace
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
_After = Annotated[int, Parameter(ge=0, le=2**31)]
_OPEN: Final = needs(Verb.PSEUDONYMIZE)
_PLACE: Final = "/workspaces/{workspace:str}/people"
_A_PAGE: Final = 50
_PASSAGES_A_PAGE: Final = 100


@get(_PLACE, opt=_OPEN, include_in_schema=False)
async def people_page(request: _Request, workspace: _Id, after: _After = 0) -> Response[str]:
    """The people whom the files name, those with most open questions first."""
    return page(request, "people.html", **await _people(request, workspace, after))


@post(f"{_PLACE}/corrected", opt=_OPEN, guards=[form_body], status_code=200, include_in_schema=False)
async def correct(request: _Request, workspace: _Id) -> Response[Any]:
    """Merge the people that are ticked, or split forms of one off, or say that they are no names."""
    fields = await fields_of(request)
    done = await _given(request, workspace, fields, _commands(fields))
    after = number_of(fields.one("after"), 0)
    if not is_fragment(request):
        return _to(f"/workspaces/{workspace}/people?after={after}")
    return page(request, "people_view.html", **{**await _people(request, workspace, after), **done})


@get(f"{_PLACE}/{{person:str}}", opt=_OPEN, include_in_schema=False)
async def person_page(request: _Request, workspace: _Id, person: _Id, after: _After = 0) -> Response[str]:
    """Where the files name a person."""
    return page(request, "person.html", **await _person(request, workspace, person, after))


@post(f"{_PLACE}/{{person:str}}/corrected", opt=_OPEN, guards=[form_body], status_code=200,
      include_in_schema=False)  # fmt: skip
async def correct_person(request: _Request, workspace: _Id, person: _Id) -> Response[Any]:
    """Split the mentions that are ticked off the person."""
    fields = await fields_of(request)
    ticked = fields.every("mention")
    done = await _given(request, workspace, fields, [{"do": "split", "mentions": ticked}] if ticked else [])
    if not is_fragment(request):
        return _to(f"/workspaces/{workspace}/people/{person}")
    return page(request, "person_view.html", **{**await _person(request, workspace, person, 0), **done})


def _commands(fields: Fields) -> list[dict[str, Any]]:
    """The commands that the form of people tells; none where too little is ticked."""
    do, _, person = fields.one("do").partition(":")
    if do == "merge":
        left, *others = fields.every("person") or ("",)
        return [{"do": "merge", "left": left, "right": other} for other in others]
    forms = fields.every(f"form:{person}")
    return [{"do": do, "person": person, "forms": forms}] if forms else []


async def _given(
    request: _Request, workspace: str, fields: Fields, commands: list[dict[str, Any]]
) -> dict[str, Any]:
    """What is told of commands that were given by now, or of the last one that was taken back."""
    engine, caller = front_of(request).engine, caller_of(request)
    told = {"workspace": workspace, "revision": number_of(fields.one("revision"), -1)}
    if by := fields.one("by"):
        turned = checked({**told, "by": by}, TurnBack)
        return {"done": await engine.ask("turn-back", caller, turned, Corrections), "by": by, "changed": 0}
    if not commands:
        raise ProblemError(problems.NOTHING_TICKED)
    given = checked({**told, "commands": commands}, GiveCommands)
    done = await engine.ask("give-commands", caller, given, Corrections)
    return {"done": done, "by": "", "changed": sum(done.changed)}


async def _people(request: _Request, workspace: str, after: int) -> dict[str, Any]:
    """What the templates of people show."""
    engine, caller = front_of(request).engine, caller_of(request)
    shown = await engine.ask("workspace", caller, OfWorkspace(workspace=workspace), WorkspaceShown)
    asked = ListPeople(workspace=workspace, after=after, limit=_A_PAGE)
    found = await engine.ask("people", caller, asked, PeopleShown)
    return {
        "workspace": shown, "found": found, "after": after, "before": max(0, after - _A_PAGE),
        "done": None, "by": "", "changed": 0,
    }  # fmt: skip


async def _person(request: _Request, workspace: str, person: str, after: int) -> dict[str, Any]:
    """What the templates of a person show."""
    engine, caller = front_of(request).engine, caller_of(request)
    shown = await engine.ask("workspace", caller, OfWorkspace(workspace=workspace), WorkspaceShown)
    kinds = await engine.ask("kinds", caller, OfProject(project=shown.project), KindsInUse)
    asked = checked(
        {"workspace": workspace, "person": person, "after": after, "limit": _PASSAGES_A_PAGE}, GetPassages
    )
    found = await engine.ask("passages", caller, asked, PassagesShown)
    return {
        "workspace": shown, "person": person, "found": found, "looks": looks_of(kinds), "after": after,
        "done": None, "by": "", "changed": 0,
    }  # fmt: skip


def _to(place: str) -> Response[None]:
    return Response(None, status_code=303, headers={"Location": place})


router = Router(
    "/",
    route_handlers=[people_page, correct, person_page, correct_person],
    exception_handlers={Exception: told_in_place},
)
