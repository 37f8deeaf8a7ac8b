"""Counts of sources: under the names of the report, whatever is counted, and added over units."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import DocumentId, EntityId
from pseudonymizer.engine.records import SourceFound, SourceRendered
from pseudonymizer.formats import Edit
from pseudonymizer.runs.work_counts import SourceCounts

# As commit 8952b15 wrote the counts of a rewritten file.
OLD = (
    b'{"format":"eml","bytes":9,"characters":8,"mentions":1,"detectors":{"ner":1},"misspelt":0,'
    b'"identifiers":{"email":2},"unread":{},"seconds":0.5,"people":1,"people_readable":0,"tokens_kept":0,'
    b'"tokens_escaped":0,"names_in_identifiers":2,"addresses_replaced":1,"unplaced":0,"seconds_rewrite":0,'
    b'"marked":true}'
)
FOUND = SourceFound(
    DocumentId("d"), b"x", 9, "eml", (), {"email": 2}, {"attachment": 1}, 0.12345,
    unread_places={"attachment (part 2)": 1},
)  # fmt: skip
RENDERED = SourceRendered(
    DocumentId("d"), "eml", b"", ((Edit("", 0, 1, b"J"), EntityId("vault:1")),), "a.eml", 2, 3, 0.5, True,
    replaced={"EMAIL": 1},
)  # fmt: skip

numbers = st.none() | st.integers(0, 9)
sums = st.none() | st.dictionaries(st.sampled_from("abc"), st.integers(0, 9), max_size=2)
counts = st.builds(
    SourceCounts, format_name=st.none() | st.just("jsonl"), size=numbers, mentions=numbers, detectors=sums,
    seconds=st.none() | st.floats(0, 9), people=numbers, marked=st.none() | st.booleans(),
    is_output=st.none() | st.booleans(),
)  # fmt: skip


@given(counts)
def test_counts_come_back(given_counts: SourceCounts) -> None:
    assert SourceCounts.of_json(given_counts.to_json()) == given_counts
    assert json.loads(given_counts.to_json()) == given_counts.as_dict()


def test_what_an_earlier_version_counted_is_read_and_written_as_it_was() -> None:
    read = SourceCounts.of_json(OLD)
    assert (read.format_name, read.size, read.people, read.marked, read.unread_places) == (
        "eml", 9, 1, True, None,
    )  # fmt: skip
    assert read.as_dict() == json.loads(OLD)
    assert list(read.as_dict()) == list(json.loads(OLD)), "in this order in documents.jsonl"
    assert SourceCounts.of_json(None) == SourceCounts()


def test_detection_and_rewriting_add_their_counts() -> None:
    found = SourceCounts.of_found(FOUND)
    assert found.as_dict() == {
        "format": "eml", "bytes": 9, "characters": 0, "mentions": 0, "detectors": {}, "misspelt": 0,
        "identifiers": {"email": 2}, "unread": {"attachment": 1}, "seconds": 0.1235,
        "unread_places": {"attachment (part 2)": 1},
    }  # fmt: skip
    assert found.with_rendered(RENDERED).as_dict() == found.as_dict() | {
        "names_in_identifiers": 2, "addresses_replaced": 1, "values_replaced": {"EMAIL": 1},
        "unplaced": 3, "seconds_rewrite": 0.5,
        "marked": True,
    }  # fmt: skip
    unchanged = replace(RENDERED, edits=(), is_marked=False)
    assert found.with_rendered(unchanged).marked is None, "a file that stays as it is needs no mark"


@given(st.lists(counts, min_size=1, max_size=4))
def test_units_are_added(units: list[SourceCounts]) -> None:
    whole = SourceCounts.of_units(units)
    assert whole.units == len(units)
    assert (whole.mentions or 0) == sum(unit.mentions or 0 for unit in units)
    assert sum((whole.detectors or {}).values()) == sum(sum((u.detectors or {}).values()) for u in units)
    assert (whole.marked is False) == any(unit.marked is False for unit in units)
    assert (whole.size is None) == all(unit.size is None for unit in units)
    assert whole.people is None, "the same people are in several units"
