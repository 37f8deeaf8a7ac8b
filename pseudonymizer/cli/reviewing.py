"""review: a person looks at mentions and open links before anything is written."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.lines import jsonl, read_jsonl

if TYPE_CHECKING:
    from linkage.mention_review import MentionReview, ReviewedMention
    from linkage.records import LinkageResult, MentionId
    from linkage.review import MentionPlace, ReviewSession
    from pseudonymizer.batch.collecting import CollectedDocument

_MENTION_KEYS = "[c]onfirm, [r]eject, [w]iden, [a]dd here, add [e]verywhere, [s]kip, [u]ndo, [q]uit"
_LINK_KEYS = "[a]ccept, [r]eject, [s]kip, [u]ndo, [q]uit"


def add_to(app: typer.Typer) -> None:
    app.command()(review)


def review(
    inputs: options.Inputs,
    *,
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
    judge: Annotated[str, typer.Option(metavar="NAME", help="Who judges; kept with each verdict.")] = "",
    workers: options.WorkerCount = None,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    log_level: options.Level = options.LogLevel.WARNING,
) -> None:
    """Confirm, reject, widen and add mentions; accept and reject open links. Shows names on the terminal.

    An earlier --mentions or --judgements file is gone on with. `run --mentions FILE` takes the mentions,
    `run --judgements FILE` the verdicts.
    """
    from linkage.review import ReviewSession, at_places, read_judgements, unkept, write_judgements
    from pseudonymizer.batch.collecting import collect, given_mentions, mention_line, readable_texts

    if mentions is None and judgements is None:
        raise typer.BadParameter("say what to look at: --mentions FILE, --judgements FILE, or both")
    options.start_logging(log_level)
    options.check_places(mentions, judgements, out)
    linkage = options.linkage_settings(settings, language)
    load = options.pipeline_loader(linkage)
    sources = options.find_inputs(inputs)
    earlier_lines = (
        read_jsonl(mentions, "the earlier mentions") if mentions is not None and mentions.is_file() else None
    )
    given = None if earlier_lines is None else given_mentions(earlier_lines)
    count = options.worker_count(workers, sources)
    documents = list(collect(sources, load=load, workers=count, given=given))
    texts = readable_texts(sources)
    if mentions is not None:
        looked_at = _review_mentions(documents, texts, earlier_lines, sure_from)
        lines = _mention_lines(documents, looked_at)
        options.write_result(str(mentions), jsonl(lines), private=True)
        documents = list(collect(sources, load=load, workers=count, given=given_mentions(lines)))
    if judgements is None and out is None:
        return
    linker: Any = load().linker
    known = options.registered_people(linkage)
    earlier = read_judgements(judgements) if judgements is not None and judgements.is_file() else ()
    everything = [m for document in documents for m in document.mentions]
    place_of = _places(documents)
    mention_at = {place_of[m.mention.mention_id]: m.mention for m in everything}
    verdicts = earlier
    if judgements is not None:
        here = at_places(earlier, mention_at)
        result = linker.link(everything, known=known, judgements=here)
        session = ReviewSession(result, here, judge=judge, place_of=place_of.__getitem__)
        _review_links(session, _Surroundings(documents, texts, result))
        verdicts = (*earlier, *session.judgements)
        write_judgements(judgements, verdicts)
    here = at_places(verdicts, mention_at)
    if here:
        result = linker.link(everything, known=known, judgements=here)
        if broken := unkept(result, here):
            typer.echo(not_kept(len(broken)))
    elif out is not None:
        result = linker.link(everything, known=known)
    if out is not None:
        options.write_result(out, jsonl([mention_line(d, result) for d in documents]), private=True)


# -- mentions ----------------------------------------------------------------------------------------------


def _review_mentions(
    documents: "Sequence[CollectedDocument]",
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
        typer.echo("no mention to look at: all are surer, or were judged before; --sure-from 1.01 shows all")
    while (mention := session.current()) is not None:
        before, name, after = session.context(mention)
        typer.echo(f"\n{session.position + 1} of {len(session)}  {mention.detector} {mention.confidence:.2f}")
        typer.echo(f"  {before}\u27e6{name}\u27e7{after}")
        answer = _asked(_MENTION_KEYS)
        if answer == "q":
            return session
        _act_on_mention(session, mention, answer)
    while _add_everywhere(session, "a name that was missed, in any document; nothing ends"):
        pass
    return session


def _add_everywhere(session: "MentionReview", question: str) -> bool:
    """Ask for a name and mark it wherever it stands; False where none was given."""
    if not (wanted := _asked_name(question)):
        return False
    typer.echo(f"  {session.add_everywhere(wanted)} places added")
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
            typer.echo("  nothing to undo")
    elif answer == "w":
        wider = _asked_name("  the whole name as it stands there")
        if wider and not session.widen(wider):
            typer.echo("  that does not stand around this mention")
    elif answer == "a":
        if wanted := _asked_name("  the name as it stands in this document"):
            typer.echo(f"  {session.add(mention.document, wanted)} places added")
    elif answer == "e":
        _add_everywhere(session, "  the name as it stands in any document")
    else:
        typer.echo(f"  one of {_MENTION_KEYS}")


def _mention_lines(
    documents: "Sequence[CollectedDocument]", session: "MentionReview"
) -> list[dict[str, Any]]:
    from pseudonymizer.batch.collecting import mention_line

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


def _places(documents: "Sequence[CollectedDocument]") -> "dict[MentionId, MentionPlace]":
    from linkage.review import MentionPlace

    return {
        m.mention.mention_id: MentionPlace(document.name, m.mention.span.start, m.mention.span.end)
        for document in documents
        for m in document.mentions
    }


class _Surroundings:
    """Where a mention stands, with some words around it."""

    def __init__(
        self, documents: "Sequence[CollectedDocument]", texts: dict[str, str], result: "LinkageResult"
    ) -> None:
        self._name_of = {m.mention_id: document.name for document in documents for m in document.mentions}
        self._texts = texts
        self._result = result

    def of(self, mention_id: Any) -> str:
        mention = self._result.mention(mention_id).mention
        text = self._texts.get(self._name_of[mention_id], "")
        start, end = mention.span.start, mention.span.end
        if text[start:end] != mention.surface:
            return mention.surface
        line = f"{text[max(0, start - 40) : start]}\u27e6{text[start:end]}\u27e7{text[end : end + 40]}"
        return line.replace("\n", " ")


def _review_links(session: "ReviewSession", around: _Surroundings) -> None:
    if session.current() is None:
        typer.echo("no open links to judge")
    while (item := session.current()) is not None:
        link = item.link
        typer.echo(f"\n{session.position + 1} of {len(session)}  probability {link.match_probability:.2f}"
                   f"{'  ' + link.variant if link.variant else ''}")  # fmt: skip
        typer.echo(f"  {around.of(link.pair.left)}\n  {around.of(link.pair.right)}")
        if item.accepted_before:
            typer.echo(
                "  accepted before, and not kept: something holds the two apart; reject it, or what does"
            )
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
                typer.echo("  nothing to undo")
        else:
            typer.echo(f"  one of {_LINK_KEYS}")
    if session.settled:
        typer.echo(f"not asked, since other answers settle them: {session.settled:,}")


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
