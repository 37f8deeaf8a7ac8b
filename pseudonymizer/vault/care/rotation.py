"""New keys for old: KEK, wrapping, index, token and data keys. In batches; cut off, it goes on from there.

Published texts never change: pseudonyms are stored, not derived. What was wrapped, indexed or sealed with
the old
key is made anew, and only then the old key is destroyed.
"""

from collections.abc import Callable, Iterator
from typing import Final

from pseudonymizer.audit import Entry
from pseudonymizer.crypto import KEY_BYTES, Sealer, new_key
from pseudonymizer.errors import SettingsError
from pseudonymizer.keyring import KeyProvider
from pseudonymizer.policy import Verb
from pseudonymizer.records import EntityKind, KeyState
from pseudonymizer.records import Rotated as Rotated
from pseudonymizer.schema import document_key, entity_key, kek, project_key, work_key
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.rows import documents, entities, people, values
from pseudonymizer.vault.rows.fact_rows import reseal_facts
from pseudonymizer.vault.rows.forms import Mark, SurfaceForm, normal_form
from pseudonymizer.vault.rows.indexing import (
    LITERAL_LABEL,
    NAME_LABEL,
    REGISTRY_LABEL,
    registry_id_of,
    tag_of,
)
from pseudonymizer.vault.rows.work_keys import rewrap_work_keys
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

BATCH: Final = 5_000
_KEY_TABLES: Final = {"entity": entity_key, "document": document_key}
Progress = Callable[[int], None]


def rotate_kek(vault: VaultCore, provider: KeyProvider) -> int:
    """Wrap every project key for a new KEK and destroy what was wrapped for the old one; returns how many.

    Recovery keys stay. A vault that was opened by its recovery key gets a new daily key this way.
    """
    with vault.lock:
        role = authorize(vault, Verb.ROTATE)
        key = provider.create()
        if key.kind == "recovery":
            raise SettingsError("a recovery key is a second way in, not a daily key")
        vault.record(Entry("rotate.kek", role=role, outcome="started"))
        vault.commit()
        vault.begin_keys()
        vault.keystore.rows.check_whole(kek, project_key)  # what is not wrapped anew is lost below
        old = [row.kek_id for row in vault.keystore.kek_rows() if row.kind != "recovery"]
        now = vault.clock().isoformat()
        kek_id = vault.keystore.add_kek(key, created_at=now)
        count = vault.keystore.wrap_all_for(kek_id, key, created_at=now)
        for number in old:
            vault.keystore.retire_kek(number)
        vault.keystore.kek_id, vault.keystore.key = kek_id, key
        vault.keystore.advance_generation()
        vault.record(Entry("rotate.kek", role=role, counts={"keys": count}))
        vault.commit()
        vault.daily_key_is_open()
        vault.key_records.truncate_log()
        return count


def rotate(
    vault: VaultCore,
    what: Rotated,
    *,
    project_name: str,
    batch: int = BATCH,
    progress: Progress = lambda _: None,
) -> int:
    """Rotate one kind of key of a project; returns how many rows were made anew. Goes on where it was cut
    off."""
    with vault.lock:
        vault.begin()
        role = authorize(vault, Verb.ROTATE, project_name=project_name)
        keys = vault.keys_of(project_name)
        if what is Rotated.DATA:
            vault.record(Entry(f"rotate.{what}", project=project_name, role=role, outcome="started"))
            vault.commit()
            done = _reseal(vault, project_name, batch, progress)
        else:
            purpose = str(what)
            # An old version that can still be used for work in hand means that a rotation was cut off.
            if what is Rotated.TOKEN or len(keys.versions(purpose)) == 1:
                _add_version(vault, keys, purpose, role)
            work = {Rotated.WRAP: _rewrap, Rotated.INDEX: _reindex, Rotated.TOKEN: _nothing}[what]
            done = work(vault, project_name, batch, progress)
        vault.record(Entry(f"rotate.{what}", project=project_name, role=role, counts={"rows": done}))
        vault.commit()
        vault.key_records.truncate_log()
        return done


