"""What undoes a rewritten file: its edits, each sealed under the key of the person it belongs to."""

import struct
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Self

from sqlalchemy import select

from linkage.records import DocumentId
from pseudonymizer.crypto import KEY_BYTES, OutputDigest, Sealer
from pseudonymizer.errors import KeyDestroyedError, UnsealError, VaultDamagedError
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.relative_paths import checked_relative_path
from pseudonymizer.schema import document, document_key, edit
from pseudonymizer.vault.rows.entities import DAMAGED_ROW, marks, pseudonym_rows, sealers_of, wrapped_parts
from pseudonymizer.vault.rows.identifiers import entity_number, entity_text
from pseudonymizer.vault.rows.table_rows import DOCUMENT_COLUMNS, DocumentRow
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.contexts import joined
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

_DOCUMENT: Final = struct.Struct(">QQIIi")
_EDIT: Final = struct.Struct(">QIQQQ")
_LENGTH: Final = struct.Struct(">I")
KEY_VERSION: Final = 1
_HAS_PATH: Final = 1
_HAS_SOURCE: Final = 2
_HAS_ONE_WAY: Final = 4


@dataclass(frozen=True, slots=True)
class DocumentLabel:
    """What is sealed of a document: its id, the path of its original, the id of what was linked, and how many
    of its replacements have no way back.
    """

    doc_id: DocumentId
    path: str | None = field(default=None, repr=False)
    source: DocumentId | None = None
    one_way: int = 0

    def encoded(self) -> bytes:
        has = bool(self.path) * _HAS_PATH | (self.source is not None) * _HAS_SOURCE
        has |= bool(self.one_way) * _HAS_ONE_WAY
        one_way = _LENGTH.pack(self.one_way) if self.one_way else b""
        source = b"" if self.source is None else joined(self.source)
        path = (self.path or "").encode("utf-8", "surrogatepass")
        return joined(self.doc_id) + bytes([has]) + one_way + source + path

    @classmethod
    def decoded(cls, plain: bytes) -> Self:
        """From the opened seal."""
        doc_id, rest = _cut(plain)
        has, rest = rest[0], rest[1:]
        one_way = 0
        if has & _HAS_ONE_WAY:
            (one_way,), rest = _LENGTH.unpack_from(rest), rest[_LENGTH.size :]
        source, rest = _cut(rest) if has & _HAS_SOURCE else (None, rest)
        path = rest.decode("utf-8", "surrogatepass") if has & _HAS_PATH else None
        return cls(
            DocumentId(doc_id.decode("utf-8", "surrogatepass")),
            path,
            None if source is None else DocumentId(source.decode()),
            one_way,
        )


def _cut(joined_text: bytes) -> tuple[bytes, bytes]:
    end = _LENGTH.size + _LENGTH.unpack_from(joined_text)[0]
    return joined_text[_LENGTH.size : end], joined_text[end:]


def output_tag(keys: ProjectKeys, output: bytes) -> bytes:
    """Keyed digest of a whole output: finds a file again, whatever it is called now."""
    return keys.binder("output").tag(OutputDigest.of(output))


def doc_tag(keys: ProjectKeys, doc_id: DocumentId) -> bytes:
    return keys.binder("doc").tag(doc_id.encode("utf-8", "surrogatepass"))


def document_fields(row: Sequence[Any]) -> bytes:
    document_id, project_id, tag, output, format_name, count, revision, stored_on, sealed = row[:9]
    numbers = _DOCUMENT.pack(document_id, project_id, count, revision, stored_on)
    return numbers + b"".join((bytes(tag), bytes(output), joined(format_name), bytes(sealed)[-16:]))


def edit_fields(document_id: int, ordinal: int, entity_id: int, start: int, end: int, sealed: bytes) -> bytes:
    return _EDIT.pack(document_id, ordinal, entity_id, start, end) + sealed[-16:]


