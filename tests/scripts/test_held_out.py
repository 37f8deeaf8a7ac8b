"""The marks of the held-out documents, and that no training text holds one of these documents."""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from ner_training.kind_marks import MarkedDocument, read_kind_marks, record_of
from ner_training.material import KINDS_TEXT, OWN_TEXT
from ner_training.own_gold import HELD_OUT_TEXT

from linkage.kinds import Kinds

OFFICE5 = HELD_OUT_TEXT / "office5"
OFFICE6 = HELD_OUT_TEXT / "office6"
OFFICE7 = HELD_OUT_TEXT / "office7"
OFFICE7_DOCUMENTS = {"en": 44, "it": 44, "de": 44}
ROOT = HELD_OUT_TEXT.parent.parent.parent
# Readers for measuring; nothing else whose path says that it trains may name the folder of held-out texts.
MEASURING = {
    "scripts/evaluate_linkage",
    "scripts/ner_training/own_gold.py",
    "scripts/run_comparison/inputs.py",
}
A_ROW = re.compile(r"^  \| (en|it|de) \| (\w+) ((?:\| \d+ ){5})\|$", re.MULTILINE)
A_LONG_LINE = 60  # shorter lines, as greetings, stand in many letters


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (OFFICE5 / name).read_text(encoding="utf-8").splitlines()]


def office6(language: str = "*") -> list[MarkedDocument]:
    paths = sorted(OFFICE6.glob(f"{language}_*.txt"))
    return [document for path in paths for document in read_kind_marks(path)]


def office7(language: str = "*") -> list[MarkedDocument]:
    paths = sorted(OFFICE7.glob(f"{language}_*.txt"))
    return [document for path in paths for document in read_kind_marks(path)]


def told_counts() -> dict[tuple[str, str], list[int]]:
    """By language and domain: documents, words, mentions, misspelt ones, other identifiers of office7."""
    section = (HELD_OUT_TEXT / "SOURCE.md").read_text(encoding="utf-8").partition("\n## office7/")[2]
    return {
        (row[1], row[2]): [int(count) for count in row[3].replace("|", " ").split()]
        for row in A_ROW.finditer(section)
    }


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


@pytest.mark.parametrize("language", OFFICE7_DOCUMENTS)
def test_forty_documents_or_more_of_office7_are_marked(language: str) -> None:
    count = OFFICE7_DOCUMENTS[language]
    documents = office7(language)
    marks = [mark for document in documents for mark in document.marks]
    domains = Counter(document.fields["domain"] for document in documents)
    assert [document.doc_id for document in documents] == [
        f"h7-{language}-{n:03}" for n in range(1, count + 1)
    ]
    assert {document.fields["language"] for document in documents} == {language}
    assert {mark.kind for mark in marks} <= {str(kind) for kind in Kinds.load()}
    assert len(marks) >= 600
    assert domains["finance" if language == "de" else "clinical"] >= 25


def test_the_counts_of_office7_are_those_that_its_source_tells() -> None:
    found: dict[tuple[str, str], list[int]] = {}
    for document in office7():
        persons = [mark for mark in document.marks if mark.kind == "PERSON"]
        counts = (
            1,
            len(document.text.split()),
            len(persons),
            sum("typo" in mark.note.split(",") for mark in persons),
            len(document.marks) - len(persons),
        )
        row = found.setdefault((document.fields["language"], document.fields["domain"]), [0] * 5)
        row[:] = [old + new for old, new in zip(row, counts, strict=True)]
    assert {language for language, _ in found} == set(OFFICE7_DOCUMENTS)
    assert found == told_counts()


@pytest.mark.parametrize("document", office7(), ids=lambda document: document.doc_id)
def test_a_record_of_office7_has_its_values_where_it_says(document: MarkedDocument) -> None:
    record = record_of(document)
    for place in [*record["mentions"], *record["identifiers"]]:
        assert document.text[place["start"] : place["end"]] == place["text"] == place["text"].strip()
    assert not re.search(r"\[[A-Z]{1,2}:|\|p?\d+\]", document.text)


def test_no_training_command_names_the_folder_of_held_out_texts() -> None:
    naming = set()
    for folder in ("scripts", "linkage", "pseudonymizer"):
        for path in (ROOT / folder).rglob("*"):
            if not path.is_file() or path.suffix not in ("", ".py", ".toml", ".sh"):
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            if re.search(r"[\"/]held_out[\"/]|HELD_OUT_TEXT|office[67]\b", text):
                naming.add(path.relative_to(ROOT).as_posix())
    assert naming >= MEASURING
    assert not {path for path in naming - MEASURING if "train" in path}
    for trained in (KINDS_TEXT, OWN_TEXT):
        assert HELD_OUT_TEXT not in (trained, *trained.parents)


@pytest.mark.parametrize("document", [*office6(), *office7()], ids=lambda document: document.doc_id)
def test_a_mark_lies_apart_from_the_next_or_holds_a_person(document: MarkedDocument) -> None:
    for left, right in pairwise(document.marks):
        if right.start < left.end:
            outer, inner = (right, left) if left.kind == "PERSON" else (left, right)
            assert outer.start <= inner.start < inner.end <= outer.end
            assert inner.kind == "PERSON" != outer.kind


def test_no_training_text_holds_a_held_out_document() -> None:
    lines = {
        line.strip()
        for document in (*office6(), *office7())
        for line in document.text.splitlines()
        if len(line.strip()) >= A_LONG_LINE
    }
    assert lines
    assert training_texts()
    for path in training_texts():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bh[67]-(en|it|de)-0", text), path
        if path.suffix == ".txt" and KINDS_TEXT in path.parents:
            trained = {
                line.strip() for document in read_kind_marks(path) for line in document.text.splitlines()
            }
            assert not lines & trained, path
