"""The people that mentions were given to: by document, so that the same text again gets the same pseudonyms.

Neither the mention nor its place is stored, only a keyed hash of both with the entity's number.
"""

import struct
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from linkage.records import DocumentId, Mention, MentionId
from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.schema import mention_list
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

_PAIR: Final = struct.Struct(">QQ")
_HEAD: Final = struct.Struct(">QI")
_ENTRY: Final = struct.Struct(">16sQ")
_MOST_ENTRIES: Final = 2_000
_DAMAGED: Final = "a row of {table} was altered or moved; run `nymlink vault verify`"

Move = Callable[[bytes, bytes, int], int | None]


def mention_fields(project_id: int, entity_id: int, tag: bytes) -> bytes:
    """Of a row of its own, as the first revision wrote them."""
    return _PAIR.pack(project_id, entity_id) + tag


def list_fields(project_id: int, doc_tag: bytes, part: int, entries: bytes) -> bytes:
    return _HEAD.pack(project_id, part) + doc_tag + entries


class StoredMentions:
    """What the vault knows of the mentions of some documents."""

    def __init__(self) -> None:
        self.entity_of: dict[bytes, int] = {}
        self.parts: dict[bytes, int] = {}  # by document, the number of parts

    def __bool__(self) -> bool:
        return bool(self.entity_of)


def document_tags(keys: ProjectKeys, doc_ids: Collection[DocumentId]) -> dict[DocumentId, bytes]:
    """Documents as these rows name them."""
    written = [doc_id.encode("utf-8", "surrogatepass") for doc_id in doc_ids]
    return dict(zip(doc_ids, keys.binder("doc").tags(written), strict=True))


def mention_tags(keys: ProjectKeys, found: Sequence[Mention]) -> list[bytes]:
    """What stands for each mention: a keyed hash of its id and surface."""
    return place_tags(keys, [(m.mention_id, m.surface) for m in found])


def place_tags(keys: ProjectKeys, places: Iterable[tuple[MentionId, str]]) -> list[bytes]:
    """The keyed hashes of mentions, by their ids and surfaces."""
    written = [f"{mention_id}\0{surface}".encode("utf-8", "surrogatepass") for mention_id, surface in places]
    return keys.binder("mention-id").tags(written)


def find_mentions(
    vault: VaultCore, keys: ProjectKeys, doc_tags: Collection[bytes], tags: Collection[bytes]
) -> StoredMentions:
    """Entities that the mentions of these documents were given to before."""
    found = StoredMentions()
    project_id = keys.project_id
    binder = keys.binder("mention_list")
    for chunk in in_chunks(sorted(doc_tags)):
        rows = vault.store.rows(
            "SELECT doc_tag, part, entries, binding FROM mention_list "  # noqa: S608
            f"WHERE project_id = ? AND doc_tag IN ({_marks(chunk)})",
            (project_id, *chunk),
        )
        made = binder.tags([list_fields(project_id, doc, part, entries) for doc, part, entries, _ in rows])
        if made != [binding for _, _, _, binding in rows]:
            raise VaultDamagedError(_DAMAGED.format(table="mention_list"))
        for doc, part, entries, _ in rows:
            found.entity_of.update(_ENTRY.iter_unpack(entries))
            found.parts[doc] = max(found.parts.get(doc, 0), part)
    if has_single_rows(vault, keys):
        found.entity_of.update(_find_single(vault, keys, tags))
    return found


def has_single_rows(vault: VaultCore, keys: ProjectKeys) -> bool:
    """Whether the project has mentions in rows of their own."""
    row = vault.store.scalar("SELECT 1 FROM mention WHERE project_id = ? LIMIT 1", (keys.project_id,))
    return row is not None


def _find_single(vault: VaultCore, keys: ProjectKeys, tags: Collection[bytes]) -> dict[bytes, int]:
    found: dict[bytes, int] = {}
    bind, project_id = keys.binder("mention").tag, keys.project_id
    for chunk in in_chunks(sorted(tags)):
        for tag, entity_id, binding in vault.store.rows(
            "SELECT mention_tag, entity_id, binding FROM mention "  # noqa: S608
            f"WHERE project_id = ? AND mention_tag IN ({_marks(chunk)})",
            (project_id, *chunk),
        ):
            if bind(mention_fields(project_id, entity_id, tag)) != binding:
                raise VaultDamagedError(_DAMAGED.format(table="mention"))
            found[tag] = entity_id
    return found


