"""Scores of all kinds as tables on standard output."""

from collections.abc import Sequence

from rich.table import Table

from linkage.evaluation.kind_scores import GroupScore, KindScores
from linkage.evaluation.scores import share
from pseudonymizer.cli.score_tables import score_cells, score_table

_RATES = ("right", "false", "missed", "precision", "recall", "F1", "F2")
_MOST_CONFUSIONS = 12


def kind_tables(scores: KindScores) -> list[Table]:
    """By kind, strict and relaxed; entities and words by level; the text; confusions. They hold no text."""
    tables = [_by_label(scores, "strict"), _by_label(scores, "relaxed"), _levels(scores), _text(scores)]
    if any(gold != found for gold, found in scores.confusion.together):
        tables.append(_confusions(scores))
    return tables


def _by_label(scores: KindScores, way: str) -> Table:
    words = {"strict": "exact bounds", "relaxed": "covered by found spans of the kind"}[way]
    title = f"Kinds, {way} ({words}), scheme {scores.scheme}: {scores.binary.marks:,} marks"
    has_unseen = way == "strict" and any(group.unseen is not None for group in scores.labels)
    columns = [*_RATES, *(["leaked"] if way == "strict" else []), *(["unseen R"] if has_unseen else [])]
    table = score_table(title, "kind", *columns)

    def row(name: str, group: GroupScore) -> None:
        cells = score_cells(getattr(group, way))
        if way == "strict":
            cells.append(f"{share(group.letters.leaked, group.letters.letters):.1%}")
        if has_unseen:
            seen = group.unseen
            has_any = seen is not None and seen.mentions
            cells.append(f"{seen.as_dict()['recall_strict']:.3f}" if seen is not None and has_any else "")
        table.add_row(name, *cells)

    for group in scores.labels:
        row(group.name, group)
    rest = [""] * (len(columns) - len(_RATES))
    table.add_row("all (micro)", *score_cells(scores.micro("kind", way)), *rest)
    macro = scores.macro(way)
    rates = [f"{macro[name]:.3f}" for name in ("precision", "recall", "f1", "f2")]
    table.add_row("mean over kinds (macro)", "", "", "", *rates, *rest)
    return table


def _levels(scores: KindScores) -> Table:
    table = score_table("Entities (exact bounds) and words", "counted", *_RATES)
    for name, way in (("entities", "strict"), ("words", "token")):
        for level in ("binary", "category", "kind"):
            table.add_row(f"{name}, {level}", *score_cells(scores.micro(level, way)))
    return table


def _text(scores: KindScores) -> Table:
    table = score_table("The text, all kinds", "what", "value")
    for name, key in (
        ("letters of marks leaked", "all"),
        ("  of direct identifiers", "direct"),
        ("  of direct identifiers other than people", "direct_without_person"),
    ):
        leak = scores.leaks[key]
        table.add_row(name, f"{share(leak.leaked, leak.letters):.2%} of {leak.letters:,}")
    leak = scores.leaks["direct_without_person"]
    table.add_row("  the same, found as a direct kind counted alone", f"{share(leak.left, leak.letters):.2%}")
    table.add_row("specificity (words outside marks left alone)", f"{scores.binary.specificity:.4f}")
    shares = scores.sentences.shares()
    for name, of in (("sentences without any error", ""), ("  of those with a mark", "_with_marks")):
        for way, meaning in (
            ("strict", "strict"), ("relaxed", "relaxed"), ("covered", "every mark covered"),
        ):  # fmt: skip
            table.add_row(f"{name}, {meaning}", f"{shares[f'{way}{of}_share']:.3f}")
    unseen = scores.unseen()
    if unseen is not None:
        told = unseen.as_dict()
        table.add_row(
            f"recall of {unseen.mentions:,} marks unseen in training, strict", f"{told['recall_strict']:.3f}"
        )
        table.add_row("letters of unseen marks leaked", f"{told['letters_leaked_share']:.2%}")
    return table


def _confusions(scores: KindScores) -> Table:
    table = score_table("Kinds taken for another one", "gold", "found", "times")
    pairs = [(pair, count) for pair, count in scores.confusion.together.items() if pair[0] != pair[1]]
    told: Sequence[tuple[tuple[str, str], int]] = sorted(pairs, key=lambda one: (-one[1], one[0]))
    for (gold, found), count in told[:_MOST_CONFUSIONS]:
        table.add_row(gold, found, f"{count:,}")
    return table
