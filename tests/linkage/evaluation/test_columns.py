"""Columns: CoNLL and its kin, read and written."""

import pytest
from hypothesis import given

from linkage.errors import GoldFormatError
from linkage.evaluation.columns import column_lines, from_columns
from linkage.evaluation.marked import PERSON, GoldMention, MarkedText
from linkage.records import DocumentId, Span
from tests.linkage.evaluation.marked_texts import LABELS, marked_texts, places

MAIL = "Mail j.pol@post.example"


def _read(raw: str) -> list[MarkedText]:
    return list(from_columns(raw, LABELS, role="gold"))


@given(marked_texts())
def test_what_is_written_comes_back_to_the_letter(written: list[MarkedText]) -> None:
    assert places(_read("".join(column_lines(written)))) == places(written)


def test_a_person_inside_an_address_has_a_column_of_its_own() -> None:
    marks = (GoldMention(Span(5, 23), kind="EMAIL"), GoldMention(Span(7, 10)))
    raw = "".join(column_lines([MarkedText(DocumentId("a"), MAIL, marks)]))
    assert raw.splitlines() == [
        "# global.columns = FORM MISC NER NER2",
        "-DOCSTART-\tSpaceAfter=No\tO\tO",
        "",
        "Mail\t_\tO\tO",
        "j\tSpaceAfter=No\tB-EMAIL\tO",
        ".\tSpaceAfter=No\tI-EMAIL\tO",
        "pol\tSpaceAfter=No\tI-EMAIL\tB-PERSON",
        "@\tSpaceAfter=No\tI-EMAIL\tO",
        "post\tSpaceAfter=No\tI-EMAIL\tO",
        ".\tSpaceAfter=No\tI-EMAIL\tO",
        "example\tSpaceAfter=No\tI-EMAIL\tO",
        "",
    ]


def test_marks_beside_each_other_and_over_a_line_end_stay_apart_and_whole() -> None:
    text = "Jan Piet de Vries-\nBos"
    marks = (GoldMention(Span(0, 3)), GoldMention(Span(4, 8)), GoldMention(Span(9, 22)))
    (back,) = _read("".join(column_lines([MarkedText(DocumentId("a"), text, marks)])))
    assert [mark.span for mark in back.marks] == [mark.span for mark in marks]


def test_labels_without_a_kind_are_counted_and_left_out() -> None:
    (text,) = _read("Jan\tB-PER\nZwolle\tB-LOC\nPol\tB-street\n")
    assert [(mark.kind, mark.span) for mark in text.marks] == [(PERSON, Span(0, 3)), ("STREET", Span(11, 14))]
    assert text.left_out == 1


def test_named_columns_of_others_are_read_by_their_names() -> None:
    raw = "# global.columns = ID FORM NER LEMMA\n1\tJan\tB-PER\tjan\n2\t,\tO\t,\n3\tPol\tB-PER\tO\n"
    (text,) = _read(raw)
    assert (text.text, [m.span for m in text.marks]) == ("Jan, Pol", [Span(0, 3), Span(5, 8)])


@pytest.mark.parametrize(
    "line", ["Sjors", "Sjors\tSpaceAfter=No", "\t_\tO", "Sjors\t_\t0.97", "Sjors\t_\tO\tO"]
)
def test_a_broken_line_is_named_and_never_quoted(line: str) -> None:
    with pytest.raises(GoldFormatError, match="gold line 4") as caught:
        _read(f"# global.columns = FORM MISC NER\n-DOCSTART-\t_\tO\n\n{line}\n")
    assert "Sjors" not in str(caught.value)


def test_a_mark_that_begins_with_a_blank_is_refused() -> None:
    with pytest.raises(GoldFormatError, match="blank"):
        list(column_lines([MarkedText(DocumentId("a"), " Pol", (GoldMention(Span(0, 4)),))]))
