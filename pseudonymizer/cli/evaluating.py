"""evaluate: scores of detection and linkage against gold, as JSON, tables and pictures."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import options
from pseudonymizer.cli.json_shape import say_result
from pseudonymizer.cli.saying import say

if TYPE_CHECKING:
    from linkage.evaluation.detection import DetectionScores
    from linkage.evaluation.error_file import KindError, PairError
    from linkage.evaluation.form_pairs import PairScores
    from linkage.evaluation.found import Found
    from linkage.evaluation.gold_linking import LinkedGold
    from linkage.evaluation.kind_scores import KindScores
    from linkage.evaluation.linkage import LinkageScores
    from pseudonymizer.cli.evaluation_inputs import EvaluatedGold

_HOLDS_NAMES = "holds personal data (names, with the text around them): keep it as you keep the documents"


def add_to(app: typer.Typer) -> None:
    app.command()(evaluate)


def evaluate(
    gold: Annotated[
        Path,
        typer.Argument(
            metavar="GOLD",
            help=".persons.jsonl, .identifiers.jsonl, .bio/.conll, or brat (.ann or a folder).",
        ),
    ],
    *,
    found: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What a program found in the texts of the gold, in place of detection here: lines of "
            "`nymlink detect`, or any format of gold. Linking is then not scored.",
        ),
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Score kinds by a coarser scheme: core, mortgage, financial, i2b2, mapa."
        ),
    ] = None,
    kinds: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Score these kinds alone, or categories of kinds; or all."),
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for every error with its text; it holds personal data."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for pictures (SVG) of the scores, without personal data."),
    ] = None,
    write_gold: Annotated[
        Path | None,
        typer.Option(
            metavar="PLACE",
            help="Write the gold as .jsonl, .conll or .bio, or as a brat folder; it holds personal data.",
        ),
    ] = None,
    write_found: Annotated[
        Path | None,
        typer.Option(
            metavar="PLACE", help="Write what was found, as --write-gold does; it holds personal data."
        ),
    ] = None,
    training: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Gold, or .txt with a name a line, that the models were trained on: names unlike all of "
            "these are scored apart. May be given several times.",
        ),
    ] = None,
    label: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL",
            help="A further label of people in .bio/.conll and brat, beside PER; LABEL=KIND: of a kind.",
        ),
    ] = None,
    over_corpus: Annotated[
        bool,
        typer.Option("--over-corpus", help="Entity ids of the gold hold for all its documents: link these."),
    ] = False,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    always: options.AlwaysLists = None,
    never: options.NeverLists = None,
    log_level: options.Level = options.LogLevel.WARNING,
    as_json: options.AsJson = False,
) -> None:
    """Scores of detection, of all kinds that the gold marks, and of linkage against gold."""
    from linkage.detection import finder_of
    from linkage.evaluation.detection import evaluate_detection
    from linkage.evaluation.error_file import write_errors
    from linkage.evaluation.found import found_texts
    from linkage.evaluation.gold import write_marked
    from linkage.evaluation.gold_linking import link_gold, score_form_pairs
    from linkage.evaluation.kind_comparison import people_of
    from linkage.evaluation.kind_scores import evaluate_kinds
    from linkage.evaluation.marked import MarkedText
    from pseudonymizer.cli import evaluation_inputs as inputs

    options.start_logging(log_level)
    options.check_places(errors)
    wanted = options.linkage_settings(settings, language, always=always, never=never)
    finder = finder_of(wanted.own)
    read = inputs.read_evaluated_gold(
        gold, scheme=scheme, kinds=kinds, labels=label or (), table=finder.kinds
    )
    known_marks = inputs.read_training(training or (), read)
    linked: LinkedGold | None = None
    pairs = None
    if found is not None:
        spans = inputs.found_in(found, read)
    else:
        pipeline = options.pipeline_loader(wanted)()
        spans = inputs.found_here(pipeline, read, finder)
        # The pipeline of a batch promises no comparison of names; the one that is loaded here has it.
        linker: Any = pipeline.linker
        linked = link_gold(
            read.documents,
            lambda document, mentions: pipeline.normalize([document], [mentions]),
            linker,
            over_corpus=over_corpus,
            known=options.registered_people(wanted),
        )
        pairs = score_form_pairs(read.documents, linker) if linked.entities else None
    detection = evaluate_detection(read.documents, people_of(spans), training_names=known_marks.names)
    of_kinds = (
        evaluate_kinds(read.documents, spans, read.scheme, training=known_marks.surfaces)
        if read.by_kind
        else None
    )
    if errors is not None:
        write_errors(errors, _mistakes(read, spans, linked))
        say(f"nymlink: the file of errors {_HOLDS_NAMES}", err=True)
    if write_gold is not None:
        write_marked(write_gold, [MarkedText.of_gold(document) for document in read.documents])
    if write_found is not None:
        write_marked(write_found, found_texts(read.documents, spans))
    linkage = linked.scores() if linked is not None and linked.entities else None
    if plot is not None:
        plot.mkdir(parents=True, exist_ok=True)
        for name, picture in _pictures(detection, pairs, of_kinds):
            options.write_result(str(plot / f"{name}.svg"), picture.encode(), private=False)
    if as_json:
        say_result("evaluate", _as_dict(detection, linkage, pairs, of_kinds))
        return
    from pseudonymizer.cli.kind_tables import kind_tables
    from pseudonymizer.cli.score_tables import print_scores

    print_scores(detection, linkage, pairs, kind_tables(of_kinds) if of_kinds is not None else ())


def _mistakes(
    gold: "EvaluatedGold", found: "Found", linked: "LinkedGold | None"
) -> "Iterator[KindError | PairError]":
    from linkage.evaluation.error_file import kind_errors, linkage_errors
    from linkage.evaluation.kind_comparison import compare_kinds

    for comparison in compare_kinds(gold.documents, found, gold.scheme).documents:
        yield from kind_errors(comparison)
    if linked is not None:
        yield from linkage_errors(linked.mentions, linked.entities, linked.identities)


def _as_dict(
    detection: "DetectionScores",
    linkage: "LinkageScores | None",
    pairs: "PairScores | None",
    of_kinds: "KindScores | None",
) -> dict[str, Any]:
    report: dict[str, Any] = {"detection": detection.as_dict()}
    if of_kinds is not None:
        report["kinds"] = of_kinds.as_dict()
    if linkage is not None:
        report["linkage"] = linkage.as_dict() | {"form_pairs": None if pairs is None else pairs.as_dict()}
    return report


def _pictures(
    detection: "DetectionScores", pairs: "PairScores | None", of_kinds: "KindScores | None"
) -> Iterator[tuple[str, str]]:
    """Name and SVG of each."""
    from linkage.evaluation.plots import confusion_svg, distribution_svg, reliability_svg, thresholds_svg

    yield (
        "documents-f1",
        distribution_svg(detection.f1_of_documents(), title="Detection by document", label="strict F1"),
    )
    yield (
        "documents-leaked",
        distribution_svg(
            detection.leaks_of_documents(),
            title="Letters leaked by document",
            label="share of letters leaked",
        ),
    )
    if of_kinds is not None:
        names = [group.name for group in of_kinds.labels]
        yield "kinds-confusion", confusion_svg(of_kinds.confusion, names)
    if pairs is not None:
        yield "reliability", reliability_svg(pairs.calibration)
        yield (
            "thresholds",
            thresholds_svg(
                pairs.thresholds, link_threshold=pairs.link_threshold, review_threshold=pairs.review_threshold
            ),
        )
