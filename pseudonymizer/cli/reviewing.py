"""review: a person looks at mentions and open links before anything is written."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import options, treating
from pseudonymizer.cli.choosing import find_inputs
from pseudonymizer.cli.lines import jsonl, read_jsonl
from pseudonymizer.cli.projects import VaultPlace, opened_project
from pseudonymizer.cli.saying import printable, say

if TYPE_CHECKING:
    from linkage.mention_review import MentionReview, ReviewedMention
    from linkage.review import ReviewSession
    from pseudonymizer.answers import FoundDocument, LinkedDocuments
    from pseudonymizer.project import Project

_MENTION_KEYS = "[c]onfirm, [r]eject, [w]iden, [a]dd here, add [e]verywhere, [s]kip, [u]ndo, [q]uit"
_LINK_KEYS = "[a]ccept, [r]eject, [s]kip, [u]ndo, [q]uit"


def add_to(app: typer.Typer) -> None:
    app.command()(review)


def review(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="INPUT", help="Files or folders; - for a text on standard input."),
    ] = None,
    *,
    run: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="In place of INPUT: the open links that the run into DIR left."),
    ] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="With --run: the vault keeps what the run left no more.")
    ] = False,
    mentions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Look at mentions; written there in detect's format."),
    ] = None,
    judgements: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Look at open links; verdicts are added to this file."),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="Link's lines with the verdicts kept.")
    ] = None,
    sure_from: Annotated[
        float, typer.Option(min=0, max=1.01, metavar="P", help="Show mentions less sure than this.")
    ] = 0.9,
    vault: options.SomeVault = None,
    project: options.SomeProject = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    judge: Annotated[str, typer.Option(metavar="NAME", help="Who judges; kept with each verdict.")] = "",
    profile: treating.Profile = None,
    treat: treating.Treat = None,
    workers: options.WorkerCount = None,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    always: options.AlwaysLists = None,
    never: options.NeverLists = None,
    log_level: options.Level = options.LogLevel.WARNING,
) -> None:
    """Confirm, reject, widen and add mentions; accept and reject open links; then what was found by kind, and
    what a run would leave in. Shows names on the terminal.

    An earlier --mentions or --judgements file is gone on with. `run --mentions FILE` takes the mentions,
    `run --judgements FILE` the verdicts.
    """
    from linkage.review import read_judgements, unkept, write_judgements
    from pseudonymizer.cli.found_kinds import print_found
    from pseudonymizer.finding import running_texts, texts_of
    from pseudonymizer.mention_lines import given_mentions, mention_line

    place = VaultPlace(vault, key_file, keys, actor)
    if run is not None:
        if inputs or mentions is not None or out is not None:
            raise typer.BadParameter(
                "--run looks at what a run left: it goes without INPUT, --mentions and --out"
            )
        options.start_logging(log_level)
        linkage = options.linkage_settings(settings, language, always=always, never=never)
        place, named = _required(place), project or os.environ.get("NYMLINK_PROJECT")
        with opened_project(place, named, linkage) as opened:
            _review_run(opened, run, judgements, judge, forget=forget)
        return
    if forget:
        raise typer.BadParameter("--forget goes with --run DIR")
    if not inputs:
        raise typer.BadParameter("give INPUT, or --run DIR for the open links that a run left")
    if mentions is None and judgements is None:
        raise typer.BadParameter("say what to look at: --mentions FILE, --judgements FILE, or both")
    options.start_logging(log_level)
    options.check_places(mentions, judgements, out)
    sources = find_inputs(inputs)
    count = options.worker_count(workers, sources)
    earlier_lines = (
        read_jsonl(mentions, "the earlier mentions") if mentions is not None and mentions.is_file() else None
    )
    given = None if earlier_lines is None else given_mentions(earlier_lines)
    told = options.read_settings(settings, language, always=always, never=never)
    asked = treating.asked(treating.Named(profile, treat=treat or ()), told.linkage.own.all_kinds)
    with opened_project(
        place, project, told.linkage, styles=told.pseudonyms, treatments=asked.over(told.treatments)
    ) as opened:
        documents = list(opened.find_in(sources, mentions=given, workers=count))
        texts = texts_of(sources, opened.formats)
        if mentions is not None:
            shown = list(running_texts(documents))
            looked_at = _review_mentions(shown, texts, earlier_lines, sure_from)
            lines = _mention_lines(shown, looked_at)
            options.write_result(str(mentions), jsonl(lines), private=True)
            documents = list(opened.find_in(sources, mentions=given_mentions(lines), workers=count))
        earlier = read_judgements(judgements) if judgements is not None and judgements.is_file() else ()
        linked = opened.link(documents, judgements=earlier)
        if judgements is not None:
            session = opened.review(linked, judge=judge)
            _review_links(session, _Surroundings(linked, texts))
            verdicts = (*earlier, *session.judgements)
            write_judgements(judgements, verdicts)
            if session.judgements:
                linked = opened.link(documents, judgements=verdicts)
        print_found(linked, opened.preview(linked.result))
    if broken := unkept(linked.result, linked.judgements):
        say(not_kept(len(broken)))
    say(_kept_where(mentions, judgements))
    if out is not None:
        rows = [mention_line(document, linked.result) for document in linked.documents]
        options.write_result(out, jsonl(rows), private=True)


def _required(place: VaultPlace) -> VaultPlace:
    """The place of the vault, by the environment where the command line names none: a run had one."""
    if (url := place.url or os.environ.get("NYMLINK_VAULT")) is None:
        raise typer.BadParameter("--run needs --vault and --project: what a run left is kept in the vault")
    return replace(place, url=url)


def _review_run(project: "Project", run: Path, judgements: Path | None, judge: str, *, forget: bool) -> None:
    """Go through what a run left, or forget it."""
    from linkage.review import read_judgements, write_judgements

    if forget:
        if judgements is not None:
            raise typer.BadParameter("--forget goes without --judgements")
        count = project.forget(run)
        say(f"open links of {count:,} documents are no longer kept; nothing else was changed")
        return
    if judgements is None:
        raise typer.BadParameter("say where the verdicts go: --judgements FILE; or --forget")
    options.check_places(None, judgements, None)
    earlier = read_judgements(judgements) if judgements.is_file() else ()
    kept = project.kept(run, judgements=earlier)
    if kept.not_kept:
        say(
            f"outputs of which no open links are kept: {kept.not_kept:,}; version 0.1 made them, or their "
            "links were forgotten"
        )
    if kept.pathless:
        say(f"open links left out: {kept.pathless:,}; the path of a document named somebody who was erased")
    session = project.review(kept, judge=judge)
    _review_links(session, _Surroundings(kept.linked, kept.texts))
    write_judgements(judgements, (*earlier, *session.judgements))
    say(_kept_where(None, judgements))


def _kept_where(mentions: Path | None, judgements: Path | None) -> str:
    """The last line of a review: where the answers are, and what takes them."""
    named = [
        option
        for option, file in (("--mentions", mentions), ("--judgements", judgements))
        if file is not None
    ]
    return f"your answers are kept; `nymlink run` with the same {' and '.join(named)} obeys them"


# -- mentions ----------------------------------------------------------------------------------------------


def _review_mentions(
    documents: "Sequence[FoundDocument]",
    texts: dict[str, str],
    earlier: Sequence[dict[str, Any]] | None,
    sure_from: float,
) -> "MentionReview":
    from linkage.mention_review import MentionReview, ReviewedMention

    judged = {
        (line["doc_id"], m["start"], m["end"])
        for line in earlier or ()
        for m in line.get("mentions", ())
        if m.get("judged")
    }
    found = [
        ReviewedMention(
            document.name, m.mention.span, m.mention.surface, m.mention.detector, m.mention.confidence,
            m.mention.typo_of, (document.name, m.mention.span.start, m.mention.span.end) in judged,
        )
        for document in documents
        for m in document.mentions
    ]  # fmt: skip
    session = MentionReview(texts, found, sure_from=sure_from)
    if session.current() is None:
        say(
            "no mention to look at: each has a confidence of --sure-from or more, or was judged before; "
            "--sure-from 1.01 shows all"
        )
    while (mention := session.current()) is not None:
        before, name, after = session.context(mention)
        say(f"\n{session.position + 1} of {len(session)}  {mention.detector} {mention.confidence:.2f}")
        say(f"  {printable(before)}\u27e6{printable(name)}\u27e7{printable(after)}")
        answer = _asked(_MENTION_KEYS)
        if answer == "q":
            return session
        _act_on_mention(session, mention, answer)
    while _add_everywhere(
        session, "a name that was missed, as it stands in any document (Enter alone goes on)"
    ):
        pass
    return session


def _add_everywhere(session: "MentionReview", question: str) -> bool:
    """Ask for a name and mark it wherever it stands; False where none was given."""
    if not (wanted := _asked_name(question)):
        return False
    say(f"  {session.add_everywhere(wanted)} places added")
    return True


def _act_on_mention(session: "MentionReview", mention: "ReviewedMention", answer: str) -> None:
    if answer == "c":
        session.confirm()
    elif answer == "r":
        session.reject()
    elif answer == "s":
        session.skip()
    elif answer == "u":
        if not session.undo():
            say("  nothing to undo")
    elif answer == "w":
        wider = _asked_name("  the whole name as it stands there")
        if wider and not session.widen(wider):
            say("  that does not stand around this mention")
    elif answer == "a":
        if wanted := _asked_name("  the name as it stands in this document"):
            say(f"  {session.add(mention.document, wanted)} places added")
    elif answer == "e":
        _add_everywhere(session, "  the name as it stands in any document")
    else:
        say(f"  one of {_MENTION_KEYS}")


def _mention_lines(documents: "Sequence[FoundDocument]", session: "MentionReview") -> list[dict[str, Any]]:
    from pseudonymizer.mention_lines import mention_line

    by_document: dict[str, list[dict[str, Any]]] = {}
    for m in session.mentions:
        row: dict[str, Any] = {
            "start": m.span.start, "end": m.span.end, "text": m.text, "kind": "PERSON",
            "detector": m.detector.value, "confidence": round(m.confidence, 4),
        }  # fmt: skip
        if m.typo_of is not None:
            row["typo_of"] = m.typo_of
        if m.judged:
            row["judged"] = True
        by_document.setdefault(m.document, []).append(row)
    return [
        mention_line(document)
        if document.failure is not None
        else {"doc_id": document.name, "mentions": by_document.get(document.name, [])}
        for document in documents
    ]


# -- open links --------------------------------------------------------------------------------------------


class _Surroundings:
    """Where a mention stands, with some words around it."""

    def __init__(self, linked: "LinkedDocuments", texts: Mapping[str, str]) -> None:
        self._name_of = {
            m.mention_id: document.name for document in linked.documents for m in document.mentions
        }
        self._texts = texts
        self._result = linked.result

    def of(self, mention_id: Any) -> str:
        mention = self._result.mention(mention_id).mention
        text = self._texts.get(self._name_of[mention_id], "")
        start, end = mention.span.start, mention.span.end
        if text[start:end] != mention.surface:
            return printable(mention.surface)
        line = f"{text[max(0, start - 40) : start]}\u27e6{text[start:end]}\u27e7{text[end : end + 40]}"
        return printable(line.replace("\n", " "))


def _review_links(session: "ReviewSession", around: _Surroundings) -> None:
    if session.current() is None:
        say("no open links to judge")
    while (item := session.current()) is not None:
        link = item.link
        say(f"\n{session.position + 1} of {len(session)}  probability {link.match_probability:.2f}"
                   f"{'  ' + link.variant if link.variant else ''}")  # fmt: skip
        say(f"  {around.of(link.pair.left)}\n  {around.of(link.pair.right)}")
        if item.accepted_before:
            say("  accepted before, and not kept: something holds the two apart; reject it, or what does")
        answer = _asked(_LINK_KEYS)
        if answer == "q":
            break
        if answer == "a":
            session.accept(datetime.now(UTC))
        elif answer == "r":
            session.reject(datetime.now(UTC))
        elif answer == "s":
            session.skip()
        elif answer == "u":
            if not session.undo():
                say("  nothing to undo")
        else:
            say(f"  one of {_LINK_KEYS}")
    if session.settled:
        say(f"not asked, since other answers settle them: {session.settled:,}")


def not_kept(count: int) -> str:
    """What the command says of judgements that could not be kept."""
    return (
        f"judgements not kept: {count:,}. What they accept would join people whom a rejection, an id, a "
        "birth date, the text or the names hold apart; `nymlink review` asks again"
    )


def _asked_name(question: str) -> str:
    """What was typed; nothing at the end of the input, which loses no answer that was given before."""
    try:
        return str(typer.prompt(question, default="", show_default=False))
    except typer.Abort:
        return ""


def _asked(keys: str) -> str:
    """The first letter of the answer; the end of the input is as good as quit."""
    try:
        return str(typer.prompt(keys, default="s", show_default=False)).strip().lower()[:1]
    except typer.Abort:
        return "q"
