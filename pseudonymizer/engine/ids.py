"""Ids of documents, made under a key of the project: an id tells nothing of a path or a text."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Self

from linkage.records import DocumentId
from pseudonymizer.crypto import mac_sha256

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


_LONGEST_KEY: Final = 64  # bytes; BLAKE2b takes no longer key


@dataclass(frozen=True, slots=True)
class DocumentIds:
    """Makes the ids of documents. In one project a path, or a text, has the same id for ever.

    keyed: the id of a text that tells a document. content_key: the secret, at most 64 bytes, under which the
    bytes of a file enter the ids of its documents; b"" where they do not.
    """

    keyed: Callable[[str], DocumentId] = field(repr=False)
    content_key: bytes = field(repr=False)

    @classmethod
    def of_project(cls, vault: "VaultApi", project: str) -> Self:
        """Ids under the keys of a project that exists."""
        content_key = vault.document_id(project, "\0contents of files").encode()[:_LONGEST_KEY]
        return cls(partial(vault.document_id, project), content_key)

    @classmethod
    def of_one_look(cls) -> Self:
        """Ids under a random key, for a look that stores nothing: no other look gives the same ids."""
        key = os.urandom(32)

        def keyed(text: str) -> DocumentId:
            return DocumentId(mac_sha256(key, text.encode("utf-8", "surrogatepass")).hex()[:32])

        return cls(keyed, b"")

    def of_file(self, relative: str) -> DocumentId:
        """The id of a file, by its path below the input folder."""
        return self.keyed(relative)

    def of_text(self, raw: bytes, number: int = 0) -> DocumentId:
        """The id of a text, by its bytes. number: how many equal texts stand before it in the same call; each
        of them is a document of its own.
        """
        digest = hashlib.sha256(raw).hexdigest()
        return self.keyed(f"\0text {digest}" if number == 0 else f"\0text {digest} {number}")

    def of_named(self, name: str) -> DocumentId:
        """The id of a text, by the id that the caller gave it."""
        return self.keyed(f"\0document {name}")
