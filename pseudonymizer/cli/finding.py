"""detect, link, compare, explain, models: what needs no vault."""

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import asked_names, options
from pseudonymizer.cli.choosing import find_inputs
from pseudonymizer.cli.failed_documents import Failures
from pseudonymizer.cli.json_shape import say_items, say_result
from pseudonymizer.cli.lines import jsonl
from pseudonymizer.cli.projects import VaultPlace, opened_project
from pseudonymizer.cli.saying import say
from pseudonymizer.errors import UntreatedDocumentError

if TYPE_CHECKING:
    from pseudonymizer.answers import FoundDocument
    from pseudonymizer.project import Project


def add_to(app: typer.Typer) -> None:
    for verb in (detect, link, compare, explain):
        app.command()(verb)
    models = typer.Typer(
        help="Recognition models on this machine.", no_args_is_help=True, rich_markup_mode=None
    )
    models.command("list")(list_models)
    models.command("install")(install_model)
    app.add_typer(models, name="models")


def list_models(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FOLDER", help="Further folders, one model a language."),
    ] = None,
    *,
    as_json: options.AsJson = False,
) -> None:
    """The models that settings can use: shipped ones by language, others by their folder (ner_model)."""
    from linkage.recognition.model_store import installed_models

    found = [
        {
            "language": model.language,
            "shipped": model.shipped,
            "megabytes": round(model.megabytes, 1),
            "folder": str(model.folder),
            "problem": model.problem,
        }
        for model in installed_models(*(folders or ()))
    ]
    if as_json:
        say_items("models list", found, before="list")
        return
    for row in found:
        origin = "shipped" if row["shipped"] else "installed"
        state = row["problem"] or "ok"
        say(f"{row['language']}\t{origin}\t{row['megabytes']} MB\t{state}\t{row['folder']}")


def install_model(
    language: Annotated[
        str, typer.Argument(metavar="LANGUAGE", help="Its code in Stanza's list, such as de.")
    ],
    *,
    directory: Annotated[
        Path, typer.Option("--directory", metavar="DIR", help="Where models are kept, one folder a language.")
    ],
) -> None:
    """Fetch Stanza's official model of a language. The one verb that uses a network."""
    from linkage.language_contents import is_installed
    from linkage.recognition.model_store import install_stanza_models

    model = install_stanza_models(language, directory)
    say(f"{model.language}: {model.megabytes:.1f} MB; use it with ner_model = that folder in settings")
    if not is_installed(model.language):
        say("it finds names only: the rules and lists for texts of this language are not there yet", err=True)


def detect(
    inputs: options.Inputs,
    *,
    out: options.OutFile,
    kinds: Annotated[
        str,
        typer.Option(
            metavar="LIST|all",
            help="What to find: kinds or categories of `nymlink kinds`, such as person,email,id; or all.",
        ),
    ] = "person",
    workers: options.WorkerCount = None,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    always: options.AlwaysLists = None,
    never: options.NeverLists = None,
    log_level: options.Level = options.LogLevel.WARNING,
    as_json: options.AsJson = False,
) -> None:
    """Find mentions of people, and of the kinds asked for, in running text; one line of JSON a document, in
    the order of the inputs.
    """
    from linkage.kinds import PERSON
    from pseudonymizer.finding import running_texts
    from pseudonymizer.mention_lines import mention_line

    options.start_logging(log_level)
    options.check_places(out)
    failures = Failures()
    told = options.linkage_settings(settings, language, always=always, never=never)
    wanted = told.own.all_kinds.chosen(kinds)
    with opened_project(VaultPlace(None), None, told) as project:
        documents = running_texts(
            _documents(project, inputs, workers, as_json=as_json), with_spelled=wanted != {PERSON}
        )
        lines = (mention_line(document, kinds=wanted) for document in failures.counted(documents))
        written = list(lines)
    options.write_result(out, jsonl(written), private=True)
    if as_json and out != options.STANDARD_STREAM:
        counts = {
            "documents": len(written),
            "mentions": sum(len(line.get("mentions", ())) for line in written),
        }
        say_result("detect", counts, status=failures.status)
    failures.report()


def link(
    inputs: options.Inputs,
    *,
    out: options.OutFile,
    links: Annotated[
        str | None, typer.Option(metavar="FILE", help="File for the scored pairs of distinct name forms.")
    ] = None,
    vault: options.SomeVault = None,
    project: options.SomeProject = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    workers: options.WorkerCount = None,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    always: options.AlwaysLists = None,
    never: options.NeverLists = None,
    log_level: options.Level = options.LogLevel.WARNING,
    as_json: options.AsJson = False,
) -> None:
    """Find mentions and say who is who: detect's lines, with an identity on each mention.

    It shows what `run` into a new project would do, names in addresses and paths included; with --vault and
    --project what it would do there.
    """
    from pseudonymizer.mention_lines import link_lines, mention_line

    options.start_logging(log_level)
    options.check_places(out, links)
    failures = Failures()
    place = VaultPlace(vault, key_file, keys, actor)
    wanted = options.linkage_settings(settings, language, always=always, never=never)
    with opened_project(place, project, wanted) as opened:
        linked = opened.link(failures.counted(_documents(opened, inputs, workers, as_json=as_json)))
    result = linked.result
    lines = (mention_line(document, result) for document in linked.documents)
    options.write_result(out, jsonl(lines), private=True)
    if links is not None:
        options.write_result(links, jsonl(link_lines(result)), private=True)
    if as_json and options.STANDARD_STREAM not in (out, links):
        counts = {"mentions": len(result.mentions), "identities": len(result.identities)}
        say_result("link", counts, status=failures.status)
    failures.report()