def _add_version(vault: VaultCore, keys: ProjectKeys, purpose: str, role: str) -> None:
    vault.begin_keys()
    old = keys.active(purpose)
    now = vault.clock().isoformat()
    vault.keystore.add_project_key(keys.project_id, purpose, old + 1, new_key(vault.entropy), created_at=now)
    vault.keystore.set_key_state(keys.project_id, purpose, old, KeyState.DECRYPT_ONLY)
    vault.keystore.advance_generation()
    vault.record(
        Entry(
            f"rotate.{purpose}", project=keys.name, role=role, outcome="started", counts={"version": old + 1}
        )
    )
    vault.commit()


def _nothing(_vault: VaultCore, _name: str, _batch: int, _progress: Progress) -> int:
    """Old token keys only verify: labels in texts out there stay valid for ever."""
    return 0


def _destroy_old(vault: VaultCore, name: str, purpose: str) -> None:
    vault.begin_keys()
    if (
        purpose == Rotated.WRAP
    ):  # a key that was moved to another project is not wrapped anew, and would be lost
        vault.keystore.rows.check_whole(*_KEY_TABLES.values(), work_key)
    keys = vault.keys_of(name)
    for version in keys.versions(purpose):
        if version != keys.active(purpose):
            vault.keystore.destroy_project_key(keys.project_id, purpose, version)
    vault.keystore.advance_generation()
    vault.commit()


# -- K_wrap
# ------------------------------------------------------------------------------------------------------


def _rewrap(vault: VaultCore, name: str, batch: int, progress: Progress) -> int:
    done = 0
    for table in _KEY_TABLES:
        last = 0
        while numbers := _rewrap_batch(vault, name, table, batch, after=last):
            done += len(numbers)
            last = numbers[-1]
            progress(done)
    vault.begin_keys()
    done += rewrap_work_keys(vault, vault.keys_of(name))
    vault.commit()
    _destroy_old(vault, name, "wrap")
    return done


def _rewrap_batch(vault: VaultCore, name: str, table: str, batch: int, *, after: int) -> list[int]:
    vault.begin_keys()
    keys = vault.keys_of(name)
    header = keys.wrapper.wrap(bytes(KEY_BYTES), context=b"")[
        :6
    ]  # wraps of the active version begin like this
    column = f"{table}_id"
    rows = list(
        vault.key_records.rows(
            f"SELECT {column}, wrapped FROM {table}_key WHERE project_id = ? AND {column} > ? "  # noqa: S608
            f"AND substr(wrapped, 1, 6) <> ? ORDER BY {column} LIMIT {int(batch)}",
            (keys.project_id, after, header),
        )
    )
    if not rows:
        vault.rollback()
        return []
    wrap, unwrap = keys.wrapper.wrap, keys.unwrap
    changed: list[tuple[bytes, int]] = []
    if table == "document":
        document_context = keys.contexts.document_key
        for number, wrapped in rows:
            context = document_context(number)
            parts = entities.wrapped_parts(bytes(wrapped))
            again = [wrap(unwrap(part, context=context), context=context) for part in parts]
            changed.append((b"".join(again), number))
    else:
        versions = {
            n: v for n, (_, v) in entities.entity_kinds(vault, keys, [number for number, _ in rows]).items()
        }
        entity_context = keys.contexts.entity_key
        for number, wrapped in rows:
            context = entity_context(number, versions.get(number, entities.FIRST_VERSION))
            plain = entities.unwrap_data_key(keys, bytes(wrapped), context)
            changed.append((wrap(plain, context=context), number))
    vault.keystore.rows.change(_KEY_TABLES[table], "wrapped", [column], changed)
    vault.commit()
    return [number for number, _ in rows]


# -- K_index
# -----------------------------------------------------------------------------------------------------


