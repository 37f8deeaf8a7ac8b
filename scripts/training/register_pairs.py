"""Pairs of names from two standard sets, febrl4 and splink's historical figures, split once and for all.

febrl4: the left records are split by a hash of their id; a held-out one never trains. splink: 800 clusters,
the first by a hash of their id, never train.
"""

import csv
import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as parquet

from linkage.records import PersonName

FEBRL_TEST_SHARE = 0.5
SPLINK_TEST_CLUSTERS = 800


def _share(text: str) -> float:
    return int.from_bytes(hashlib.sha256(f"nymlink-register-1:{text}".encode()).digest()[:6], "big") / 2**48


@dataclass(frozen=True, slots=True)
class Register:
    """Records of two files to be matched; truth: pairs of row numbers; held_out: left rows for the test."""

    left: Sequence[PersonName] = field(repr=False)
    right: Sequence[PersonName] = field(repr=False)
    truth: frozenset[tuple[int, int]]
    held_out: npt.NDArray[np.bool_]


def febrl4(data: Path) -> Register:
    """Given name and surname alone of febrl's fourth set, 5000 x 5000, one true partner each."""
    sides: list[list[PersonName]] = []
    numbers: list[list[str]] = []
    for side in "ab":
        with (data / "linkage" / "febrl" / f"dataset4{side}.csv").open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, skipinitialspace=True))
        sides.append([_name(row["given_name"], row["surname"]) for row in rows])
        numbers.append([row["rec_id"].split("-")[1] for row in rows])
    row_of = {number: row for row, number in enumerate(numbers[1])}
    truth = frozenset((row, row_of[number]) for row, number in enumerate(numbers[0]))
    held_out = np.array([_share(number) < FEBRL_TEST_SHARE for number in numbers[0]])
    return Register(sides[0], sides[1], truth, held_out)


def _name(given: str | None, surname: str | None) -> PersonName:
    """What febrl leaves empty is absent; a record without either gets a name that equals no other."""
    first, last = (given or "").strip() or None, (surname or "").strip() or None
    return PersonName(given=first, family=last) if first or last else PersonName(suffix="II")


@dataclass(frozen=True, slots=True)
class ClusteredNames:
    """Written names and the cluster of each; is_test by cluster."""

    names: Sequence[str] = field(repr=False)
    given: Sequence[str | None] = field(repr=False)
    surnames: Sequence[str | None] = field(repr=False)
    clusters: npt.NDArray[np.int64]
    is_test: npt.NDArray[np.bool_]


def splink_historical(data: Path) -> ClusteredNames:
    """full_name, first_name and surname of the historical figures; nothing else of them is used."""
    table = parquet.read_table(data / "linkage" / "splink" / "historical_figures_with_errors_50k.parquet")
    columns = table.select(["cluster", "full_name", "first_name", "surname"]).to_pydict()
    order = sorted(set(columns["cluster"]), key=_share)
    number_of = {cluster: number for number, cluster in enumerate(order)}
    numbers = np.array([number_of[cluster] for cluster in columns["cluster"]], dtype=np.int64)
    return ClusteredNames(
        [name or "" for name in columns["full_name"]], columns["first_name"], columns["surname"],
        numbers, numbers < SPLINK_TEST_CLUSTERS,
    )  # fmt: skip


def cluster_pairs(clusters: npt.NDArray[np.int64]) -> set[tuple[int, int]]:
    members: dict[int, list[int]] = defaultdict(list)
    for row, cluster in enumerate(clusters.tolist()):
        members[cluster].append(row)
    return {pair for rows in members.values() for pair in combinations(rows, 2)}
