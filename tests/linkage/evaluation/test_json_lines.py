"""Lines of JSON, read and written."""

import json

import pytest
from hypothesis import given

from linkage.errors import GoldFormatError
from linkage.evaluation.json_lines import json_lines, read_json_lines
from linkage.evaluation.marked import PERSON, MarkedText
from linkage.records import Span
from tests.linkage.evaluation.marked_texts import LABELS, marked_texts

ROW = {"doc_id": "a", "text": "Sjors in Zwolle", "mentions": [{"start": 0, "end": 5, "text": "Sjors"}]}
CITY = {"start": 9, "end": 15, "text": "Zwolle", "kind": "CITY"}


def _read(*rows: object, with_text: bool = True) -> list[MarkedText]:
    raw = "\n".join(json.dumps(row) for row in rows)
    return list(read_json_lines(raw, LABELS, role="gold", with_text=with_text))


@given(marked_texts(entities=True))
def test_what_is_written_comes_back_whole(written: list[MarkedText]) -> None:
    back = list(read_json_lines("".join(json_lines(written)), LABELS, role="gold"))
    assert [(t.doc_id, t.text, t.marks, t.all_kinds) for t in back] == [
        (t.doc_id, t.text, t.marks, t.all_kinds) for t in written
    ]


def test_half_of_a_surrogate_pair_comes_back_through_utf_8() -> None:
    (text,) = _read(ROW | {"text": "Sjors \ud800"})
    raw = "".join(json_lines([text])).encode()
    assert next(read_json_lines(raw.decode(), LABELS, role="gold")).text == "Sjors \ud800"


def test_identifiers_are_marks_of_their_kind() -> None:
    (text,) = _read(ROW | {"identifiers": [CITY]})
    assert [(mark.span, mark.kind) for mark in text.marks] == [(Span(0, 5), PERSON), (Span(9, 15), "CITY")]
    assert text.all_kinds


def test_an_empty_list_of_identifiers_says_that_all_kinds_are_marked() -> None:
    assert [t.all_kinds for t in _read(ROW | {"identifiers": []}, ROW | {"doc_id": "b"})] == [True, False]


def test_identifiers_of_older_files_which_have_a_type_are_not_read() -> None:
    (text,) = _read(ROW | {"identifiers": [{"start": 9, "end": 15, "text": "Zwolle", "type": "GPE"}]})
    assert (len(text.marks), text.all_kinds) == (1, False)


def test_lines_of_detect_need_no_text_and_may_hold_several_kinds() -> None:
    mention = {"start": 0, "end": 5, "text": "Sjors", "detector": "ner", "kind": "PERSON"}
    lines = [{"doc_id": "a", "mentions": [mention, CITY]}, {"doc_id": "b", "error": "X", "reason": "y"}]
    (text,) = _read(*lines, with_text=False)
    assert (text.text, [mark.kind for mark in text.marks]) == (None, [PERSON, "CITY"])
    with pytest.raises(GoldFormatError, match="gold line 1"):
        _read(*lines)


@pytest.mark.parametrize(
    "broken",
    [
        ROW | {"identifiers": [CITY | {"start": 8}]},
        ROW | {"identifiers": [CITY | {"end": 99}]},
        ROW | {"identifiers": [{"kind": "CITY", "text": "Zwolle"}]},
        ROW | {"text": 3},
        ROW | {"mentions": ["Sjors"]},
        ["Sjors"],
    ],
)
def test_a_broken_line_is_named_and_never_quoted(broken: object) -> None:
    with pytest.raises(GoldFormatError, match="gold line 2") as caught:
        _read(ROW | {"doc_id": "b"}, broken)
    assert not any(name in str(caught.value) for name in ("Sjors", "Zwolle"))
