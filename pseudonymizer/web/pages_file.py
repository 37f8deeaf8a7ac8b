"""The page of a file of a workspace: its text with mentions, which the reader corrects."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, Parameter
from markupsafe import Markup

from pseudonymizer.desk.answered import KindsInUse
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.correction_answered import (
    Corrections,
    MentionShown,
    PeopleShown,
    PersonShown,
    TextShown,
)
from pseudonymizer.desk.correction_asked import (
    AddWords,
    GiveCommands,
    ListPeople,
    MoveBound,
    ReadText,
    TurnBack,
)
from pseudonymizer.desk.reading import WINDOW, Span
from pseudonymizer.desk.workspace_answered import FileShown, WorkspaceShown
from pseudonymizer.desk.workspace_asked import OfFile, OfWorkspace
from pseudonymizer.policy import Verb
from pseudonymizer.web import words
from pseudonymizer.web.choices import checked
from pseudonymizer.web.forms import Fields, fields_of, form_body, number_of
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
_MOST_PEOPLE: Final = 300  # from whom a person is picked; others are reached on the page of people
_BOUNDS: Final = {
    f"{by}-{side}": (by, side) for by in ("wider", "narrower") for side in ("start", "end")
}  # fmt: skip
_NEVER_ADDED: Final = "LITERAL"


@get(_PLACE, opt=_OPEN, include_in_schema=False)
async def file_page(
    request: _Request, workspace: _Id, file: _Id, text: _Number = 0, start: _Number = 0
) -> Response[str]:
    """A stretch of a text of the file. text: which of its texts, from 0. start: a place in it."""
    return page(request, "file.html", **await _view(request, workspace, file, text, start))


@post(f"{_PLACE}/corrected", opt=_OPEN, guards=[form_body], status_code=200, include_in_schema=False)
async def correct(request: _Request, workspace: _Id, file: _Id) -> Response[Any]:
    """Correct a mention; it is stored at once."""
    fields = await fields_of(request)
    do, told = fields.one("do"), {"workspace": workspace, "revision": number_of(fields.one("revision"), -1)}
    mention = fields.one("mention")
    if do in _BOUNDS:
        by, side = _BOUNDS[do]
        moved = checked({**told, "mention": mention, "by": by, "side": side}, MoveBound)
        return await _given(request, "move-bound", moved, fields, file)
    command = {"do": do, "mention": mention, **_more(fields, do)}
    return await _given(
        request, "give-commands", checked({**told, "commands": [command]}, GiveCommands), fields, file
    )


def _more(fields: Fields, do: str) -> dict[str, Any]:
    """What a command says beside its mention."""
    if do in ("pick", "make"):
        return {"person": fields.one("person")} if do == "pick" else {}
    more: dict[str, Any] = {"everywhere": fields.has("everywhere")}
    return {**more, "kind": fields.one("kind")} if do == "kind" else more


@post(f"{_PLACE}/added", opt=_OPEN, guards=[form_body], status_code=200, include_in_schema=False)
async def add(request: _Request, workspace: _Id, file: _Id) -> Response[Any]:
    """Mark words that were missed: those of the selection, or those that were typed."""
    fields = await fields_of(request)
    selected = fields.one("selected")
    told = {
        "workspace": workspace, "revision": number_of(fields.one("revision"), -1), "file": file,
        "words": selected or fields.one("words").strip(), "kind": fields.one("kind"),
        "document": fields.one("document"), "start": number_of(fields.one("place"), -1) if selected else None,
        "everywhere": fields.has("everywhere"),
    }  # fmt: skip
    return await _given(request, "add-words", checked(told, AddWords), fields, file)


@post(f"{_PLACE}/turned", opt=_OPEN, guards=[form_body], status_code=200, include_in_schema=False)
async def turn_back(request: _Request, workspace: _Id, file: _Id) -> Response[Any]:
    """Take the last correction back, or give it again."""
    fields = await fields_of(request)
    told = {"workspace": workspace, "revision": number_of(fields.one("revision"), -1), "by": fields.one("by")}
    return await _given(request, "turn-back", checked(told, TurnBack), fields, file)


async def _given(
    request: _Request,
    verb: str,
    asked: GiveCommands | AddWords | MoveBound | TurnBack,
    fields: Fields,
    file: str,
) -> Response[Any]:
    """The view as it is now, with what was done."""
    done = await front_of(request).engine.ask(verb, caller_of(request), asked, Corrections)
    text, start = number_of(fields.one("text"), 0), number_of(fields.one("start"), 0)
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
    numbers: dict[str, int] = {}
    mentions = list(_shown(reader, read, looks, numbers))
    asked_people = ListPeople(workspace=workspace, limit=_MOST_PEOPLE)
    people = (await engine.ask("people", caller, asked_people, PeopleShown)).people
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
        "kinds": [one.kind for one in kinds.kinds if one.kind != _NEVER_ADDED],
        "people": list(_choices_of(people, numbers)),
        "done": None, "said": "", "changed": 0,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class PersonChoice:
    """A person to pick. number: in the stretch that is shown; None: it does not name him."""

    person: str
    name: str = field(repr=False)
    count: int
    number: int | None


def _choices_of(people: Iterable[PersonShown], numbers: Mapping[str, int]) -> Iterator[PersonChoice]:
    """The people from whom one is picked: those of the stretch first, by their numbers, then by name."""
    found = [
        PersonChoice(one.person, one.forms[0].text, one.count, numbers.get(one.person)) for one in people
    ]
    yield from sorted(found, key=lambda one: (one.number is None, one.number or 0, one.name.casefold()))


def _shown(reader: Reader, read: TextShown, looks: Any, numbers: dict[str, int]) -> Iterator[Shown]:
    """The mentions of a stretch; persons get numbers in the order in which the stretch names them."""
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


router = Router(
    "/", route_handlers=[file_page, correct, add, turn_back], exception_handlers={Exception: told_in_place}
)
