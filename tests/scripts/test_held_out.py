"""The marks of the held-out documents, and that no training text holds one of these documents."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from ner_training.kind_marks import MarkedDocument, read_kind_marks
from ner_training.material import KINDS_TEXT, OWN_TEXT
from ner_training.own_gold import HELD_OUT_TEXT

from linkage.kinds import Kinds

OFFICE5 = HELD_OUT_TEXT / "office5"
OFFICE6 = HELD_OUT_TEXT / "office6"
A_LONG_LINE = 60  # shorter lines, as greetings, stand in many letters


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (OFFICE5 / name).read_text(encoding="utf-8").splitlines()]


def office6(language: str = "*") -> list[MarkedDocument]:
    paths = sorted(OFFICE6.glob(f"{language}_*.txt"))
    return [document for path in paths for document in read_kind_marks(path)]


def training_texts() -> list[Path]:
    return [
        path
        for folder in (KINDS_TEXT, OWN_TEXT)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "SOURCE.md"
    ]


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


@pytest.mark.parametrize("language", ["en", "it", "de"])
def test_thirty_documents_of_each_language_are_marked(language: str) -> None:
    documents = office6(language)
    marks = [mark for document in documents for mark in document.marks]
    assert [document.doc_id for document in documents] == [f"h6-{language}-{n:03}" for n in range(1, 31)]
    assert {document.fields["language"] for document in documents} == {language}
    assert {mark.kind for mark in marks} <= {str(kind) for kind in Kinds.load()}
    assert sum(mark.kind == "PERSON" for mark in marks) >= 400


@pytest.mark.parametrize("document", office6(), ids=lambda document: document.doc_id)
def test_a_mark_lies_apart_from_the_next_or_holds_a_person(document: MarkedDocument) -> None:
    for left, right in pairwise(document.marks):
        if right.start < left.end:
            outer, inner = (right, left) if left.kind == "PERSON" else (left, right)
            assert outer.start <= inner.start < inner.end <= outer.end
            assert inner.kind == "PERSON" != outer.kind


def test_no_training_text_holds_a_held_out_document() -> None:
    lines = {
        line.strip()
        for document in office6()
        for line in document.text.splitlines()
        if len(line.strip()) >= A_LONG_LINE
    }
    assert lines
    assert training_texts()
    for path in training_texts():
        text = path.read_text(encoding="utf-8")
        assert not any(f"h6-{language}-0" in text for language in ("en", "it", "de")), path
        if path.suffix == ".txt" and KINDS_TEXT in path.parents:
            trained = {
                line.strip() for document in read_kind_marks(path) for line in document.text.splitlines()
            }
            assert not lines & trained, path
