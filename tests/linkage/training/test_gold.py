"""Gold of BIO files and of identifiers files, and bad gold."""

import json
from pathlib import Path

import pytest

from linkage.errors import GoldFormatError
from linkage.training.gold import SENTENCES, read_gold
from linkage.training.labels import PERSON, UNMARKED
from linkage.training.tokens import TokenRules
from tests.linkage.training.invented import bio, record


def written(folder: Path, content: str, name: str = "gold.bio") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def one(mentions: list[dict[str, object]]) -> str:
    return json.dumps({"doc_id": "d", "text": "Abelo", "mentions": mentions})


def test_bio_becomes_text_with_tokens_and_names(tmp_path: Path) -> None:
    gold = read_gold([written(tmp_path, bio(3))])
    (document,) = gold.documents
    text = document.marked.text
    assert text == "Ti bolan mora Zutal. Miriso Kastrun mora ti bol1. Tavina Kastrun mora ti bol2."
    assert [(text[a:b], label) for a, b, label in document.marked.spans] == [
        ("Zutal", "NAME"), ("Miriso Kastrun", PERSON), ("Tavina Kastrun", PERSON),
    ]  # fmt: skip
    assert document.tokens is not None
    assert [text[a:b] for a, b in document.tokens[:5]] == ["Ti", "bolan", "mora", "Zutal", "."]
    assert not gold.has_kinds


def test_no_space_stands_behind_a_word_that_lost_its_end(tmp_path: Path) -> None:
    path = written(tmp_path, "mor'\tO\nD'\tB-PER\nAngra\tI-PER\npo'\tO\nti\tO\n")
    (document,) = read_gold([path], TokenRules(elisions=frozenset({"mor'", "d'"}))).documents
    assert document.marked.text == "mor'D'Angra po' ti"
    assert document.marked.spans == [(4, 11, PERSON)]
    (spaced,) = read_gold([path]).documents
    assert spaced.marked.text == "mor' D' Angra po' ti"


def test_a_document_holds_so_many_sentences(tmp_path: Path) -> None:
    gold = read_gold([written(tmp_path, bio(SENTENCES + 1))])
    assert len(gold.documents) == 2
    assert len({one.marked.doc_id for one in gold.documents}) == 2


def test_kinds_beside_bio(tmp_path: Path) -> None:
    lines = written(tmp_path, "\n".join(map(record, range(3))), "gold.jsonl")
    gold = read_gold([lines, written(tmp_path, bio(3))])
    assert gold.has_kinds
    assert {label for _, _, label in gold.documents[0].marked.spans} == {PERSON, "CITY"}
    assert gold.documents[-1].marked.unmarked == UNMARKED
    assert "LOC" in {label for _, _, label in gold.documents[-1].marked.spans}


def test_marks_of_words_made_from_names_are_no_names_and_unknown_labels_say_nothing(tmp_path: Path) -> None:
    gold = read_gold([written(tmp_path, "abelisch\tB-LOCderiv\nAbelo\tB-PER\nqat\tB-EVENT\n")])
    assert [label for _, _, label in gold.documents[0].marked.spans] == [PERSON, "?"]
    assert gold.unused == 1


def test_what_english_treebanks_cut_off_stands_at_its_word_again(tmp_path: Path) -> None:
    rows = "Abelo\tB-PER\n’s\tO\nqat\tO\nDO\tO\nN'T\tO\nmora\tO\n"
    (document,) = read_gold([written(tmp_path, rows)]).documents
    assert document.marked.text == "Abelo’s qat DON'T mora"
    assert document.marked.spans == [(0, 5, PERSON)]
    assert document.tokens == ((0, 5), (5, 7), (8, 11), (12, 14), (14, 17), (18, 22))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("Abelo B-PER\n", "line 1 is no token, tab and BIO tag"),
        ("Abelo\tB-PER\nKastrun\tPER\n", "line 2 is no token"),
        ("mora\tO\nKastrun\tI-PER\n", "line 2: an I- tag has no B- tag"),
        ("Abelo\tB-PER\n\nKastrun\tI-PER\n", "line 3: an I- tag"),
        ("", "gold file 1 is empty"),
        ("mora\tO\n", "marks no person"),
        ('{"Abelo', "line 1 is no JSON"),
        (json.dumps({"doc_id": "d", "text": "Abelo"}), "needs doc_id, text and mentions"),
        (one([{"start": 0, "end": 9}]), "lie outside the text"),
        (
            one([{"start": 0, "end": 2, "text": "Abelo"}]),
            "number 1 of mentions has another text",
        ),
        (
            json.dumps(
                {"doc_id": "d", "text": "Abelo", "mentions": [], "identifiers": [{"start": 0, "end": 2}]}
            ),
            "number 1 of identifiers has no kind",
        ),
    ],
)  # fmt: skip
def test_bad_gold_is_told_by_place_and_without_its_words(tmp_path: Path, content: str, told: str) -> None:
    with pytest.raises(GoldFormatError, match=told) as caught:
        read_gold([written(tmp_path, content)])
    assert "Abelo" not in str(caught.value)
    assert "Kastrun" not in str(caught.value)


def test_gold_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.bio"
    path.write_bytes("Abél\tB-PER\n".encode("latin-1"))
    with pytest.raises(GoldFormatError, match="is not UTF-8"):
        read_gold([path])


def test_a_file_that_is_not_there_is_told_without_its_name(tmp_path: Path) -> None:
    with pytest.raises(GoldFormatError, match=r"gold file 1 cannot be read \(No such file") as told:
        read_gold([tmp_path / "Tolsma.bio"])
    assert "Tolsma" not in str(told.value)
