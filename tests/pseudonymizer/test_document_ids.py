from linkage.records import DocumentId
from pseudonymizer.document_ids import part_document_id, source_of

DOC = DocumentId("d1")


def test_a_text_of_several_is_a_document_of_its_own() -> None:
    assert [part_document_id(DOC, part_id) for part_id in ("", "3")] == ["d1", "d1#3"]


def test_the_source_of_a_text_is_told_by_its_id_whatever_its_content_and_part() -> None:
    assert [source_of(DocumentId(doc_id)) for doc_id in ("d1", "d1-0f", "d1-0f#3", "d1#3")] == [DOC] * 4
