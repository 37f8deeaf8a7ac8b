"""Given-name and surname pairs for training, with the fixed split of names.

A name belongs to train, validation or test by a hash of its letters, so that every run and every list agrees.
A pair belongs to a part only if both its names do; pairs across parts are left out of all three.
"""

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from linkage.comparison.words import name_letters

SEED = "nymlink-names-1"
LANGUAGES = ("nl", "de", "en", "it")
PART_SHARES = {"train": 0.7, "validation": 0.1, "test": 0.2}  # as part_of parts the names


@dataclass(frozen=True, slots=True)
class NamePair:
    """Two names as letters, left < right. weight: how far the source is trusted, in (0, 1]."""

    left: str
    right: str
    kind: str
    is_variant: bool
    weight: float = 1.0

    @property
    def key(self) -> tuple[str, str]:
        return self.left, self.right


def part_of(name: str, *, seed: str = SEED) -> str:
    """Train (70 %), validation (10 %) or test (20 %)."""
    bucket = hashlib.sha256(f"{seed}:{name}".encode()).digest()[0] % 10
    return "test" if bucket < 2 else "validation" if bucket == 2 else "train"


def part_of_pair(pair: NamePair) -> str | None:
    part = part_of(pair.left)
    return part if part == part_of(pair.right) else None


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        delimiter = "\t" if path.suffix == ".tsv" else ","
        quoting: Literal[0, 3] = csv.QUOTE_NONE if path.suffix == ".tsv" else csv.QUOTE_MINIMAL
        yield from csv.DictReader(lines, delimiter=delimiter, quoting=quoting)


def _pair(a: str, b: str, kind: str, *, is_variant: bool, weight: float = 1.0) -> NamePair | None:
    left, right = sorted((name_letters(a), name_letters(b)))
    return NamePair(left, right, kind, is_variant, weight) if left and right and left != right else None


def given_variants(data: Path) -> dict[tuple[str, str], NamePair]:
    """Pairs that a list or a person calls variants, the most trusted source of each."""
    found: dict[tuple[str, str], NamePair] = {}
    trust = {"high": 1.0, "medium": 0.9, "auto": 0.7}
    for language in LANGUAGES:
        for row in _rows(data / "names" / f"variant_pairs_{language}.tsv"):
            weight = trust.get(row["confidence"], 0.7)
            _keep(found, _pair(row["name_a"], row["name_b"], row["kind"], is_variant=True, weight=weight))
    for row in _rows(data / "linkage" / "AncestryGivennamePairs.csv"):
        if not row["Bad"]:
            kind = "nickname" if row["Nickname"] else "ancestry"
            _keep(found, _pair(row["HeadName"], row["VariantName"], kind, is_variant=True, weight=0.6))
    return found


def dutch_variants(data: Path) -> frozenset[tuple[str, str]]:
    """The pairs of the Dutch list of variants, whatever their confidence."""
    found: dict[tuple[str, str], NamePair] = {}
    for row in _rows(data / "names" / "variant_pairs_nl.tsv"):
        _keep(found, _pair(row["name_a"], row["name_b"], row["kind"], is_variant=True))
    return frozenset(found)


def derived_variants(data: Path) -> dict[tuple[str, str], NamePair]:
    """Short forms of one full form (Bep, Betje); the more full forms they have, the less sure."""
    found: dict[tuple[str, str], NamePair] = {}
    for row in _rows(data / "names" / "variant_pairs_nl_derived.tsv"):
        weight = 0.5 / max(int(row["n_heads_a"]), int(row["n_heads_b"]))
        _keep(found, _pair(row["name_a"], row["name_b"], "derived", is_variant=True, weight=weight))
    return found


def judged_negatives(data: Path) -> dict[tuple[str, str], NamePair]:
    found: dict[tuple[str, str], NamePair] = {}
    for row in _rows(data / "names" / "variant_pairs_nl_negative.tsv"):
        weight = 1.0 if "nama" in row["source"] else 0.6
        _keep(found, _pair(row["name_a"], row["name_b"], "judged", is_variant=False, weight=weight))
    for row in _rows(data / "linkage" / "AncestryGivennamePairs.csv"):
        if row["Bad"].startswith("1"):  # "Q" and the like: the judge was not sure
            _keep(found, _pair(row["HeadName"], row["VariantName"], "judged", is_variant=False, weight=0.5))
    return found


def surname_variants(data: Path) -> dict[tuple[str, str], NamePair]:
    found: dict[tuple[str, str], NamePair] = {}
    for row in _rows(data / "names" / "surname_variant_pairs_nl.tsv"):
        _keep(found, _pair(row["name_a"], row["name_b"], "spelling", is_variant=True, weight=0.5))
    for row in _rows(data / "linkage" / "AncestrySurnamePairs.csv"):
        if not row["Bad"]:
            _keep(found, _pair(row["HeadName"], row["VariantName"], "ancestry", is_variant=True, weight=0.6))
    return found


def _keep(found: dict[tuple[str, str], NamePair], pair: NamePair | None) -> None:
    if pair is not None and (pair.key not in found or found[pair.key].weight < pair.weight):
        found[pair.key] = pair


def given_names(data: Path) -> dict[str, str]:
    """Letters -> gender (f, m, u or "") of the listed given names."""
    return {name_letters(row["name"]): row["gender"] for row in _rows(data / "names" / "given_names_nl.tsv")}