def store_rewrites(
    vault: VaultCore, keys: ProjectKeys, rewrites: Iterable[tuple[Rewrite, bytes]]
) -> tuple[int, int]:
    """Store edits of many files, each with its output's bytes; earlier rows of the same documents are
    replaced.

    Returns the number of documents and edits.

    Raises:
        OutsideFolderError: a file could not be restored below a folder by its path; nothing is stored.
    """
    batch = list(rewrites)
    for rewrite, _ in batch:
        if rewrite.path is not None:
            checked_relative_path(rewrite.path, owner=f"document {rewrite.doc_id}")
    vault.begin_keys()
    if any(rewrite.one_way for rewrite, _ in batch):
        vault.ensure_newest_schema()
    tags = [doc_tag(keys, rewrite.doc_id) for rewrite, _ in batch]
    known = _known_documents(vault, keys, tags)
    _remove_edits(vault, keys, [number for number, _ in known.values()])
    new_ids = iter(vault.next_ids("document", len(set(tags) - set(known))))
    owners = {
        entity_number(edit.entity_id)
        for rewrite, _ in batch
        for edit in rewrite.edits
        if edit.entity_id is not None
    }
    sealers = sealers_of(vault, keys, sorted(owners))
    has_results = migration.has_reached(vault.store, migration.WITH_RESULTS)
    today, project_id = vault.today(), keys.project_id
    new_rows: dict[int, tuple[Any, ...]] = {}
    edit_rows: dict[int, list[tuple[Any, ...]]] = {}
    edit_halves: dict[int, list[bytes]] = {}
    key_rows: dict[int, tuple[Any, ...]] = {}
    bind = keys.binder("edit").bind
    for (rewrite, output), tag in zip(batch, tags, strict=True):
        if tag in known:
            document_id, before = known[tag]
            revision = before + 1
        else:
            document_id, revision = next(new_ids), 1
            known[tag] = (document_id, 1)
        data_key = vault.entropy(KEY_BYTES)
        wrapped = keys.wrapper.wrap(data_key, context=keys.contexts.document_key(document_id))
        key_rows[document_id] = (document_id, project_id, wrapped)
        own = Sealer(data_key, key_id=KEY_VERSION)
        source = rewrite.source if has_results else None
        label = DocumentLabel(rewrite.doc_id, rewrite.path, source, rewrite.one_way).encoded()
        sealed = own.seal(label, context=keys.contexts.document(document_id, revision))
        row = (
            document_id, project_id, tag, output_tag(keys, output), rewrite.format_name, len(rewrite.edits),
            revision, today, sealed,
        )  # fmt: skip
        new_rows[document_id] = row
        rows: list[tuple[Any, ...]] = []
        halves: list[bytes] = []
        for change in rewrite.edits:
            owner = 0 if change.entity_id is None else entity_number(change.entity_id)
            context = keys.contexts.edit(
                document_id, change.ordinal, revision, owner, change.start, change.end
            )
            location = change.location.encode("utf-8", "surrogatepass")
            plain = _LENGTH.pack(len(location)) + location + change.original
            blob = (sealers[owner] if owner else own).seal(plain, context=context)
            rows.append((document_id, change.ordinal, project_id, owner, change.start, change.end, blob))
            halves.append(
                bind(edit_fields(document_id, change.ordinal, owner, change.start, change.end, blob))[16:]
            )
        edit_rows[document_id], edit_halves[document_id] = rows, halves
    _write_documents(vault, keys, new_rows, key_rows)
    for document_id, rows in edit_rows.items():
        vault.store.insert(edit, rows)
        vault.checkpoints.added(project_id, "edit", edit_halves[document_id])
    return len(new_rows), sum(map(len, edit_rows.values()))


def _known_documents(
    vault: VaultCore, keys: ProjectKeys, tags: Collection[bytes]
) -> dict[bytes, tuple[int, int]]:
    found = {}
    for row in document_rows(vault, keys, "doc_tag", sorted(set(tags))):
        found[bytes(row.doc_tag)] = (int(row.document_id), int(row.revision))
    return found


def document_rows(
    vault: VaultCore, keys: ProjectKeys, where: str, values: Sequence[Any]
) -> Iterator[DocumentRow]:
    check = keys.binder("document").tag
    for chunk in in_chunks(values):
        rows = vault.store.rows(
            f"SELECT {DOCUMENT_COLUMNS} FROM document "  # noqa: S608
            f"WHERE project_id = ? AND {where} IN ({marks(chunk)})",
            (keys.project_id, *chunk),
        )
        for row in map(DocumentRow._make, rows):
            if check(document_fields(row)) != bytes(row.binding):
                raise VaultDamagedError(DAMAGED_ROW.format(table="document"))
            yield row


