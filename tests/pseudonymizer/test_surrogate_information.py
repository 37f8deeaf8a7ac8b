"""What surrogates tell of the names they stand for: nothing of initials and lengths, in the mean over vaults.

This is case P14 as its notes ask for it: means over 20 fresh draws of the ten names of the case.
"""

import json
import random
from functools import cache
from pathlib import Path
from statistics import correlation, fmean

from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from pseudonymizer.styles.labels import LabelRequest
from pseudonymizer.styles.name_pool import NamePool
from pseudonymizer.styles.surrogate import GivenSurrogates, RealNames, SurrogateLabels

_CASES = Path(__file__).parents[1] / "cases" / "cases.jsonl"
_VAULTS = 20


@cache
def case() -> tuple[list[str], dict[str, float]]:
    """The names of P14, and its limits by check."""
    lines = _CASES.read_text(encoding="utf-8").splitlines()
    (found,) = [one for one in map(json.loads, lines) if one["id"] == "P14"]
    expected = found["expected"]
    limits = {check["check"]: check["max"] for check in expected["checks"]}
    return [mention["text"] for mention in expected["mentions"]], limits


@cache
def lists() -> tuple[Gazetteer, NamePool]:
    gazetteer = Gazetteer.load()
    return gazetteer, NamePool.of(gazetteer)


@cache
def draws() -> list[list[str]]:
    """Labels of the ten names in each of the vaults; the seed is fixed, so this never fails by chance."""
    gazetteer, pool = lists()
    names, chance = case()[0], random.Random(14)  # noqa: S311  a test that can be repeated
    parsed = [parse_name(name, gazetteer) for name in names]
    requests = [LabelRequest((name,)) for name in parsed]
    return [
        SurrogateLabels(
            pool, given=GivenSurrogates(), real=RealNames.of(parsed), gender_of=gazetteer.gender,
            entropy=chance.randbytes,
        ).draw(requests, taken=lambda _: ())
        for _ in range(_VAULTS)
    ]  # fmt: skip


def test_initials_are_not_kept() -> None:
    names, limits = case()
    shares = [
        fmean(label[0] == name[0] for label, name in zip(labels, names, strict=True)) for labels in draws()
    ]
    assert fmean(shares) <= limits["initials_kept_share"]


def test_lengths_tell_nothing() -> None:
    names, limits = case()
    lengths = list(map(len, names))
    found = [correlation(lengths, list(map(len, labels))) for labels in draws()]
    assert abs(fmean(found)) <= limits["length_correlation_abs"]


def test_every_vault_draws_anew() -> None:
    labels = draws()
    assert len({tuple(one) for one in labels}) == _VAULTS
    assert len(set(labels[0])) == len(case()[0])
