"""What was found, read from files and laid beside the gold."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from linkage.errors import GoldFormatError
from linkage.evaluation.found import found_texts, read_found
from linkage.evaluation.gold import write_marked
from linkage.evaluation.kind_comparison import FoundSpan
from linkage.evaluation.marked import GoldDocument, MarkedText
from linkage.records import Document, DocumentId, Span
from tests.linkage.evaluation.marked_texts import LABELS, marked_texts

TEXTS = {"001": "Sjors Pol in Zwolle.", "002": "Bel Tet:\n038 123 45 67"}
GOLD = [GoldDocument(Document(DocumentId(key), text), (), ()) for key, text in TEXTS.items()]


def _lines(tmp_path: Path, *rows: object) -> Path:
    file = tmp_path / "found.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def _row(doc_id: str, *places: tuple[int, int, str], **more: object) -> dict[str, object]:
    return {
        "doc_id": doc_id,
        "mentions": [{"start": a, "end": b, "kind": kind} for a, b, kind in places],
        **more,
    }


@pytest.mark.parametrize("doc_id", ["002", "002.txt", "brieven/002.txt"])
def test_lines_of_detect_belong_to_the_document_of_their_name(tmp_path: Path, doc_id: str) -> None:
    read = read_found(_lines(tmp_path, _row(doc_id, (4, 7, "PERSON"), (9, 22, "phone"))), GOLD, LABELS)
    assert read.spans == {"002": [FoundSpan(Span(4, 7)), FoundSpan(Span(9, 22), "PHONE")]}
    assert (read.missing, read.foreign, read.left_out) == (1, 0, 0)


def test_two_files_of_one_name_belong_to_none(tmp_path: Path) -> None:
    read = read_found(_lines(tmp_path, _row("001"), _row("a/002.txt"), _row("b/002.txt")), GOLD, LABELS)
    assert (set(read.spans), read.missing, read.foreign) == ({"001"}, 1, 2)


def test_a_file_of_other_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GoldFormatError, match="no doc_id"):
        read_found(_lines(tmp_path, _row("Sjors Pol")), GOLD, LABELS)


@pytest.mark.parametrize("row", [_row("001", (0, 99, "PERSON")), _row("001", text="Sjors Pol uit Zwolle")])
def test_places_that_the_gold_does_not_have_are_named_by_line(tmp_path: Path, row: object) -> None:
    with pytest.raises(GoldFormatError, match="found line 2") as caught:
        read_found(_lines(tmp_path, _row("002"), row), GOLD, LABELS)
    assert "Sjors" not in str(caught.value)


@given(marked_texts())
def test_every_format_gives_back_what_was_found(
    tmp_path_factory: pytest.TempPathFactory, written: list[MarkedText]
) -> None:
    folder = tmp_path_factory.mktemp("found")
    gold = [GoldDocument(Document(one.doc_id, one.text or ""), (), ()) for one in written]
    found = {one.doc_id: [FoundSpan(mark.span, mark.kind) for mark in one.marks] for one in written}
    for name in ("found.jsonl", "found.conll", "brat"):
        write_marked(folder / name, found_texts(gold, found))
        read = read_found(folder / name, gold, LABELS)
        assert {key: sorted(spans) for key, spans in read.spans.items()} == {
            key: sorted(spans) for key, spans in found.items()
        }


def test_columns_may_be_cut_and_spaced_in_another_way(tmp_path: Path) -> None:
    file = tmp_path / "found.bio"
    file.write_text(
        "Sjors B-PER\nPol I-PER\n\nin O\nZwolle. O\nBel O\n\nTet: B-PER\n038 O\n123 O\n4567 B-PHONE\n"
    )
    assert read_found(file, GOLD, LABELS).spans == {
        "001": [FoundSpan(Span(0, 9))],
        "002": [FoundSpan(Span(4, 8)), FoundSpan(Span(17, 22), "PHONE")],
    }


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("Sjors O\nPal O\n", "gold document 1"),
        ("Sjors O\nPol O\nin O\nZwolle. O\n", "ends before gold document 2"),
        ("Sjors O\nPol O\nin O\nZwolle. B-PER\nBel I-PER\nTet: O\n038 O\n1234567 O\n", "over two documents"),
        ("Sjors O\nPol O\nin O\nZwolle. O\nBel O\nTet: O\n038 O\n1234567 O\nPol O\n", "the gold ends before"),
    ],
)
def test_columns_of_other_texts_are_refused(tmp_path: Path, lines: str, told: str) -> None:
    file = tmp_path / "found.conll"
    file.write_text(lines)
    with pytest.raises(GoldFormatError, match=told) as caught:
        read_found(file, GOLD, LABELS)
    assert not any(name in str(caught.value) for name in ("Sjors", "Pal", "Zwolle"))
