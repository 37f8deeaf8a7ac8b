"""Pictures of scores: right places, no outside resources, nothing but numbers in them."""

import re
from xml.etree import ElementTree

import pytest

from linkage.evaluation.confusion import Confusion
from linkage.evaluation.linkage import calibration, precision_recall_over_thresholds
from linkage.evaluation.plots import confusion_svg, distribution_svg, reliability_svg, thresholds_svg

P, TRUTH = [0.95, 0.9, 0.65, 0.3, 0.05, 0.05], [True, True, False, True, False, False]


def _drawn(picture: str, tag: str) -> list[dict[str, str]]:
    root = ElementTree.fromstring(picture)  # noqa: S314  our own
    return [dict(element.attrib) for element in root.iter(f"{{http://www.w3.org/2000/svg}}{tag}")]


def test_reliability_has_a_circle_a_bin_and_a_diagonal() -> None:
    found = calibration(P, TRUTH)
    picture = reliability_svg(found)
    circles = _drawn(picture, "circle")
    assert len(circles) == len(found.bins) == 4
    heights = [float(circle["cy"]) for circle in circles]
    assert heights[0] == max(heights)  # no match below .1
    assert heights[-1] == min(heights)  # all match from .9 up
    diagonal, curve = (line["points"].split() for line in _drawn(picture, "polyline"))
    assert (len(diagonal), len(curve)) == (2, 4)
    assert f"{found.expected_error:.3f}" in picture


def test_a_perfectly_calibrated_bin_lies_on_the_diagonal() -> None:
    picture = reliability_svg(calibration([0.5, 0.5], [True, False]))
    (circle,) = _drawn(picture, "circle")
    (left, bottom), (right, top) = (
        map(float, place.split(",")) for place in _drawn(picture, "polyline")[0]["points"].split()
    )
    assert float(circle["cx"]) == pytest.approx((left + right) / 2)
    assert float(circle["cy"]) == pytest.approx((top + bottom) / 2)


def test_thresholds_go_from_left_to_right_whatever_their_order() -> None:
    points = precision_recall_over_thresholds(P, TRUTH, thresholds=(0.9, 0.1, 0.5))
    picture = thresholds_svg(points, link_threshold=0.8, review_threshold=0.4)
    link, review, recall, precision = (
        [[float(number) for number in place.split(",")] for place in line["points"].split()]
        for line in _drawn(picture, "polyline")
    )
    assert link[0][0] > review[0][0]
    for curve in (recall, precision):
        assert [x for x, _ in curve] == sorted(x for x, _ in curve)
    assert [y for _, y in recall] == sorted(y for _, y in recall)  # recall falls, and y counts downwards


@pytest.mark.parametrize("values", [[], [1.0], [0.0, 0.5, 1.0, 1.0]])
def test_distribution_counts_every_document(values: list[float]) -> None:
    picture = distribution_svg(values, title="Scores", label="F1")
    assert sum(int(n) for n in re.findall(r"<title>(\d+) documents", picture)) == len(values)


CONFUSION = Confusion({("A", "A"): 3, ("A", "B"): 1, ("B", "B"): 2}, missed={"B": 4}, false={"A": 5, "B": 6})


def test_confusion_has_a_square_a_count_in_its_row_and_column() -> None:
    picture = confusion_svg(CONFUSION, ["A", "B"])
    told = re.findall(r"<title>(.*?)</title>", picture)
    assert told == [
        "A found as A: 3", "A found as B: 1", "B found as B: 2", "B found as missed: 4",
        "no mention found as A: 5", "no mention found as B: 6",
    ]  # fmt: skip
    squares = [one for one in _drawn(picture, "rect") if "fill-opacity" in one]
    (a, a_as_b, b, b_missed, false, _) = [(float(one["x"]), float(one["y"])) for one in squares]
    assert (a[1], a[0], b[0]) == (a_as_b[1], false[0], a_as_b[0])
    assert b_missed[0] > b[0]
    assert [float(one["fill-opacity"]) for one in squares[:2]] == [
        pytest.approx(p, abs=0.01) for p in (0.71, 0.34)
    ]


def test_pictures_need_nothing_from_outside() -> None:
    found = calibration(P, TRUTH)
    points = precision_recall_over_thresholds(P, TRUTH)
    for picture in (
        reliability_svg(found),
        thresholds_svg(points, link_threshold=0.8, review_threshold=0.3),
        distribution_svg(P, title="a < b & c", label='"x"'),
        confusion_svg(CONFUSION, ["A", "B"]),
    ):
        ElementTree.fromstring(picture)  # noqa: S314  our own
        assert not re.search(r"href|url\(|<script|<style|<image|@import", picture)
        assert picture.count("http") == 1  # the namespace
