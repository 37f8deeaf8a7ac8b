"""The page /text: a text gets pseudonyms, and an answer to it gets its names back."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.params import Parameter
from markupsafe import Markup

from pseudonymizer.desk.answered import (
    KindsInUse,
    ProjectsShown,
    RestoredTexts,
    WrittenText,
    WrittenTexts,
)
from pseudonymizer.desk.asked import OfProject, PseudonymizeTexts, RestoreTexts
from pseudonymizer.desk.reading import Span
from pseudonymizer.policy import Verb
from pseudonymizer.web import page_problems, words
from pseudonymizer.web.choices import checked, choices, offered, treated
from pseudonymizer.web.forms import fields_of, form_body
from pseudonymizer.web.frame import Reader, page, reader_of
from pseudonymizer.web.guards import needs
from pseudonymizer.web.languages import marked as _
from pseudonymizer.web.page_words import Legend, looks_of, mention_told, place_told
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.reading import Look, Shown, reading_view

_Request = Request[Any, Any, Any]
_ProjectName = Annotated[str | None, Parameter(max_length=200)]
_PERSON: Final = "PERSON"
_FILE: Final = "FILE"  # names of files: a pasted text has none
_UNKNOWN: Final = Look("?", 11, 4)
_MALFORMED: Final = Look("!", 1, 1)


@get("/text", opt=needs(Verb.PSEUDONYMIZE, Verb.RESTORE), include_in_schema=False)
async def text_page(request: _Request, project: _ProjectName = None) -> Response[str]:
    """Two boxes: one for a text, one for an answer."""
    engine, caller = front_of(request).engine, caller_of(request)
    known = await engine.ask("projects", caller, OfProject(), ProjectsShown)
    name = project or next((one.project for one in known.projects), None)
    kinds = await engine.ask("kinds", caller, OfProject(project=name), KindsInUse)
    return page(
        request, "text.html", projects=[one.project for one in known.projects], project=name,
        looks=looks_of(kinds), **await choices(request, offered(kinds, without=_FILE)),
    )  # fmt: skip


@post(
    "/text/pseudonymized", opt=needs(Verb.PSEUDONYMIZE), guards=[form_body], status_code=200,
    include_in_schema=False,
)  # fmt: skip
async def pseudonymized(request: _Request) -> Response[str]:
    """The text with its mentions, and the text that was written, side by side."""
    engine, caller = front_of(request).engine, caller_of(request)
    fields, reader = await fields_of(request), reader_of(request)
    project, text = fields.one("project") or None, fields.one("text")
    if not text.strip():
        return page(request, "text_empty.html", what=_("Paste a text first."))
    kinds = await engine.ask("kinds", caller, OfProject(project=project), KindsInUse)
    asked = checked(
        {
            "texts": [{"text": text}], "project": project,
            **treated(fields, offered(kinds, without=_FILE)),
        },
        PseudonymizeTexts,
    )  # fmt: skip
    answer = await engine.ask("pseudonymize", caller, asked, WrittenTexts)
    values = await asyncio.to_thread(_drawn, reader, text, answer.texts[0], kinds)
    return page(request, "text_written.html", **values)


@post("/text/restored", opt=needs(Verb.RESTORE), guards=[form_body], status_code=200, include_in_schema=False)
async def restored(request: _Request) -> Response[str]:
    """The answer with names in place of pseudonyms, and which of them were left."""
    engine, caller = front_of(request).engine, caller_of(request)
    fields, reader = await fields_of(request), reader_of(request)
    text, made_from = fields.one("answer"), fields.one("made_from")
    if not text.strip():
        return page(request, "text_empty.html", what=_("Paste an answer first."))
    asked = checked(
        {
            "texts": [{"text": text}], "project": fields.one("project") or None,
            "purpose": fields.one("purpose").strip(), "ticket": fields.one("ticket").strip(),
            "grant": fields.one("grant").strip() or None, "made_from": [made_from] if made_from else [],
            "confirm_project": fields.has("confirm"),
        },
        RestoreTexts,
    )  # fmt: skip
    answer = await engine.ask("restore", caller, asked, RestoredTexts)
    one = answer.texts[0]
    shown = one.text or ""
    places = _left_labels(shown, one.unknown, one.malformed, reader)
    view = Markup(await asyncio.to_thread(reading_view, shown, places))  # noqa: S704  escaped by desk.drawing
    how = words.HOW.get(one.how, one.how)
    return page(request, "text_restored.html", one=one, how=how, view=view)


def _drawn(reader: Reader, text: str, one: WrittenText, kinds: KindsInUse) -> dict[str, Any]:
    """What the template of a written text shows."""
    looks = looks_of(kinds)
    before, after = list[Shown](), list[Shown]()
    new = one.text or ""
    for number, mention in enumerate(one.mentions):
        look = looks.get(mention.kind, _UNKNOWN)
        tag = look.letter if mention.person is None else f"{look.letter}{mention.person}"
        key = f"{number}" if mention.person is None else f"p{mention.person}"
        told = mention_told(reader, text[mention.start : mention.end], mention)
        before.append(Shown(Span(mention.start, mention.end), key, mention.kind, look, tag, told))
        if mention.new_start is not None and mention.new_end is not None:
            told = place_told(reader, new[mention.new_start : mention.new_end], mention)
            place = Span(mention.new_start, mention.new_end)
            after.append(Shown(place, key, mention.kind, look, tag, told))
    counts = Counter(mention.kind for mention in one.mentions)
    return {
        "before": Markup(reading_view(text, before)),  # noqa: S704  escaped by desk.drawing
        "after": Markup(reading_view(new, after)),  # noqa: S704  escaped by desk.drawing
        "legend": [Legend(kind, looks[kind], counts[kind]) for kind in looks if counts[kind]],
        "mentions": len(one.mentions),
        "persons": len({m.person for m in one.mentions if m.person is not None}),
        "values": sum(count for kind, count in counts.items() if kind != _PERSON),
        "left_in": {kind: count for kind, count in one.left_in.items() if count},
        "open_links": one.open_links,
    }  # fmt: skip


def _left_labels(text: str, unknown: Sequence[str], malformed: Sequence[str], reader: Reader) -> list[Shown]:
    """Where the labels stand that were left. Of two that overlap, the longer one is shown."""
    found: list[Shown] = []
    taken: list[Span] = []
    both = [(label, _UNKNOWN, _("not known in this project")) for label in unknown]
    both += [(label, _MALFORMED, _("not written as it was given")) for label in malformed]
    for label, look, what in sorted(both, key=lambda one: -len(one[0])):
        at = text.find(label) if label else -1
        while at >= 0:
            span = Span(at, at + len(label))
            if not any(span.overlaps(other) for other in taken):
                taken.append(span)
                told = f"{label}, {reader.says(what)}"
                found.append(Shown(span, f"l{len(found)}", "LEFT", look, look.letter, told))
            at = text.find(label, at + len(label))
    return sorted(found, key=lambda one: one.span)


router = Router(
    "/", route_handlers=[text_page, pseudonymized, restored],
    exception_handlers={Exception: page_problems.answer},
)  # fmt: skip
