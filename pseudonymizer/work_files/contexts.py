"""Under which context each value of a work file is sealed: its place, so that none can be moved."""


def path_context(doc_id: str) -> bytes:
    return b"work/path/" + doc_id.encode()


def output_context(doc_id: str) -> bytes:
    return b"work/output/" + doc_id.encode()


def intended_context(doc_id: str) -> bytes:
    return b"work/intended/" + doc_id.encode()


def analysis_context(doc_id: str) -> bytes:
    return b"work/mentions/" + doc_id.encode()


def labels_context(doc_id: str) -> bytes:
    return b"work/labels/" + doc_id.encode()


def person_context(entity_id: str) -> bytes:
    return b"work/person/" + entity_id.encode()


def forms_context(doc_id: str) -> bytes:
    return b"work/form/" + doc_id.encode()


def stretches_context(doc_id: str) -> bytes:
    return b"work/stretch/" + doc_id.encode()


def linked_context(kind: str, number: int) -> bytes:
    return f"work/linked/{kind}/{number}".encode()


def meta_context(name: str) -> bytes:
    return b"work/meta/" + name.encode()
