"""Finding values: what a pattern needs, cues, lists, columns, overlap, the readable view."""

import itertools

import pytest

from linkage.detection import find_values, normal_form, value_mentions
from linkage.detection.values import clear_of_persons, nested
from linkage.language import Language
from linkage.records import Detector, Document, DocumentId, Mention
from linkage.texts import KindId, Span

_DUTCH = Language.load("nl")
_BSN = KindId("NATIONAL_ID")


def _found(text: str, kind: str = "NATIONAL_ID", column: str | None = None) -> list[str]:
    found = find_values(text, _DUTCH, kinds={KindId(kind)}, column=KindId(column) if column else None)
    return [value.span.cut(text) for value in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BSN 295755131", ["295755131"]),
        ("BSN: 2957.55.131.", ["2957.55.131"]),
        ("bsn 295755132", ["295755132"]),  # a wrong digit beside a cue counts
        ("artikel 295755131", []),  # passes by chance: no cue anywhere
        ("artikel 295755132 is op", []),
        ("Het BSN staat in de brief. Nummer: x 295755131", ["295755131"]),
        ("BSN 295755131 en 123456782", ["295755131", "123456782"]),
    ],
)
def test_a_national_id_needs_a_cue_in_the_document(text: str, expected: list[str]) -> None:
    assert _found(text) == expected


def test_a_column_of_the_kind_is_a_cue() -> None:
    assert _found("295755131", column="NATIONAL_ID") == ["295755131"]
    assert _found("295755131") == []


def test_values_do_not_overlap_and_stand_in_order() -> None:
    found = find_values("rekening NL91ABNA0417164300, BSN 295755131", _DUTCH)
    assert [value.kind for value in found] == ["BANK_ACCOUNT", "NATIONAL_ID"]
    assert all(a.span.end <= b.span.start for a, b in itertools.pairwise(found))


def test_spellings_of_one_value_have_one_normal_form() -> None:
    texts = ("NL91 ABNA 0417 1643 00", "NL91ABNA0417164300", "NL91-ABNA-0417-1643-00")
    forms = {find_values(text, _DUTCH, kinds={KindId("BANK_ACCOUNT")})[0].normal for text in texts}
    assert forms == {"NL91ABNA0417164300"}


def test_mentions_are_placed_in_the_text_as_read() -> None:
    document = Document(DocumentId("d"), "BSN 295\u00ad755\u200b131 klaar")
    (value,) = value_mentions(document, {_BSN})
    assert value.mention.surface == "295\u00ad755\u200b131"
    assert value.normal == "295755131"
    assert value.mention_id == "d@000000004-000000015:NATIONAL_ID"


def test_a_person_inside_a_value_stays_and_knows_it() -> None:
    document = Document(DocumentId("d"), "rekening NL91ABNA0417164300")
    values = value_mentions(document)
    inner = Mention.at(document, Span(13, 17), detector=Detector.NER, confidence=0.9)
    outer = Mention.at(document, Span(0, 12), detector=Detector.NER, confidence=0.9)
    assert [mention.inside for mention in nested([outer, inner], values)] == [None, values[0].mention_id]
    assert clear_of_persons([inner], values) == values
    assert clear_of_persons([outer], values) == ()


def test_a_found_value_shows_no_text() -> None:
    assert "295755131" not in repr(find_values("BSN 295755131", _DUTCH))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "BSN 295755132. Daarna weer 295755132.",
            ["295755132", "295755132"],
        ),  # the second has no cue of its own
        ("BSN 295755132. Daarna 295755133.", ["295755132"]),
    ],
)
def test_a_value_counts_again_where_it_stands_without_its_cue(text: str, expected: list[str]) -> None:
    assert _found(text) == expected


def test_the_normal_form_of_a_known_kind_needs_no_cue() -> None:
    assert normal_form(_BSN, " 2957.55.132 ") == "295755132"
    assert normal_form(KindId("CITY"), "Den  Haag") == "den haag"
