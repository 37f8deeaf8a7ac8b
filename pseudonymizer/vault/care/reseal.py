"""Everything sealed in an older form, written in the form of today at once. In batches; cut off, it goes on.

Otherwise such values are read as they are, and written in the new form when they are next stored.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import select

from pseudonymizer.audit import Entry
from pseudonymizer.errors import VaultBusyError
from pseudonymizer.policy import Verb
from pseudonymizer.schema import job, project
from pseudonymizer.vault import erasure
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.rows.entities import sealers_of
from pseudonymizer.vault.rows.fact_rows import has_older, reseal_older
from pseudonymizer.vault.store.copies import copy_beside
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys

BATCH: Final = 2_000  # people in one unit of work
_JOB: Final = "reseal"
_ACTION: Final = "reseal"
Progress = Callable[[int], None]


def is_begun(vault: VaultCore) -> bool:
    """Whether a call of reseal was cut off."""
    return _place(vault) is not None


def is_needed(vault: VaultCore) -> bool:
    """Whether a value of an older form is there. Reads all that is known of people, or until one is found.

    Raises:
        AccessRefusedError: on record.
    """
    with vault.lock:
        authorize(vault, Verb.ROTATE)
        _finish_erasures(vault)
        for name, _ in _projects(vault):
            keys = vault.keys_of(name)
            for numbers in _batches(vault, keys, 0, BATCH):
                if has_older(vault, keys, sealers_of(vault, keys, numbers)):
                    return True
        return False


def reseal(vault: VaultCore, *, batch: int = BATCH, progress: Progress = lambda _: None) -> int:
    """Write every value of an older form in the form of today; returns the number of rows written.

    progress: told that number after each batch.

    Raises:
        AccessRefusedError: on record.
    """
    with vault.lock:
        _finish_erasures(vault)
        vault.begin()
        role = authorize(vault, Verb.ROTATE)
        place = _place(vault)
        if place is None:
            place = (0, 0)
            vault.ensure_newest_schema()
            _put(vault, place)
            vault.record(Entry(_ACTION, role=role, outcome="started"))
        vault.commit()
        done = 0
        for name, project_id in _projects(vault):
            if project_id < place[0]:
                continue
            after = place[1] if project_id == place[0] else 0
            for rows in _reseal_project(vault, name, after, batch):
                done += rows
                progress(done)
        vault.begin()
        vault.own.take_out(job, job_id=_JOB)
        vault.record(Entry(_ACTION, role=role, counts={"rows": done}))
        vault.commit()
        with suppress(VaultBusyError):  # a reader keeps the log, of sealed rows whose keys live on
            vault.store.truncate_log()
        return done


def copy_and_reseal(vault: VaultCore, *, at: datetime, has_copy: bool) -> tuple[int, Path | None]:
    """The number of rows that reseal wrote, and the copy of the vault that was made first.

    None is made where nothing is to be done, or where a call that was cut off is ended. at: the time in the
    name of the copy. has_copy: there is one already, or somebody says that there is a backup.

    Raises:
        AccessRefusedError: on record.
        SettingsError, VaultError: the vault is not copied, and not changed.
    """
    copy = None
    if not is_begun(vault):
        if not is_needed(vault):
            return 0, None
        copy = None if has_copy else copy_beside(vault.store.address, at=at)
    return reseal(vault), copy


def _finish_erasures(vault: VaultCore) -> None:
    """Finish erasures of a process that was killed since the vault was opened: rows without keys stop us."""
    if not vault.has_open_work():
        erasure.resume(vault)


def _reseal_project(vault: VaultCore, name: str, after: int, batch: int) -> Iterator[int]:
    while True:
        vault.begin()
        keys = vault.keys_of(name)
        numbers = next(_batches(vault, keys, after, batch), None)
        if numbers is None:
            vault.rollback()
            return
        rows = reseal_older(vault, keys, sealers_of(vault, keys, numbers))
        after = numbers[-1]
        vault.own.take_out(job, job_id=_JOB)
        _put(vault, (keys.project_id, after))
        vault.commit()
        yield rows


def _batches(vault: VaultCore, keys: ProjectKeys, after: int, size: int) -> Iterator[list[int]]:
    """The numbers of the people of a project above this one, in order."""
    while True:
        numbers = [
            number
            for (number,) in vault.store.rows(
                "SELECT entity_id FROM entity WHERE project_id = ? AND entity_id > ? "  # noqa: S608
                f"ORDER BY entity_id LIMIT {int(size)}",
                (keys.project_id, after),
            )
        ]
        if not numbers:
            return
        after = numbers[-1]
        yield numbers


def _projects(vault: VaultCore) -> list[tuple[str, int]]:
    rows = vault.store.execute(select(project.c.name, project.c.project_id).order_by(project.c.project_id))
    return [(str(row.name), int(row.project_id)) for row in rows]


def _place(vault: VaultCore) -> tuple[int, int] | None:
    """The project and the person up to whom a call that was cut off came; None where none was."""
    row = vault.store.execute(select(job).where(job.c.job_id == _JOB)).one_or_none()
    if row is None:
        return None
    vault.own.check(job, tuple(row))
    state = json.loads(row.state)
    return int(state["project"]), int(state["after"])


def _put(vault: VaultCore, place: tuple[int, int]) -> None:
    vault.own.insert(job, (_JOB, json.dumps({"project": place[0], "after": place[1]}, sort_keys=True)))
