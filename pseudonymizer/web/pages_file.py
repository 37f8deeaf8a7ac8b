"""The page of a file of a workspace: its text with mentions, which the reader confirms or rejects."""

import asyncio
from collections.abc import Iterator
from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, Parameter
from markupsafe import Markup

from pseudonymizer.desk.answered import KindsInUse
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.correction_answered import Corrections, MentionShown, TextShown
from pseudonymizer.desk.correction_asked import GiveCommands, ReadText, TurnBack
from pseudonymizer.desk.reading import WINDOW, Span
from pseudonymizer.desk.workspace_answered import FileShown, WorkspaceShown
from pseudonymizer.desk.workspace_asked import OfFile, OfWorkspace
from pseudonymizer.policy import Verb
from pseudonymizer.web import words
from pseudonymizer.web.choices import checked
from pseudonymizer.web.forms import Fields, fields_of, form_body
from pseudonymizer.web.frame import Reader, is_fragment, page, reader_of
from pseudonymizer.web.guards import needs
from pseudonymizer.web.languages import marked as _
from pseudonymizer.web.page_words import Legend, kind_told, looks_of
from pseudonymizer.web.pages_workspaces import told_in_place
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.reading import Look, Shown, reading_view

_Request = Request[Any, Any, Any]
_Id = FromPath[str]
_Number = Annotated[int, Parameter(ge=0, le=2**31)]
_OPEN: Final = needs(Verb.PSEUDONYMIZE)
_PLACE: Final = "/workspaces/{workspace:str}/files/{file:str}"
_UNKNOWN: Final = Look("?", 11, 4)
_JUDGED: Final = "\u2713"


@get(_PLACE, opt=_OPEN, include_in_schema=False)
async def file_page(
    request: _Request, workspace: _Id, file: _Id, text: _Number = 0, start: _Number = 0
) -> Response[str]:
    """A stretch of a text of the file. text: which of its texts, from 0. start: a place in it."""
    return page(request, "file.html", **await _view(request, workspace, file, text, start))


@post(f"{_PLACE}/corrected", opt=_OPEN, guards=[form_body], status_code=200, include_in_schema=False)
async def correct(request: _Request, workspace: _Id, file: _Id) -> Response[Any]:
    """Confirm or reject a mention, here or everywhere; it is stored at once."""
    fields = await fields_of(request)
    command = {
        "do": fields.one("do"), "mention": fields.one("mention"), "everywhere": fields.has("everywhere"),
    }  # fmt: skip
    told = {"workspace": workspace, "revision": _number(fields, "revision"), "commands": [command]}
    return await _given(request, "give-commands", checked(told, GiveCommands), fields, file)


@post(f"{_PLACE}/turned", opt=_OPEN, guards=[form_body], status_code=200, include_in_schema=False)
async def turn_back(request: _Request, workspace: _Id, file: _Id) -> Response[Any]:
    """Take the last correction back, or give it again."""
    fields = await fields_of(request)
    told = {"workspace": workspace, "revision": _number(fields, "revision"), "by": fields.one("by")}
    return await _given(request, "turn-back", checked(told, TurnBack), fields, file)


async def _given(
    request: _Request, verb: str, asked: GiveCommands | TurnBack, fields: Fields, file: str
) -> Response[Any]:
    """The view as it is now, with what was done."""
    done = await front_of(request).engine.ask(verb, caller_of(request), asked, Corrections)
    text, start = _place(fields, "text"), _place(fields, "start")
    if not is_fragment(request):
        place = f"/workspaces/{asked.workspace}/files/{file}?text={text}&start={start}"
        return Response(None, status_code=303, headers={"Location": place})
    values = await _view(request, asked.workspace, file, text, start)
    said = _("Taken back.") if fields.one("by") == "undo" else _("Done again.")
    return page(
        request, "file_view.html",
        **{**values, "done": done, "said": said, "changed": sum(done.changed)},
    )  # fmt: skip


async def _view(request: _Request, workspace: str, file: str, number: int, start: int) -> dict[str, Any]:
    """What the templates of a file show."""
    engine, caller, reader = front_of(request).engine, caller_of(request), reader_of(request)
    shown = await engine.ask("workspace", caller, OfWorkspace(workspace=workspace), WorkspaceShown)
    told = await engine.ask("file", caller, OfFile(workspace=workspace, file=file), FileShown)
    kinds = await engine.ask("kinds", caller, OfProject(project=shown.project), KindsInUse)
    asked = ReadText(workspace=workspace, file=file, start=start, letters=WINDOW)
    read = await engine.ask("read-text", caller, asked, TextShown)
    if 0 < number < len(read.documents):
        asked = ReadText(
            workspace=workspace, file=file, document=read.documents[number], start=start, letters=WINDOW
        )
        read = await engine.ask("read-text", caller, asked, TextShown)
    looks = looks_of(kinds)
    mentions = list(_shown(reader, read, looks))
    view = await asyncio.to_thread(reading_view, read.text, mentions)
    behind = read.start + len(read.text)
    return {
        "workspace": shown, "file": told, "read": read, "number": number,
        "view": Markup(view),  # noqa: S704  escaped by desk.drawing
        "mentions": len(mentions), "unjudged": sum(not one.judged for one in read.mentions),
        "before": None if read.start == 0 else max(0, read.start - WINDOW),
        "behind": behind if behind < read.letters else None,
        "legend": [
            Legend(kind, looks[kind], count)
            for kind in looks
            if (count := sum(one.kind == kind for one in read.mentions))
        ],
        "done": None, "said": "", "changed": 0,
    }  # fmt: skip


def _shown(reader: Reader, read: TextShown, looks: Any) -> Iterator[Shown]:
    """The mentions of a stretch; persons have numbers in the order in which the stretch names them."""
    numbers: dict[str, int] = {}
    for one in read.mentions:
        look = looks.get(one.kind, _UNKNOWN)
        number = None if one.person is None else numbers.setdefault(one.person, len(numbers) + 1)
        begin, end = max(0, one.start - read.start), min(len(read.text), one.end - read.start)
        tag = f"{look.letter}{number or ''}{_JUDGED if one.judged else ''}"
        key = one.mention if one.person is None else one.person
        told = ", ".join(_told(reader, one, number))
        yield Shown(Span(begin, end), key, one.kind, look, tag, told, one.mention)


def _told(reader: Reader, one: MentionShown, number: int | None) -> Iterator[str]:
    yield one.text
    yield kind_told(reader, one.kind) + ("" if number is None else f" {number}")
    if one.judged:
        yield reader.says(_("a person has looked at it"))
    elif one.detector in words.DETECTORS:
        yield f"{reader.says(words.DETECTORS[one.detector])} ({reader.percent(one.confidence)})"


def _number(fields: Fields, name: str) -> int | str:
    """A whole number of a field; what is none stays, and is refused where it is checked."""
    told = fields.one(name)
    return int(told) if told.isascii() and told.isdigit() and len(told) < 16 else told


def _place(fields: Fields, name: str) -> int:
    """A whole number of a field; 0 where it is none."""
    told = _number(fields, name)
    return told if isinstance(told, int) else 0


router = Router(
    "/", route_handlers=[file_page, correct, turn_back], exception_handlers={Exception: told_in_place}
)
