"""The table of all formats: each record is whole, and nothing is said twice."""

from collections import Counter
from pathlib import Path

import pytest

from pseudonymizer import formats
from pseudonymizer.formats import marking
from pseudonymizer.formats.every_format import BY_NAME, BY_SUFFIX, FORMATS
from pseudonymizer.formats.format import Format, Restores
from tests.pseudonymizer.formats.samples import EVERY_FORMAT

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "formats.md"


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.name)
def test_every_way_of_a_record_leads_to_a_function(one: Format) -> None:
    assert one.ways
    assert all(callable(way.load()) for way in one.ways)


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.name)
def test_a_format_is_read_in_one_way_at_least(one: Format) -> None:
    assert one.parse is not None or one.read is not None
    assert one.suffixes or one.among  # somebody names a file so
    assert one.among <= BY_NAME.keys()
    assert one.heads or not one.is_signed


def test_names_suffixes_and_media_types_are_said_once() -> None:
    for said in (
        [one.name for one in FORMATS],
        [suffix for one in FORMATS for suffix in one.suffixes],
        [kind for one in FORMATS for kind in one.media_types],
    ):
        assert [name for name, count in Counter(said).items() if count > 1] == []


@pytest.mark.parametrize("name", sorted(EVERY_FORMAT))
def test_each_sample_is_of_the_format_that_its_suffix_names(name: str) -> None:
    raw = EVERY_FORMAT[name](["Jan Wiersma"], ["Toen belde Jan Wiersma op."])
    found = formats.format_of(raw, name.rpartition(".")[2])
    assert found in BY_NAME
    if BY_SUFFIX[name.rpartition(".")[2]].is_signed:
        assert BY_NAME[found].begins(raw)


def _row(one: Format) -> str:
    """The row of docs/reference/formats.md."""
    suffixes = ", ".join(one.suffixes) or f"of {', '.join(sorted(one.among))}"
    marked = "yes" if one.is_marked else "no"
    return f"| {one.title} | {suffixes} | {one.restores} | {marked} | {one.cut or 'no'} |"


def test_the_page_of_formats_is_this_table() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    first = lines.index("|---|---|---|---|---|") + 1
    assert lines[first : first + len(FORMATS)] == sorted(map(_row, FORMATS), key=str.casefold)


def test_only_pages_pictures_and_old_office_files_come_back_as_text() -> None:
    of_text = {one.name for one in FORMATS if one.restores is Restores.TEXT}
    assert of_text == {"pdf", "png", "jpeg", "tiff", "doc", "xls", "ppt"}
    assert {one.name for one in FORMATS if formats.restored_suffix(one.name)} == of_text


def test_a_format_that_is_stamped_says_whether_it_is_marked() -> None:
    stamped = {one.name for one in FORMATS if one.stamps is not None}
    assert stamped == {"eml", "html", "rtf", "fhir"}
    assert {name for name in stamped if marking.is_marked(name, b"") is None} == set()
    assert marking.is_marked("txt", b"") is None
