"""The way back of an output: the id under which the vault keeps it, and the edits that undo it."""

import hashlib
from typing import TYPE_CHECKING, Final

from linkage.records import DocumentId
from pseudonymizer.engine.records import SourceRendered
from pseudonymizer.records import Rewrite, RewriteEdit

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

ONE_WAY_FORMAT: Final = "one-way"  # stored in place of a format: the file is known, its way back is not


def rewrite_of(
    vault: "VaultApi", project: str, rendered: SourceRendered, *, place: str, path: str | None, one_way: bool
) -> Rewrite:
    """The record of an output, as the vault stores it.

    place: where the output goes, "-" for a text. path: where its original lay below its input; None: it had
    no place. one_way: no edits are stored.
    """
    doc_id = output_id_by_digest(vault, project, place, plain_digest(rendered))
    if one_way:
        return Rewrite(doc_id, ONE_WAY_FORMAT, ())
    edits = tuple(
        RewriteEdit(ordinal, edit.location, edit.start, edit.end, edit.original, entity_id)
        for ordinal, (edit, entity_id) in enumerate(rendered.edits)
    )
    return Rewrite(doc_id, rendered.format_name, edits, path)


def plain_digest(rendered: SourceRendered) -> str:
    """SHA-256 of an output, in hexadecimal."""
    return hashlib.sha256(rendered.raw).hexdigest() if rendered.part is None else rendered.part.plain


def output_id(vault: "VaultApi", project: str, place: str, raw: bytes) -> DocumentId:
    """The id under which the way back of an output is stored: its place and its bytes.

    The bytes alone would not do: two texts that name one person in two ways have the same output.
    """
    return output_id_by_digest(vault, project, place, hashlib.sha256(raw).hexdigest())


def output_id_by_digest(vault: "VaultApi", project: str, place: str, plain: str) -> DocumentId:
    """The same by the SHA-256 of the bytes, in hexadecimal."""
    return vault.document_id(project, f"{place}\0{plain}")
