"""Families of given names: whole ones are held out, whatever the order of pairs."""

from itertools import pairwise

import pytest
from training.given_training import PairStock, names_of_part
from training.name_families import LARGEST, NameFamilies
from training.name_pairs import NamePair


def _pairs(*names: tuple[str, str]) -> dict[tuple[str, str], NamePair]:
    return {(a, b): NamePair(a, b, "nickname", is_variant=True) for a, b in map(sorted, names)}


FAMILIES = _pairs(("jan", "johannes"), ("jan", "jantje"), ("kees", "cornelis"), ("truus", "geertruida"))


def test_names_that_variants_join_are_one_family() -> None:
    families = NameFamilies.of(FAMILIES)
    assert families.family_of["jan"] == families.family_of["johannes"] == families.family_of["jantje"]
    assert len(set(families.family_of.values())) == 3
    assert families.part_of("johannes") == families.part_of("jantje") == families.part_of("jan")


def test_the_order_of_pairs_changes_nothing_and_negatives_join_nothing() -> None:
    back = dict(reversed(FAMILIES.items()))
    assert NameFamilies.of(back) == NameFamilies.of(FAMILIES)
    without = NameFamilies.of(FAMILIES, negatives={("jan", "jantje")})
    assert "jantje" not in without.family_of


def test_no_family_grows_beyond_its_bound_and_firm_pairs_join_first() -> None:
    chain = [f"name{number:04}" for number in range(2 * LARGEST)]
    loose = {pair: NamePair(*pair, "ancestry", is_variant=True, weight=0.6) for pair in pairwise(chain)}
    firm = _pairs((chain[10], chain[11]))
    sizes: dict[str, int] = {}
    families = NameFamilies.of(loose | firm)
    for family in families.family_of.values():
        sizes[family] = sizes.get(family, 0) + 1
    assert max(sizes.values()) <= LARGEST
    assert families.family_of[chain[10]] == families.family_of[chain[11]]


@pytest.mark.parametrize("part", ["train", "validation", "test"])
def test_a_part_has_whole_families(part: str) -> None:
    names = [f"name{number:03}" for number in range(300)]
    pairs = _pairs(*zip(names[::3], names[1::3], strict=True))
    stock = PairStock(pairs, {}, {}, names, NameFamilies.of(pairs))
    inside = set(names_of_part(stock, part))
    assert inside
    assert all((a in inside) == (b in inside) for a, b in pairs)
