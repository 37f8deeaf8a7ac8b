"""evaluate: scores of detection and linkage against gold, as JSON, tables and pictures."""

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pseudonymizer.cli import options

if TYPE_CHECKING:
    from linkage.evaluation.detection import DetectionScores
    from linkage.evaluation.form_pairs import PairScores
    from linkage.evaluation.linkage import LinkageScores

_HOLDS_NAMES = "holds personal data (names, with the text around them): keep it as you keep the documents"


def add_to(app: typer.Typer) -> None:
    app.command()(evaluate)


def evaluate(
    gold: Annotated[
        Path, typer.Argument(metavar="GOLD", help=".persons.jsonl, .bio/.conll, or brat (.ann or a folder).")
    ],
    *,
    errors: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for every error with its text; it holds personal data."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for pictures (SVG) of the scores, without personal data."),
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
        typer.Option(metavar="LABEL", help="A further label of people in .bio/.conll and brat, beside PER."),
    ] = None,
    over_corpus: Annotated[
        bool,
        typer.Option("--over-corpus", help="Entity ids of the gold hold for all its documents: link these."),
    ] = False,
    settings: options.SettingsFile = None,
    language: options.Language = None,
    log_level: options.Level = options.LogLevel.WARNING,
    as_json: options.AsJson = False,
) -> None:
    """Scores of detection and linkage against gold."""
    from linkage.evaluation.detection import evaluate_detection
    from linkage.evaluation.error_file import detection_errors, linkage_errors, write_errors
    from linkage.evaluation.gold import PERSON_LABELS, count_overlapping, read_gold
    from linkage.evaluation.gold_linking import link_gold, score_form_pairs

    options.start_logging(log_level)
    options.check_places(errors)
    labels = PERSON_LABELS | {one.upper() for one in label or ()}
    documents = read_gold(gold, person_labels=labels)
    if not documents:
        raise typer.BadParameter("the gold holds no document")
    known_names = _names_in(training or (), labels)
    if not any(document.mentions for document in documents):
        sys.stderr.write(
            f"nymlink: the gold marks no person; labels that count: {', '.join(sorted(labels))} (--label)\n"
        )
    if overlapping := count_overlapping(documents):
        sys.stderr.write(
            f"nymlink: {overlapping} gold mentions overlap an earlier one and do not count in who is who\n"
        )
    wanted = options.linkage_settings(settings, language)
    pipeline = options.pipeline_loader(wanted)()
    texts = [document.document for document in documents]
    found = {
        text.doc_id: [mention.span for mention in mentions]
        for text, mentions in zip(texts, pipeline.detect(texts), strict=True)
    }
    detection = evaluate_detection(documents, found, training_names=known_names)
    # The pipeline of a batch promises no comparison of names; the one that is loaded here has it.
    linker: Any = pipeline.linker
    linked = link_gold(
        documents,
        lambda document, mentions: pipeline.normalize([document], [mentions]),
        linker,
        over_corpus=over_corpus,
        known=options.registered_people(wanted),
    )
    linkage = linked.scores() if linked.entities else None
    pairs = score_form_pairs(documents, linker) if linked.entities else None
    if errors is not None:
        mistakes = linkage_errors(linked.mentions, linked.entities, linked.identities)
        write_errors(errors, [*detection_errors(documents, found), *mistakes])
        sys.stderr.write(f"nymlink: the file of errors {_HOLDS_NAMES}\n")
    if plot is not None:
        plot.mkdir(parents=True, exist_ok=True)
        for name, picture in _pictures(detection, pairs):
            options.write_result(str(plot / f"{name}.svg"), picture.encode(), private=False)
    if as_json:
        typer.echo(json.dumps(_as_dict(detection, linkage, pairs)))
        return
    from pseudonymizer.cli.score_tables import print_scores

    print_scores(detection, linkage, pairs)


def _names_in(files: Sequence[Path], labels: Collection[str]) -> frozenset[str]:
    from linkage.evaluation.gold import read_gold
    from linkage.reading import decode

    names: set[str] = set()
    for file in files:
        if file.suffix.lower() == ".txt":
            names.update(line.strip() for line in decode(file.read_bytes()).text.splitlines() if line.strip())
            continue
        for gold in read_gold(file, person_labels=labels):
            names.update(mention.span.cut(gold.document.text) for mention in gold.mentions)
    return frozenset(names)


def _as_dict(
    detection: "DetectionScores", linkage: "LinkageScores | None", pairs: "PairScores | None"
) -> dict[str, Any]:
    report: dict[str, Any] = {"detection": detection.as_dict()}
    if linkage is not None:
        report["linkage"] = linkage.as_dict() | {"form_pairs": None if pairs is None else pairs.as_dict()}
    return report


def _pictures(detection: "DetectionScores", pairs: "PairScores | None") -> Iterator[tuple[str, str]]:
    """Name and SVG of each."""
    from linkage.evaluation.plots import distribution_svg, reliability_svg, thresholds_svg

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
    if pairs is not None:
        yield "reliability", reliability_svg(pairs.calibration)
        yield (
            "thresholds",
            thresholds_svg(
                pairs.thresholds, link_threshold=pairs.link_threshold, review_threshold=pairs.review_threshold
            ),
        )
