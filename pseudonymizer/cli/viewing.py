"""view: one page for a browser, with the names in their texts and who they are."""

from pathlib import Path

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.projects import VaultPlace, opened_project


def add_to(app: typer.Typer) -> None:
    app.command()(view)


def view(
    inputs: options.Inputs,
    *,
    out: options.OutFile,
    vault: options.SomeVault = None,
    project: options.AnyProject = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    always: options.AlwaysLists = None,
    never: options.NeverLists = None,
    log_level: options.Level = options.LogLevel.WARNING,
) -> None:
    """Write one page with the texts, their names coloured by person, links and probabilities. Holds names.

    It shows what `run` into a new project would do; with --vault and --project what it would do there.
    """
    from pseudonymizer.finding import texts_of
    from pseudonymizer.runs.view import ViewedText, view_page

    options.start_logging(log_level)
    options.check_places(out)
    linkage = options.linkage_settings(settings, language, always=always, never=never)
    sources = options.find_inputs(inputs)
    with opened_project(VaultPlace(vault, key_file, keys, actor), project, linkage) as opened:
        linked = opened.link(opened.find_in(sources))
    texts = texts_of(sources, opened.formats)
    shown = [
        ViewedText(document.name, texts[document.name], [m.mention for m in document.mentions])
        for document in linked.documents
        if document.failure is None
    ]
    page = "".join(view_page(shown, linked.result))
    options.write_result(out, page.encode("utf-8", "backslashreplace"), private=True)
    if out != options.STANDARD_STREAM:
        mentions = len(linked.result.mentions)
        typer.echo(f"{len(shown):,} texts, {mentions:,} mentions: {Path(out).name} holds names")
    failed = sum(document.failure is not None for document in linked.documents)
    if failed:
        typer.echo(f"{failed:,} files could not be read", err=True)
        raise typer.Exit(options.SOME_FAILED)
