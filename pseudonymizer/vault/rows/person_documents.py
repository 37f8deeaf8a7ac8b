"""The rewritten files that a person stands in: their edits, paths and addresses."""

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, Final

from pseudonymizer.crypto import Sealer
from pseudonymizer.vault.rows.documents import (
    document_fields,
    document_rows,
    document_sealers,
    edit_fields,
    label_of,
    split_edit,
)
from pseudonymizer.vault.rows.entities import marks, sealers_of
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

EditPlace = tuple[int, int]  # document and ordinal
_ADDRESS: Final = re.compile(rb"[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+")
_MOST_EDITS_READ: Final = 5_000


def addresses_of_entities(
    vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]
) -> dict[int, tuple[str, ...]]:
    """The e-mail addresses of these people that stood in rewritten files, by person; of each person the last
    few thousand edits are looked at. Names leave the vault here, as in documents.read_rewrites.
    """
    sealers = sealers_of(vault, keys, sorted(entity_ids))
    found: dict[int, tuple[str, ...]] = {}
    for owner in sorted(entity_ids):
        rows = vault.store.rows(
            "SELECT document_id, ordinal, start_offset, end_offset, sealed FROM edit WHERE entity_id = ? "
            "ORDER BY document_id DESC, ordinal LIMIT ?",
            (owner, _MOST_EDITS_READ),
        )
        edits = [(int(row[0]), int(row[1]), int(row[2]), int(row[3]), bytes(row[4])) for row in rows]
        numbers = sorted({edit[0] for edit in edits})
        revisions = {int(r[0]): int(r[6]) for r in document_rows(vault, keys, "document_id", numbers)}
        addresses: dict[str, None] = {}
        for number, ordinal, start, end, sealed in edits:
            context = keys.contexts.edit(number, ordinal, revisions[number], owner, start, end)
            plain = sealers[owner].unseal(sealed, context=context)
            _, original = split_edit(plain)
            if _ADDRESS.fullmatch(original):
                addresses[original.decode("ascii")] = None
        found[owner] = tuple(sorted(addresses))
    return found


def paths_of_entities(
    vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]
) -> tuple[tuple[str, ...], int]:
    """The original paths of documents with edits of these people, and the number of such documents."""
    numbers = _documents_of(vault, entity_ids)
    rows = list(document_rows(vault, keys, "document_id", sorted(numbers)))
    own = document_sealers(vault, keys, [int(str(row[0])) for row in rows])
    paths = []
    for row in rows:
        label = label_of(keys, own[int(str(row[0]))], row)
        paths.append(label.path or label.doc_id)
    return tuple(sorted(paths)), len(rows)


def forget_paths(
    vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int], is_telling: Callable[[str], bool]
) -> int:
    """Seal anew, without its path, each document of these people whose path tells; returns how many."""
    numbers = _documents_of(vault, entity_ids)
    bind = keys.binder("document").bind
    changed = []
    for chunk in in_chunks(sorted(numbers)):
        rows = list(document_rows(vault, keys, "document_id", chunk))
        own = document_sealers(vault, keys, [row[0] for row in rows])
        for row in rows:
            label = label_of(keys, own[row[0]], row)
            if label.path is not None and is_telling(label.path):
                context = keys.contexts.document(row[0], row[6])
                sealed = own[row[0]].seal(replace(label, path=None).encoded(), context=context)
                changed.append((row, (*row[:8], sealed)))
    for old, new in changed:
        both = bind(document_fields(new))
        vault.checkpoints.removed(keys.project_id, "document", [bind(document_fields(old))[16:]])
        vault.checkpoints.added(keys.project_id, "document", [both[16:]])
        vault.store.run_many(
            "UPDATE document SET sealed = ?, binding = ? WHERE document_id = ?", [(new[8], both[:16], new[0])]
        )
    return len(changed)


def _documents_of(vault: VaultCore, entity_ids: Collection[int]) -> set[int]:
    numbers: set[int] = set()
    for chunk in in_chunks(sorted(entity_ids)):
        numbers.update(
            row[0]
            for row in vault.store.rows(
                f"SELECT DISTINCT document_id FROM edit WHERE entity_id IN ({marks(chunk)})",  # noqa: S608
                tuple(chunk),
            )
        )
    return numbers


def edits_of(vault: VaultCore, keys: ProjectKeys, entity_id: int, sealer: Sealer) -> dict[EditPlace, str]:
    """The text that each edit of this person replaced. Callers have the right to it."""
    found = {}
    for row in _edit_rows_of(vault, entity_id):
        plain = sealer.unseal(row[5], context=keys.contexts.edit(row[0], row[1], row[6], *row[2:5]))
        found[row[0], row[1]] = split_edit(plain)[1].decode("utf-8", "replace")
    return found


def give_edits(
    vault: VaultCore,
    keys: ProjectKeys,
    places: Collection[EditPlace],
    old: tuple[int, Sealer],
    new: tuple[int, Sealer],
) -> None:
    """Seal these edits of one person for another; both with their data keys."""
    (owner, sealer), (new_owner, new_sealer) = old, new
    changes, gone, come = [], [], []
    for document_id, ordinal, _, start, end, sealed, revision in _edit_rows_of(vault, owner):
        if (document_id, ordinal) not in places:
            continue
        before = keys.contexts.edit(document_id, ordinal, revision, owner, start, end)
        after = keys.contexts.edit(document_id, ordinal, revision, new_owner, start, end)
        again = new_sealer.seal(sealer.unseal(sealed, context=before), context=after)
        gone.append(edit_fields(document_id, ordinal, owner, start, end, sealed))
        come.append(edit_fields(document_id, ordinal, new_owner, start, end, again))
        changes.append((again, new_owner, document_id, ordinal))
    binder = keys.binder("edit")
    vault.checkpoints.counted(keys.project_id, "edit", 0, binder.bind_all(come)[1] - binder.bind_all(gone)[1])
    vault.store.run_many(
        "UPDATE edit SET sealed = ?, entity_id = ? WHERE document_id = ? AND ordinal = ?", changes
    )


def _edit_rows_of(vault: VaultCore, entity_id: int) -> list[tuple[Any, ...]]:
    """Document, ordinal, owner, start, end, sealed value and the document's revision."""
    return vault.store.rows(
        "SELECT e.document_id, e.ordinal, e.entity_id, e.start_offset, e.end_offset, e.sealed, d.revision "
        "FROM edit e JOIN document d ON d.document_id = e.document_id WHERE e.entity_id = ?",
        (entity_id,),
    )
