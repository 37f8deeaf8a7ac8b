"""Scores of detection and linkage as tables on standard output."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from linkage.evaluation.detection import DetectionScores
from linkage.evaluation.form_pairs import PairScores
from linkage.evaluation.linkage import LinkageScores
from linkage.evaluation.scores import Distribution, Score

_WIDTH = 100  # where standard output is no terminal


def print_scores(
    detection: DetectionScores,
    linkage: LinkageScores | None,
    pairs: PairScores | None,
    further: Sequence[Table] = (),
) -> None:
    """Everything that --json gives but the single documents; holds no name. further: tables behind these."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    tables = [_found_names(detection), _text_left(detection), _by_document(detection)]
    if linkage is not None:
        tables.append(_clusters(linkage))
    if pairs is not None:
        tables += [_reliability(pairs), _thresholds(pairs)]
    for table in (*tables, *further):
        title, table.title = table.title, None  # a title wraps at the width of its table, a line does not
        console.print(title)
        console.print(table)


def score_table(title: str, *columns: str) -> Table:
    """An empty table, its first column to the left."""
    table = Table(title=title, box=box.SIMPLE_HEAD)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    return table


def _found_names(scores: DetectionScores) -> Table:
    mentions = sum(d.gold_mentions for d in scores.documents)
    table = score_table(
        f"Names found: {len(scores.documents):,} documents, {scores.words:,} words, {mentions:,} mentions",
        "counted as", "right", "false", "missed", "precision", "recall", "F1", "F2",
    )  # fmt: skip
    for name, score in (
        ("strict (exact bounds)", scores.strict), ("relaxed (covered)", scores.relaxed),
        ("words", scores.token),
    ):  # fmt: skip
        table.add_row(name, *score_cells(score))
    if scores.typos is not None:
        found = scores.typos
        table.add_row(
            "misspelt", f"{found.true_positives:,}", "", f"{found.false_negatives:,}", "",
            f"{found.recall:.3f}", "", "",
        )  # fmt: skip
    if scores.unseen is not None:
        unseen = scores.unseen
        missed = unseen.mentions - unseen.found_strict
        table.add_row(
            "unseen in training", f"{unseen.found_strict:,}", "", f"{missed:,}", "",
            f"{unseen.as_dict()['recall_strict']:.3f}", "", "",
        )  # fmt: skip
    return table


def score_cells(score: Score) -> list[str]:
    """The cells of right, false, missed, precision, recall, F1, F2."""
    counts = (score.true_positives, score.false_positives, score.false_negatives)
    rates = (score.precision, score.recall, score.f_beta(1), score.f_beta(2))
    return [*(f"{count:,}" for count in counts), *(f"{rate:.3f}" for rate in rates)]


def _text_left(scores: DetectionScores) -> Table:
    table = score_table("The text", "what", "value")
    sentences = scores.sentences.shares()
    rows = [
        ("letters of names leaked", f"{scores.letters_leaked:.2%}"),
        ("false spans per 1,000 words", f"{scores.false_spans_per_1000_words:.2f}"),
        ("specificity (words outside names left alone)", f"{scores.specificity:.4f}"),
        ("sentences without any error, strict", f"{sentences['strict_share']:.3f}"),
        ("sentences without any error, relaxed", f"{sentences['relaxed_share']:.3f}"),
        ("  of those with a name, strict", f"{sentences['strict_with_marks_share']:.3f}"),
        ("  of those with a name, relaxed", f"{sentences['relaxed_with_marks_share']:.3f}"),
    ]
    if scores.unseen is not None:
        rows.append(
            ("letters of unseen names leaked", f"{scores.unseen.as_dict()['letters_leaked_share']:.2%}")
        )
    for row in rows:
        table.add_row(*row)
    return table


def _by_document(scores: DetectionScores) -> Table:
    table = score_table(
        "By document, of those with a name", "what", "lowest", "10 %", "25 %", "median", "75 %", "90 %",
        "highest", "mean",
    )  # fmt: skip
    for name, values in (
        ("strict F1", scores.f1_of_documents()), ("letters leaked", scores.leaks_of_documents()),
    ):  # fmt: skip
        spread = Distribution.of(values)
        table.add_row(
            name,
            *(
                f"{value:.3f}"
                for value in (
                    spread.lowest, spread.tenth, spread.quarter, spread.median, spread.three_quarters,
                    spread.ninetieth, spread.highest, spread.mean,
                )
            ),
        )  # fmt: skip
    return table


def _clusters(scores: LinkageScores) -> Table:
    table = score_table(
        f"Who is who: {scores.mentions:,} gold mentions, {scores.gold_clusters:,} people, "
        f"{scores.found_clusters:,} found",
        "measure", "precision", "recall", "F1",
    )  # fmt: skip
    for name, score in (
        ("pairwise", scores.pairwise), ("B-cubed", scores.b_cubed), ("CEAF-e", scores.ceaf_e),
    ):  # fmt: skip
        table.add_row(name, f"{score.precision:.3f}", f"{score.recall:.3f}", f"{score.f1:.3f}")
    return table


def _reliability(pairs: PairScores) -> Table:
    found = pairs.calibration
    table = score_table(
        f"Reliability over {pairs.pairs:,} pairs of forms, {pairs.matches:,} of them matches: expected "
        f"calibration error {found.expected_error:.3f}, Brier score {found.brier_score:.3f}",
        "probability", "pairs", "mean probability", "matches",
    )  # fmt: skip
    for one in found.bins:
        table.add_row(
            f"{one.low:.1f} to {one.high:.1f}", f"{one.pairs:,}", f"{one.mean_probability:.3f}",
            f"{one.match_rate:.3f}",
        )  # fmt: skip
    return table


def _thresholds(pairs: PairScores) -> Table:
    table = score_table("Pairs over thresholds", "threshold", "links", "precision", "recall", "")
    used = {pairs.link_threshold: "links from here", pairs.review_threshold: "open from here"}
    for point in pairs.thresholds:
        table.add_row(
            f"{point.threshold:.3g}", f"{point.links:,}", f"{point.precision:.3f}", f"{point.recall:.3f}",
            used.get(point.threshold, ""),
        )  # fmt: skip
    return table
