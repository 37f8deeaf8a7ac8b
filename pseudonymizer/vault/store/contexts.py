"""Addresses of sealed values and bound rows: what makes a blob unusable in any other place."""

import struct
from collections.abc import Iterable
from typing import Final

from pseudonymizer.schema import VAULT_FORMAT

_ROW: Final = struct.Struct(">QQI")
_TWO: Final = struct.Struct(">QQ")
_LENGTH: Final = struct.Struct(">I")


def key_context(vault_id: bytes, project_id: int, purpose: str, version: int) -> bytes:
    """Of a project's wrapped key. project_id 0 is the vault itself."""
    return b"key|" + vault_id + _TWO.pack(project_id, version) + bytes([VAULT_FORMAT]) + purpose.encode()


class ProjectContexts:
    """Contexts of one project's values: vault, project, layout, table, then the row's own address."""

    __slots__ = ("_document", "_edit", "_entity_key", "_form", "_receipt", "_state", "_work", "_work_key")

    def __init__(self, vault_id: bytes, project_id: int) -> None:
        base = vault_id + struct.pack(">QB", project_id, VAULT_FORMAT)
        self._entity_key = base + b"|data-key|"
        self._form = base + b"|form|"
        self._document = base + b"|document|"
        self._edit = base + b"|edit|"
        self._state = base + b"|state|"
        self._receipt = base + b"|receipt|"
        self._work = base + b"|work|"
        self._work_key = base + b"|work-key|"

    def entity_key(self, entity_id: int, data_key_version: int) -> bytes:
        return self._entity_key + _TWO.pack(entity_id, data_key_version)

    def entity_keys(self, entity_ids: Iterable[int], data_key_versions: Iterable[int]) -> list[bytes]:
        base = self._entity_key
        return [base + key for key in map(_TWO.pack, entity_ids, data_key_versions)]

    def forms(
        self, entity_ids: Iterable[int], form_ids: Iterable[int], revisions: Iterable[int]
    ) -> list[bytes]:
        base = self._form
        return [base + row for row in map(_ROW.pack, entity_ids, form_ids, revisions)]

    def document_key(self, document_id: int) -> bytes:
        return self._entity_key + b"document" + _TWO.pack(document_id, 0)

    def form(self, entity_id: int, form_id: int, revision: int) -> bytes:
        return self._form + _ROW.pack(entity_id, form_id, revision)

    def document(self, document_id: int, revision: int) -> bytes:
        return self._document + _ROW.pack(document_id, 0, revision)

    def edit(
        self, document_id: int, ordinal: int, revision: int, entity_id: int, start: int, end: int
    ) -> bytes:
        return self._edit + struct.pack(">QIIQQQ", document_id, ordinal, revision, entity_id, start, end)

    def state(self, table_name: str, revision: int) -> bytes:
        return self._state + struct.pack(">Q", revision) + table_name.encode()

    def work_key(self, folder_id: bytes, version: int) -> bytes:
        return self._work_key + folder_id + struct.pack(">I", version)

    def receipt(self, actor: str) -> bytes:
        return self._receipt + b"of" + actor.encode()

    def receipt_forms(self, entity_id: int, number: bytes) -> bytes:
        """number: that of the receipt, random."""
        return self._receipt + b"in" + struct.pack(">Q", entity_id) + number

    def work(self, context: bytes) -> bytes:
        return self._work + context


def joined(*texts: str) -> bytes:
    """Texts with their lengths, so that no two lists give the same bytes."""
    found = b""
    for text in texts:
        raw = text.encode()
        found += _LENGTH.pack(len(raw)) + raw
    return found
