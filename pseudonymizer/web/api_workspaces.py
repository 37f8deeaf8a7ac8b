"""/api/v1/workspaces: workspaces, and their files as raw bodies. Names and texts stand in bodies alone."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, Router, delete, get, post, put
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, Parameter

from pseudonymizer.desk.asked import Name
from pseudonymizer.desk.workspace_answered import (
    Done,
    FileShown,
    FilesShown,
    WorkspaceShown,
    WorkspacesShown,
)
from pseudonymizer.desk.workspace_asked import (
    MOST_LISTED,
    PIECE,
    AddFiles,
    Hours,
    ListFiles,
    MakeWorkspace,
    NewFile,
    OfFile,
    OfWorkspace,
    StorePiece,
    Workspaces,
)
from pseudonymizer.policy import Verb
from pseudonymizer.web import problems
from pseudonymizer.web.guards import UNCOUNTED, json_body, needs
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]
Id = FromPath[str]
After = Annotated[int, Parameter(ge=0, le=2**31, description="The number behind which to go on.")]
Limit = Annotated[int, Parameter(ge=1, le=MOST_LISTED)]
NO_CONTENT: Final = {204: ResponseSpec(data_container=None, description="Done.")}
PLACE: Final = "/api/v1/workspaces"
_OPEN = needs(Verb.PSEUDONYMIZE)


class NewWorkspace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which workspace to make; see MakeWorkspace."""

    project: Name | None = None
    intent: Annotated[str, msgspec.Meta(pattern="^pseudonymize$")] = "pseudonymize"
    keep_hours: Hours = 24


class NewFiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Files whose bytes come after, each in a request of its own."""

    files: Annotated[tuple[NewFile, ...], msgspec.Meta(min_length=1, max_length=MOST_LISTED)]


@post("/", status_code=201, opt=_OPEN, guards=[json_body])
async def make(request: _Request, data: JSONBody[NewWorkspace]) -> Response[WorkspaceShown]:
    """Make a workspace: files that are looked at, corrected and written together."""
    asked = MakeWorkspace(project=data.project, keep_hours=data.keep_hours)
    made = await front_of(request).engine.ask("make-workspace", caller_of(request), asked, WorkspaceShown)
    return Response(made, status_code=201, headers={"Location": f"{PLACE}/{made.workspace}"})


@get("/", opt=_OPEN)
async def all_of_caller(request: _Request) -> WorkspacesShown:
    """The workspaces of the caller, the last made first."""
    return await front_of(request).engine.ask("workspaces", caller_of(request), Workspaces(), WorkspacesShown)


@get("/{workspace:str}", opt=_OPEN)
async def show(request: _Request, workspace: Id) -> Response[WorkspaceShown]:
    """A workspace: how far it is, how many files it has by state, when it ends. The ETag is its revision."""
    shown = await front_of(request).engine.ask(
        "workspace", caller_of(request), OfWorkspace(workspace=workspace), WorkspaceShown
    )
    return Response(shown, headers={"ETag": etag(shown.revision)})


@delete("/{workspace:str}", status_code=204, opt=_OPEN, responses=NO_CONTENT)
async def end(request: _Request, workspace: Id) -> None:
    """Destroy the key of a workspace, and so all that is in it."""
    await front_of(request).engine.ask(
        "delete-workspace", caller_of(request), OfWorkspace(workspace=workspace), Done
    )


@post("/{workspace:str}/files", status_code=201, opt=_OPEN, guards=[json_body])
async def add_files(request: _Request, workspace: Id, data: JSONBody[NewFiles]) -> FilesShown:
    """Name files with their sizes; the bytes of each come by PUT. All are taken, or none."""
    asked = AddFiles(workspace=workspace, files=data.files)
    return await front_of(request).engine.ask("add-files", caller_of(request), asked, FilesShown)


@get("/{workspace:str}/files", opt=_OPEN)
async def files(request: _Request, workspace: Id, after: After = 0, limit: Limit = MOST_LISTED) -> FilesShown:
    """Files in the order in which they were named."""
    asked = ListFiles(workspace=workspace, after=after, limit=limit)
    return await front_of(request).engine.ask("files", caller_of(request), asked, FilesShown)


@get("/{workspace:str}/files/{file:str}", opt=_OPEN)
async def one_file(request: _Request, workspace: Id, file: Id) -> FileShown:
    """A file: its state, or why it was refused, and how many mentions it has by kind."""
    return await front_of(request).engine.ask(
        "file", caller_of(request), OfFile(workspace=workspace, file=file), FileShown
    )


@delete("/{workspace:str}/files/{file:str}", status_code=204, opt=_OPEN, responses=NO_CONTENT)
async def delete_file(request: _Request, workspace: Id, file: Id) -> None:
    """Delete a file, and what was found in it."""
    await front_of(request).engine.ask(
        "delete-file", caller_of(request), OfFile(workspace=workspace, file=file), Done
    )


@put(
    "/{workspace:str}/files/{file:str}/content", status_code=204, opt={**_OPEN, **UNCOUNTED},
    request_max_body_size=None, responses=NO_CONTENT,
)  # fmt: skip
async def upload(request: _Request, workspace: Id, file: Id) -> None:
    """The bytes of a file, as they are; Content-Length is what was told. They are sealed piece by piece."""
    front, caller = front_of(request), caller_of(request)
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise ProblemError(problems.WRONG_TYPE)
    with front.uploads.one_more(request.user.key):
        told = await front.engine.ask("file", caller, OfFile(workspace=workspace, file=file), FileShown)
        if int(request.headers.get("content-length", "0")) != told.bytes:
            raise ProblemError(problems.WRONG_SIZE)
        number, waiting = 0, bytearray()

        async def store(piece: bytes) -> None:
            asked = StorePiece(workspace=workspace, file=file, number=number, content=piece)
            await front.engine.ask("store-piece", caller, asked, FileShown)

        async for chunk in request.stream():
            waiting += chunk
            while len(waiting) > PIECE:  # the last piece has at least a byte, where the file has one
                await store(bytes(waiting[:PIECE]))
                del waiting[:PIECE]
                number += 1
        await store(bytes(waiting))


def etag(revision: int) -> str:
    """A revision as HTTP writes it."""
    return f'"{revision}"'


router = Router(
    PLACE,
    route_handlers=[make, all_of_caller, show, end, add_files, files, one_file, delete_file, upload],
)
