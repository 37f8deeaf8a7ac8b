"""train: a recognition network of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from pseudonymizer.cli.saying import say

_train = typer.Typer(help="Train models of your own.", no_args_is_help=True, rich_markup_mode=None)


def add_to(app: typer.Typer) -> None:
    """Gives the command this verb."""
    _train.command("detection")(detection)
    app.add_typer(_train, name="train")


def detection(
    *,
    language: Annotated[str, typer.Option(metavar="CODE", help="ISO 639-1, such as da.")],
    gold: Annotated[
        list[Path],
        typer.Option(metavar="FILE", help="BIO, or identifiers.jsonl; may be repeated."),
    ],
    out: Annotated[Path, typer.Option(metavar="PACK", help="The folder to make.")],
    names: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="Names with counts; may be repeated."),
    ] = None,
    text: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", exists=True, dir_okay=False, help="Plain text of the language; may be repeated."
        ),
    ] = None,
    batches: Annotated[int, typer.Option(min=1, metavar="N", help="How long the network is trained.")] = 2500,
    hold_out: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Keep one document in so many out of training, and measure on them."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another number gives another network.")] = 1,
    work: Annotated[
        Path | None, typer.Option(metavar="DIR", help="What is done so far; PACK.work where none is given.")
    ] = None,
) -> None:
    """Train a network that finds persons, and other kinds where gold marks them, in a further language.

    The same command goes on where an interrupted run stopped.
    """
    import torch

    from linkage.training.detection import TrainingOrder, train_detection

    if not (len(language) in {2, 3} and language.isascii() and language.islower()):
        raise typer.BadParameter(
            "a language is two or three small letters, such as da", param_hint="--language"
        )
    torch.set_num_threads(1)  # more threads add up in another order: the result would differ by machine
    order = TrainingOrder(
        language, tuple(gold), out, work or out.with_name(f"{out.name}.work"), tuple(names or ()),
        tuple(text or ()), batches=batches, hold_out=hold_out, seed=seed,
    )  # fmt: skip
    trained = train_detection(order, lambda line: say(line, err=True))
    say(f"{trained.documents} documents, {trained.persons} persons marked, {trained.labels} labels")
    if trained.held_out is not None:
        say(f"persons in {trained.held_out_documents} documents held out: {trained.held_out}")
    say("use it with ner_model in [recognition] of the settings; MODEL_CARD.md tells how it was made")