def _reindex(vault: VaultCore, name: str, batch: int, progress: Progress) -> int:
    """Tags under the new version for everybody, then the old ones go. Meanwhile both are written and
    found."""
    done, last = 0, 0
    while True:
        vault.begin()
        keys = vault.keys_of(name)
        numbers = [
            number
            for (number,) in vault.store.rows(
                "SELECT entity_id FROM entity WHERE project_id = ? AND entity_id > ? "  # noqa: S608
                f"ORDER BY entity_id LIMIT {int(batch)}",
                (keys.project_id, last),
            )
        ]
        if not numbers:
            break
        version = keys.active("index")
        tags = {(version, entity_id, tag) for entity_id, tag in _tags_of(vault, keys, numbers)}
        stored = entities.find_index(vault, keys, {tag for _, _, tag in tags})
        missing = [(v, owner, tag) for v, owner, tag in tags if owner not in stored.get(tag, ())]
        entities.add_index(vault, keys, missing)
        vault.commit()
        last = numbers[-1]
        done += len(missing)
        progress(done)
    done += _drop_old_tags(vault, name, batch)
    _destroy_old(vault, name, "index")
    return done


def _tags_of(vault: VaultCore, keys: ProjectKeys, numbers: list[int]) -> Iterator[tuple[int, bytes]]:
    kinds = entities.entity_kinds(vault, keys, numbers)
    for entity_id, facts in people.facts_of(vault, keys, numbers).items():
        for fact in facts:
            if isinstance(fact, SurfaceForm):
                if kinds[entity_id][0] is EntityKind.PERSON and (form := normal_form(fact.name)) is not None:
                    yield entity_id, tag_of(keys.index, NAME_LABEL, form)
                elif kinds[entity_id][0] is EntityKind.LITERAL:
                    yield entity_id, tag_of(keys.index, LITERAL_LABEL, fact.surface)
            elif isinstance(fact, Mark) and (given := registry_id_of(fact)) is not None:
                yield entity_id, tag_of(keys.index, REGISTRY_LABEL, given)
        yield from ((entity_id, tag) for tag in values.tags_in(keys.index, facts))


def _drop_old_tags(vault: VaultCore, name: str, batch: int) -> int:
    done = 0
    while True:
        vault.begin()
        keys = vault.keys_of(name)
        rows = list(
            vault.store.rows(
                "SELECT project_id, index_version, tag, entity_id FROM name_index "  # noqa: S608
                f"WHERE project_id = ? AND index_version < ? LIMIT {int(batch)}",
                (keys.project_id, keys.active("index")),
            )
        )
        if not rows:
            vault.rollback()
            return done
        bind = keys.binder("name_index").bind
        halves = [bind(entities.index_fields(p, v, e, bytes(t)))[16:] for p, v, t, e in rows]
        vault.checkpoints.removed(keys.project_id, "name_index", halves)
        vault.store.run_many(
            "DELETE FROM name_index WHERE project_id = ? AND index_version = ? AND tag = ? AND entity_id = ?",
            rows,
        )
        vault.commit()
        done += len(rows)


# -- data keys
# ---------------------------------------------------------------------------------------------------


