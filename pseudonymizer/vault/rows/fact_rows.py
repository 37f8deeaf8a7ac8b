"""Rows of sealed facts: read whole by person, added, and sealed anew in the form of today."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

import msgspec

from pseudonymizer.crypto import Sealer
from pseudonymizer.schema import form
from pseudonymizer.vault.rows.entities import form_fields, marks
from pseudonymizer.vault.rows.fact_reader import FactReader
from pseudonymizer.vault.rows.forms import Fact, ValueForm
from pseudonymizer.vault.rows.row_form import is_of_today
from pseudonymizer.vault.rows.sealed_facts import pack
from pseudonymizer.vault.rows.sealed_values import pack_value
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

# Rows of one person that are read to see what of a new document is known already. Whoever has more of them
# gets a name again now and then, in the row of its document, where it takes no further place.
MOST_ROWS: Final = 64


class FactRow(msgspec.Struct, frozen=True, gc=False):
    """One stored row of a person, opened."""

    form_id: int
    form_tag: bytes
    revision: int
    sealed: bytes
    plain: bytes

    def __repr__(self) -> str:
        return f"FactRow({self.form_id}, ...)"


def stored_facts(vault: VaultCore, keys: ProjectKeys, sealers: Mapping[int, Sealer]) -> dict[int, list[Fact]]:
    """What is known of these people, each fact once, in the order in which it was stored."""
    reader = FactReader()
    found: dict[int, list[Fact]] = {entity_id: [] for entity_id in sealers}
    for entity_id, rows in _rows_of(vault, keys, sealers).items():
        found[entity_id] = reader.facts(row.plain for row in rows)
    return found


def facts_known_of(
    vault: VaultCore,
    keys: ProjectKeys,
    sealers: Mapping[int, Sealer],
    wanted: Mapping[int, Iterable[Fact]],
    *,
    anew: bool,
) -> dict[int, set[Fact]]:
    """Stored facts of these people, all those among them that may not be stored twice.

    wanted: what is to be stored, sightings of each person among it. anew: some of these sightings may be
    there already. Where they are not, a person of many rows is known by MOST_ROWS of them, the same in
    whatever order they came: the row that is written has a sighting that no other has. It does not where what
    is wanted takes several rows.
    """
    found: dict[int, set[Fact]] = {}
    if not anew:
        found, have_more = _facts_in_some_rows(vault, keys, sealers)
        several = [number for number in have_more if len(_packed(list(wanted[number]))) > 1]
        sealers = {number: sealers[number] for number in several}
    found.update((number, set(facts)) for number, facts in stored_facts(vault, keys, sealers).items())
    return found


def _facts_in_some_rows(
    vault: VaultCore, keys: ProjectKeys, sealers: Mapping[int, Sealer]
) -> tuple[dict[int, set[Fact]], set[int]]:
    """The facts in at most MOST_ROWS rows of each of these people, and which of the people have more."""
    reader = FactReader()
    found: dict[int, set[Fact]] = {}
    have_more: set[int] = set()
    for entity_id, sealer in sealers.items():
        rows = vault.store.rows(
            "SELECT form_id, revision, sealed FROM form WHERE entity_id = ? ORDER BY form_tag LIMIT ?",
            (entity_id, MOST_ROWS + 1),
        )
        if len(rows) > MOST_ROWS:
            have_more.add(entity_id)
            del rows[MOST_ROWS:]
        plains = [
            sealer.unseal(bytes(sealed), context=keys.contexts.form(entity_id, form_id, revision))
            for form_id, revision, sealed in sorted(rows)
        ]
        found[entity_id] = set(reader.facts(plains))
    return found, have_more


def add_facts(
    vault: VaultCore, keys: ProjectKeys, facts: Iterable[tuple[int, Sequence[Fact], Sealer]]
) -> int:
    """facts: entity id, what is new about the person, the entity's sealer. Returns the number of rows."""
    return _insert(
        vault,
        keys,
        [(entity_id, plain, sealer) for entity_id, new, sealer in facts for plain in _packed(new)],
    )


def _packed(facts: Sequence[Fact]) -> list[bytes]:
    """What is sealed in one row each. A value says first what it is."""
    return pack_value(facts) if facts and type(facts[0]) is ValueForm else pack(facts)


def _insert(vault: VaultCore, keys: ProjectKeys, packs: Sequence[tuple[int, bytes, Sealer]]) -> int:
    vault.ensure_newest_schema()
    project_id = keys.project_id
    context, tag = keys.contexts.form, keys.binder("form-id").tag
    rows, fields = [], []
    for form_id, (entity_id, plain, sealer) in zip(vault.next_ids("form", len(packs)), packs, strict=True):
        sealed = sealer.seal(plain, context=context(entity_id, form_id, 1))
        form_tag = tag(entity_id.to_bytes(8, "big") + plain)
        rows.append((form_id, entity_id, project_id, form_tag, 1, sealed))
        fields.append(form_fields(form_id, entity_id, 1, form_tag, sealed))
    vault.store.insert(form, rows)
    vault.checkpoints.counted(project_id, "form", len(rows), keys.binder("form").bind_all(fields)[1])
    return len(rows)


