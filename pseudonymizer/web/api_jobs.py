"""/api/v1: jobs over workspaces, and what they wrote."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Final
from urllib.parse import quote

import msgspec
from litestar import Request, Response, Router, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, Parameter
from litestar.response import Stream

from pseudonymizer.desk.asked import HowTreated
from pseudonymizer.desk.workspace_answered import JobShown, JobsShown, PieceGiven, ReportShown
from pseudonymizer.desk.workspace_asked import (
    GetPiece,
    Jobs,
    OfJob,
    OfWorkspace,
    StartAnalysis,
    StartWriting,
    WorkspaceAsked,
)
from pseudonymizer.policy import Verb
from pseudonymizer.web.guards import json_body, needs
from pseudonymizer.web.parts import caller_of, front_of

_Request = Request[Any, Any, Any]
_Id = FromPath[str]
_OPEN = needs(Verb.PSEUDONYMIZE)
_SOON: Final = "2"  # seconds
_WorkspaceId = Annotated[str | None, Parameter(max_length=80, description="Those of one workspace.")]
_FILE: Final = {
    200: ResponseSpec(data_container=bytes, media_type="application/octet-stream", description="The file.")
}


class WritingOptions(HowTreated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How files are written; see StartWriting."""

    mark: bool | None = None
    keep_original: bool = False


@post("/workspaces/{workspace:str}/analyses", status_code=202, opt=_OPEN)
async def analyse(request: _Request, workspace: _Id) -> Response[JobShown]:
    """Find and link what the files name; what was corrected so far is kept."""
    return await _started(request, "start-analysis", StartAnalysis(workspace=workspace))


@post("/workspaces/{workspace:str}/runs", status_code=202, opt=_OPEN, guards=[json_body])
async def write(request: _Request, workspace: _Id, data: JSONBody[WritingOptions]) -> Response[JobShown]:
    """Write every file in its own format, with the mentions as they are corrected by now."""
    told = {name: getattr(data, name) for name in WritingOptions.__struct_fields__}
    return await _started(request, "start-writing", StartWriting(workspace=workspace, **told))


@get("/jobs", opt=_OPEN)
async def all_of_caller(request: _Request, workspace: _WorkspaceId = None) -> JobsShown:
    """The jobs of the caller, the last one first."""
    return await front_of(request).engine.ask(
        "jobs", caller_of(request), Jobs(workspace=workspace), JobsShown
    )


@get("/jobs/{job:str}", opt=_OPEN)
async def show(request: _Request, job: _Id) -> Response[JobShown]:
    """How far a job is, in counts."""
    shown = await front_of(request).engine.ask("job", caller_of(request), OfJob(job=job), JobShown)
    return Response(shown, headers={} if shown.ended_at else {"Retry-After": _SOON})


@delete("/jobs/{job:str}", status_code=202, opt=_OPEN)
async def cancel(request: _Request, job: _Id) -> JobShown:
    """End a job as soon as it can; what was written before stays."""
    return await front_of(request).engine.ask("cancel-job", caller_of(request), OfJob(job=job), JobShown)


@get("/workspaces/{workspace:str}/result", opt=_OPEN, responses=_FILE)
async def archive(request: _Request, workspace: _Id) -> Stream:
    """All outputs as a zip archive, with the folders in which the files came; names in paths are labels."""
    return await _download(request, GetPiece(workspace=workspace), "application/zip")


@get("/workspaces/{workspace:str}/files/{file:str}/result", opt=_OPEN, responses=_FILE)
async def one_file(request: _Request, workspace: _Id, file: _Id) -> Stream:
    """One output, in the format of the file."""
    return await _download(request, GetPiece(workspace=workspace, file=file), "application/octet-stream")


@get("/workspaces/{workspace:str}/report", opt=_OPEN)
async def report(request: _Request, workspace: _Id) -> ReportShown:
    """What the last writing did, in counts; what stays, and what the check of the outputs found."""
    return await front_of(request).engine.ask(
        "report", caller_of(request), OfWorkspace(workspace=workspace), ReportShown
    )


async def _started(request: _Request, verb: str, asked: WorkspaceAsked) -> Response[JobShown]:
    started = await front_of(request).engine.ask(verb, caller_of(request), asked, JobShown)
    headers = {"Location": f"/api/v1/jobs/{started.job}", "Retry-After": _SOON}
    return Response(started, status_code=202, headers=headers)


async def _download(request: _Request, asked: GetPiece, media_type: str) -> Stream:
    """A file piece by piece, which a browser keeps and does not show."""
    engine, caller = front_of(request).engine, caller_of(request)
    first = await engine.ask("result", caller, asked, PieceGiven)

    async def pieces() -> AsyncIterator[bytes]:
        yield first.content
        for number in range(1, first.pieces):
            further = msgspec.structs.replace(asked, number=number)
            yield (await engine.ask("result", caller, further, PieceGiven)).content

    name = quote(first.name.rpartition("/")[2], safe="")
    return Stream(
        pieces(), media_type=media_type,
        headers={
            "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
            "Content-Length": str(first.bytes),
            "Content-Security-Policy": "sandbox; default-src 'none'",
        },
    )  # fmt: skip


router = Router(
    "/api/v1",
    route_handlers=[analyse, write, all_of_caller, show, cancel, archive, one_file, report],
)
