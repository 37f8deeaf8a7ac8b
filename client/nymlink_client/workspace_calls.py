"""Calls about workspaces, files, jobs and corrections."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from nymlink_client.calls import API, Call, WriteOptions, one_post, path_part, told_options
from nymlink_client.commands import Command, Judge
from nymlink_client.errors import WrongRequestError
from nymlink_client.files import Outgoing
from nymlink_client.workspace_answers import (
    Corrections,
    FilesShown,
    HeldFile,
    JobShown,
    JobsShown,
    MentionsShown,
    PeopleShown,
    QuestionsShown,
    ReportShown,
    TextShown,
    WorkspaceShown,
    WorkspacesShown,
)

PLACE: Final = f"{API}/workspaces"
JOBS: Final = f"{API}/jobs"
MOST_AT_ONCE: Final = 500  # files, mentions or people in one request
WORKSPACES: Final = Call("GET", PLACE, WorkspacesShown)


class WritingOptions(WriteOptions, total=False):
    """Of Workspace.write. mark: the metadata of outputs say that they are pseudonymized. keep_original: PDF
    files and pictures are kept sealed in the vault, so that they come back whole.
    """

    mark: bool
    keep_original: bool


def make(project: str | None, keep_hours: int) -> Call[WorkspaceShown]:
    """A new workspace."""
    body: dict[str, Any] = {"keep_hours": keep_hours}
    return one_post(PLACE, WorkspaceShown, body if project is None else {**body, "project": project})


def show(workspace: str) -> Call[WorkspaceShown]:
    """A workspace as it stands."""
    return Call("GET", _at(workspace), WorkspaceShown)


def delete(workspace: str) -> Call[None]:
    """The end of a workspace."""
    return Call("DELETE", _at(workspace), type(None))


def add_files(workspace: str, files: Sequence[tuple[str, int]]) -> Call[FilesShown]:
    """Files by path and size."""
    body = {"files": [{"name": name, "bytes": size} for name, size in files]}
    return one_post(f"{_at(workspace)}/files", FilesShown, body)


def upload(workspace: str, file: str, content: Outgoing) -> Call[None]:
    """The bytes of a file, piece by piece."""
    headers = {"Content-Type": "application/octet-stream", "Content-Length": str(content.size)}
    return Call("PUT", f"{_file(workspace, file)}/content", type(None), raw=content, headers=headers)


def files(workspace: str, after: int) -> Call[FilesShown]:
    """A page of the files."""
    return Call("GET", f"{_at(workspace)}/files", FilesShown, asked=_page(after))


def file(workspace: str, file_id: str) -> Call[HeldFile]:
    """A file as it stands."""
    return Call("GET", _file(workspace, file_id), HeldFile)


def delete_file(workspace: str, file_id: str) -> Call[None]:
    """The end of a file."""
    return Call("DELETE", _file(workspace, file_id), type(None))


def analyse(workspace: str) -> Call[JobShown]:
    """A job that finds and links."""
    return one_post(f"{_at(workspace)}/analyses", JobShown, None)


def write(workspace: str, options: WritingOptions) -> Call[JobShown]:
    """A job that writes."""
    return one_post(f"{_at(workspace)}/runs", JobShown, told_options(options))


def result(workspace: str, file_id: str | None) -> Call[bytes]:
    """An output; None: all of them as a zip archive."""
    place = _at(workspace) if file_id is None else _file(workspace, file_id)
    return Call("GET", f"{place}/result", bytes)


def report(workspace: str) -> Call[ReportShown]:
    """The counts of the last writing."""
    return Call("GET", f"{_at(workspace)}/report", ReportShown)


def job(job_id: str) -> Call[JobShown]:
    """A job as it stands."""
    return Call("GET", f"{JOBS}/{path_part(job_id)}", JobShown)


def cancel(job_id: str) -> Call[JobShown]:
    """The end of a job."""
    return Call("DELETE", f"{JOBS}/{path_part(job_id)}", JobShown)


def jobs(workspace: str | None) -> Call[JobsShown]:
    """Jobs of one workspace; None: of all."""
    return Call("GET", JOBS, JobsShown, asked={} if workspace is None else {"workspace": workspace})


def mentions(workspace: str, file_id: str, after: int) -> Call[MentionsShown]:
    """A page of the mentions of a file."""
    return Call("GET", f"{_file(workspace, file_id)}/mentions", MentionsShown, asked=_page(after))


def text(workspace: str, file_id: str, stretch: Mapping[str, Any]) -> Call[TextShown]:
    """A stretch of a text. stretch: document, start, letters; None is left out."""
    body = {name: value for name, value in stretch.items() if value is not None}
    return Call("POST", f"{_file(workspace, file_id)}/text", TextShown, body)


def people(workspace: str, after: int) -> Call[PeopleShown]:
    """A page of the people."""
    return Call("GET", f"{_at(workspace)}/people", PeopleShown, asked=_page(after))


def questions(workspace: str, sure_from: float, limit: int) -> Call[QuestionsShown]:
    """Open questions."""
    asked = {"sure_from": str(sure_from), "limit": str(limit)}
    return Call("GET", f"{_at(workspace)}/questions", QuestionsShown, asked=asked)


def correct(workspace: str, commands: Iterable[Command], revision: int) -> Call[Corrections]:
    """Commands, all of them or none. Raises WrongRequestError where there is none."""
    given = [msgspec.to_builtins(one) for one in commands]
    if not given:
        raise WrongRequestError(detail="give a command, or several; see nymlink_client.commands")
    body = {"commands": given}
    return Call("PATCH", f"{_at(workspace)}/mentions", Corrections, body, headers=_seen(revision))


def judge(workspace: str, verdict: Judge, revision: int) -> Call[Corrections]:
    """A verdict over two mentions."""
    body = {"left": verdict.left, "right": verdict.right, "verdict": verdict.verdict}
    return Call("POST", f"{_at(workspace)}/verdicts", Corrections, body, headers=_seen(revision))


def merge(workspace: str, person: str, other: str, revision: int) -> Call[Corrections]:
    """Two persons who are one."""
    return Call(
        "POST", f"{_person(workspace, person)}/merge", Corrections, {"person": other},
        headers=_seen(revision),
    )  # fmt: skip


def split(workspace: str, person: str, mentions_: Iterable[str], revision: int) -> Call[Corrections]:
    """Mentions of a person that mean another one."""
    body = {"mentions": list(mentions_)}
    return Call("POST", f"{_person(workspace, person)}/split", Corrections, body, headers=_seen(revision))


def turn_back(workspace: str, by: Literal["undo", "redo"], revision: int) -> Call[Corrections]:
    """The last command, taken back or given again."""
    return Call("POST", f"{_at(workspace)}/corrections/{by}", Corrections, headers=_seen(revision))


def corrections(workspace: str, what: Literal["mentions", "judgements"]) -> Call[bytes]:
    """A file of corrections."""
    return Call("GET", f"{_at(workspace)}/corrections/{what}", bytes)


def take_corrections(workspace: str, told: Mapping[str, str], revision: int) -> Call[Corrections]:
    """Files of corrections. told: mentions, judgements."""
    return Call("POST", f"{_at(workspace)}/corrections", Corrections, told, headers=_seen(revision))


def _at(workspace: str) -> str:
    return f"{PLACE}/{path_part(workspace)}"


def _file(workspace: str, file_id: str) -> str:
    return f"{_at(workspace)}/files/{path_part(file_id)}"


def _person(workspace: str, person: str) -> str:
    return f"{_at(workspace)}/people/{path_part(person)}"


def _page(after: int) -> dict[str, str]:
    return {"after": str(after), "limit": str(MOST_AT_ONCE)}


def _seen(revision: int) -> dict[str, str]:
    return {"If-Match": f'"{revision}"'}
