"""/api/v1/workspaces: what was found, and corrections of it. Each change names the revision that it is about.

The revision is the ETag of a workspace: whoever changes something sends it as If-Match, and gets 412 where
somebody else was quicker.
"""

import re
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Request, Response, Router, get, patch, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, JSONBody, Parameter

from pseudonymizer.desk.asked import LONGEST_TEXT
from pseudonymizer.desk.commands import Command, Judge, Merge, Split
from pseudonymizer.desk.correction_answered import (
    CorrectionFile,
    Corrections,
    MentionsShown,
    PeopleShown,
    QuestionsShown,
    TextShown,
)
from pseudonymizer.desk.correction_asked import (
    MOST_LETTERS,
    Commands,
    CorrectionAsked,
    GetCorrections,
    GiveCommands,
    Lines,
    ListMentions,
    ListPeople,
    OpenQuestions,
    ReadText,
    TakeCorrections,
    TurnBack,
)
from pseudonymizer.desk.workspace_asked import MOST_LISTED
from pseudonymizer.policy import Verb
from pseudonymizer.web import problems
from pseudonymizer.web.api_workspaces import etag
from pseudonymizer.web.guards import json_body, needs
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]
_Id = FromPath[str]
_OPEN = needs(Verb.PSEUDONYMIZE)
_ETAG: Final = re.compile(r'"(\d{1,15})"')
_After = Annotated[int, Parameter(ge=0, le=2**31, description="How many to pass by.")]
_Limit = Annotated[int, Parameter(ge=1, le=MOST_LISTED)]
_SureFrom = Annotated[float, Parameter(ge=0, le=1, description="Mentions that are less sure are asked.")]
_IfMatch = Annotated[str, HeaderParameter(name="If-Match", description="The ETag of the workspace.")]
_What = Literal["mentions", "judgements"]
_By = Literal["undo", "redo"]
_ShortId = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_FILE: Final = {
    200: ResponseSpec(data_container=bytes, media_type="application/x-ndjson", description="Lines of JSON.")
}


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    def __repr__(self) -> str:
        """The kind of the body: its fields may hold names."""
        return f"{type(self).__name__}()"


class GivenCommands(_Body, frozen=True):
    """Commands, all of which are given, or none."""

    commands: Commands


class GivenVerdict(_Body, frozen=True):
    """Whether the persons of two mentions are one."""

    left: _ShortId
    right: _ShortId
    verdict: Literal["accept", "reject"]


class MergedWith(_Body, frozen=True):
    """Another person, who is the same."""

    person: _ShortId


class SplitOff(_Body, frozen=True):
    """Mentions of a person that mean another one, all of them the same."""

    mentions: Annotated[tuple[_ShortId, ...], msgspec.Meta(min_length=1, max_length=10_000)]


class Stretch(_Body, frozen=True):
    """A stretch of a text of a file; see ReadText."""

    document: Annotated[str, msgspec.Meta(max_length=2_000)] | None = None
    start: Annotated[int, msgspec.Meta(ge=0, le=100 * LONGEST_TEXT)] = 0
    letters: Annotated[int, msgspec.Meta(ge=1, le=MOST_LETTERS)] = MOST_LETTERS


class GivenCorrections(_Body, frozen=True):
    """Lines of files of the command line; see TakeCorrections."""

    mentions: Lines = ""
    judgements: Lines = ""


@get("/{workspace:str}/files/{file:str}/mentions", opt=_OPEN)
async def mentions(
    request: _Request, workspace: _Id, file: _Id, after: _After = 0, limit: _Limit = MOST_LISTED
) -> Response[MentionsShown]:
    """Mentions of a file, as they are corrected."""
    asked = ListMentions(workspace=workspace, file=file, after=after, limit=limit)
    return await _read(request, "mentions", asked, MentionsShown)


@post("/{workspace:str}/files/{file:str}/text", status_code=200, opt=_OPEN, guards=[json_body])
async def text(request: _Request, workspace: _Id, file: _Id, data: JSONBody[Stretch]) -> Response[TextShown]:
    """A stretch of a text of a file, as it was read, with its mentions."""
    asked = ReadText(
        workspace=workspace, file=file, document=data.document, start=data.start, letters=data.letters
    )
    return await _read(request, "read-text", asked, TextShown)


@get("/{workspace:str}/people", opt=_OPEN)
async def people(
    request: _Request, workspace: _Id, after: _After = 0, limit: _Limit = MOST_LISTED
) -> Response[PeopleShown]:
    """The people whom the files name, with their forms; those with most open links first."""
    asked = ListPeople(workspace=workspace, after=after, limit=limit)
    return await _read(request, "people", asked, PeopleShown)


