"""The German, English and Italian training texts: their marks and counts, and that training reads them."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from ner_training.kind_marks import MarkedDocument, read_kind_marks, record_of
from ner_training.material import KINDS_TEXT

from linkage.kinds import Kinds
from linkage.training.gold import read_gold

LANGUAGES = ("de", "en", "it")
A_ROW = re.compile(r"^\| (\w+) ((?:\| [\d,]+ ){5})\|$", re.MULTILINE)
A_LONG_LINE = 60  # shorter lines, as greetings and heads of forms, may stand in two documents


def documents(language: str) -> list[MarkedDocument]:
    return [one for path in sorted((KINDS_TEXT / language).glob("*.txt")) for one in read_kind_marks(path)]


def told_counts(language: str) -> dict[str, list[int]]:
    """By domain: documents, words, mentions, misspelt ones, other identifiers, as the source tells them."""
    source = (KINDS_TEXT / language / "SOURCE.md").read_text(encoding="utf-8")
    table = source.partition("\n## Counts of all files\n")[2]
    return {
        row[1]: [int(count) for count in row[2].replace("|", " ").replace(",", "").split()]
        for row in A_ROW.finditer(table)
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_counts_are_those_that_the_source_tells(language: str) -> None:
    found: dict[str, list[int]] = {}
    for document in documents(language):
        persons = [mark for mark in document.marks if mark.kind == "PERSON"]
        counts = (
            1,
            len(document.text.split()),
            len(persons),
            sum("typo" in mark.note.split(",") for mark in persons),
            len(document.marks) - len(persons),
        )
        for domain in (document.fields["domain"], "all"):
            row = found.setdefault(domain, [0] * len(counts))
            row[:] = [old + new for old, new in zip(row, counts, strict=True)]
    assert found == told_counts(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_document_has_an_id_of_its_own_and_known_kinds(language: str) -> None:
    read = documents(language)
    assert len({document.doc_id for document in read}) == len(read)
    kinds = {str(kind) for kind in Kinds.load()}
    assert {mark.kind for document in read for mark in document.marks} <= kinds


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_stand_where_the_record_says(language: str) -> None:
    for document in documents(language):
        record = record_of(document)
        for place in [*record["mentions"], *record["identifiers"]]:
            assert document.text[place["start"] : place["end"]] == place["text"] == place["text"].strip()
        assert not re.search(r"\[[A-Z_]{2,}:|\|p?\d+[\],]", document.text), document.doc_id


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_mark_lies_apart_from_the_next_or_holds_a_person(language: str) -> None:
    for document in documents(language):
        for left, right in pairwise(document.marks):
            if right.start < left.end:
                outer, inner = (right, left) if left.kind == "PERSON" else (left, right)
                assert outer.start <= inner.start < inner.end <= outer.end, document.doc_id
                assert inner.kind == "PERSON" != outer.kind, document.doc_id


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_two_documents_share_a_long_line(language: str) -> None:
    seen: dict[str, str] = {}
    for document in documents(language):
        for line in {line.strip() for line in document.text.splitlines()}:
            if len(line) >= A_LONG_LINE:
                assert seen.setdefault(line, document.doc_id) == document.doc_id


@pytest.mark.parametrize("language", LANGUAGES)
def test_training_reads_them_as_gold(language: str, tmp_path: Path) -> None:
    read = documents(language)
    path = tmp_path / f"{language}.identifiers.jsonl"
    path.write_text(
        "".join(json.dumps(record_of(one), ensure_ascii=False) + "\n" for one in read), encoding="utf-8"
    )
    gold = read_gold([path])
    assert gold.has_kinds
    assert gold.unused == 0
    assert [one.marked.text for one in gold.documents] == [one.text for one in read]
    persons = [mark for one in read for mark in one.marks if mark.kind == "PERSON"]
    assert gold.persons() == sum("compound" not in mark.note.split(",") for mark in persons)
