"""The pages /workspaces: files are dropped, analysed, written and fetched; jobs are followed and ended."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, Parameter

from pseudonymizer.desk.answered import KindsInUse, ProjectsShown
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.workspace_answered import (
    Done,
    FilesShown,
    ForeseenShown,
    JobShown,
    JobsShown,
    ReportShown,
    WorkspaceShown,
    WorkspacesShown,
)
from pseudonymizer.desk.workspace_asked import (
    Jobs,
    ListFiles,
    MakeWorkspace,
    OfFile,
    OfJob,
    OfWorkspace,
    StartAnalysis,
    StartWriting,
    Workspaces,
)
from pseudonymizer.policy import Verb
from pseudonymizer.web import page_problems
from pseudonymizer.web.choices import checked, choices, offered, treated
from pseudonymizer.web.forms import Fields, fields_of, form_body
from pseudonymizer.web.frame import is_fragment, page
from pseudonymizer.web.guards import needs
from pseudonymizer.web.page_words import looks_of
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.reading import Look

_Request = Request[Any, Any, Any]
_Id = FromPath[str]
_After = Annotated[int, Parameter(ge=0, le=2**31)]
_OPEN: Final = needs(Verb.PSEUDONYMIZE)
_PLACE: Final = "/workspaces"
_FILES_A_PAGE: Final = 100
_HOURS: Final = (1, 8, 24, 72, 168, 720)  # that a workspace may be kept without use
_WRITTEN: Final = "written"


@get(_PLACE, opt=_OPEN, include_in_schema=False)
async def workspaces(request: _Request) -> Response[str]:
    """The workspaces of the reader, and a form that makes one."""
    engine, caller = front_of(request).engine, caller_of(request)
    known = await engine.ask("projects", caller, OfProject(), ProjectsShown)
    found = await engine.ask("workspaces", caller, Workspaces(), WorkspacesShown)
    return page(
        request, "workspaces.html", workspaces=found.workspaces, hours=_HOURS,
        projects=[one.project for one in known.projects],
    )  # fmt: skip


@post(_PLACE, opt=_OPEN, guards=[form_body], status_code=303, include_in_schema=False)
async def make(request: _Request) -> Response[None]:
    """Make a workspace, and go to its page."""
    fields = await fields_of(request)
    hours = fields.one("keep_hours")
    told = {
        "project": fields.one("project") or None,
        "keep_hours": int(hours) if hours.isascii() and hours.isdigit() and len(hours) < 5 else hours,
    }
    asked = checked(told, MakeWorkspace)
    made = await front_of(request).engine.ask("make-workspace", caller_of(request), asked, WorkspaceShown)
    return _to(f"{_PLACE}/{made.workspace}")


@post(f"{_PLACE}/{{workspace:str}}/ended", opt=_OPEN, status_code=303, include_in_schema=False)
async def end(request: _Request, workspace: _Id) -> Response[None]:
    """Destroy a workspace with all that is in it, and go to the list."""
    asked = OfWorkspace(workspace=workspace)
    await front_of(request).engine.ask("delete-workspace", caller_of(request), asked, Done)
    return _to(_PLACE)


@get(f"{_PLACE}/{{workspace:str}}", opt=_OPEN, include_in_schema=False)
async def workspace_page(request: _Request, workspace: _Id, after: _After = 0) -> Response[str]:
    """A workspace: a place to drop files, the files, what is to be done next, what was written."""
    values = await _state(request, workspace, after=after)
    return page(request, "workspace.html", **values)


@get(f"{_PLACE}/{{workspace:str}}/state", opt=_OPEN, include_in_schema=False)
async def state(request: _Request, workspace: _Id, after: _After = 0) -> Response[str]:
    """The part of the page of a workspace that changes."""
    return page(request, "workspace_state.html", **await _state(request, workspace, after=after))


@post(
    f"{_PLACE}/{{workspace:str}}/files/{{file:str}}/deleted", opt=_OPEN, status_code=200,
    include_in_schema=False,
)  # fmt: skip
async def delete_file(request: _Request, workspace: _Id, file: _Id) -> Response[Any]:
    """Delete a file, and what was found in it."""
    asked = OfFile(workspace=workspace, file=file)
    await front_of(request).engine.ask("delete-file", caller_of(request), asked, Done)
    return await _changed(request, workspace)


@post(f"{_PLACE}/{{workspace:str}}/analysis", opt=_OPEN, status_code=200, include_in_schema=False)
async def analyse(request: _Request, workspace: _Id) -> Response[Any]:
    """Start to find and link what the files name."""
    asked = StartAnalysis(workspace=workspace)
    await front_of(request).engine.ask("start-analysis", caller_of(request), asked, JobShown)
    return await _changed(request, workspace)


@post(
    f"{_PLACE}/{{workspace:str}}/writing", opt=_OPEN, guards=[form_body], status_code=200,
    include_in_schema=False,
)  # fmt: skip
async def write(request: _Request, workspace: _Id) -> Response[Any]:
    """Start to write every file in its own format."""
    asked, _ = await _writing(request, workspace)
    await front_of(request).engine.ask("start-writing", caller_of(request), asked, JobShown)
    return await _changed(request, workspace)


@post(
    f"{_PLACE}/{{workspace:str}}/foreseen", opt=_OPEN, guards=[form_body], status_code=200,
    include_in_schema=False,
)  # fmt: skip
async def foresee(request: _Request, workspace: _Id) -> Response[Any]:
    """What writing would make of each kind that was found, by what the form says now."""
    asked, looks = await _writing(request, workspace)
    shown = await front_of(request).engine.ask("foresee", caller_of(request), asked, ForeseenShown)
    return page(request, "foreseen.html", shown=shown, looks=looks)


async def _writing(request: _Request, workspace: str) -> tuple[StartWriting, Mapping[str, Look]]:
    """(what the form of writing asks for, how kinds look)."""
    engine, caller = front_of(request).engine, caller_of(request)
    fields: Fields = await fields_of(request)
    shown = await engine.ask("workspace", caller, OfWorkspace(workspace=workspace), WorkspaceShown)
    kinds = await engine.ask("kinds", caller, OfProject(project=shown.project), KindsInUse)
    told = {
        "workspace": workspace, "keep_original": fields.has("keep_original"),
        **treated(fields, offered(kinds)),
    }  # fmt: skip
    asked: StartWriting = checked(told, StartWriting)
    return asked, looks_of(kinds)


@get(f"{_PLACE}/{{workspace:str}}/jobs/{{job:str}}", opt=_OPEN, include_in_schema=False)
async def follow(request: _Request, workspace: _Id, job: _Id) -> Response[str]:
    """How far a job is; at its end the part of the page that changes."""
    shown = await front_of(request).engine.ask("job", caller_of(request), OfJob(job=job), JobShown)
    if not shown.ended_at:
        return page(request, "workspace_job.html", job=shown)
    made = page(request, "workspace_state.html", **await _state(request, workspace))
    made.headers.update({"HX-Retarget": "#state", "HX-Reswap": "outerHTML"})
    return made


@post(
    f"{_PLACE}/{{workspace:str}}/jobs/{{job:str}}/cancelled", opt=_OPEN, status_code=200,
    include_in_schema=False,
)  # fmt: skip
async def cancel(request: _Request, workspace: _Id, job: _Id) -> Response[Any]:
    """End a job as soon as it can."""
    await front_of(request).engine.ask("cancel-job", caller_of(request), OfJob(job=job), JobShown)
    return await _changed(request, workspace)


async def _changed(request: _Request, workspace: str) -> Response[Any]:
    """The part of the page that changes; of who has no script the whole page, anew."""
    if not is_fragment(request):
        return _to(f"{_PLACE}/{workspace}")
    return page(request, "workspace_state.html", **await _state(request, workspace))


async def _state(request: _Request, workspace: str, *, after: int = 0) -> Mapping[str, Any]:
    """What the templates of a workspace show."""
    engine, caller = front_of(request).engine, caller_of(request)
    of = OfWorkspace(workspace=workspace)
    # Jobs first: a job that ends meanwhile is followed once more, and never shown as ended beside old files.
    jobs = (await engine.ask("jobs", caller, Jobs(workspace=workspace), JobsShown)).jobs
    shown = await engine.ask("workspace", caller, of, WorkspaceShown)
    listed = ListFiles(workspace=workspace, after=after, limit=_FILES_A_PAGE)
    files = await engine.ask("files", caller, listed, FilesShown)
    kinds = await engine.ask("kinds", caller, OfProject(project=shown.project), KindsInUse)
    report = None
    if shown.state == _WRITTEN:
        report = (await engine.ask("report", caller, of, ReportShown)).report
    return {
        "workspace": shown, "files": files.files, "next_files": files.after, "after": after,
        "total": sum(shown.files.values()),
        "whole": sum(count for name, count in shown.files.items() if name != "waiting"),
        "job": next((one for one in jobs if not one.ended_at), None),
        "last": next((one for one in jobs if one.ended_at), None),
        "looks": looks_of(kinds), "report": report, **await choices(request, offered(kinds)),
    }  # fmt: skip


def _to(place: str) -> Response[None]:
    return Response(None, status_code=303, headers={"Location": place})


def told_in_place(request: _Request, error: Exception) -> Response[str]:
    """The error as a page, or for the place of the page where errors are told."""
    made = page_problems.answer(request, error)
    if is_fragment(request):
        made.headers.update({"HX-Retarget": "#problem", "HX-Reswap": "innerHTML"})
    return made


router = Router(
    "/",
    route_handlers=[
        workspaces,
        make,
        end,
        workspace_page,
        state,
        delete_file,
        analyse,
        write,
        foresee,
        follow,
        cancel,
    ],
    exception_handlers={Exception: told_in_place},
)
