"""run and restore: the main job and its way back."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import options, tables, treating
from pseudonymizer.cli.lines import json_text, read_jsonl
from pseudonymizer.cli.outcome import label_counts, label_lines, names_lines, unread_in_text, unread_lines
from pseudonymizer.cli.reviewing import not_kept
from pseudonymizer.cli.saying import say

if TYPE_CHECKING:
    from linkage.review import Judgement
    from pseudonymizer.answers import PseudonymizedDocument
    from pseudonymizer.engine.records import GivenMention
    from pseudonymizer.formats import FormatOptions
    from pseudonymizer.runs.edited import LabelCounts
    from pseudonymizer.runs.report import BatchReport
    from pseudonymizer.runs.tasks import Machines
    from pseudonymizer.settings import StyleSettings


class EngineName(StrEnum):
    """Where a run does its work."""

    LOCAL = "local"
    SPARK = "spark"


class ScopeName(StrEnum):
    """How far one pseudonym of a person reaches."""

    PROJECT = "project"
    DOCUMENT = "document"
    OCCURRENCE = "occurrence"


class StyleName(StrEnum):
    """How pseudonyms look."""

    CODE = "code"
    TOKEN = "token"  # noqa: S105  a style, not a secret
    SURROGATE = "surrogate"
    TAG = "tag"
    MASK = "mask"
    INITIALS = "initials"


class KeptPart(StrEnum):
    """What may stay: parts of real names, or with IDS the numbers of files."""

    INITIALS = "initials"
    FAMILY = "family"
    PROFESSIONALS = "professionals"
    DOMAIN = "domain"
    IDS = "ids"


def add_to(app: typer.Typer) -> None:
    app.command()(run)
    app.command()(restore)


def run(
    inputs: options.Inputs,
    *,
    out: options.OutFolder,
    vault: options.VaultUrl,
    project: options.Project,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    scope: Annotated[
        ScopeName, typer.Option(help="How far one pseudonym of a person reaches.")
    ] = ScopeName.PROJECT,
    mentions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Mentions in detect's format, in place of detection.")
    ] = None,
    judgements: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Verdicts of `nymlink review`: who is one person and who is not."),
    ] = None,
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic", help="Pseudonyms computed from full names under a key of the project."
        ),
    ] = False,
    workers: options.WorkerCount = None,
    engine: Annotated[
        EngineName, typer.Option(help="This machine, or Spark: needs nymlink[spark].")
    ] = EngineName.LOCAL,
    limit: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Treat at most N files, the rest later.")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="Stop detection after this time, the rest later."),
    ] = None,
    style: Annotated[
        StyleName | None, typer.Option(help="How pseudonyms look; else as the project's settings say.")
    ] = None,
    profile: treating.Profile = None,
    treat: treating.Treat = None,
    keep: Annotated[
        list[KeptPart] | None,
        typer.Option(
            help="What surrogates, addresses or the text may keep; ids: numbers of files, loans and clients. "
            "May be given several times."
        ),
    ] = None,
    mark: Annotated[
        bool | None,
        typer.Option(
            "--mark/--no-mark", help="Say in the metadata of outputs that they are pseudonymized (default)."
        ),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="NAME", help="Treat only these columns of tables."),
    ] = None,
    corrections: tables.Set = None,
    keep_unread: Annotated[
        bool,
        typer.Option("--keep-unread", help="Leave in what cannot be read; it is told file by file."),
    ] = False,
    follow_links: Annotated[
        bool, typer.Option("--follow-links", help="Follow links that lead out of the inputs, too.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Treat only what has failed before.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Detect and link, write nothing.")] = False,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    always: options.AlwaysLists = None,
    never: options.NeverLists = None,
    actor: options.Actor = None,
    log_level: options.Level = options.LogLevel.WARNING,
    as_json: options.AsJson = False,
) -> None:
    """Pseudonymize files: detect, link, assign, rewrite. Run it again to go on, or to add files."""
    from pseudonymizer.formats import FormatOptions
    from pseudonymizer.project import Project, ProjectOptions, RunOptions
    from pseudonymizer.records import Scope
    from pseudonymizer.settings import ProjectSettings

    options.start_logging(log_level)
    told = options.read_settings(settings, language, always=always, never=never)
    linkage = told.linkage
    open_vault = options.vault_opener(vault, key_file, keys, actor)
    given, judged = _given(mentions), _judged(judgements)
    formats = FormatOptions(
        columns=tuple(columns) if columns else None, keep_unread=keep_unread,
        column_kinds=tables.corrected(told.tables, corrections or (), linkage.own.all_kinds).kinds,
        own=linkage.own,
    )  # fmt: skip
    load = options.pipeline_loader(linkage)
    styles = _styles(told.pseudonyms, style, keep or (), mark=mark)
    named = treating.Named(profile, style.value if style else None, KeptPart.IDS in (keep or ()), treat or ())
    chosen = ProjectOptions(
        linkage, styles, Scope(scope), deterministic=deterministic, formats=formats, load=load,
        registered=options.registered_people(linkage), new_project=ProjectSettings.of_new_project(),
        treatments=treating.asked(named, linkage.own.all_kinds).over(told.treatments),
    )  # fmt: skip
    if inputs == [options.STANDARD_STREAM]:
        raw = options.read_standard_input()
        with open_vault() as opened:
            facade = Project.open(opened, project, chosen)
            (document,) = facade.pseudonymize(raw, mentions=given, judgements=judged)
        _write_text(out, document)
        if facade.tokens_for_codes:
            say(_TOKENS_FOR_CODES, err=True)
        return
    if out == options.STANDARD_STREAM:
        raise typer.BadParameter("only a single text on standard input can go to standard output")
    output = Path(out)
    sources = options.find_inputs(inputs, output=output, follow_links=follow_links, name_links=True)
    with _machines(engine, load, workers, formats) as machines, open_vault() as opened:
        how = RunOptions(
            options.worker_count(workers, sources), limit, time_limit, retry_failed=retry_failed,
            dry_run=dry_run, mentions=given, judgements=judged,
            progress=options.progress_display(as_json=as_json), machines=machines,
        )  # fmt: skip
        report = Project.open(opened, project, chosen).pseudonymize_files(sources, output, how)
    _print_report(report, output, as_json=as_json)
    if report.has_failures:
        raise typer.Exit(options.SOME_FAILED)


@contextmanager
def _machines(
    name: EngineName, load: "Callable[[], Any]", workers: int | None, formats: "FormatOptions"
) -> "Iterator[Machines | None]":
    """Where a run does its work; None is the processes of this machine."""
    if name is EngineName.LOCAL:
        yield None
        return
    try:
        from pseudonymizer.spark.engine import SparkEngine
        from pseudonymizer.spark.session import spark_session
    except ImportError:
        raise typer.BadParameter("--engine spark needs the extra: pip install 'nymlink[spark]'") from None
    with spark_session(None if workers is None else f"local[{workers}]") as spark:
        yield SparkEngine(spark, load, formats)


def _write_text(out: str, document: "PseudonymizedDocument") -> None:
    """The text to standard output, or into a folder as stdin.txt; on standard error what was not read."""
    rewritten = document.checked_content()
    place = out
    if out != options.STANDARD_STREAM:
        Path(out).mkdir(parents=True, exist_ok=True)
        place = str(Path(out) / "stdin.txt")
    options.write_result(place, rewritten, private=False)
    if document.unread_places:
        say(unread_in_text(document.unread_places), err=True)


_ONE_WAY = "places that do not come back, for their treatment has no way back: {:,}"
_OWN_MODE = 0o600  # of originals: for their owner alone
_KEPT_MODE = 0o666  # no more than the outputs have
_TOKENS_FOR_CODES = "deterministic pseudonyms cannot be codes, which count up: tokens were written"


def _styles(
    told: "StyleSettings | None", style: StyleName | None, keep: "Sequence[KeptPart]", *, mark: bool | None
) -> "StyleSettings | None":
    """The table [pseudonyms] of the settings file, then the command line; None: as the project says."""
    from pseudonymizer.settings import StyleSettings

    table: dict[str, Any] = {f"keep_{part.value}": True for part in keep if part is not KeptPart.IDS}
    if style is not None:
        table["style"] = style.value
    if mark is not None:
        table["mark"] = mark
    return StyleSettings.from_mapping(table, base=told) if table else told


def _given(file: Path | None) -> "dict[str, tuple[GivenMention, ...]] | None":
    if file is None:
        return None
    from pseudonymizer.mention_lines import given_mentions

    return given_mentions(read_jsonl(file, "the given mentions"))


def _judged(file: Path | None) -> "tuple[Judgement, ...]":
    if file is None:
        return ()
    from linkage.review import read_judgements

    return read_judgements(file)


def _print_report(report: "BatchReport", output: Path, *, as_json: bool) -> None:
    if as_json:
        say(json_text(report.as_dict()))
        return
    documents = report.documents
    words = [f"{documents['ok']:,} of {documents['all']:,} files done"]
    words += [f"{documents[word]:,} {word}" for word in ("failed", "skipped", "waiting") if documents[word]]
    say(", ".join(words) if documents["all"] else "the inputs hold no files that are to be treated")
    say(
        f"{report.mentions:,} mentions ({report.misspelt:,} misspelt), {report.identities:,} identities, "
        f"{report.open_links:,} open links"
    )
    if report.judgements or report.judgements_unkept:
        say(f"judgements: {report.judgements:,} kept")
    if report.judgements_unkept:
        say(not_kept(report.judgements_unkept))
    if report.tokens_for_codes:
        say(_TOKENS_FOR_CODES)
    replaced = ", ".join(f"{one.replaced:,} {one.kind}" for one in report.kinds if one.replaced)
    if replaced:
        say(f"replaced besides names: {replaced}")
    if report.one_way:
        say(f"replaced without a way back: {report.one_way:,}")
    left = ", ".join(f"{count:,} {kind}" for kind, count in report.identifiers_left_in.items() if count)
    if left:
        say(f"seen and left in: {left}")
    for line in unread_lines(report.unread_files, str(output / ".nymlink" / "report.json")):
        say(line)
    if report.errors:
        say("errors: " + ", ".join(f"{count:,} {name}" for name, count in report.errors.items()))
        records = output / ".nymlink" / "documents.jsonl"
        say(f"which and why: {records}, by id; `nymlink paths` tells which file an id is")
    if not report.dry_run:
        for line in names_lines(report.names_in_folder, str(output / ".nymlink")):
            say(line)
        say(f"report: {output / '.nymlink' / 'report.json'}")
        say("The result is pseudonymized, not anonymous: it is still personal data.")


def restore(
    inputs: options.Inputs,
    *,
    vault: options.VaultUrl,
    project: options.Project,
    purpose: options.Purpose,
    out: options.OutFolder,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    ticket: options.Ticket = "",
    permit: options.Grant = None,
    made_from: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="An output that the text was made from: its invented names and tags come back. May be given "
            "several times.",
        ),
    ] = None,
    confirm_project: Annotated[
        bool,
        typer.Option(
            "--confirm-project",
            help="The text is of this project: its tags come back though another project has the same ones.",
        ),
    ] = False,
    keep_mode: Annotated[
        bool,
        typer.Option("--keep-mode", help="Originals are readable by others where their outputs are."),
    ] = False,
    actor: options.Actor = None,
    log_level: options.Level = options.LogLevel.WARNING,
    as_json: options.AsJson = False,
) -> None:
    """Give the originals of pseudonymized files back, byte for byte. Asks for a purpose, and is audited."""
    from pseudonymizer.project import Project
    from pseudonymizer.records import HowToRestore

    options.start_logging(log_level)
    open_vault = options.vault_opener(vault, key_file, keys, actor)
    origins = [path.read_bytes() for path in made_from or ()]
    if inputs == [options.STANDARD_STREAM]:
        raw = options.read_standard_input()
        with open_vault() as opened:
            restored = Project.open(opened, project).restore_text(
                raw, purpose=purpose, ticket=ticket, grant=permit, made_from=origins,
                is_confirmed=confirm_project,
            )  # fmt: skip
        options.write_result(out, restored.content, private=True)
        if restored.one_way and not as_json:
            say(_ONE_WAY.format(restored.one_way), err=True)
        _tell_labels(restored.labels, as_json=as_json)
        return
    if out == options.STANDARD_STREAM:
        raise typer.BadParameter("only a single text on standard input can go to standard output")
    sources = options.find_inputs(inputs, output=Path(out))
    with open_vault() as opened:
        report = Project.open(opened, project).restore_files(
            sources, Path(out), purpose=purpose, ticket=ticket, grant=permit,
            progress=options.progress_display(as_json=as_json),
            how=HowToRestore(origins, confirm_project, _KEPT_MODE if keep_mode else _OWN_MODE),
        )  # fmt: skip
    if as_json:
        failures = [{"input": f.doc_id, "error": f.error, "reason": f.reason} for f in report.failures]
        told = {
            "files": dict(report.counts), "one_way": report.one_way, **label_counts(report.labels),
            "failures": failures,
        }  # fmt: skip
        say(json_text(told))
    else:
        say(", ".join(f"{count:,} {how}" for how, count in report.counts.items() if count) or "no files")
        if report.one_way:
            say(_ONE_WAY.format(report.one_way))
        for line in label_lines(report.labels):
            say(line)
        for failure in report.failures:
            say(f"{failure.doc_id}: {failure.error}: {failure.reason}", err=True)
    if report.has_failures or report.labels_left:
        raise typer.Exit(options.SOME_FAILED)


def _tell_labels(labels: "LabelCounts", *, as_json: bool) -> None:
    """What was restored and left of an edited text, on standard error; standard output has the text."""
    if as_json:
        say(json_text(label_counts(labels)), err=True)
    else:
        for line in label_lines(labels):
            say(line, err=True)
    if labels.labels_left:
        raise typer.Exit(options.SOME_FAILED)
