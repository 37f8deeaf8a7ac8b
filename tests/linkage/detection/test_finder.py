"""What a user's kinds and lists add to the values that are found."""

import pytest

from linkage.detection import finder_of, value_mentions
from linkage.detection.columns import Why, cell_values, column_kind, passes
from linkage.detection.finder import shipped_finder
from linkage.detection.values import normal_form
from linkage.errors import SettingsError
from linkage.kind_lists import TextsByKind
from linkage.kinds import Needs
from linkage.language import Language
from linkage.own_kinds import OwnKind, OwnValues
from linkage.records import Detector, Document, DocumentId
from linkage.texts import KindId

DUTCH = Language.load("nl")
PROJECT, CASE, PRODUCT = KindId("PROJECTCODE"), KindId("CASE_NUMBER"), KindId("PRODUCT")
BY_SHAPE = OwnValues((OwnKind(PROJECT, (r"\bPRJ-\d{4}\b",)),))
BY_CUE = OwnValues((OwnKind(PROJECT, (r"\b\d{4}\b",), cues=("project", "code naam"), needs=Needs.CUE),))


def _found(own: OwnValues, text: str, *kinds: str) -> list[tuple[str, str]]:
    wanted = frozenset(map(KindId, kinds)) if kinds else None
    found = finder_of(own).find(text, DUTCH, kinds=wanted)
    return [(value.span.cut(text), value.kind) for value in found]


def test_a_pattern_by_shape() -> None:
    assert _found(BY_SHAPE, "Voor PRJ-1234 en PRJ-12.", PROJECT) == [("PRJ-1234", PROJECT)]
    assert _found(BY_SHAPE, "dossier PRJ-1234") == [("PRJ-1234", PROJECT)]  # before a kind with a cue
    assert _found(BY_SHAPE, "dossier PRJ-1234", CASE) == []  # whatever is asked for
    (value,) = finder_of(BY_SHAPE).find("PRJ-1234", DUTCH)
    assert (value.normal, value.pattern) == ("PRJ1234", "projectcode_1")


def test_a_pattern_beside_its_cue() -> None:
    assert _found(BY_CUE, "project 1234, jaar 2024", PROJECT) == [("1234", PROJECT)]
    assert _found(BY_CUE, "Code  naam: 1234", PROJECT) == [("1234", PROJECT)]
    assert _found(BY_CUE, "projecten 1234", PROJECT) == []


def test_a_pattern_with_a_slot_a_group_and_a_validator() -> None:
    month = OwnValues((OwnKind(PROJECT, (r"batch (?P<value>\d+ {MONTH})",)),))
    assert _found(month, "batch 12 januari klaar", PROJECT) == [("12 januari", PROJECT)]
    check = OwnValues((OwnKind(PROJECT, (r"\b\d{9}\b",), validator="nl_bsn", needs=Needs.CHECK),))
    assert _found(check, "nr 123456782 of 123456789", PROJECT) == [("123456782", PROJECT)]


def test_a_longer_shipped_value_is_not_cut() -> None:
    figures = OwnValues((OwnKind(PROJECT, (r"\b\d{4}\b",)),))
    assert _found(figures, "rekening NL91 ABNA 0417 1643 00") == [("NL91 ABNA 0417 1643 00", "BANK_ACCOUNT")]
    listed = OwnValues(always=TextsByKind.of({CASE: ["0417"]}))
    assert _found(listed, "NL91 ABNA 0417 1643 00 en 0417")[0] == ("NL91 ABNA 0417 1643 00", "BANK_ACCOUNT")


def test_texts_that_always_are_of_a_kind() -> None:
    own = OwnValues(always=TextsByKind.of({CASE: ["INK-0925"], PRODUCT: ["Plus Hypotheek"]}))
    text = "De plus  hypotheek van ink-0925."
    assert _found(own, text) == [("plus  hypotheek", PRODUCT), ("ink-0925", CASE)]
    assert _found(own, text, PRODUCT) == [("plus  hypotheek", PRODUCT)]
    (first, _) = value_mentions(Document(DocumentId("d"), text), finder=finder_of(own))
    assert first.mention.detector is Detector.LIST
    pattern_form = shipped_finder().find("dossier INK-0925", DUTCH)[0].normal
    assert finder_of(own).find("over INK-0925", DUTCH)[0].normal == pattern_form


def test_texts_that_never_are_of_a_kind() -> None:
    text = "dossier INK-0925 en dossier INK-0926"
    assert _found(OwnValues(), text, CASE) == [("INK-0925", CASE), ("INK-0926", CASE)]
    never = OwnValues(never=TextsByKind.of({CASE: ["INK-0925"]}))
    assert _found(never, text, CASE) == [("INK-0926", CASE)]
    both = OwnValues(always=TextsByKind.of({CASE: ["Fenix"]}), never=TextsByKind.of({CASE: ["Fenix"]}))
    assert _found(both, "Fenix", CASE) == []
    other = OwnValues(never=TextsByKind.of({PRODUCT: ["INK-0925"]}))
    assert len(_found(other, text, CASE)) == 2


def test_columns_know_the_kinds() -> None:
    finder = finder_of(BY_SHAPE)
    codes = ["PRJ-1234", "PRJ-2345", "PRJ-3456"]
    by_values = column_kind("kolom", codes, DUTCH, finder=finder)
    assert (by_values.kind, by_values.why) == (PROJECT, Why.VALUES)
    assert column_kind("Project_code", codes, DUTCH, finder=finder).why is Why.BOTH
    assert column_kind("projectcode", ["x"], DUTCH).kind is None
    assert passes("PRJ-1234", PROJECT, DUTCH, finder=finder)
    assert not passes("iets", PROJECT, DUTCH, finder=finder)
    (cell,) = cell_values("Fenix", PROJECT, DUTCH, finder=finder)
    assert (cell.kind, cell.normal) == (PROJECT, "FENIX")


def test_normal_forms_are_those_of_the_kind() -> None:
    finder = finder_of(BY_SHAPE)
    assert normal_form(PROJECT, "PRJ-1234", finder=finder) == normal_form(PROJECT, "prj 1234", finder=finder)
    assert normal_form(KindId("UNKNOWN"), " A  b") == "a b"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (
            OwnKind(PROJECT, ("(",), at="s.toml, line 4"),
            r"^s\.toml, line 4: \[kinds\.PROJECTCODE\]: a pattern is no",
        ),
        (OwnKind(PROJECT, ("x*",)), r"^\[kinds\.PROJECTCODE\]: a pattern matches the empty text"),
        (OwnKind(PROJECT, ("{MOON}",)), r"unknown slot \{MOON\}; known: .*MONTH"),
        (OwnKind(PROJECT, ("x",), validator="luck"), r"the validator is unknown; known: .*nl_bsn"),
        (OwnKind(PROJECT, (r"(x+x+)+y",)), "a pattern is slow"),
    ],
)
def test_wrong_kinds_are_refused_before_any_text_is_read(kind: OwnKind, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        finder_of(OwnValues((kind,))).refuse_wrong()


def test_without_own_kinds_the_finder_is_that_of_the_shipped_ones() -> None:
    assert finder_of(OwnValues()) is shipped_finder()
