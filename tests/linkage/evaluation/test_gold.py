"""Reading gold in its three formats."""

import json
from pathlib import Path

import pytest

from linkage.errors import GoldFormatError
from linkage.evaluation.gold import (
    GoldDocument,
    GoldMention,
    count_overlapping,
    gold_mentions,
    read_gold,
)
from linkage.records import Document, DocumentId, Span


def _surfaces(document: GoldDocument) -> list[str]:
    return [mention.span.cut(document.document.text) for mention in document.mentions]


def _write(path: Path, content: str) -> Path:
    path.write_bytes(content.encode())
    return path


def _row(**changes: object) -> dict[str, object]:
    return {
        "doc_id": "a",
        "text": "Sjors en Tet.",
        "mentions": [{"start": 0, "end": 5, "text": "Sjors"}],
        **changes,
    }


def test_json_lines_keep_entities_candidates_and_flags(tmp_path: Path) -> None:
    mentions = [
        {"start": 9, "end": 12, "text": "Tet", "candidates": ["p1", "p2"], "ambiguous": True},
        {
            "start": 0,
            "end": 5,
            "text": "Sjors",
            "entity": "p3",
            "typo": True,
            "alt": [{"start": 0, "end": 8}],
        },
    ]
    (document,) = read_gold(
        _write(tmp_path / "g.persons.jsonl", json.dumps(_row(mentions=mentions)) + "\n\n")
    )
    first, second = document.mentions
    assert (first.entity, first.typo, first.accepted) == ("p3", True, (Span(0, 5), Span(0, 8)))
    assert (second.entity, second.candidates, second.ambiguous, second.unsure) == (
        None,
        ("p1", "p2"),
        True,
        False,
    )


def test_json_lines_keep_carriage_returns_and_line_separators(tmp_path: Path) -> None:
    text = "Aan\r\nSjors\u2028en Tet"
    row = _row(text=text, mentions=[{"start": 5, "end": 10, "text": "Sjors"}])
    (document,) = read_gold(_write(tmp_path / "g.jsonl", json.dumps(row, ensure_ascii=False)))
    assert document.document.text == text


@pytest.mark.parametrize(
    "row",
    [
        {"doc_id": "a", "text": "Sjors"},
        _row(mentions=[{"start": 1, "end": 5, "text": "Sjors"}]),
        _row(mentions=[{"start": 5, "end": 5, "text": ""}]),
        _row(mentions=[{"start": 0, "end": 99}]),
        ["no object"],
    ],
)
def test_broken_rows_are_named_by_line_and_never_quoted(tmp_path: Path, row: object) -> None:
    with pytest.raises(GoldFormatError) as caught:
        read_gold(_write(tmp_path / "g.jsonl", json.dumps(row)))
    assert "Sjors" not in str(caught.value)


def test_a_document_id_may_occur_once_only(tmp_path: Path) -> None:
    line = json.dumps(_row())
    with pytest.raises(GoldFormatError, match="line 2"):
        read_gold(_write(tmp_path / "g.jsonl", f"{line}\n{line}\n"))


def test_column_file_is_one_document_a_sentence(tmp_path: Path) -> None:
    lines = ["Sjors\tB-PER", "Pol\tI-PER", ",\tO", "Tet\tB-PER", "", "Uit\tO", "Zwolle\tB-NAME", ""]
    first, second = read_gold(_write(tmp_path / "g.bio", "\n".join(lines)))
    assert first.document.text == "Sjors Pol, Tet"
    assert _surfaces(first) == ["Sjors Pol", "Tet"]
    assert _surfaces(second) == []


def test_column_file_with_parts_and_neighbouring_names(tmp_path: Path) -> None:
    lines = [
        "-DOCSTART- O",
        "",
        "Sjors B-PER",
        "Tet B-PER",
        "",
        "Kaat I-PER",
        "",
        "-DOCSTART- O",
        "",
        "Pol S-PER",
    ]
    first, second = read_gold(_write(tmp_path / "g.conll", "\n".join(lines)))
    assert _surfaces(first) == ["Sjors", "Tet", "Kaat"]
    assert _surfaces(second) == ["Pol"]