def add_mentions(
    vault: VaultCore,
    keys: ProjectKeys,
    new: Iterable[tuple[bytes, bytes, int]],
    parts: Mapping[bytes, int],
) -> None:
    """new: document tag, mention tag, entity id; parts: how many parts each document has already."""
    by_document: dict[bytes, list[bytes]] = defaultdict(list)
    pack = _ENTRY.pack
    for doc, tag, entity_id in new:
        by_document[doc].append(pack(tag, entity_id))
    rows = []
    for doc, entries in sorted(by_document.items()):  # in key order, so that the table grows without splits
        part = parts.get(doc, 0)
        for first in range(0, len(entries), _MOST_ENTRIES):
            part += 1
            rows.append((keys.project_id, doc, part, b"".join(entries[first : first + _MOST_ENTRIES])))
    _add_lists(vault, keys, rows)


def _add_lists(vault: VaultCore, keys: ProjectKeys, rows: Sequence[tuple[int, bytes, int, bytes]]) -> None:
    stored, total = keys.binder("mention_list").bind_all([list_fields(*row) for row in rows])
    vault.store.insert(mention_list, [(*row, half) for row, half in zip(rows, stored, strict=True)])
    vault.checkpoints.counted(keys.project_id, "mention_list", len(rows), total)


def mention_tags_of(vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]) -> Iterator[bytes]:
    """Tags of the mentions of these people in lists. Reads every list of the project: only erasing asks."""
    wanted = frozenset(entity_ids)
    for _, _, entries, _ in _lists(vault, keys):
        yield from (tag for tag, entity_id in _ENTRY.iter_unpack(entries) if entity_id in wanted)


def move_mentions(
    vault: VaultCore, keys: ProjectKeys, move: Move, doc_tags: Collection[bytes] | None = None
) -> int:
    """Give mentions in lists to somebody else, or to nobody (None); returns how many changed.

    move says whose it is from now on, by document tag, mention tag and entity. doc_tags: only these.
    """
    gone: list[tuple[Any, ...]] = []
    come: list[tuple[int, bytes, int, bytes]] = []
    changed = 0
    for doc, part, entries, binding in _lists(vault, keys):
        if doc_tags is not None and doc not in doc_tags:
            continue
        before = list(_ENTRY.iter_unpack(entries))
        after = [(tag, owner) for tag, was in before if (owner := move(doc, tag, was)) is not None]
        if after == before:
            continue
        changed += len(before) - len(set(before) & set(after))
        gone.append((doc, part, entries, binding))
        if after:
            come.append((keys.project_id, doc, part, b"".join([_ENTRY.pack(*entry) for entry in after])))
    binder = keys.binder("mention_list")
    stored, total = binder.bind_all(
        [list_fields(keys.project_id, doc, part, entries) for doc, part, entries, _ in gone]
    )
    if stored != [binding for _, _, _, binding in gone]:
        raise VaultDamagedError(_DAMAGED.format(table="mention_list"))
    vault.store.run_many(
        "DELETE FROM mention_list WHERE project_id = ? AND doc_tag = ? AND part = ?",
        [(keys.project_id, doc, part) for doc, part, _, _ in gone],
    )
    vault.checkpoints.counted(keys.project_id, "mention_list", -len(gone), -total)
    _add_lists(vault, keys, come)
    return changed


def _lists(vault: VaultCore, keys: ProjectKeys) -> Iterator[tuple[Any, ...]]:
    with vault.store.streaming(
        "SELECT doc_tag, part, entries, binding FROM mention_list WHERE project_id = ?", (keys.project_id,)
    ) as rows:
        yield from rows


def _marks(chunk: Sequence[object]) -> str:
    return ", ".join("?" * len(chunk))
