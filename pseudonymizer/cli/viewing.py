"""view: one page for a browser, with the names in their texts and who they are."""

from pathlib import Path

import typer

from pseudonymizer.cli import options


def add_to(app: typer.Typer) -> None:
    app.command()(view)


def view(
    inputs: options.Inputs,
    *,
    out: options.OutFile,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    log_level: options.Level = options.LogLevel.WARNING,
) -> None:
    """Write one page with the texts, their names coloured by person, links and probabilities. Holds names."""
    from linkage.records import Document, DocumentId
    from pseudonymizer import formats
    from pseudonymizer.batch.view import view_page
    from pseudonymizer.engine.failures import guarded
    from pseudonymizer.engine.records import SourceFailure
    from pseudonymizer.engine.sources import read_file

    options.start_logging(log_level)
    options.check_places(out)
    linkage = options.linkage_settings(settings, language)
    shown: list[tuple[str, Document]] = []
    failed = 0
    for number, source in enumerate(options.find_inputs(inputs)):
        raw = guarded(DocumentId(str(number)), read_file, source.path)
        parsed = raw if isinstance(raw, SourceFailure) else guarded(
            DocumentId(str(number)), formats.read, raw, name=source.path.name
        )  # fmt: skip
        if isinstance(parsed, SourceFailure):
            failed += 1
            continue
        for part in parsed.parts:
            if part.role is formats.PartRole.PROSE:
                title = f"{source.relative} {part.part_id}".rstrip()
                shown.append((title, Document(DocumentId(f"d{number}#{part.part_id}"), part.text)))
    pipeline = options.pipeline_loader(linkage)()
    documents = [document for _, document in shown]
    mentions = pipeline.normalize(documents, pipeline.detect(documents))
    result = pipeline.linker.link(mentions, known=options.registered_people(linkage))
    page = "".join(view_page(shown, result))
    options.write_result(out, page.encode("utf-8", "backslashreplace"), private=True)
    if out != options.STANDARD_STREAM:
        typer.echo(f"{len(shown):,} texts, {len(result.mentions):,} mentions: {Path(out).name} holds names")
    if failed:
        typer.echo(f"{failed:,} files could not be read", err=True)
        raise typer.Exit(options.SOME_FAILED)
