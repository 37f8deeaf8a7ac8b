"""What runs leave for review: which of their mentions have open links, kept until forgotten or erased.

Only keyed hashes of the mentions are stored here. Their places and names are in the sightings of their
people, sealed under each person's key: erased with the person they can be opened by nobody, and the entries
go too.
"""

import struct
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from linkage.records import LinkDecision
from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.open_links import LinkedSource, OpenLinks
from pseudonymizer.schema import run_result
from pseudonymizer.vault.rows.documents import doc_tag
from pseudonymizer.vault.rows.entities import DAMAGED_ROW, marks
from pseudonymizer.vault.rows.mentions import document_tags, find_mentions, mention_tags
from pseudonymizer.vault.rows.table_rows import RUN_RESULT_COLUMNS, RunResultRow
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

_HEAD: Final = struct.Struct(">QIQ")
# Of the left and the right mention: tag, entity, number of the identity, whether its document's name tells
# the part. Then the right source's tag and unit, probability, partial ratio, decision, length of the variant.
_ENTRY: Final = struct.Struct(">16sQI?16sQI?16sIddBB")
_DECISIONS: Final = tuple(LinkDecision)

Place = tuple[bytes, int]  # tag of a source, and its unit


@dataclass(frozen=True, slots=True)
class Side:
    """A mention with an open link, by its tag, and whose it is."""

    tag: bytes
    entity_id: int
    identity: int
    is_part: bool


@dataclass(frozen=True, slots=True)
class KeptLink:
    """One open link. right_place: the source of the right mention; that of the left one has the row."""

    left: Side
    right: Side
    right_place: Place
    match_probability: float
    partial_ratio: float
    decision: LinkDecision
    variant: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What is kept of one source. linking: a number that all sources have which were linked together."""

    place: Place
    linking: int
    entries: tuple[KeptLink, ...]


def result_fields(row: Sequence[Any]) -> bytes:
    project_id, tag, unit, linking, entries = row[:5]
    return _HEAD.pack(project_id, unit, linking) + bytes(tag) + bytes(entries)


def has_results(vault: VaultCore) -> bool:
    """Whether the vault's schema can keep results yet; it grows when a run leaves the first."""
    return migration.has_reached(vault.store, migration.WITH_RESULTS)


def keep(vault: VaultCore, keys: ProjectKeys, found: OpenLinks) -> int:
    """Keep what a linkage result leaves for review, in place of what was kept of its sources before; returns
    the number of links. Its mentions must have been assigned.
    """
    if not found.sources:
        return 0
    vault.begin()
    if not has_results(vault):
        migration.grow_within(vault.store)
    places = {source: _place(keys, source) for source in found.sources}
    _remove(vault, keys, places.values())
    highest = vault.store.scalar(
        "SELECT max(linking) FROM run_result WHERE project_id = ?", (keys.project_id,)
    )
    entries = _entries(vault, keys, found, places)
    rows = [
        ResultRow(place, (highest or 0) + 1, tuple(entries.get(place, ())))
        for place in sorted(places.values())
    ]
    _add(vault, keys, rows)
    return sum(len(row.entries) for row in rows)


def _place(keys: ProjectKeys, source: LinkedSource) -> Place:
    return doc_tag(keys, source.source), source.unit


def _entries(
    vault: VaultCore, keys: ProjectKeys, found: OpenLinks, places: Mapping[LinkedSource, Place]
) -> Mapping[Place, Sequence[KeptLink]]:
    """The links by the source of the left mention; without those of mentions that nobody was given."""
    mentions = [end.mention for end in found.ends]
    tags = mention_tags(keys, mentions)
    documents = document_tags(keys, {mention.doc_id for mention in mentions})
    owners = find_mentions(vault, keys, documents.values(), tags).entity_of
    sides = {
        end.mention.mention_id: (Side(tag, owners[tag], end.identity, end.is_part), places[end.source])
        for end, tag in zip(found.ends, tags, strict=True)
        if tag in owners
    }
    entries: dict[Place, list[KeptLink]] = defaultdict(list)
    for link in found.links:
        if link.pair.left not in sides or link.pair.right not in sides:
            continue
        (left, place), (right, right_place) = sides[link.pair.left], sides[link.pair.right]
        entries[place].append(
            KeptLink(
                left, right, right_place, link.match_probability, link.partial_ratio, link.decision,
                link.variant or "",
            )
        )  # fmt: skip
    return entries


def read(vault: VaultCore, keys: ProjectKeys, tags: Collection[bytes]) -> Iterator[ResultRow]:
    """What is kept of these sources, by their tags."""
    if not has_results(vault):
        return
    for chunk in in_chunks(sorted(tags)):
        yield from map(_decoded, _checked(keys, _rows(vault, keys, chunk)))


def forget(vault: VaultCore, keys: ProjectKeys, tags: Collection[bytes]) -> int:
    """Keep no result of these sources any more; returns of how many there was one."""
    if not has_results(vault):
        return 0
    vault.begin()
    return _remove(vault, keys, {row.place for row in read(vault, keys, tags)})


def forget_people(vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]) -> int:
    """Take the open links of these people out; returns how many."""
    gone = frozenset(entity_ids)

    def kept(entry: KeptLink) -> KeptLink | None:
        return None if entry.left.entity_id in gone or entry.right.entity_id in gone else entry

    return _change(vault, keys, kept)


