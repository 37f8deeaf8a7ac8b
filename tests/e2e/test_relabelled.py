"""The sample corpus is linked alike whatever its documents are called, with the shipped model."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from linkage.evaluation.gold import gold_mentions, read_gold
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.normalization import normalize
from linkage.records import NormalizedMention
from linkage.settings import LinkingSettings
from tests.linkage.linker.relabelled import relabelled, told

GOLD = Path(__file__).resolve().parents[2] / "data" / "sample" / "gold.persons.jsonl"


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker.load(LinkingSettings(), Gazetteer.load())


@pytest.fixture(scope="module")
def mentions(linker: Linker) -> list[NormalizedMention]:
    found = [(gold.document, gold_mentions(gold)[0]) for gold in read_gold(GOLD)]
    return [n for document, given in found for n in normalize(document, given, linker.gazetteer)]


def _reversed(ids: list[str]) -> list[str]:
    return [f"{len(ids) - number:06d}" for number in range(len(ids))]


def _hexadecimal(ids: list[str]) -> list[str]:
    chance = random.Random(7)  # noqa: S311
    return [f"{chance.getrandbits(128):032x}" for _ in ids]


@pytest.mark.parametrize("renamed", [_reversed, _hexadecimal])
def test_other_ids_give_the_same_people_and_open_links(
    linker: Linker, mentions: list[NormalizedMention], renamed: Callable[[list[str]], list[str]]
) -> None:
    ids = sorted({str(m.mention.doc_id) for m in mentions})
    new_ids = dict(zip(ids, renamed(ids), strict=True))
    old_ids = {new: old for old, new in new_ids.items()}
    others = relabelled(mentions, new_ids.__getitem__)
    random.Random(11).shuffle(others)  # noqa: S311
    assert told(linker.link(others), old_ids.__getitem__) == told(linker.link(mentions))
