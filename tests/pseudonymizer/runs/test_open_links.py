"""What a linkage result leaves for review: its open links, and only the mentions that have one."""

from linkage.records import DocumentId
from pseudonymizer.open_links import LinkedSource
from pseudonymizer.runs.open_links import open_links_of
from tests.fakes import linkage_result

TEXTS = {"d1-0a#3": "Jan Tolsma en Els Kok", "d2+000004-0b": "J. Tolsma"}
RESULT = linkage_result(
    TEXTS,
    [[("d1-0a#3", "Jan Tolsma")], [("d1-0a#3", "Els Kok")], [("d2+000004-0b", "J. Tolsma")]],
    open_links=[(0, 2, 0.5)],
)
SOURCES = {
    DocumentId("d1"): LinkedSource(DocumentId("een")),
    DocumentId("d2+000004"): LinkedSource(DocumentId("twee"), 4),
    DocumentId("d3"): LinkedSource(DocumentId("drie")),
}


def test_each_end_knows_its_source_its_identity_and_whether_its_name_tells_the_part() -> None:
    found = open_links_of(RESULT, SOURCES, {DocumentId("d2+000004")})
    assert found.links == tuple(RESULT.open_links())
    told = {end.mention.surface: (end.source, end.identity, end.is_part) for end in found.ends}
    assert told == {
        "Jan Tolsma": (SOURCES[DocumentId("d1")], 0, False),
        "J. Tolsma": (SOURCES[DocumentId("d2+000004")], 2, True),
    }


def test_sources_without_an_open_link_are_told_too() -> None:
    assert open_links_of(RESULT, SOURCES, ()).sources == tuple(SOURCES.values())
