"""Texts whose marks name every kind, and the records that training reads."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ner_training.kind_marks import (
    KindMark,
    MarkedDocument,
    doubts,
    parse_kind_marks,
    read_kind_marks,
    record_of,
)
from ner_training.marked_text import MarkedTextError


def test_marks_give_the_text_and_places() -> None:
    text, marks = parse_kind_marks(
        "d", "[ORGANIZATION:Bakkerij [PERSON:Jansen|p3] B.V.] te [CITY:Zwolle], [zie] bijlage"
    )
    assert text == "Bakkerij Jansen B.V. te Zwolle, [zie] bijlage"
    assert marks == [
        KindMark(0, 20, "ORGANIZATION"),
        KindMark(9, 15, "PERSON", "p3"),
        KindMark(24, 30, "CITY"),
    ]


def test_a_record_says_who_is_who(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "=== s1-01 domain=care genre=note storyline=s1 group=s1-d1\n"
        "[PERSON:Jan de Vreis|p1,typo] en [PERSON:De Vries|p1/p2,ambiguous] belden.\n",
        encoding="utf-8",
    )
    (document,) = read_kind_marks(path)
    assert record_of(document) == {
        "doc_id": "s1-01",
        "domain": "care",
        "genre": "note",
        "storyline": "s1",
        "group": "s1-d1",
        "text": "Jan de Vreis en De Vries belden.\n",
        "mentions": [
            {"start": 0, "end": 12, "text": "Jan de Vreis", "entity": "s1-p1", "typo": True},
            {"start": 16, "end": 24, "text": "De Vries", "candidates": ["s1-p1", "s1-p2"], "ambiguous": True},
        ],
        "identifiers": [],
    }


@pytest.mark.parametrize(
    "marked",
    [
        "[PERSON:Jan|p1",
        "[PERSON:Jan]",
        "[PERSON:Jan |p1]",
        "[CITY:]",
        "[CITY:Zwolle|p1]",
        "[PERSON:Jan|p1,wrong]",
        "[PERSON:Jan|p1/p2]",
        "[PERSON:Jan|p1,group]",
    ],
)
def test_what_breaks_a_rule_is_refused(marked: str) -> None:
    with pytest.raises(MarkedTextError):
        parse_kind_marks("d", marked)


@pytest.mark.parametrize("content", ["text\n=== a\n", "=== a\nx\n=== a\ny\n", "=== a colour=red\nx\n", ""])
def test_a_file_with_wrong_heads_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MarkedTextError):
        list(read_kind_marks(path))


def test_what_a_reader_should_look_at_again_is_told() -> None:
    text, marks = parse_kind_marks("d", "[PERSON:Els Tolsma|p1] belde. Tolsma mailt a@b.example, € 12.")
    told = doubts(MarkedDocument("d", text, marks))
    assert [line.partition(": ")[2].split(" at ")[0] for line in told] == [
        "'Tolsma'",
        "'a@b.example'",
        "'€ 1'",
    ]


@given(st.text(alphabet=st.sampled_from("ab [|]:C\n"), max_size=40))
def test_every_text_is_read_or_refused(marked: str) -> None:
    try:
        text, marks = parse_kind_marks("d", marked)
    except MarkedTextError:
        return
    assert not marks
    assert text == marked
