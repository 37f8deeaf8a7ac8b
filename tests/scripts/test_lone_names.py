"""What is measured of names alone: figures of a judge, and pairs of common names that look alike."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from training.given_training import PairStock
from training.lone_names import LoneNameMeasurer, LoneNames, common_pairs
from training.name_families import NameFamilies
from training.name_pairs import NamePair

from linkage.settings import data_directory

SHIPPED = data_directory() / "models" / "linkage"
PAIRS = [
    NamePair("aart", "aert", "spelling", is_variant=True),
    NamePair("syb", "sijbrand", "nickname", is_variant=True),
    NamePair("aart", "syb", "random", is_variant=False),
    NamePair("aart", "aaltje", "hard", is_variant=False),
]
KNOWN = NamePair("willem", "wim", "nickname", is_variant=True)


def test_figures_are_those_of_the_judge() -> None:
    def judge(pairs: Sequence[NamePair]) -> npt.NDArray[np.float64]:
        return np.array([0.9, 0.4, 0.1, 0.3])[: len(pairs)]

    scores = LoneNames({"hard negatives": PAIRS}).scores(judge)
    assert scores == {"hard negatives": {"pairs": 4, "AUC": 1.0, "accuracy": 0.75}}


def test_common_names_that_look_alike_and_that_no_list_joins() -> None:
    names = ["Maria", "Marja", "Mario", "Hendrik"]
    related = {("maria", "marja")}
    found = common_pairs(names, lambda a, b: (a, b) in related)
    assert found == [("Maria", "Mario"), ("Marja", "Mario")]


@pytest.mark.parametrize("part", ["test", "validation"])
def test_the_lexicon_forgets_held_out_families_and_only_those(part: str) -> None:
    pair = NamePair("cornelis", "kees", "nickname", is_variant=True)
    families = NameFamilies({"cornelis": "x", "kees": "x"})
    stand_in = next(f"x{n}" for n in range(999) if NameFamilies({"a": f"x{n}"}).part_of("a") == part)
    held_out = NameFamilies(dict.fromkeys(families.family_of, stand_in))
    stock = PairStock({pair.key: pair}, {}, {}, [], held_out)
    measurer = LoneNameMeasurer(SHIPPED, stock)
    asked = [("Kees", "Cornelis")]
    assert measurer.linked(asked, knows_lexicon=True)["linked, share"] == 1.0
    assert measurer.command([pair])[0] < 0.995 <= measurer.command([KNOWN])[0]
    assert measurer.told(given=True)([pair])[0] == pytest.approx(measurer.command([pair])[0], abs=0.1)


def test_a_part_of_the_stock_has_its_own_families_alone() -> None:
    pairs = [PAIRS[0], PAIRS[1], KNOWN]
    variants = {pair.key: pair for pair in pairs}
    stock = PairStock(variants, {}, {}, ["aart", "wim"], NameFamilies.of(variants))
    parts = {part: stock.of_part(part) for part in ("train", "validation", "test")}
    assert sum(len(part.variants) for part in parts.values()) == len(pairs)
    for title, part in parts.items():
        assert all(stock.families.part_of(name) == title for key in part.variants for name in key)
        assert all(stock.families.part_of(name) == title for name in part.names)
