"""Rows of tables as they are read: their columns by name, in the order of pseudonymizer.schema."""

from typing import Final, NamedTuple


class PseudonymRow(NamedTuple):
    """A row of the table pseudonym."""

    pseudonym_id: int
    project_id: int
    label: str
    entity_id: int
    scope: str
    scope_tag: bytes
    style: str
    created_on: int
    binding: bytes


class LinkRow(NamedTuple):
    """A row of the table link."""

    project_id: int
    left_entity: int
    right_entity: int
    kind: str
    decision: str
    variant: str
    match_probability: float
    partial_ratio: float
    binding: bytes


class DocumentRow(NamedTuple):
    """A row of the table document."""

    document_id: int
    project_id: int
    doc_tag: bytes
    output_tag: bytes
    format_name: str
    edit_count: int
    revision: int
    stored_on: int
    sealed: bytes
    binding: bytes


class RunResultRow(NamedTuple):
    """A row of the table run_result."""

    project_id: int
    source_tag: bytes
    unit: int
    linking: int
    entries: bytes
    binding: bytes


PSEUDONYM_COLUMNS: Final = ", ".join(PseudonymRow._fields)
LINK_COLUMNS: Final = ", ".join(LinkRow._fields)
DOCUMENT_COLUMNS: Final = ", ".join(DocumentRow._fields)
RUN_RESULT_COLUMNS: Final = ", ".join(RunResultRow._fields)
