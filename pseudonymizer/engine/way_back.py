"""The record that undoes an output: its id in the vault, and its edits."""

import hashlib
from typing import TYPE_CHECKING, Final

from linkage.records import DocumentId
from pseudonymizer.engine.records import SourceRendered
from pseudonymizer.records import Rewrite, RewriteEdit

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

ONE_WAY_FORMAT: Final = "one-way"  # stored in place of a format: the vault knows the output, and no way back


def rewrite_of(
    vault: "VaultApi", project: str, rendered: SourceRendered, *, place: str, path: str | None
) -> Rewrite:
    """The record that undoes an output, as the vault stores it; without edits where nothing comes back.

    place: the path of the output, "-" for a text. path: the path of the original below its input; None: it
    had none.
    """
    doc_id = output_id_by_digest(vault, project, place, plain_digest(rendered))
    kept_path = path if rendered.keeps_path else None
    if rendered.is_one_way or (not rendered.is_changed and path is not None and kept_path is None):
        return Rewrite(doc_id, ONE_WAY_FORMAT, ())
    edits = tuple(
        RewriteEdit(ordinal, edit.location, edit.start, edit.end, edit.original, entity_id)
        for ordinal, (edit, entity_id) in enumerate(rendered.edits)
    )
    return Rewrite(doc_id, rendered.format_name, edits, kept_path, one_way=rendered.one_way)


def plain_digest(rendered: SourceRendered) -> str:
    """The SHA-256 of the bytes of an output, in hexadecimal."""
    return hashlib.sha256(rendered.raw).hexdigest() if rendered.part is None else rendered.part.plain


def output_id(vault: "VaultApi", project: str, place: str, raw: bytes) -> DocumentId:
    """The id of an output in the vault, made of its place and its bytes.

    The bytes alone do not tell outputs apart: two texts that name one person in two ways have equal outputs.
    """
    return output_id_by_digest(vault, project, place, hashlib.sha256(raw).hexdigest())


def linked_source_id(vault: "VaultApi", project: str, relative: str, content: str) -> DocumentId:
    """The id under which the vault keeps what a source leaves for review.

    relative: its path below its input. content: crypto.digest_sha256 of its bytes, in hexadecimal; of a file
    that is treated in units what in_units says.
    """
    return vault.document_id(project, f"\0linked {relative}\0{content}")


def in_units(modified_ns: int) -> str:
    """What stands for the content of a file that is treated in units: its time of change."""
    return f"units of {modified_ns}"


def output_id_by_digest(vault: "VaultApi", project: str, place: str, plain: str) -> DocumentId:
    """The id of an output in the vault. plain: the SHA-256 of its bytes, in hexadecimal."""
    return vault.document_id(project, f"{place}\0{plain}")