@get("/{workspace:str}/questions", opt=_OPEN)
async def questions(
    request: _Request, workspace: _Id, sure_from: _SureFrom = 0.9, limit: _Limit = MOST_LISTED
) -> Response[QuestionsShown]:
    """What nobody has looked at: unsure mentions, then links between two persons who may be one."""
    asked = OpenQuestions(workspace=workspace, sure_from=sure_from, limit=limit)
    return await _read(request, "open-questions", asked, QuestionsShown)


@patch("/{workspace:str}/mentions", opt=_OPEN, guards=[json_body])
async def correct(
    request: _Request, workspace: _Id, data: JSONBody[GivenCommands], if_match: _IfMatch = ""
) -> Response[Corrections]:
    """Correct mentions and people by commands; they are stored at once."""
    return await _given(request, workspace, if_match, data.commands)


@post("/{workspace:str}/verdicts", status_code=200, opt=_OPEN, guards=[json_body])
async def judge(
    request: _Request, workspace: _Id, data: JSONBody[GivenVerdict], if_match: _IfMatch = ""
) -> Response[Corrections]:
    """Say whether the persons of two mentions are one."""
    return await _given(request, workspace, if_match, (Judge(data.left, data.right, data.verdict),))


@post("/{workspace:str}/people/{person:str}/merge", status_code=200, opt=_OPEN, guards=[json_body])
async def merge(
    request: _Request, workspace: _Id, person: _Id, data: JSONBody[MergedWith], if_match: _IfMatch = ""
) -> Response[Corrections]:
    """Say that another person is this one."""
    return await _given(request, workspace, if_match, (Merge(_checked(person), data.person),))


@post("/{workspace:str}/people/{person:str}/split", status_code=200, opt=_OPEN, guards=[json_body])
async def split(
    request: _Request, workspace: _Id, person: _Id, data: JSONBody[SplitOff], if_match: _IfMatch = ""
) -> Response[Corrections]:
    """Say that mentions of this person mean another one."""
    _checked(person)
    return await _given(request, workspace, if_match, (Split(data.mentions),))


@post("/{workspace:str}/corrections/{by:str}", status_code=200, opt=_OPEN)
async def turn_back(
    request: _Request, workspace: _Id, by: FromPath[_By], if_match: _IfMatch = ""
) -> Response[Corrections]:
    """Take the last command back (undo), or give it again (redo)."""
    asked = TurnBack(workspace=workspace, revision=_revision(if_match), by=by)
    return await _read(request, "turn-back", asked, Corrections)


@post("/{workspace:str}/corrections", status_code=200, opt=_OPEN, guards=[json_body])
async def take(
    request: _Request, workspace: _Id, data: JSONBody[GivenCorrections], if_match: _IfMatch = ""
) -> Response[Corrections]:
    """Take corrections from files of `nymlink review`; they hold from the next analysis on."""
    asked = TakeCorrections(
        workspace=workspace, revision=_revision(if_match), mentions=data.mentions, judgements=data.judgements
    )
    return await _read(request, "take-corrections", asked, Corrections)


@get("/{workspace:str}/corrections/{what:str}", opt=_OPEN, responses=_FILE)
async def give(request: _Request, workspace: _Id, what: FromPath[_What]) -> Response[bytes]:
    """Corrections as a file that `nymlink run --mentions` or `--judgements` reads."""
    asked = GetCorrections(workspace=workspace, what=what)
    found = await front_of(request).engine.ask("corrections", caller_of(request), asked, CorrectionFile)
    return Response(
        found.content, media_type="application/x-ndjson",
        headers={
            "Content-Disposition": f'attachment; filename="{what}.jsonl"',
            "Content-Security-Policy": "sandbox; default-src 'none'",
        },
    )  # fmt: skip


def _checked(person: str) -> str:
    if len(person) > 200:
        raise ProblemError(problems.NOT_FOUND)
    return person


def _revision(if_match: str) -> int:
    """The revision of If-Match.

    Raises:
        ProblemError: it is missing, or no revision.
    """
    found = _ETAG.fullmatch(if_match.strip())
    if found is None:
        raise ProblemError(problems.NO_REVISION)
    return int(found[1])


async def _given(
    request: _Request, workspace: str, if_match: str, commands: tuple[Command, ...]
) -> Response[Corrections]:
    asked = GiveCommands(workspace=workspace, revision=_revision(if_match), commands=commands)
    return await _read(request, "give-commands", asked, Corrections)


async def _read(request: _Request, verb: str, asked: CorrectionAsked, given: Any) -> Response[Any]:
    """The answer of a verb, with the revision as ETag."""
    found = await front_of(request).engine.ask(verb, caller_of(request), asked, given)
    return Response(found, headers={"ETag": etag(found.revision)})


router = Router(
    "/api/v1/workspaces",
    route_handlers=[
        mentions, text, people, questions, correct, judge, merge, split, turn_back, take, give,
    ],
)  # fmt: skip