def reseal_facts(
    vault: VaultCore, keys: ProjectKeys, old: Mapping[int, Sealer], new: Mapping[int, Sealer]
) -> int:
    """Seal what is known of people anew under their new sealers, in the form of today; returns how many rows
    were written.
    """
    stored = _rows_of(vault, keys, old)
    return _rewrite(vault, keys, stored, new, {entity_id: _today(rows) for entity_id, rows in stored.items()})


def reseal_older(vault: VaultCore, keys: ProjectKeys, sealers: Mapping[int, Sealer]) -> int:
    """Write what is known of people in the form of today where a row has an older one; returns how many rows
    were written.
    """
    stored = {
        entity_id: rows
        for entity_id, rows in _rows_of(vault, keys, sealers).items()
        if not all(is_of_today(row.plain) for row in rows)
    }
    packs = {entity_id: _today(rows) for entity_id, rows in stored.items()}
    return _rewrite(vault, keys, stored, sealers, packs)


def has_older(vault: VaultCore, keys: ProjectKeys, sealers: Mapping[int, Sealer]) -> bool:
    """Whether a row of these people has an older form."""
    stored = _rows_of(vault, keys, sealers)
    return not all(is_of_today(row.plain) for rows in stored.values() for row in rows)


def replace_facts(
    vault: VaultCore, keys: ProjectKeys, entity_id: int, sealer: Sealer, facts: Sequence[Fact]
) -> None:
    """Let these facts be all that is known of a person."""
    stored = _rows_of(vault, keys, {entity_id: sealer})
    _rewrite(vault, keys, stored, {entity_id: sealer}, {entity_id: _packed(facts)})


def _today(rows: Sequence[FactRow]) -> list[bytes]:
    plains = [row.plain for row in rows]
    if all(map(is_of_today, plains)):
        return plains
    return _packed(FactReader().facts(plains))


def _rewrite(
    vault: VaultCore,
    keys: ProjectKeys,
    stored: Mapping[int, Sequence[FactRow]],
    sealers: Mapping[int, Sealer],
    packs: Mapping[int, Sequence[bytes]],
) -> int:
    """Put packs in the place of the stored rows; those that are too many go."""
    vault.ensure_newest_schema()
    bind, context, tag = keys.binder("form").bind, keys.contexts.form, keys.binder("form-id").tag
    again: list[tuple[bytes, int, int]] = []
    tagged: list[tuple[bytes, int]] = []
    moved: list[int] = []
    gone: list[bytes] = []
    come: list[bytes] = []
    surplus: list[tuple[int]] = []
    more: list[tuple[int, bytes, Sealer]] = []
    for entity_id, rows in stored.items():
        sealer = sealers[entity_id]
        for row, plain in zip_longest(rows, packs[entity_id]):
            if row is None:
                more.append((entity_id, plain, sealer))
                continue
            form_id, form_tag = row.form_id, row.form_tag
            gone.append(bind(form_fields(form_id, entity_id, row.revision, form_tag, row.sealed))[16:])
            if plain is None:
                surplus.append((form_id,))
                continue
            if plain is not row.plain:
                form_tag = tag(entity_id.to_bytes(8, "big") + plain)
                tagged.append((form_tag, form_id))
                if len(packs[entity_id]) > 1:
                    moved.append(form_id)
            revision = row.revision + 1
            sealed = sealer.seal(plain, context=context(entity_id, form_id, revision))
            come.append(bind(form_fields(form_id, entity_id, revision, form_tag, sealed))[16:])
            again.append((sealed, revision, form_id))
    vault.store.run_many("DELETE FROM form WHERE form_id = ?", surplus)
    # A row may get the tag of another row of the same person, which gets its own only after it.
    freed = [(form_id.to_bytes(8, "big"), form_id) for form_id in moved]
    vault.store.run_many("UPDATE form SET form_tag = ? WHERE form_id = ?", freed)
    vault.store.run_many("UPDATE form SET form_tag = ? WHERE form_id = ?", tagged)
    vault.store.run_many("UPDATE form SET sealed = ?, revision = ? WHERE form_id = ?", again)
    vault.checkpoints.removed(keys.project_id, "form", gone)
    vault.checkpoints.added(keys.project_id, "form", come)
    return len(again) + (_insert(vault, keys, more) if more else 0)


def _rows_of(vault: VaultCore, keys: ProjectKeys, sealers: Mapping[int, Sealer]) -> dict[int, list[FactRow]]:
    found: dict[int, list[FactRow]] = {}
    context = keys.contexts.form
    for chunk in in_chunks(sorted(sealers)):
        for entity_id, form_id, form_tag, revision, sealed in vault.store.rows(
            "SELECT entity_id, form_id, form_tag, revision, sealed FROM form "  # noqa: S608
            f"WHERE entity_id IN ({marks(chunk)}) ORDER BY form_id",
            tuple(chunk),
        ):
            blob = bytes(sealed)
            plain = sealers[entity_id].unseal(blob, context=context(entity_id, form_id, revision))
            found.setdefault(entity_id, []).append(FactRow(form_id, bytes(form_tag), revision, blob, plain))
    return found
