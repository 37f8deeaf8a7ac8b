"""run and restore: the main job and its way back."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.lines import json_text, read_jsonl
from pseudonymizer.cli.outcome import unread_in_text, unread_lines
from pseudonymizer.cli.reviewing import not_kept

if TYPE_CHECKING:
    from linkage.review import Judgement
    from pseudonymizer.batch.report import BatchReport
    from pseudonymizer.batch.tasks import Machines
    from pseudonymizer.engine.records import GivenMention
    from pseudonymizer.formats import FormatOptions
    from pseudonymizer.project import ProjectOptions
    from pseudonymizer.settings import StyleSettings
    from pseudonymizer.vault.api import VaultApi


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

    TOKEN = "token"  # noqa: S105  a style, not a secret
    SURROGATE = "surrogate"
    TAG = "tag"
    MASK = "mask"
    INITIALS = "initials"


class KeptPart(StrEnum):
    """What may stay of real names."""

    INITIALS = "initials"
    FAMILY = "family"
    PROFESSIONALS = "professionals"
    DOMAIN = "domain"


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
    keep: Annotated[
        list[KeptPart] | None,
        typer.Option(help="What surrogates, addresses or the text may keep; may be given several times."),
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
    keep_unread: Annotated[
        bool,
        typer.Option("--keep-unread", help="Leave in what cannot be read; it is told file by file."),
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Treat only what has failed before.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Detect and link, write nothing.")] = False,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    actor: options.Actor = None,
    log_level: options.Level = options.LogLevel.WARNING,
    as_json: options.AsJson = False,
) -> None:
    """Pseudonymize files: detect, link, assign, rewrite. Run it again to go on, or to add files."""
    from pseudonymizer.batch.run import Batch, BatchSettings
    from pseudonymizer.formats import FormatOptions
    from pseudonymizer.project import ProjectOptions
    from pseudonymizer.records import Scope

    options.start_logging(log_level)
    linkage = options.linkage_settings(settings, language)
    open_vault = options.vault_opener(vault, key_file, keys, actor)
    given = _given(mentions)
    judged = _judged(judgements)
    formats = FormatOptions(columns=tuple(columns) if columns else None, keep_unread=keep_unread)
    described = _described(linkage)
    if formats != FormatOptions():  # other outputs come of it; names of columns stay out of the report
        described["settings"]["formats"] = {"columns": len(columns or ()), "keep_unread": keep_unread}
    wanted = BatchSettings(
        project, Scope(scope), deterministic, limit=limit, time_limit=time_limit, retry_failed=retry_failed,
        dry_run=dry_run, styles=_styles(settings, style, keep or (), mark=mark), described=described,
    )  # fmt: skip
    if inputs == [options.STANDARD_STREAM]:
        of_text = ProjectOptions(
            linkage, wanted.styles, wanted.scope, deterministic=deterministic, formats=formats,
            load=options.pipeline_loader(linkage),
        )  # fmt: skip
        _run_text(out, open_vault, project, of_text, given, judged)
        return
    if out == options.STANDARD_STREAM:
        raise typer.BadParameter("only a single text on standard input can go to standard output")
    output = Path(out)
    sources = options.find_inputs(inputs, output=output)
    load = options.pipeline_loader(linkage)
    with _engine(engine, load, workers, formats) as chosen:
        report = Batch(
            sources, output, wanted.with_workers(options.worker_count(workers, sources)),
            load=load, open_vault=open_vault, registered=options.registered_people(linkage), given=given,
            judgements=judged, options=formats,
            progress=options.progress_display(as_json=as_json), engine=chosen,
        ).run()  # fmt: skip
    _print_report(report, output, as_json=as_json)
    if report.has_failures:
        raise typer.Exit(options.SOME_FAILED)


@contextmanager
def _engine(
    name: EngineName, load: "Callable[[], Any]", workers: int | None, formats: "FormatOptions"
) -> "Iterator[Machines | None]":
    """The engine of a run; None is the processes of this machine."""
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


def _run_text(
    out: str,
    open_vault: "Callable[[], AbstractContextManager[VaultApi]]",
    project: str,
    chosen: "ProjectOptions",
    given: "dict[str, tuple[GivenMention, ...]] | None",
    judgements: "tuple[Judgement, ...]",
) -> None:
    """One text from standard input, pseudonymized, to standard output or into a folder."""
    from pseudonymizer.project import Project

    raw = options.read_standard_input()
    with open_vault() as vault:
        (document,) = Project.open(vault, project, chosen).pseudonymize(
            raw, mentions=given, judgements=judgements
        )
    rewritten = document.checked_content()
    place = out if out == options.STANDARD_STREAM else str(Path(out) / "stdin.txt")
    if out != options.STANDARD_STREAM:
        Path(out).mkdir(parents=True, exist_ok=True)
    options.write_result(place, rewritten, private=False)
    if document.unread_places:
        typer.echo(unread_in_text(document.unread_places), err=True)


def _styles(
    file: Path | None, style: StyleName | None, keep: "Sequence[KeptPart]", *, mark: bool | None
) -> "StyleSettings | None":
    """The table [pseudonyms] of the settings file, then the command line; None: as the project says."""
    from pseudonymizer.settings import StyleSettings

    table = options.settings_table(file, "pseudonyms")
    if style is not None:
        table["style"] = style.value
    table |= {f"keep_{part.value}": True for part in keep}
    if mark is not None:
        table["mark"] = mark
    return StyleSettings.from_mapping(table) if table else None


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


def _described(linkage: Any) -> dict[str, Any]:
    """Settings and versions for the report; names of files may hold names and stay out."""
    from importlib.metadata import PackageNotFoundError, version

    from pseudonymizer.batch.fingerprint import described_settings

    versions = {}
    for package in ("nymlink", "stanza", "lightgbm"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed as a package"
    return {
        "models": _model_digests(linkage),
        "settings": described_settings(linkage),
        "versions": versions,
    }


def _model_digests(linkage: Any) -> dict[str, str]:
    """First 12 hexadecimal digits of the SHA-256 of each model file; names of files stay out."""
    from linkage.settings import data_directory

    models = data_directory() / "models"
    shipped = {
        "network": models / "nl" / "ner.pt",
        "detection": models / "nl" / "detection.json",
        "classifier": models / "linkage" / "classifier.json",
    }
    given = {"network": linkage.recognition.ner_model, "classifier": linkage.linking.classifier}
    digests = {}
    for name, path in shipped.items():
        chosen = given.get(name) or path
        digests[name] = _digest(chosen) if chosen.is_file() else "not found"
    return digests


def _digest(path: Path) -> str:
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]


def _print_report(report: "BatchReport", output: Path, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json_text(report.as_dict()))
        return
    documents = report.documents
    words = [f"{documents['ok']:,} of {documents['all']:,} files done"]
    words += [f"{documents[word]:,} {word}" for word in ("failed", "skipped", "waiting") if documents[word]]
    typer.echo(", ".join(words) if documents["all"] else "the inputs hold no files that are to be treated")
    typer.echo(
        f"{report.mentions:,} mentions ({report.misspelt:,} misspelt), {report.identities:,} identities, "
        f"{report.open_links:,} open links"
    )
    if report.judgements or report.judgements_unkept:
        typer.echo(f"judgements: {report.judgements:,} kept")
    if report.judgements_unkept:
        typer.echo(not_kept(report.judgements_unkept))
    left = ", ".join(f"{count:,} {kind}" for kind, count in report.identifiers_left_in.items() if count)
    if left:
        typer.echo(f"seen and left in: {left}")
    for line in unread_lines(report.unread_files, str(output / ".nymlink" / "report.json")):
        typer.echo(line)
    if report.errors:
        typer.echo("errors: " + ", ".join(f"{count:,} {name}" for name, count in report.errors.items()))
        records = output / ".nymlink"
        typer.echo(f"which and why: {records / 'documents.jsonl'}, by the ids of {records / 'paths.tsv'}")
    if not report.dry_run:
        typer.echo(f"report: {output / '.nymlink' / 'report.json'}")
        typer.echo("The result is pseudonymized, not anonymous: it is still personal data.")


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
    actor: options.Actor = None,
    log_level: options.Level = options.LogLevel.WARNING,
    as_json: options.AsJson = False,
) -> None:
    """Give the originals of pseudonymized files back, byte for byte. Asks for a purpose, and is audited."""
    from pseudonymizer.batch.restore import Restoration

    options.start_logging(log_level)
    restoration = Restoration(
        options.vault_opener(vault, key_file, keys, actor), project, purpose, ticket, grant=permit
    )
    if inputs == [options.STANDARD_STREAM]:
        _, content = restoration.text(options.read_standard_input())
        options.write_result(out, content, private=True)
        return
    if out == options.STANDARD_STREAM:
        raise typer.BadParameter("only a single text on standard input can go to standard output")
    sources = options.find_inputs(inputs, output=Path(out))
    report = restoration.files(sources, Path(out), progress=options.progress_display(as_json=as_json))
    if as_json:
        failures = [{"input": f.doc_id, "error": f.error, "reason": f.reason} for f in report.failures]
        typer.echo(
            json.dumps(
                {"files": dict(report.counts), "labels_left": report.labels_left, "failures": failures}
            )
        )
    else:
        typer.echo(
            ", ".join(f"{count:,} {how}" for how, count in report.counts.items() if count) or "no files"
        )
        for failure in report.failures:
            sys.stderr.write(f"{failure.doc_id}: {failure.error}: {failure.reason}\n")
    if report.has_failures:
        raise typer.Exit(options.SOME_FAILED)