def _reseal(vault: VaultCore, name: str, batch: int, progress: Progress) -> int:
    """A new data key for every person, everything sealed anew.

    The key store keeps both keys of a person until the vault has committed what the new one sealed: keys
    commit
    first, so that no moment leaves a row without its key.
    """
    done, last = 0, 0
    size = max(1, batch // 10)
    while True:
        vault.begin_keys()
        keys = vault.keys_of(name)
        numbers = [
            number
            for (number,) in vault.store.rows(
                "SELECT entity_id FROM entity WHERE project_id = ? AND entity_id > ? "  # noqa: S608
                f"ORDER BY entity_id LIMIT {size}",
                (keys.project_id, last),
            )
        ]
        if not numbers:
            vault.rollback()
            return done
        done += _reseal_batch(vault, keys, numbers)
        last = numbers[-1]
        progress(done)


def _reseal_batch(vault: VaultCore, keys: ProjectKeys, numbers: list[int]) -> int:
    versions = {n: v for n, (_, v) in entities.entity_kinds(vault, keys, numbers).items()}
    wrapped = vault.keystore.wrapped_entity_keys(numbers)
    old = entities.opened_sealers(keys, numbers, versions, wrapped)
    new: dict[int, Sealer] = {}
    both: list[tuple[bytes, int]] = []
    only: list[tuple[bytes, int]] = []
    for number in numbers:
        plain = new_key(vault.entropy)
        fresh = keys.wrapper.wrap(plain, context=keys.contexts.entity_key(number, versions[number] + 1))
        new[number] = Sealer(plain, key_id=versions[number] + 1)
        current = entities.data_key_part(
            keys, wrapped[number], keys.contexts.entity_key(number, versions[number])
        )
        both.append((fresh + current, number))
        only.append((fresh, number))
    vault.keystore.rows.change(entity_key, "wrapped", ["entity_id"], both)
    done = reseal_facts(vault, keys, old, new) + _reseal_edits(vault, keys, numbers, old, new)
    _next_data_versions(vault, keys, numbers)
    vault.commit()
    vault.begin_keys()
    vault.keystore.rows.change(entity_key, "wrapped", ["entity_id"], only)
    vault.commit()
    return done


def _next_data_versions(vault: VaultCore, keys: ProjectKeys, numbers: list[int]) -> None:
    bind = keys.binder("entity").bind
    changes, gone, come = [], [], []
    for chunk in in_chunks(numbers):
        for row in vault.store.rows(
            "SELECT entity_id, project_id, kind, data_key_version, created_on FROM entity "  # noqa: S608
            f"WHERE entity_id IN ({entities.marks(chunk)})",
            tuple(chunk),
        ):
            number, project_id, kind, version, day = row
            gone.append(bind(entities.entity_fields(number, project_id, kind, version, day))[16:])
            after = bind(entities.entity_fields(number, project_id, kind, version + 1, day))
            come.append(after[16:])
            changes.append((version + 1, after[:16], number))
    vault.store.run_many("UPDATE entity SET data_key_version = ?, binding = ? WHERE entity_id = ?", changes)
    vault.checkpoints.removed(keys.project_id, "entity", gone)
    vault.checkpoints.added(keys.project_id, "entity", come)


def _reseal_edits(
    vault: VaultCore, keys: ProjectKeys, numbers: list[int], old: dict[int, Sealer], new: dict[int, Sealer]
) -> int:
    bind = keys.binder("edit").bind
    changes, gone, come = [], [], []
    for chunk in in_chunks(numbers):
        for row in vault.store.rows(
            "SELECT e.document_id, e.ordinal, e.entity_id, e.start_offset, e.end_offset, "  # noqa: S608
            "e.sealed, d.revision FROM edit e JOIN document d ON d.document_id = e.document_id "
            f"WHERE e.entity_id IN ({entities.marks(chunk)})",
            tuple(chunk),
        ):
            document_id, ordinal, owner, start, end, sealed, revision = row
            context = keys.contexts.edit(document_id, ordinal, revision, owner, start, end)
            again = new[owner].seal(old[owner].unseal(bytes(sealed), context=context), context=context)
            gone.append(
                bind(documents.edit_fields(document_id, ordinal, owner, start, end, bytes(sealed)))[16:]
            )
            come.append(bind(documents.edit_fields(document_id, ordinal, owner, start, end, again))[16:])
            changes.append((again, document_id, ordinal))
    vault.store.run_many("UPDATE edit SET sealed = ? WHERE document_id = ? AND ordinal = ?", changes)
    vault.checkpoints.removed(keys.project_id, "edit", gone)
    vault.checkpoints.added(keys.project_id, "edit", come)
    return len(changes)


def unfinished(vault: VaultCore, name: str) -> tuple[Rotated, ...]:
    """Kinds of keys of which an old version still lives because a rotation was cut off."""
    keys = vault.keys_of(name)
    return tuple(what for what in (Rotated.WRAP, Rotated.INDEX) if len(keys.versions(str(what))) > 1)
