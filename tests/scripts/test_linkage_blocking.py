"""Which true pairs count as ones that letters can find, and what blocking keeps of a small gold set."""

import json
from pathlib import Path

import pytest
from linkage_benchmark.blocking import gold_blocking, have_a_part_in_common

from linkage.evaluation.gold import read_gold
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import PersonName
from linkage.settings import LinkingSettings

GAZETTEER = Gazetteer.load()
LINKER = Linker.load(LinkingSettings(), GAZETTEER)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (PersonName(given="Fenna", family="Qarstra"), PersonName(given="Inge", family="Qarstra"), True),
        (PersonName(given="Fenna", family="Qarstra"), PersonName(given="Inge", family="Qarsrta"), True),
        (PersonName(given="Truus", family="Qarstra"), PersonName(given="Geertruida", family="Zolm"), True),
        (PersonName(given="Kwer", family="Burg"), PersonName(given="Inge", family="Kwerbnrg"), True),
        (
            PersonName(given="Inge", family="Zolm", nickname="Bolle"),
            PersonName(given="Bolle", family="Tak"),
            True,
        ),
        (PersonName(given="Fenna", family="Qarstra"), PersonName(given="The", family="Milkman"), False),
        (PersonName(given="Fenna", family="Qar"), PersonName(given="Inge", family="Qas"), False),
    ],
)
def test_a_part_in_common(left: PersonName, right: PersonName, expected: bool) -> None:
    assert have_a_part_in_common(left, right, LINKER.variants) is expected
    assert have_a_part_in_common(right, left, LINKER.variants) is expected


def test_what_blocking_keeps_is_counted_with_and_without_a_part_in_common(tmp_path: Path) -> None:
    names = ["Fenna Qarstra", "Fenna Qarsrta", "Zwarte Milkman", "Inge Zolm"]
    text = ", ".join(names)
    starts = [text.index(name) for name in names]
    mentions = [
        {"start": start, "end": start + len(name), "text": name, "entity": "one" if number < 3 else "other"}
        for number, (start, name) in enumerate(zip(starts, names, strict=True))
    ]
    file = tmp_path / "gold.persons.jsonl"
    file.write_text(json.dumps({"doc_id": "d1", "text": text, "mentions": mentions}) + "\n", encoding="utf-8")
    scores = gold_blocking(LINKER, GAZETTEER, read_gold(file), over_corpus=False)
    assert (scores.true, scores.linkable, scores.linkable_kept, scores.possible) == (3, 1, 1, 6)
    assert 1 <= scores.kept < 3
    assert "1 of 1 (100.0%)" in scores.told()
    assert "Qarstra" not in scores.told()