def _write_documents(
    vault: VaultCore,
    keys: ProjectKeys,
    new_rows: dict[int, tuple[Any, ...]],
    key_rows: dict[int, tuple[Any, ...]],
) -> None:
    bind = keys.binder("document").bind
    ids = [(document_id,) for document_id in new_rows]
    old = list(document_rows(vault, keys, "document_id", list(new_rows)))
    vault.checkpoints.removed(keys.project_id, "document", [bind(document_fields(row))[16:] for row in old])
    vault.store.run_many("DELETE FROM document WHERE document_id = ?", ids)
    vault.keystore.rows.delete(document_key, ["document_id"], ids)
    both = [bind(document_fields(row)) for row in new_rows.values()]
    vault.store.insert(document, [(*row, b[:16]) for row, b in zip(new_rows.values(), both, strict=True)])
    vault.checkpoints.added(keys.project_id, "document", [b[16:] for b in both])
    vault.keystore.rows.insert(document_key, list(key_rows.values()))


def _remove_edits(vault: VaultCore, keys: ProjectKeys, document_ids: Sequence[int]) -> None:
    bind = keys.binder("edit").bind
    for chunk in in_chunks(document_ids):
        halves = [
            bind(edit_fields(number, ordinal, owner, start, end, bytes(sealed)))[16:]
            for number, ordinal, owner, start, end, sealed in vault.store.rows(
                "SELECT document_id, ordinal, entity_id, start_offset, end_offset, sealed FROM edit "  # noqa: S608
                f"WHERE document_id IN ({marks(chunk)})",
                tuple(chunk),
            )
        ]
        vault.checkpoints.removed(keys.project_id, "edit", halves)
    vault.store.run_many("DELETE FROM edit WHERE document_id = ?", [(number,) for number in document_ids])


def read_rewrites(
    vault: VaultCore, keys: ProjectKeys, outputs: Sequence[bytes], doc_ids: Sequence[DocumentId | None] = ()
) -> tuple[tuple[Rewrite, int] | None, ...]:
    """What undoes each of these outputs, and how many edits were erased with their people; None: not known.

    A document id, where one is given, goes before the digest: two originals may have become equal outputs.
    Names leave the vault here: callers have the right to it and the audit written already.
    """
    wanted = list(doc_ids) + [None] * (len(outputs) - len(doc_ids))
    tags = [output_tag(keys, output) for output in outputs]
    own = {tag: None for doc_id in wanted if doc_id is not None for tag in (doc_tag(keys, doc_id),)}
    by_id = {bytes(row.doc_tag): row for row in document_rows(vault, keys, "doc_tag", sorted(own))}
    by_output = {
        bytes(row.output_tag): row for row in document_rows(vault, keys, "output_tag", sorted(set(tags)))
    }
    chosen: list[DocumentRow | None] = []
    for tag, doc_id in zip(tags, wanted, strict=True):
        row = by_id.get(doc_tag(keys, doc_id)) if doc_id is not None else None
        chosen.append(row if row is not None and bytes(row.output_tag) == tag else by_output.get(tag))
    by_number = {row.document_id: row for row in chosen if row is not None}
    found = _read_documents(vault, keys, list(by_number.values()))
    return tuple(None if row is None else found[row.document_id] for row in chosen)


def _read_documents(
    vault: VaultCore, keys: ProjectKeys, rows: Sequence[DocumentRow]
) -> dict[int, tuple[Rewrite, int]]:
    result: dict[int, tuple[Rewrite, int]] = {}
    numbers = [row.document_id for row in rows]
    own = document_sealers(vault, keys, rows)
    edits: dict[int, list[tuple[Any, ...]]] = {number: [] for number in numbers}
    for chunk in in_chunks(numbers):
        for stored in vault.store.rows(
            "SELECT document_id, ordinal, entity_id, start_offset, end_offset, sealed FROM edit "  # noqa: S608
            f"WHERE document_id IN ({marks(chunk)}) ORDER BY document_id, ordinal",
            tuple(chunk),
        ):
            number, *_ = stored
            edits[number].append(stored)
    owners = {owner for found in edits.values() for _, _, owner, *_ in found if owner}
    persons = {
        number: (sealer, entity_text(number))
        for number, sealer in sealers_of(vault, keys, sorted(owners)).items()
    }
    for row in rows:
        document_id, revision, count = row.document_id, row.revision, row.edit_count
        label = label_of(keys, own[document_id], row)
        changes: list[RewriteEdit] = []
        edit_context, nobody = keys.contexts.edit, (own[document_id], None)
        for _, ordinal, owner, start, end, sealed in edits.pop(document_id):
            context = edit_context(document_id, ordinal, revision, owner, start, end)
            sealer, entity_id = persons[owner] if owner else nobody
            location, original = split_edit(sealer.unseal(sealed, context=context))
            changes.append(RewriteEdit(len(changes), location, start, end, original, entity_id))
        if len(changes) > count:
            raise VaultDamagedError(
                f"document {document_id} has {len(changes)} edits where {count} were stored"
            )
        erased = count - len(changes)
        rewrite = Rewrite(
            label.doc_id, row.format_name, tuple(changes), label.path, erased, label.source, label.one_way
        )
        result[document_id] = rewrite, erased
    return result


