"""Records of what a run leaves for review: silent about people."""

from linkage.records import DocumentId, LinkageResult, Mention, Span
from pseudonymizer.open_links import KeptDocument, KeptLinks, LinkedSource, OpenEnd, RunOutput


def test_no_repr_shows_a_name_or_a_path() -> None:
    doc_id = DocumentId("d")
    output = RunOutput(b"Jan Tolsma", doc_id, doc_id, "Jan Tolsma.txt")
    document = KeptDocument(doc_id, "Jan Tolsma.txt", 0, is_part=False)
    kept = KeptLinks(LinkageResult((), ()), (document,))
    end = OpenEnd(Mention(doc_id, doc_id, Span(0, 10), "Jan Tolsma"), LinkedSource(doc_id), 0)  # type: ignore[arg-type]
    assert "Tolsma" not in f"{output!r}{document!r}{kept!r}{end!r}"
