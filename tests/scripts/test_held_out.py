"""The marks of the held-out documents: each cuts its text out, none overlaps another of its document."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "scripts" / "ner_training" / "held_out" / "office5"


@pytest.mark.parametrize("name", ["office5a", "office5b"])
def test_identifiers_stand_where_they_are_marked(name: str) -> None:
    persons = [json.loads(line) for line in (FOLDER / f"{name}.persons.jsonl").open(encoding="utf-8")]
    marked = [json.loads(line) for line in (FOLDER / f"{name}.identifiers.jsonl").open(encoding="utf-8")]
    assert [{k: v for k, v in one.items() if k != "identifiers"} for one in marked] == persons
    for document in marked:
        marks = document["identifiers"]
        for mark in marks:
            assert document["text"][mark["start"] : mark["end"]] == mark["text"] == mark["text"].strip()
            assert mark["kind"].isupper()
        assert all(left["end"] <= right["start"] for left, right in pairwise(marks))