def document_sealers(vault: VaultCore, keys: ProjectKeys, rows: Sequence[DocumentRow]) -> dict[int, Sealer]:
    """The opened keys of the documents of these rows, by number.

    Raises:
        KeyDestroyedError: a key is gone.
    """
    return {number: sealer for number, (_, sealer) in document_keys(vault, keys, rows).items()}


def document_keys(
    vault: VaultCore, keys: ProjectKeys, rows: Sequence[DocumentRow]
) -> dict[int, tuple[bytes, Sealer]]:
    """The keys with which these rows are sealed, wrapped and opened, by the number of the document.

    Raises:
        KeyDestroyedError: a key is gone.
    """
    by_number = {row.document_id: row for row in rows}
    found: dict[int, tuple[bytes, Sealer]] = {}
    for chunk in in_chunks(by_number):
        wrapped_rows = vault.key_records.execute(
            select(document_key.c.document_id, document_key.c.wrapped).where(
                document_key.c.document_id.in_(chunk)
            )
        )
        for number, wrapped in wrapped_rows:
            found[number] = _key_of_row(keys, by_number[number], bytes(wrapped))
    if missing := by_number.keys() - found.keys():
        raise KeyDestroyedError(f"the keys of {len(missing)} documents are gone")
    return found


def _key_of_row(keys: ProjectKeys, row: DocumentRow, wrapped: bytes) -> tuple[bytes, Sealer]:
    """Of two keys the one that opens the row."""
    context = keys.contexts.document_key(row.document_id)
    parts = wrapped_parts(wrapped)
    opened = [(part, Sealer(keys.unwrap(part, context=context), key_id=KEY_VERSION)) for part in parts]
    if len(opened) > 1:
        for part, sealer in opened:
            with suppress(UnsealError):
                label_of(keys, sealer, row)
                return part, sealer
    return opened[0]


def label_of(keys: ProjectKeys, sealer: Sealer, row: DocumentRow) -> DocumentLabel:
    """What is sealed in a document's row."""
    context = keys.contexts.document(row.document_id, row.revision)
    return DocumentLabel.decoded(sealer.unseal(bytes(row.sealed), context=context))


def split_edit(plain: bytes) -> tuple[str, bytes]:
    """Where an edit was made, and what stood there, from the opened seal."""
    cut = 4 + _LENGTH.unpack_from(plain)[0]
    return plain[4:cut].decode("utf-8", "surrogatepass"), plain[cut:]


def document_numbers(vault: VaultCore, keys: ProjectKeys, doc_ids: Collection[DocumentId]) -> tuple[int, ...]:
    """The numbers of those of these documents that are stored."""
    tags = sorted(doc_tag(keys, doc_id) for doc_id in doc_ids)
    return tuple(row.document_id for row in document_rows(vault, keys, "doc_tag", tags))


def labels_in_outputs(vault: VaultCore, keys: ProjectKeys, outputs: Sequence[bytes]) -> tuple[str, ...]:
    """The pseudonyms of everyone named in these files: what a grant for restoring them must name."""
    tags = sorted({output_tag(keys, output) for output in outputs})
    numbers = [row.document_id for row in document_rows(vault, keys, "output_tag", tags)]
    owners: set[int] = set()
    for chunk in in_chunks(numbers):
        owners.update(
            owner
            for (owner,) in vault.store.rows(
                "SELECT DISTINCT entity_id FROM edit WHERE entity_id > 0 "  # noqa: S608
                f"AND document_id IN ({marks(chunk)})",
                tuple(chunk),
            )
        )
    return tuple(sorted({one.label for one in pseudonym_rows(vault, keys, "entity_id", sorted(owners))}))
