"""The marks of the held-out documents: each cuts its text out, none overlaps another of its document."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "scripts" / "ner_training" / "held_out" / "office5"


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["office5a", "office5b"])
def test_identifiers_stand_where_they_are_marked(name: str) -> None:
    persons, marked = lines_of(f"{name}.persons.jsonl"), lines_of(f"{name}.identifiers.jsonl")
    assert [{k: v for k, v in one.items() if k != "identifiers"} for one in marked] == persons
    for document in marked:
        marks = document["identifiers"]
        for mark in marks:
            assert document["text"][mark["start"] : mark["end"]] == mark["text"] == mark["text"].strip()
            assert mark["kind"].isupper()
        assert all(left["end"] <= right["start"] for left, right in pairwise(marks))
