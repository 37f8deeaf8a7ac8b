"""restore: the way back of files and texts."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.choosing import find_inputs
from pseudonymizer.cli.json_shape import say_result
from pseudonymizer.cli.outcome import failure_lines, label_counts, label_lines
from pseudonymizer.cli.saying import say
from pseudonymizer.cli.single_files import restored_into, single_place

if TYPE_CHECKING:
    from pseudonymizer.runs.edited import LabelCounts

_ONE_WAY: Final = "places that do not come back, for their treatment has no way back: {:,}"
_TEXT_ONLY: Final = (
    "text only: the original was not kept (run --keep-original), so its text came back, as a text file"
)
_OUR_ERROR: Final = 1
_NOTHING_OF_IT: Final = (
    "nothing came back: none of {:,} files is an output of this project, or has a pseudonym of it; give the "
    "--project and the --vault of the run, and the folder that it wrote"
)
_NO_TEXT_OF_IT: Final = (
    "nothing to restore: this text has no pseudonym of this project; is it another --project or --vault?"
)
_OWN_MODE: Final = 0o600  # of originals: for their owner alone
_KEPT_MODE: Final = 0o666  # no more than the outputs have


def add_to(app: typer.Typer) -> None:
    app.command()(restore)


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
    from pseudonymizer.engine.remedies import remedy_of, why_and_what_next
    from pseudonymizer.project import Project
    from pseudonymizer.records import HowToRestore
    from pseudonymizer.runs.restore import TEXT_ONLY, UNTOUCHED

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
        if restored.how == UNTOUCHED and not restored.labels.labels_left:
            say(_NO_TEXT_OF_IT, err=True)
        if restored.one_way and not as_json:
            say(_ONE_WAY.format(restored.one_way), err=True)
        _tell_labels(restored.labels, as_json=as_json)
        return
    if out == options.STANDARD_STREAM:
        raise typer.BadParameter(
            "only one text from standard input (INPUT is -) goes to standard output; give a folder: --out DIR"
        )
    place = single_place(inputs, out)
    found = find_inputs(inputs, output=Path(out) if place is None else None)
    sources = [source for source in found if not source.is_litter]  # no run has written it
    with open_vault() as opened, nullcontext(Path(out)) if place is None else restored_into(place) as folder:
        report = Project.open(opened, project).restore_files(
            sources, folder, purpose=purpose, ticket=ticket, grant=permit,
            progress=options.progress_display(as_json=as_json),
            how=HowToRestore(origins, confirm_project, _KEPT_MODE if keep_mode else _OWN_MODE),
        )  # fmt: skip
    if as_json:
        failures = [
            {
                "input": f.doc_id, "error": f.error, "reason": f.reason,
                "remedy": remedy_of(f.error, f.reason),
            }
            for f in report.failures
        ]  # fmt: skip
        told = {
            "files": dict(report.counts), "one_way": report.one_way, **label_counts(report.labels),
            "failures": failures,
        }  # fmt: skip
        status = options.SOME_FAILED if report.has_failures or report.labels_left else 0
        say_result("restore", told, status=_OUR_ERROR if report.knows_none else status)
    else:
        say(", ".join(f"{count:,} {how}" for how, count in report.counts.items() if count) or "no files")
        if report.counts[TEXT_ONLY]:
            say(_TEXT_ONLY)
        if report.one_way:
            say(_ONE_WAY.format(report.one_way))
        for line in label_lines(report.labels):
            say(line)
        paths = {f"input {number}": source.relative for number, source in enumerate(sources, start=1)}
        failed = [(paths[f.doc_id], f.doc_id, why_and_what_next(f.error, f.reason)) for f in report.failures]
        for line in failure_lines(
            failed, "restoring them at a terminal shows it", on_terminal=sys.stderr.isatty()
        ):
            say(line, err=True)
    if report.knows_none:
        say(_NOTHING_OF_IT.format(report.counts[UNTOUCHED]), err=True)
        raise typer.Exit(_OUR_ERROR)
    if report.has_failures or report.labels_left:
        raise typer.Exit(options.SOME_FAILED)


def _tell_labels(labels: "LabelCounts", *, as_json: bool) -> None:
    """What was restored and left of an edited text, on standard error; standard output has the text."""
    if as_json:
        status = options.SOME_FAILED if labels.labels_left else 0
        say_result("restore", label_counts(labels), status=status, err=True)
    else:
        for line in label_lines(labels):
            say(line, err=True)
    if labels.labels_left:
        raise typer.Exit(options.SOME_FAILED)
