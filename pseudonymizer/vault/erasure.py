"""Erasing people: their key first, then every row; then the files are searched for what was theirs.

A job row makes it resumable: killed at any moment, the next opening of the vault finishes it.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Table

from pseudonymizer.audit import Entry
from pseudonymizer.errors import (
    ClockAheadError,
    InvalidTokenError,
    KeyDestroyedError,
    PurposeRequiredError,
    UnknownPseudonymError,
    VaultError,
)
from pseudonymizer.policy import Verb
from pseudonymizer.records import ErasureReceipt
from pseudonymizer.schema import edit, entity, form, job, link, mention, name_index, pseudonym, tombstone
from pseudonymizer.values import Value
from pseudonymizer.vault import folders
from pseudonymizer.vault.access import authorize, refuse
from pseudonymizer.vault.erasure_plan import missing_labels
from pseudonymizer.vault.rows import entities, mentions, people, person_documents, run_results
from pseudonymizer.vault.rows import erasure_remains as remains
from pseudonymizer.vault.rows import values as value_rows
from pseudonymizer.vault.rows.bound_rows import BOUND
from pseudonymizer.vault.rows.forms import Fact, Spelling, SurfaceForm, ValueForm
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.rows.read_labels import typed_labels
from pseudonymizer.vault.rows.tombstones import tombstone_fields
from pseudonymizer.vault.store.cleaning import clean
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.counters import WHOLE_VAULT, Counted
from pseudonymizer.vault.store.dates import DATES, check_dates, date_halves
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

ERASURES: Final = "erasures"  # in the counts of an audit event: how many there were with this one
_PREFIX: Final = "erase:"
# Between the last event and retention. A vault in use has events every week; a clock that is a year ahead
# would have everybody erased.
_JUMP: Final = timedelta(days=30)
_SHORTEST_PART: Final = 3
_TELLING: Final = (
    ("sealed", "form"),
    ("form_tag", "form"),
    ("sealed", "edit"),
    ("tag", "name_index"),
    ("mention_tag", "mention"),
)
_BY_ENTITY: Final = (
    (form, "entity_id"),
    (name_index, "entity_id"),
    (pseudonym, "entity_id"),
    (mention, "entity_id"),
    (edit, "entity_id"),
    (link, "left_entity"),
    (link, "right_entity"),
    (entity, "entity_id"),
)


def erase(
    vault: VaultCore, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = ""
) -> ErasureReceipt:
    """Destroy what the vault knows of the people behind these pseudonyms. There is no way back.

    Raises:
        AccessRefusedError, UnknownPseudonymError: on record; nothing is destroyed.
    """
    with vault.lock:
        keys, role = _enter(vault, project, purpose, ticket)
        try:
            labels = set(typed_labels(vault, keys, pseudonyms))
        except InvalidTokenError:
            labels = set(pseudonyms)  # told below, with those that nobody has
        rows = list(entities.pseudonym_rows(vault, keys, "label", sorted(labels)))
        if missing := len(labels - {row.label for row in rows}):
            refuse(
                vault,
                Verb.ERASE,
                project_name=project,
                purpose=purpose,
                ticket=ticket,
                reason="unknown pseudonym",
            )
            erased = len(entities.erased_labels(vault, keys, sorted(labels - {row.label for row in rows})))
            raise UnknownPseudonymError(missing_labels(missing, erased))
        return _erase(vault, keys, {row.entity_id for row in rows}, role=role, purpose=purpose, ticket=ticket)


def erase_values(
    vault: VaultCore, *, project: str, values: Sequence[Value], purpose: str, ticket: str = ""
) -> ErasureReceipt:
    """Destroy what the vault knows of these values, each given in its normal form or in a spelling that was
    met. There is no way back.

    Raises:
        AccessRefusedError, UnknownPseudonymError: on record; nothing is destroyed.
    """
    with vault.lock:
        keys, role = _enter(vault, project, purpose, ticket)
        found = [value_rows.owners_of(vault, keys, value) for value in dict.fromkeys(values)]
        if missing := sum(not owners for owners in found):
            refuse(
                vault, Verb.ERASE, project_name=project, purpose=purpose, ticket=ticket,
                reason="unknown value",
            )  # fmt: skip
            raise UnknownPseudonymError(
                f"{missing} of these values are not of this project; nothing was erased"
            )
        return _erase(vault, keys, set().union(*found), role=role, purpose=purpose, ticket=ticket)


def erase_unseen_since(
    vault: VaultCore, *, project: str, days: int, purpose: str, ticket: str = "", clock_is_right: bool = False
) -> ErasureReceipt | None:
    """Retention: erase the people of a project that no document has named for days. None: nobody.

    clock_is_right: somebody says so, of a clock that is far ahead of the last event.

    Raises:
        VaultDamagedError: the days on which people were last met were altered; nobody is erased.
        ClockAheadError: the clock is more than 30 days ahead of the last event, and nobody says that it is
            right; nobody is erased.
    """
    with vault.lock:
        keys, role = _enter(vault, project, purpose, ticket)
        try:
            check_dates(vault.store, keys, told=vault.told_revision(project))
            if not clock_is_right:
                _refuse_jump(vault)
        except VaultError:
            vault.rollback()
            raise
        _give_up_unused(vault, project, vault.today() - days, role=role, purpose=purpose, ticket=ticket)
        vault.begin()
        keys = vault.keys_of(project)
        numbers = {
            number
            for (number,) in vault.store.rows(
                "SELECT entity_id FROM entity WHERE project_id = ? AND last_seen_on < ?",
                (keys.project_id, vault.today() - days),
            )
        }
        if not numbers:
            vault.rollback()
            return None
        return _erase(vault, keys, numbers, role=role, purpose=purpose, ticket=ticket)


def _give_up_unused(
    vault: VaultCore, project: str, day: int, *, role: str, purpose: str, ticket: str
) -> None:
    """Retention of output folders: those that no run went into since a day are given up. Commits."""
    if unused := folders.unused_since(vault, project, day):
        vault.begin_keys()
        folders.destroy_keys(vault, project, unused, role=role, purpose=purpose, ticket=ticket)


def _refuse_jump(vault: VaultCore) -> None:
    rows = vault.store.rows("SELECT occurred_at FROM audit_event ORDER BY sequence DESC LIMIT 1")
    ahead = vault.clock() - datetime.fromisoformat(rows[0][0]) if rows else timedelta()
    if ahead > _JUMP:
        raise ClockAheadError(
            f"the clock is {ahead.days:,} days ahead of the last event of the trail, and whom no file "
            "named since would be erased; if the clock is right, say so: --clock-is-right"
        )


def _enter(vault: VaultCore, project: str, purpose: str, ticket: str) -> tuple[ProjectKeys, str]:
    vault.keys_of(project)  # raises before anybody has to wait for us
    vault.begin()
    keys = vault.keys_of(project)  # after our wait for others, who may have rotated them
    role = authorize(vault, Verb.ERASE, project_name=project, purpose=purpose, ticket=ticket)
    if not purpose.strip():
        refuse(vault, Verb.ERASE, project_name=project, purpose="", ticket=ticket, reason="no purpose")
        raise PurposeRequiredError("say why these people are erased: --purpose TEXT")
    return keys, role


def _erase(
    vault: VaultCore, keys: ProjectKeys, entity_ids: Collection[int], *, role: str, purpose: str, ticket: str
) -> ErasureReceipt:
    numbers = sorted(entity_ids)
    if not numbers:
        vault.rollback()
        raise UnknownPseudonymError("no person and no value is named; nothing was erased")
    rows = list(entities.pseudonym_rows(vault, keys, "entity_id", numbers))
    labels = sorted({row.label for row in rows})
    # An entity without a pseudonym is told by its number, or no event would tell which one was erased.
    unlabelled = [entity_text(n) for n in sorted(set(numbers) - {row.entity_id for row in rows})]
    forgotten = _forget_whole(vault, keys, numbers)
    state = {
        "project": keys.name, "entities": numbers, "labels": labels, "role": role, "purpose": purpose,
        "ticket": ticket, "paths": forgotten.paths, "documents": forgotten.documents,
        "originals": forgotten.originals,
        "unlabelled": unlabelled,
    }  # fmt: skip
    job_id = f"{_PREFIX}{numbers[0]}:{vault.clock().isoformat()}"
    text = json.dumps(state, sort_keys=True)
    vault.own.insert(job, (job_id, text))
    vault.record(Entry(
        "erase", project=keys.name, role=role, subjects=_subjects(state), purpose=purpose, ticket=ticket,
        outcome="started", counts={"entities": len(numbers)},
    ))  # fmt: skip
    vault.commit()
    return _finish(vault, job_id, state)


def _subjects(state: Mapping[str, Any]) -> tuple[str, ...]:
    """What the trail calls those who are erased."""
    return (*state["labels"], *state.get("unlabelled", ()))  # not in the job of an older program


def resume(vault: VaultCore) -> int:
    """Finish erasures that were cut off; returns how many."""
    done = 0
    while _open_jobs(vault):
        vault.begin_keys()  # waits for a process that is erasing now
        if not (open_jobs := _open_jobs(vault)):
            vault.rollback()
            break
        vault.own.check(job, open_jobs[0])
        job_id, state, _ = open_jobs[0]
        _finish(vault, job_id, json.loads(state))
        done += 1
    return done


def _open_jobs(vault: VaultCore) -> list[tuple[Any, ...]]:
    return vault.store.rows(
        "SELECT job_id, state, binding FROM job WHERE job_id LIKE ? ORDER BY job_id", (f"{_PREFIX}%",)
    )


def _finish(vault: VaultCore, job_id: str, state: dict[str, Any]) -> ErasureReceipt:
    numbers, labels = state["entities"], state["labels"]
    tells = _telling_paths(vault, vault.keys_of(state["project"]), numbers)
    vault.rollback()  # others may go on while folders are cleaned
    cleaned, unreached = folders.forget_people(vault, state["project"], numbers, tells)
    vault.begin_keys()
    keys = vault.keys_of(state["project"])
    if job_id not in {open_id for open_id, _, _ in _open_jobs(vault)}:
        vault.rollback()
        return _finished_by_another(vault, state)
    changed = state.get("documents", ())  # an erasure that 0.1.0 began has none
    needles = list(_pieces(vault, keys, numbers))
    needles += [old[-32:] for _, old in person_documents.old_keys_of(vault, changed).values()]
    unowned = remains.unowned_edits(vault, numbers)
    of_values = remains.edits_of_values(vault, numbers)
    vault.counters.raise_to(WHOLE_VAULT, Counted.ENTITY, max(numbers))
    erasures = vault.counters.value(WHOLE_VAULT, Counted.ERASURES) + 1
    vault.counters.store(WHOLE_VAULT, Counted.ERASURES, erasures)
    vault.keystore.destroy_entity_keys(numbers)
    person_documents.destroy_old_keys(vault, changed)
    counts: Counter[str] = Counter()
    for table, column in _BY_ENTITY:
        counts[table.name] += _delete_rows(vault, keys, table, column, numbers)
    erased = frozenset(numbers)
    counts["open_link"] = run_results.forget_people(vault, keys, numbers)
    counts["mention"] += mentions.move_mentions(
        vault, keys, lambda _doc, _tag, was: None if was in erased else was
    )
    _bury(vault, keys, labels)
    vault.own.take_out(job, job_id=job_id)
    vault.record(Entry(
        "erase", project=keys.name, role=state["role"], subjects=_subjects(state), purpose=state["purpose"],
        ticket=state["ticket"], outcome="done",
        counts={
            **counts, ERASURES: erasures, "paths": state["paths"],
            **({"originals": state["originals"]} if state.get("originals") else {}),
            "folders": cleaned, "folders_left": len(unreached),
            "unowned_edits_left": sum(unowned.values()), "edits_of_values_left": sum(of_values.values()),
        },
    ))  # fmt: skip
    vault.commit()
    left = [
        *remains.always_remains(labels),
        *folders.told_of_unreached(unreached),
        *remains.told(unowned),
        *remains.told_of_values(of_values),
        *remains.copies(vault.store.address),
        *remains.altered_keys(vault.keystore.rows),
        *clean(vault.key_records, needles),
        *clean(vault.store, needles),
    ]
    sequence = vault.trail.checked_head()[0].sequence
    return ErasureReceipt(keys.name, tuple(labels), vault.clock(), dict(counts), sequence, tuple(left))


def _finished_by_another(vault: VaultCore, state: dict[str, Any]) -> ErasureReceipt:
    """The receipt of an erasure that another open vault took for one that was cut off, and finished."""
    labels = tuple(state["labels"])
    done = [
        event
        for event in vault.trail.events()
        if (event.action, event.outcome, event.project) == ("erase", "done", state["project"])
        and event.subjects == _subjects(state)
    ][-1]
    tables = {table.name for table, _ in _BY_ENTITY}
    rows = {name: count for name, count in done.counts.items() if name in tables}
    left = (*remains.always_remains(labels), *remains.copies(vault.store.address))
    return ErasureReceipt(done.project, labels, done.occurred_at, rows, done.sequence, left)


def _delete_rows(
    vault: VaultCore, keys: ProjectKeys, table: Table, column: str, numbers: Sequence[int]
) -> int:
    names = [c.name for c in table.columns]
    key = [names.index(c.name) for c in table.primary_key.columns]
    found: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for chunk in in_chunks(numbers):
        statement = f"SELECT {', '.join(names)} FROM {table.name} WHERE {column} IN "  # noqa: S608  our own tables
        for row in vault.store.rows(f"{statement}({entities.marks(chunk)})", tuple(chunk)):
            found[tuple([row[n] for n in key])] = row
    _, total = keys.binder(table.name).bind_all(map(BOUND[table.name], found.values()))
    vault.checkpoints.counted(keys.project_id, table.name, -len(found), -total)
    if table is entity:
        number, seen = names.index("entity_id"), names.index("last_seen_on")
        days = ((row[number], row[seen]) for row in found.values())
        vault.checkpoints.removed(keys.project_id, DATES, date_halves(keys, days))
    where = " AND ".join(f"{names[n]} = ?" for n in key)
    vault.store.run_many(f"DELETE FROM {table.name} WHERE {where}", list(found))  # noqa: S608  our own tables
    return len(found)


def _bury(vault: VaultCore, keys: ProjectKeys, labels: Collection[str]) -> None:
    bind, today = keys.binder("tombstone").bind, vault.today()
    rows, halves = [], []
    # Deterministic labels come again with the name, and earlier versions gave numbers twice.
    buried = entities.erased_labels(vault, keys, labels)
    for label in labels:
        if label in buried:
            continue
        both = bind(tombstone_fields(keys.project_id, label, today))
        rows.append((keys.project_id, label, today, both[:16]))
        halves.append(both[16:])
    vault.store.insert(tombstone, rows)
    vault.checkpoints.added(keys.project_id, "tombstone", halves)


def _forget_whole(vault: VaultCore, keys: ProjectKeys, numbers: Sequence[int]) -> person_documents.Forgotten:
    """Take the stored path out of documents whose path holds a part of these people's names, and the kept
    originals out of all documents that they stand in.
    """
    tells = _telling_paths(vault, keys, numbers)
    vault.begin_keys()
    return person_documents.forget_whole(vault, keys, numbers, tells or (lambda _: False))


def _telling_paths(
    vault: VaultCore, keys: ProjectKeys, numbers: Sequence[int]
) -> Callable[[str], bool] | None:
    """Whether a path holds a part of these people's names; None where the keys of their names are gone."""
    try:
        facts = people.facts_of(vault, keys, numbers)
    except KeyDestroyedError:
        return None
    parts = {
        _folded(part)
        for known in facts.values()
        for fact in known
        for part in _parts(fact)
        if part and len(part) >= _SHORTEST_PART
    }
    parts.discard("")
    return lambda path: any(part in _folded(path) for part in parts)


def _parts(fact: Fact) -> tuple[str | None, ...]:
    """What of a fact tells whose it is, where a path holds it."""
    if isinstance(fact, SurfaceForm):
        return (fact.surface, *fact.name.parts())
    if isinstance(fact, Spelling):
        return (fact.surface,)
    return (fact.normal,) if isinstance(fact, ValueForm) else ()


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in decomposed if c.isalnum())


def _pieces(vault: VaultCore, keys: ProjectKeys, numbers: Sequence[int]) -> Iterator[bytes]:
    """Bytes of these people that must be found nowhere afterwards: wrapped keys, blobs, tags."""
    for wrapped in vault.keystore.wrapped_entity_keys(numbers).values():
        yield wrapped[-32:]
    yield from mentions.mention_tags_of(vault, keys, numbers)
    for chunk in in_chunks(numbers):
        where = f"entity_id IN ({entities.marks(chunk)})"
        for column, table in _TELLING:
            statement = f"SELECT {column} FROM {table} WHERE {where}"  # noqa: S608  our own tables
            yield from (bytes(value)[-32:] for (value,) in vault.store.rows(statement, tuple(chunk)))
