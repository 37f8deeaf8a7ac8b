"""brat's standoff files, read and written."""

import stat
from pathlib import Path

import pytest
from hypothesis import given

from linkage.errors import GoldFormatError
from linkage.evaluation.brat import from_brat, write_brat
from linkage.evaluation.gold import read_marked
from linkage.evaluation.marked import GoldMention, MarkedText
from linkage.records import DocumentId, Span
from tests.linkage.evaluation.marked_texts import LABELS, marked_texts, places

TEXT = "Sjors\nPol mailt"


def _read(annotation: str) -> MarkedText:
    return from_brat(TEXT, annotation, LABELS, doc_id=DocumentId("a"), role="gold .ann")


@given(marked_texts())
def test_what_is_written_comes_back_to_the_letter(
    tmp_path_factory: pytest.TempPathFactory, written: list[MarkedText]
) -> None:
    folder = tmp_path_factory.mktemp("brat")
    write_brat(folder, written)
    assert places(list(read_marked(folder, LABELS, role="gold"))) == places(written)


def test_a_mark_over_a_line_end_is_in_pieces_and_flags_are_attributes(tmp_path: Path) -> None:
    marks = (GoldMention(Span(0, 9), unsure=True, typo=True), GoldMention(Span(6, 9), kind="CITY"))
    write_brat(tmp_path / "new", [MarkedText(DocumentId("Sjors Pol"), TEXT, marks)])
    file = tmp_path / "new" / "000001.ann"
    assert file.read_text().splitlines() == [
        "T1\tPERSON 0 5;6 9\tSjors Pol",
        "A1\tunsure T1",
        "A2\ttypo T1",
        "T2\tCITY 6 9\tPol",
    ]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (back,) = read_marked(tmp_path / "new", LABELS, role="gold")
    assert back.marks == marks


def test_a_folder_that_holds_files_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "Pol.txt").write_text("")
    with pytest.raises(GoldFormatError, match="not empty"):
        write_brat(tmp_path, [])


@pytest.mark.parametrize("place", ["Person", "Person x y", "Person 3 3", "Person 0 99"])
def test_a_broken_line_is_named_and_never_quoted(place: str) -> None:
    with pytest.raises(GoldFormatError, match=r"gold \.ann, line 2") as caught:
        _read(f"T1\tPerson 0 5\tSjors\nT2\t{place}\tSjors Pol\n")
    assert "Sjors" not in str(caught.value)


def test_labels_without_a_kind_are_counted() -> None:
    text = _read("T1\tWeird 0 5\tSjors\nT2\temail 6 9\tPol\nR1\tx Arg1:T1 Arg2:T2\n")
    assert ([mark.kind for mark in text.marks], text.left_out) == (["EMAIL"], 1)
