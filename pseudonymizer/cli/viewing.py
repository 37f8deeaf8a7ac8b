"""view: one page for a browser, with the names in their texts and who they are."""

from pathlib import Path

import typer

from pseudonymizer.cli import options, treating
from pseudonymizer.cli.choosing import find_inputs
from pseudonymizer.cli.failed_documents import Failures
from pseudonymizer.cli.projects import VaultPlace, opened_project
from pseudonymizer.cli.saying import say


def add_to(app: typer.Typer) -> None:
    app.command()(view)


def view(
    inputs: options.Inputs,
    *,
    out: options.OutFile,
    vault: options.SomeVault = None,
    project: options.SomeProject = None,
    key_file: options.KeyFile = None,
    keys: options.KeysUrl = None,
    actor: options.Actor = None,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    always: options.AlwaysLists = None,
    never: options.NeverLists = None,
    profile: treating.Profile = None,
    treat: treating.Treat = None,
    log_level: options.Level = options.LogLevel.WARNING,
) -> None:
    """Write one page with the texts and all that is found in them: names by person, with links and
    probabilities, and values by kind, with what would be written there. Holds names.

    It shows what `run` into a new project would do; with --vault and --project what it would do there.
    """
    from linkage.kinds import LITERAL
    from pseudonymizer.desk.view import SeenValue, ViewedKinds, ViewedText, view_page
    from pseudonymizer.finding import texts_of

    options.start_logging(log_level)
    options.check_places(out)
    failures = Failures()
    told = options.read_settings(settings, language, always=always, never=never)
    asked = treating.asked(treating.Named(profile, treat=treat or ()), told.linkage.own.all_kinds)
    sources = find_inputs(inputs)
    place = VaultPlace(vault, key_file, keys, actor)
    with opened_project(
        place, project, told.linkage, styles=told.pseudonyms, treatments=asked.over(told.treatments)
    ) as opened:
        linked = opened.link(failures.counted(opened.find_in(sources)))
        preview = opened.preview(linked.result)
    texts = texts_of(sources, opened.formats)
    read = [document for document in linked.documents if document.failure is None]
    shown = [
        ViewedText(
            document.name,
            texts[document.name],
            [m.mention for m in document.mentions],
            [SeenValue(value, preview.value(value)) for value in document.values if value.kind != LITERAL],
        )
        for document in read
    ]
    persons = [m.mention for document in read for m in document.mentions]
    kinds = preview.by_kind(persons, (value for document in read for value in document.values))
    page = "".join(view_page(shown, linked.result, ViewedKinds(preview.person(), kinds)))
    options.write_result(out, page.encode("utf-8", "backslashreplace"), private=True)
    if out != options.STANDARD_STREAM:
        values = sum(len(text.values) for text in shown)
        say(
            f"{len(shown):,} texts, {len(persons):,} mentions, {values:,} values of other kinds: "
            f"{Path(out).name} holds names"
        )
    failures.report()
