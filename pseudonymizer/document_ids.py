"""Ids of the texts of a source, made of the id of the source, a digest of its content, and the part."""

from linkage.records import DocumentId


def part_document_id(doc_id: DocumentId, part_id: str) -> DocumentId:
    """The id of one text of a file; that of the file where the text is its only one."""
    return DocumentId(f"{doc_id}#{part_id}") if part_id else doc_id


def source_of(doc_id: DocumentId) -> DocumentId:
    """The id of the source that a text of this id is of: without its content and its part."""
    return DocumentId(doc_id.partition("#")[0].partition("-")[0])