def settle(vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int]) -> int:
    """Take out the open links between these people, who were judged to be one, or to be several; returns how
    many.
    """
    judged = frozenset(entity_ids)

    def kept(entry: KeptLink) -> KeptLink | None:
        both = {entry.left.entity_id, entry.right.entity_id}
        return None if len(both) > 1 and both <= judged else entry

    return _change(vault, keys, kept)


def give(vault: VaultCore, keys: ProjectKeys, tags: Collection[bytes], old: int, new: int) -> int:
    """Give these mentions of one person to another; returns how many open links changed."""
    moved = frozenset(tags)

    def goes(side: Side) -> bool:
        return side.entity_id == old and side.tag in moved

    def owned(entry: KeptLink) -> KeptLink:
        left, right = entry.left, entry.right
        if not goes(left) and not goes(right):
            return entry
        return replace(
            entry,
            left=replace(left, entity_id=new) if goes(left) else left,
            right=replace(right, entity_id=new) if goes(right) else right,
        )

    return _change(vault, keys, owned)


def _change(vault: VaultCore, keys: ProjectKeys, change: Callable[[KeptLink], KeptLink | None]) -> int:
    """Every open link of the project as change makes it: the same, another one, or none. Reads every row of
    the project; returns how many links changed.
    """
    if not has_results(vault):
        return 0
    again: list[ResultRow] = []
    changed = 0
    for row in map(_decoded, _all_rows(vault, keys)):
        made = [change(entry) for entry in row.entries]
        if different := sum(one is not entry for one, entry in zip(made, row.entries, strict=True)):
            changed += different
            again.append(replace(row, entries=tuple(entry for entry in made if entry is not None)))
    _remove(vault, keys, [row.place for row in again])
    _add(vault, keys, again)
    return changed


def _rows(vault: VaultCore, keys: ProjectKeys, tags: Sequence[bytes]) -> list[RunResultRow]:
    rows = vault.store.rows(
        f"SELECT {RUN_RESULT_COLUMNS} FROM run_result WHERE project_id = ? "  # noqa: S608  our own columns
        f"AND source_tag IN ({marks(tags)})",
        (keys.project_id, *tags),
    )
    return list(map(RunResultRow._make, rows))


def _all_rows(vault: VaultCore, keys: ProjectKeys) -> Iterator[RunResultRow]:
    with vault.store.streaming(
        f"SELECT {RUN_RESULT_COLUMNS} FROM run_result WHERE project_id = ?",  # noqa: S608  our own columns
        (keys.project_id,),
    ) as rows:
        for chunk in in_chunks(rows):
            yield from _checked(keys, list(map(RunResultRow._make, chunk)))


def _checked(keys: ProjectKeys, rows: Sequence[RunResultRow]) -> Sequence[RunResultRow]:
    if keys.binder(run_result.name).tags(map(result_fields, rows)) != [bytes(row.binding) for row in rows]:
        raise VaultDamagedError(DAMAGED_ROW.format(table=run_result.name))
    return rows


def _remove(vault: VaultCore, keys: ProjectKeys, places: Iterable[Place]) -> int:
    wanted = set(places)
    gone: list[RunResultRow] = []
    for chunk in in_chunks(sorted({tag for tag, _ in wanted})):
        gone += [row for row in _rows(vault, keys, chunk) if _place_of(row) in wanted]
    _checked(keys, gone)
    _, total = keys.binder(run_result.name).bind_all(map(result_fields, gone))
    vault.store.run_many(
        "DELETE FROM run_result WHERE project_id = ? AND source_tag = ? AND unit = ?",
        [(row.project_id, row.source_tag, row.unit) for row in gone],
    )
    vault.checkpoints.counted(keys.project_id, run_result.name, -len(gone), -total)
    return len(gone)


def _add(vault: VaultCore, keys: ProjectKeys, rows: Iterable[ResultRow]) -> None:
    encoded = [
        (keys.project_id, *row.place, row.linking, b"".join(map(_encoded, row.entries))) for row in rows
    ]
    stored, total = keys.binder(run_result.name).bind_all(map(result_fields, encoded))
    vault.store.insert(run_result, [(*row, half) for row, half in zip(encoded, stored, strict=True)])
    vault.checkpoints.counted(keys.project_id, run_result.name, len(encoded), total)


def _encoded(entry: KeptLink) -> bytes:
    left, right, variant = entry.left, entry.right, entry.variant.encode()[:255]
    return (
        _ENTRY.pack(
            left.tag, left.entity_id, left.identity, left.is_part, right.tag, right.entity_id, right.identity,
            right.is_part, *entry.right_place, entry.match_probability, entry.partial_ratio,
            _DECISIONS.index(entry.decision), len(variant),
        )
        + variant
    )  # fmt: skip


def _place_of(row: RunResultRow) -> Place:
    return bytes(row.source_tag), row.unit


def _decoded(row: RunResultRow) -> ResultRow:
    raw = bytes(row.entries)
    entries: list[KeptLink] = []
    at = 0
    try:
        while at < len(raw):
            fields = _ENTRY.unpack_from(raw, at)
            at += _ENTRY.size
            variant = raw[at : at + fields[13]].decode()
            at += fields[13]
            entries.append(
                KeptLink(
                    Side(*fields[:4]), Side(*fields[4:8]), fields[8:10], fields[10], fields[11],
                    _DECISIONS[fields[12]], variant,
                )
            )  # fmt: skip
    except (struct.error, UnicodeDecodeError, IndexError):
        raise VaultDamagedError(DAMAGED_ROW.format(table=run_result.name)) from None
    return ResultRow(_place_of(row), row.linking, tuple(entries))