def test_column_file_without_a_tag_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GoldFormatError, match="line 1"):
        read_gold(_write(tmp_path / "g.bio", "Sjors\n"))


def test_column_file_with_comments_and_tags_without_a_prefix(tmp_path: Path) -> None:
    lines = [
        "# sent_id = 1",
        "Sjors\tPER",
        "Pol\tPER",
        "#\tO",
        "Tet\tPER",
        "uit\tO",
        "Zwolle\tLOC",
        "# newdoc",
    ]
    (document,) = read_gold(_write(tmp_path / "g.conll", "\n".join(lines)))
    assert document.document.text == "Sjors Pol # Tet uit Zwolle"
    assert _surfaces(document) == ["Sjors Pol", "Tet"]


@pytest.mark.parametrize("tags", ["B-PER L-PER U-PER", "B-PER E-PER S-PER", "I-PER I-PER B-PER"])
def test_column_schemes_agree(tmp_path: Path, tags: str) -> None:
    lines = [f"{word} {tag}" for word, tag in zip(("Sjors", "Pol", "Tet"), tags.split(), strict=True)]
    (document,) = read_gold(_write(tmp_path / "g.iob", "\n".join(lines)))
    assert _surfaces(document) == ["Sjors Pol", "Tet"]


def test_a_last_column_without_tags_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GoldFormatError, match="line 1") as caught:
        read_gold(_write(tmp_path / "g.bio", "Sjors\t0.97\n"))
    assert "Sjors" not in str(caught.value)


def test_what_linkage_gets_of_gold() -> None:
    text = "Sjors Pol Tet Kaat"
    marked = (
        GoldMention(Span(10, 13), candidates=("a", "b"), ambiguous=True),
        GoldMention(Span(0, 9), "a"),
        GoldMention(Span(6, 9), "a"),
        GoldMention(Span(14, 18), "c", unsure=True),
    )
    mentions, entities = gold_mentions(GoldDocument(Document(DocumentId("d"), text), marked))
    assert [mention.surface for mention in mentions] == ["Sjors Pol", "Tet", "Kaat"]
    assert entities == {mentions[0].mention_id: "a"}


def test_brat_folder_counts_code_points_and_joins_pieces(tmp_path: Path) -> None:
    _write(tmp_path / "Tet Pol.txt", "Aan\r\nTet en\r\nSjors 🙂 Pol")
    _write(
        tmp_path / "Tet Pol.ann",
        "T1\tPerson 5 8\tTet\nT2\tPER 13 18;21 24\tSjors Pol\nT3\tPlace 0 3\tAan\nR1\tx\n",
    )
    (document,) = read_gold(tmp_path)
    assert _surfaces(document) == ["Tet", "Sjors 🙂 Pol"]
    assert "Tet" not in document.document.doc_id


def test_unknown_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GoldFormatError, match="known: "):
        read_gold(_write(tmp_path / "g.docx", ""))
    with pytest.raises(GoldFormatError, match="ann"):
        read_gold(tmp_path)


def test_one_place_that_is_two_people_is_told_and_not_quoted(tmp_path: Path) -> None:
    mentions = [{"start": 0, "end": 5, "text": "Sjors", "entity": entity} for entity in ("Pol", "Tet")]
    with pytest.raises(GoldFormatError, match=r"line 1.*twice, for two people") as caught:
        read_gold(_write(tmp_path / "g.jsonl", json.dumps(_row(mentions=mentions))))
    assert not any(name in str(caught.value) for name in ("Sjors", "Pol", "Tet"))
    mentions[1]["entity"] = "Pol"
    (document,) = read_gold(_write(tmp_path / "g.jsonl", json.dumps(_row(mentions=mentions))))
    assert len(gold_mentions(document)[0]) == 1


def test_mentions_that_overlap_are_counted() -> None:
    document = Document(DocumentId("a"), "Sjors Pol en Tet")
    spans = (Span(0, 9), Span(6, 9), Span(13, 16))
    gold = GoldDocument(document, tuple(GoldMention(span, "p") for span in spans))
    assert len(gold_mentions(gold)[0]) == 2
    assert count_overlapping([gold, gold]) == 2
    assert count_overlapping([]) == 0
