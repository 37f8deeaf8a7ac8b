"""Pictures of scores as SVG: self-contained, without scripts, and without a name or an id of a document."""

from collections.abc import Iterable, Sequence
from html import escape

from linkage.evaluation.confusion import Confusion
from linkage.evaluation.linkage import Calibration, ThresholdPoint
from linkage.evaluation.scores import Distribution

_WIDTH, _HEIGHT = 560, 430
_LEFT, _TOP, _SIDE_X, _SIDE_Y = 64, 44, 470, 320  # the field that both axes span
_GREEN, _RED, _GREY, _PALE = "#2a7f3f", "#b03a2e", "#999", "#dde5ee"


def reliability_svg(calibration: Calibration) -> str:
    """Match rate over mean probability, a circle a bin; a perfectly calibrated model lies on the diagonal.

    The pale columns behind show how many pairs each bin holds, the tallest standing for the fullest bin, on
    a scale of square roots, so that bins of a few pairs are seen beside those of thousands.
    """
    fullest = max(b.pairs for b in calibration.bins)
    columns = [
        _column(b.low, b.high, (b.pairs / fullest) ** 0.5, f"{b.pairs:,} pairs") for b in calibration.bins
    ]
    line = [(b.mean_probability, b.match_rate) for b in calibration.bins]
    points = [
        f'<circle cx="{_x(b.mean_probability):.1f}" cy="{_y(b.match_rate):.1f}" r="5" fill="{_GREEN}">'
        f"<title>probability {b.mean_probability:.3f}, matches {b.match_rate:.3f}, {b.pairs:,} pairs</title>"
        "</circle>"
        for b in calibration.bins
    ]
    return _picture(
        f"Reliability: expected calibration error {calibration.expected_error:.3f}, "
        f"Brier score {calibration.brier_score:.3f}",
        ("mean match probability", "share of true matches"),
        [*columns, _curve([(0, 0), (1, 1)], _GREY, dashed=True), _curve(line, _GREEN), *points],
        [("measured", _GREEN), ("perfect", _GREY), ("pairs in a bin", _PALE)],
    )


def thresholds_svg(
    points: Sequence[ThresholdPoint], *, link_threshold: float, review_threshold: float
) -> str:
    """Precision and recall over the threshold from which pairs are called links; marks the bounds in use."""
    marks = [
        _upright(bound, _GREY, dashed=True)
        + f'<text x="{_x(bound) + 3:.1f}" y="{_y(0.03):.1f}" fill="#555">{name}</text>'
        for bound, name in ((link_threshold, "link"), (review_threshold, "review"))
    ]
    ordered = sorted(points, key=lambda point: point.threshold)
    return _picture(
        "Precision and recall over thresholds",
        ("threshold of the match probability", "precision, recall"),
        [
            *marks,
            _curve([(p.threshold, p.recall) for p in ordered], _RED),
            _curve([(p.threshold, p.precision) for p in ordered], _GREEN),
        ],
        [("precision", _GREEN), ("recall", _RED)],
    )