def compare(
    pairs: Annotated[
        Path, typer.Argument(metavar="PAIRS.tsv", help="A table by tabs with the columns name_a and name_b.")
    ],
    *,
    out: options.OutFile,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    log_level: options.Level = options.LogLevel.WARNING,
) -> None:
    """Score pairs of names: adds match_probability, decision and variant to each line.

    They stay empty where a name is missing.
    """
    options.start_logging(log_level)
    options.check_places(out)
    columns, rows = _read_pairs(pairs)
    names = [(row["name_a"], row["name_b"]) for row in rows]
    with opened_project(VaultPlace(None), None, options.linkage_settings(settings, language)) as project:
        found = iter(project.compare([pair for pair in names if _are_names(pair)]))
    text = io.StringIO()
    added = ["match_probability", "decision", "variant"]
    writer = csv.DictWriter(
        text, [*columns, *(c for c in added if c not in columns)], delimiter="\t", lineterminator="\n",
        quoting=csv.QUOTE_NONE, quotechar=None, escapechar="\\",
    )  # fmt: skip
    writer.writeheader()
    for row, pair in zip(rows, names, strict=True):
        values = ("", "", "")  # where a name is missing there is nothing to compare
        if _are_names(pair):
            scored = next(found)
            values = f"{scored.match_probability:.6f}", scored.decision.value, scored.variant or ""
        writer.writerow(row | dict(zip(added, values, strict=True)))
    options.write_result(out, text.getvalue().encode(), private=True)


def explain(
    left: Annotated[str | None, typer.Argument(metavar="LEFT", help=f"A name. {asked_names.VISIBLE}")] = None,
    right: Annotated[str | None, typer.Argument(metavar="RIGHT", help="The other name.")] = None,
    *,
    document: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="A file or folder in which both stand: says also what keeps the two apart there, or makes "
            "them one, such as two birth dates.",
        ),
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="The same as a picture.")] = None,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    as_json: options.AsJson = False,
) -> None:
    """Why two names are linked or not: features and what each contributes."""
    left, right = asked_names.names_asked([left, right], ["name", "other name"])
    if not _are_names((left, right)):
        raise typer.BadParameter("give two names, each with a letter in it")
    options.check_places(svg)
    failures = Failures()
    with opened_project(VaultPlace(None), None, options.linkage_settings(settings, language)) as project:
        found = None
        if document:
            found = failures.counted(_documents(project, [*map(str, document)], None, as_json=as_json))
        explanation = project.explain(left, right, documents=found)
    if svg is not None:
        options.write_result(str(svg), explanation.waterfall_svg().encode(), private=True)
    if as_json:
        say_result("explain", _without_nan(explanation.as_dict()), status=failures.status)
    else:
        say(explanation.waterfall_text())
    failures.report()


def _documents(
    project: "Project", inputs: list[str], workers: int | None, *, as_json: bool
) -> "Iterator[FoundDocument]":
    if inputs == [options.STANDARD_STREAM]:
        raw = options.read_standard_input()
        for document in project.find(raw):
            if document.failure is not None:
                raise UntreatedDocumentError(f"{document.failure.error}: {document.failure.reason}")
            yield document
        return
    sources = find_inputs(inputs)
    yield from project.find_in(
        sources, workers=options.worker_count(workers, sources),
        progress=options.progress_display(as_json=as_json),
    )  # fmt: skip


def _are_names(pair: tuple[str, str]) -> bool:
    return all(any(map(str.isalpha, name)) for name in pair)


def _read_pairs(file: Path) -> tuple[list[str], list[dict[str, str]]]:
    from linkage.errors import DocumentError
    from linkage.reading import decode

    text = decode(file.read_bytes()).text
    reader = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE, restval="")
    columns = list(reader.fieldnames or ())
    if not {"name_a", "name_b"} <= set(columns):
        raise DocumentError(
            "the pairs need a header line with the columns name_a and name_b, divided by a tab; "
            "write it above the pairs"
        )
    return columns, [{c: row[c] for c in columns} for row in reader]


def _without_nan(value: Any) -> Any:
    """JSON has no NaN: null stands for what cannot be computed."""
    if isinstance(value, dict):
        return {name: _without_nan(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value
