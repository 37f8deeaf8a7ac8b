"""run: the main job."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pseudonymizer.cli import choosing, file_bounds, grouping, options, tables, treating
from pseudonymizer.cli.choosing import find_inputs
from pseudonymizer.cli.lines import read_jsonl
from pseudonymizer.cli.outcome import unread_in_text
from pseudonymizer.cli.run_report import TEXT_ONLY, TOKENS_FOR_CODES, print_report
from pseudonymizer.cli.saying import say
from pseudonymizer.cli.single_files import pseudonymize_one, single_place

if TYPE_CHECKING:
    from linkage.review import Judgement
    from pseudonymizer.answers import PseudonymizedDocument
    from pseudonymizer.engine.records import GivenMention
    from pseudonymizer.formats import FormatOptions
    from pseudonymizer.project import Project
    from pseudonymizer.project_options import ProjectOptions
    from pseudonymizer.runs.tasks import Machines
    from pseudonymizer.vault.api import VaultApi


_RESTYLE: Final = "--restyle"


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
    prune: Annotated[
        bool,
        typer.Option("--prune", help="Delete outputs whose inputs are not among these, or fail now."),
    ] = False,
    restyle: Annotated[
        bool,
        typer.Option("--restyle", help="Write in another style than before, over outputs too."),
    ] = False,
    keep_unread: Annotated[
        bool,
        typer.Option("--keep-unread", help="Leave in what cannot be read; it is told file by file."),
    ] = False,
    keep_original: Annotated[
        bool,
        typer.Option(
            "--keep-original",
            help="Keep PDF files and pictures sealed in the vault, so that they come back whole.",
        ),
    ] = False,
    group_by: grouping.GroupBy = "",
    include: choosing.Include = None,
    exclude: choosing.Exclude = None,
    follow_links: Annotated[
        bool, typer.Option("--follow-links", help="Follow links that lead out of the inputs, too.")
    ] = False,
    file_memory: file_bounds.Memory = None,
    file_seconds: file_bounds.Seconds = None,
    file_depth: file_bounds.Depth = None,
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
    from pseudonymizer.project import ProjectOptions, RunOptions
    from pseudonymizer.records import Scope
    from pseudonymizer.settings import ProjectSettings

    options.start_logging(log_level)
    told = options.read_settings(settings, language, always=always, never=never)
    linkage = told.linkage
    open_vault = options.vault_opener(vault, key_file, keys, actor)
    given, judged = _given(mentions), _judged(judgements)
    formats = FormatOptions(
        columns=tuple(columns) if columns else None, keep_unread=keep_unread,
        keep_original=keep_original,
        column_kinds=tables.corrected(told.tables, corrections or (), linkage.own.all_kinds).kinds,
        own=linkage.own, group_by=grouping.checked(group_by),
        **file_bounds.limits(told.files, file_memory, file_seconds, file_depth).bounds,
    )  # fmt: skip
    load = options.pipeline_loader(linkage)
    styles = _styles(style, keep or (), mark=mark)
    named = treating.Named(profile, style.value if style else None, KeptPart.IDS in (keep or ()), treat or ())
    chosen = ProjectOptions(
        linkage, told.pseudonyms, Scope(scope), deterministic=deterministic, formats=formats, load=load,
        registered=options.registered_people(linkage), new_project=ProjectSettings.of_new_project(),
        treatments=treating.asked(named, linkage.own.all_kinds).over(told.treatments),
    )  # fmt: skip
    if inputs == [options.STANDARD_STREAM]:
        raw = options.read_standard_input()
        with open_vault() as opened:
            facade = _facade(opened, project, chosen, styles)
            if not restyle:
                facade.refuse_other_style(how=_RESTYLE)
                opened.rollback()
            (document,) = facade.pseudonymize(raw, mentions=given, judgements=judged)
        _write_text(out, document)
        if facade.tokens_for_codes:
            say(TOKENS_FOR_CODES, err=True)
        return
    if out == options.STANDARD_STREAM:
        raise typer.BadParameter(
            "only one text from standard input (INPUT is -) goes to standard output; give a folder: --out DIR"
        )
    if not dry_run and (place := single_place(inputs, out)) is not None:
        if prune or retry_failed or engine is not EngineName.LOCAL:
            raise typer.BadParameter(
                "--prune, --retry-failed and --engine go with an output folder: --out DIR"
            )
        with open_vault() as opened:
            facade = _facade(opened, project, chosen, styles)
            if not restyle:
                facade.refuse_other_style(how=_RESTYLE)
                opened.rollback()
            pseudonymize_one(
                facade, Path(inputs[0]), place, mentions=given, judgements=judged, as_json=as_json
            )
            if facade.tokens_for_codes:
                say(TOKENS_FOR_CODES, err=True)
        return
    output = Path(out)
    sources = find_inputs(inputs, output=output, follow_links=follow_links, name_links=True,
        chosen=choosing.chosen(include, exclude),
    )  # fmt: skip
    with _machines(engine, load, workers, formats) as machines, open_vault() as opened:
        how = RunOptions(
            workers, limit, time_limit, retry_failed=retry_failed,
            dry_run=dry_run, mentions=given, judgements=judged,
            progress=options.progress_display(as_json=as_json), machines=machines, prune=prune,
        )  # fmt: skip
        facade = _facade(opened, project, chosen, styles)
        if not (restyle or dry_run):
            facade.refuse_other_style(output, _RESTYLE)
            opened.rollback()
        report = facade.pseudonymize_files(sources, output, how)
    print_report(report, output, as_json=as_json)
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
    if document.text_only:
        say(TEXT_ONLY.format(1), err=True)


def _facade(
    vault: "VaultApi", project: str, chosen: "ProjectOptions", styles: "Mapping[str, Any]"
) -> "Project":
    """The project. styles: what the command line says of styles, over the table [pseudonyms] of the settings
    file. Without one, a style that is named there stands by itself, with nothing of what the project has, as
    in all versions; `--no-mark` alone stands over what the project has, and changes no style.
    """
    from pseudonymizer.project import Project
    from pseudonymizer.settings import StyleSettings

    if styles:
        base = chosen.styles
        if base is None and "style" not in styles:
            base = Project.open(vault, project, chosen, restyle=True).styles()
        chosen = replace(chosen, styles=StyleSettings.from_mapping(styles, base=base))
    return Project.open(vault, project, chosen, restyle=True)  # this module asks by itself, and of folders


def _styles(style: StyleName | None, keep: "Sequence[KeptPart]", *, mark: bool | None) -> dict[str, Any]:
    """What the command line says of styles, as in the table [pseudonyms]."""
    table: dict[str, Any] = {f"keep_{part.value}": True for part in keep if part is not KeptPart.IDS}
    if style is not None:
        table["style"] = style.value
    if mark is not None:
        table["mark"] = mark
    return table


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