def distribution_svg(values: Sequence[float], *, title: str, label: str, bin_count: int = 20) -> str:
    """How many documents have which score in [0, 1]: columns, with the median and the outer tenths marked."""
    counts = [0] * bin_count
    for value in values:
        counts[min(int(value * bin_count), bin_count - 1)] += 1
    tallest = 5 * max(1, -(-max(counts, default=0) // 5))  # five whole steps on the axis
    columns = [
        _column(n / bin_count, (n + 1) / bin_count, count / tallest, f"{count:,} documents", "#7f9db9")
        for n, count in enumerate(counts)
        if count
    ]
    spread = Distribution.of(values)
    marks = [
        _upright(value, colour)
        for value, colour in ((spread.tenth, _GREY), (spread.ninetieth, _GREY), (spread.median, _GREEN))
    ]
    return _picture(
        f"{title}: {len(values):,} documents, median {spread.median:.3f}, mean {spread.mean:.3f}",
        (label, "documents"),
        [*columns, *(marks if values else ())],
        [("median", _GREEN), ("outer tenths", _GREY)],
        highest=tallest,
    )


def confusion_svg(confusion: Confusion, labels: Sequence[str]) -> str:
    """Gold labels downwards, found labels across: how often one was found as the other.

    Right ones are green, wrong and missed ones red, the darker the larger the share of the row. The last
    column counts the missed mentions, the last row found spans that are none. labels: those that are drawn.
    """
    cell, left, top = 34, 150, 130
    across, down = [*labels, "missed"], [*labels, "no mention"]
    drawn = []
    for y, gold in enumerate(down):
        row = [_confused(confusion, gold, found, labels) for found in across]
        for x, (found, count) in enumerate(zip(across, row, strict=True)):
            if not count:
                continue
            share = count / sum(row)
            place = f'x="{left + x * cell}" y="{top + y * cell}" width="{cell}" height="{cell}"'
            colour = _GREEN if gold == found else _RED
            middle = f'x="{left + x * cell + cell / 2:.0f}" y="{top + y * cell + cell / 2 + 4:.0f}"'
            drawn.append(
                f'<rect {place} fill="{colour}" fill-opacity="{0.15 + 0.75 * share:.2f}">'
                f"<title>{escape(gold)} found as {escape(found)}: {count:,}</title></rect>"
                f'<text {middle} text-anchor="middle" font-size="10">{count:,}</text>'
            )
    for n, name in enumerate(down):
        line = top + n * cell + cell // 2 + 4
        drawn.append(f'<text x="{left - 6}" y="{line}" text-anchor="end">{escape(name)}</text>')
    for n, name in enumerate(across):
        place = f"{left + n * cell + cell // 2 + 4} {top - 6}"
        drawn.append(f'<text transform="translate({place}) rotate(-60)">{escape(name)}</text>')
    width, height = left + len(across) * cell + 80, top + len(down) * cell + 30
    frame = f'x="{left}" y="{top}" width="{len(across) * cell}" height="{len(down) * cell}"'
    title = "Kinds: gold downwards, found across"
    return "\n".join(
        [
            *_opening(width, height, title),
            *drawn,
            f'<rect {frame} fill="none" stroke="{_GREY}"/>',
            "</svg>",
        ]
    )


def _confused(confusion: Confusion, gold: str, found: str, labels: Sequence[str]) -> int:
    """The count of a cell: a row or a column that is no label stands for nothing found, or no mention."""
    if gold not in labels:
        return 0 if found not in labels else confusion.false.get(found, 0)
    return confusion.missed.get(gold, 0) if found not in labels else confusion.together.get((gold, found), 0)


def _x(share: float) -> float:
    return _LEFT + share * _SIDE_X


def _y(share: float) -> float:
    return _TOP + (1 - share) * _SIDE_Y


def _column(low: float, high: float, share: float, about: str, colour: str = _PALE) -> str:
    return (
        f'<rect x="{_x(low) + 1:.1f}" y="{_y(share):.1f}" width="{_x(high) - _x(low) - 2:.1f}" '
        f'height="{_y(0) - _y(share):.1f}" fill="{colour}"><title>{escape(about)}</title></rect>'
    )


def _upright(share: float, colour: str, *, dashed: bool = False) -> str:
    return _curve([(share, 0), (share, 1)], colour, dashed=dashed)


def _curve(points: Iterable[tuple[float, float]], colour: str, *, dashed: bool = False) -> str:
    places = " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'


def _picture(
    title: str,
    axes: tuple[str, str],
    drawn: Sequence[str],
    legend: Sequence[tuple[str, str]],
    *,
    highest: float = 1.0,
) -> str:
    """Axes from 0 to 1 (upwards to highest), what is drawn between them, a title and a legend."""
    ticks = []
    for step in range(6):
        share = step / 5
        height = f"{share * highest:.1f}" if highest == 1.0 else f"{share * highest:,.4g}"
        ticks.append(
            f'<line x1="{_LEFT}" y1="{_y(share):.1f}" x2="{_LEFT + _SIDE_X}" y2="{_y(share):.1f}" '
            f'stroke="#eee"/><text x="{_LEFT - 8}" y="{_y(share) + 4:.1f}" text-anchor="end">{height}</text>'
            f'<text x="{_x(share):.1f}" y="{_y(0) + 18:.1f}" text-anchor="middle">{share:.1f}</text>'
        )
    keys = [
        f'<rect x="{_LEFT + 130 * n}" y="{_HEIGHT - 18}" width="12" height="12" fill="{colour}"/>'
        f'<text x="{_LEFT + 18 + 130 * n}" y="{_HEIGHT - 8}">{escape(name)}</text>'
        for n, (name, colour) in enumerate(legend)
    ]
    across, up = map(escape, axes)
    return "\n".join(
        [
            *_opening(_WIDTH, _HEIGHT, title),
            *ticks,
            *drawn,
            f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIDE_X}" height="{_SIDE_Y}" fill="none" '
            f'stroke="{_GREY}"/>',
            f'<text x="{_x(0.5):.1f}" y="{_y(0) + 36:.1f}" text-anchor="middle">{across}</text>',
            f'<text x="14" y="{_y(0.5):.1f}" text-anchor="middle" '
            f'transform="rotate(-90 14 {_y(0.5):.1f})">{up}</text>',
            *keys,
            "</svg>",
        ]
    )


def _opening(width: int, height: int, title: str) -> list[str]:
    """The first lines of a picture, with its title."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title)}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="10" y="22" font-size="14">{escape(title)}</text>',
    ]
