"""The kind of a column, by its header and its values."""

import pytest

from linkage.detection.columns import Why, cell_values, column_kind, distinct, may_be_name, passes
from linkage.language import Language
from linkage.texts import KindId

NL = Language.load("nl")
BSN = ["111222333", "123456782", "111 222 333"]
NAMES = ["Jan Bos", "Els Mol", "Ko Vos"]


def test_header_and_values_agree() -> None:
    found = column_kind("BSN", BSN, NL)
    assert (found.kind, found.why, found.share) == ("NATIONAL_ID", Why.BOTH, 1.0)
    assert found.confidence > column_kind("BSN", [], NL).confidence


def test_values_alone_say_a_kind() -> None:
    found = column_kind("kolom", ["NL91ABNA0417164300", "NL02ABNA0123456789", "NL44RABO0123456789"], NL)
    assert (found.kind, found.why) == ("BANK_ACCOUNT", Why.VALUES)
    assert column_kind("", BSN, NL).kind == "NATIONAL_ID"


def test_a_header_that_all_values_deny_gives_way() -> None:
    found = column_kind("BSN", ["jan@voorbeeld.nl", "els@voorbeeld.nl", "ko@voorbeeld.nl"], NL)
    assert (found.kind, found.why) == ("EMAIL", Why.VALUES)


def test_values_that_no_pattern_knows_cast_doubt_on_a_header() -> None:
    doubted = column_kind("BSN", ["ja", "wel gezien", "onder mij"], NL)
    assert doubted.kind == "NATIONAL_ID"
    assert doubted.confidence < 0.5


def test_running_text_and_unknown_columns_have_no_kind() -> None:
    assert column_kind("opmerking", NAMES, NL).kind is None
    assert column_kind("xyz", ["a b c", "d", "e f"], NL).why is Why.NOTHING
    assert column_kind("xyz", ["1", "22", "333"], NL).kind is None  # figures alone say nothing


def test_names_by_header() -> None:
    found = column_kind("naam", [*NAMES, "n.v.t.", "P001"], NL)
    assert (found.kind, found.why, found.share) == ("PERSON", Why.HEADER, 0.6)


def test_what_the_user_says_wins() -> None:
    found = column_kind("naam", BSN, NL, given=KindId("NATIONAL_ID"))
    assert (found.kind, found.why, found.confidence) == ("NATIONAL_ID", Why.SET, 1.0)


def test_a_cell_is_of_its_column_as_a_whole_where_no_pattern_matches() -> None:
    (city,) = cell_values("  Alphen aan den Rijn ", KindId("CITY"), NL)
    assert (city.span.start, city.span.end, city.normal) == (2, 21, "alphen aan den rijn")
    (mistyped,) = cell_values("11122233", KindId("NATIONAL_ID"), NL)  # a figure short
    assert (mistyped.span.start, mistyped.span.end) == (0, 8)
    assert cell_values("niet bekend", KindId("NATIONAL_ID"), NL) == ()
    assert cell_values("geen", KindId("CITY"), NL) == ()
    assert cell_values("Jan Bos", KindId("PERSON"), NL) == ()
    assert cell_values("x" * 61, KindId("CITY"), NL) == ()


@pytest.mark.parametrize("value", ["Jan Bos", "O'Haganstra", "de Vries, J."])
def test_what_may_be_a_name(value: str) -> None:
    assert may_be_name(value, NL)


@pytest.mark.parametrize(
    "value", ["", "ja", "N.v.t.", "P001", "jan bos", "Hij kwam gisteren langs en ging toen weg"]
)
def test_what_may_not_be_a_name(value: str) -> None:
    assert not may_be_name(value, NL)


def test_only_a_match_of_the_whole_value_passes() -> None:
    assert passes("111222333", KindId("NATIONAL_ID"), NL)
    assert not passes("111222333 of zo", KindId("NATIONAL_ID"), NL)
    assert not passes("Hij woont in Breda.", KindId("CITY"), NL)


def test_values_are_looked_at_once_each() -> None:
    assert distinct(["a", " a ", "", "-", *map(str, range(500))])[:2] == ("a", "0")
    assert len(distinct(map(str, range(500)))) == 200
