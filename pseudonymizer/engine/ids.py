"""Ids of documents: keyed by the project, so that an id says nothing about a path or a text."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Self

from linkage.records import DocumentId
from pseudonymizer.crypto import mac_sha256

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


@dataclass(frozen=True, slots=True)
class DocumentIds:
    """Gives documents their ids. The same path, or the same text, has the same id for ever in a project.

    content_key: secret under which the bytes of a file enter the ids of its documents.
    """

    keyed: Callable[[str], DocumentId] = field(repr=False)
    content_key: bytes = field(repr=False)

    @classmethod
    def of_project(cls, vault: "VaultApi", project: str) -> Self:
        """Ids under the key of a project that exists."""
        content_key = vault.document_id(project, "\0contents of files").encode()[:64]
        return cls(partial(vault.document_id, project), content_key)

    @classmethod
    def of_one_look(cls) -> Self:
        """Ids that no later look has again, where nothing is stored."""
        key = os.urandom(32)

        def keyed(text: str) -> DocumentId:
            return DocumentId(mac_sha256(key, text.encode("utf-8", "surrogatepass")).hex()[:32])

        return cls(keyed, b"")

    def of_file(self, relative: str) -> DocumentId:
        """The id of a file by its path below its input."""
        return self.keyed(relative)

    def of_text(self, raw: bytes, number: int = 0) -> DocumentId:
        """The id of a text by its bytes. number: how many equal texts stand before it, which are others."""
        digest = hashlib.sha256(raw).hexdigest()
        return self.keyed(f"\0text {digest}" if number == 0 else f"\0text {digest} {number}")

    def of_named(self, name: str) -> DocumentId:
        """The id of a text by the id that the caller gave it."""
        return self.keyed(f"\0document {name}")
