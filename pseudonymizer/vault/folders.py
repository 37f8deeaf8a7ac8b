"""Output folders of a project: keys of their work files, people forgotten there, folders given up.

A folder that a run told over the socket is never opened here: its path is the word of a client.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

from linkage.records import EntityId
from pseudonymizer.audit import Entry
from pseudonymizer.crypto import new_key
from pseudonymizer.errors import (
    AccessRefusedError,
    BatchError,
    PurposeRequiredError,
    UnknownFolderError,
    WorkFileError,
)
from pseudonymizer.policy import Verb
from pseudonymizer.records import OutputFolder
from pseudonymizer.vault.access import authorize, refuse
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.rows.work_keys import (
    FolderFacts,
    WorkKey,
    drop_work_keys,
    ends_of_work_keys,
    put_work_key,
    with_facts,
    work_keys,
)
from pseudonymizer.vault.store.cleaning import clean
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys, WorkSealer
from pseudonymizer.work_files.folder import RECORDS_FOLDER, WORK_FILE, WorkFolder
from pseudonymizer.work_files.sealing import FIRST_VERSION, FolderKeys, FolderSealing
from pseudonymizer.work_files.store import FolderNote, folder_id_of

GIVEN_UP: Final = "folder.give-up"  # the event whose subjects are folders that nothing may open again
_EPOCH: Final = date(1970, 1, 1)
WORKSPACE_LEFT: Final = "workspace "  # the head of what is told of one
_WORKSPACE: Final = re.compile(r"w_[0-9a-f]{32}")  # the name of its folder; see desk.workspaces
_SHOWN: Final = 8  # letters of an id in a receipt


@dataclass(frozen=True, slots=True)
class AskedFolder:
    """A folder whose keys are asked for. is_new: nothing in it was sealed under a key of its own yet."""

    folder_id: bytes
    place: Path = field(repr=False)
    is_new: bool = False
    is_remote: bool = False


def folder_keys(vault: VaultCore, project: str, asked: AskedFolder) -> FolderKeys:
    """The keys of a folder's work file; of a new folder they are made. Commits.

    Where people are to be forgotten in it there is a newer key, under which all that stays is sealed anew.

    Raises:
        AccessRefusedError: over the socket, for the folder of another actor.
        WorkFileError: the project of this vault has no key for it.
    """
    with vault.lock:
        authorize(vault, Verb.PSEUDONYMIZE, project_name=project)
        vault.begin_keys()
        try:
            keys = vault.keys_of(project)
            mine = _asked(vault, keys, asked)
        except BaseException:
            vault.rollback()
            raise
        vault.commit()
        versions = {one.version: one.facts.key for one in mine}
        return FolderKeys(versions, tuple(map(entity_text, mine[-1].facts.erased)))


def _asked(vault: VaultCore, keys: ProjectKeys, asked: AskedFolder) -> list[WorkKey]:
    place, today = os.fsencode(asked.place), vault.today()
    mine = work_keys(vault, keys, asked.folder_id)
    if not mine:
        if not asked.is_new:
            raise WorkFileError(
                "the work file in this output folder belongs to another vault or project, or the folder was "
                "given up; use another --out"
            )
        facts = FolderFacts(new_key(vault.entropy), place, vault.actor, today, asked.is_remote)
        mine = [WorkKey(asked.folder_id, FIRST_VERSION, facts)]
        put_work_key(vault, keys, mine[0])
        return mine
    if asked.is_remote:
        _refuse_others(vault, mine[-1])
    is_remote = asked.is_remote or mine[-1].facts.is_remote
    newest = with_facts(mine[-1], place=place, used_on=today, is_remote=is_remote)
    if newest != mine[-1]:
        put_work_key(vault, keys, newest)
        mine[-1] = newest
    if newest.facts.erased and len(mine) == 1:
        mine.append(_next_key(vault, keys, newest))
    return mine


def _next_key(vault: VaultCore, keys: ProjectKeys, last: WorkKey) -> WorkKey:
    facts = with_facts(last, key=new_key(vault.entropy)).facts
    made = WorkKey(last.folder_id, last.version + 1, facts)
    put_work_key(vault, keys, made)
    return made


def settle_folder(
    vault: VaultCore, project: str, folder_id: bytes, version: int, forgotten: Collection[EntityId]
) -> None:
    """Destroy the keys before this version, and note whom the work file holds no more. Commits."""
    with vault.lock:
        authorize(vault, Verb.PSEUDONYMIZE, project_name=project)
        _settle(vault, vault.keys_of(project), folder_id, version, forgotten)


def settle_remote(
    vault: VaultCore, project: str, folder_id: bytes, version: int, forgotten: Collection[EntityId]
) -> None:
    """As settle_folder, over the socket.

    Raises:
        AccessRefusedError: the folder of another actor.
    """
    with vault.lock:
        for one in work_keys(vault, vault.keys_of(project), folder_id):
            _refuse_others(vault, one)
        settle_folder(vault, project, folder_id, version, forgotten)


def _refuse_others(vault: VaultCore, one: WorkKey) -> None:
    if one.facts.actor != vault.actor:
        raise AccessRefusedError(
            "a run of another actor wrote into this output folder: only that actor gets at its work file "
            "through the service; use another --out"
        )


def _settle(
    vault: VaultCore, keys: ProjectKeys, folder_id: bytes, version: int, forgotten: Collection[EntityId]
) -> None:
    vault.begin_keys()
    mine = work_keys(vault, vault.keys_of(keys.name), folder_id)
    drop_work_keys(vault, [one for one in mine if one.version < version])
    for one in mine:
        left = tuple(n for n in one.facts.erased if entity_text(n) not in forgotten)
        if one.version >= version and left != one.facts.erased:
            put_work_key(vault, vault.keys_of(keys.name), with_facts(one, erased=left))
    vault.commit()
    vault.key_records.truncate_log()


# -- people who are erased -----------------------------------------------------------------------------------


def forget_people(
    vault: VaultCore, project: str, numbers: Sequence[int], tells: Callable[[str], bool] | None
) -> tuple[int, list[str]]:
    """Take people out of the work files of a project: the number of folders where that is done, and the ids
    of those out of reach, where the next run does it. Commits.

    tells: whether a path tells of them; None: nothing knows.
    """
    done, left = 0, []
    for folder_id, some in _by_folder(work_keys(vault, vault.keys_of(project))):
        if not some[-1].facts.is_remote and _forget_in(vault, project, folder_id, numbers, tells):
            done += 1
            continue
        vault.begin_keys()
        keys = vault.keys_of(project)
        for one in work_keys(vault, keys, folder_id):
            erased = tuple(sorted({*one.facts.erased, *numbers}))
            put_work_key(vault, keys, with_facts(one, erased=erased))
        vault.commit()
        is_workspace = _WORKSPACE.fullmatch(Path(os.fsdecode(some[-1].facts.place)).name) is not None
        left.append(f"{WORKSPACE_LEFT if is_workspace else ''}{folder_id.hex()[:_SHOWN]}")
    return done, left


def _forget_in(
    vault: VaultCore,
    project: str,
    folder_id: bytes,
    numbers: Sequence[int],
    tells: Callable[[str], bool] | None,
) -> bool:
    """Whether the folder was reached, and nothing in it tells of these people any more."""
    vault.begin_keys()
    keys = vault.keys_of(project)
    mine = work_keys(vault, keys, folder_id)
    if not mine:  # given up meanwhile
        vault.rollback()
        return True
    if len(mine) == 1:
        mine.append(_next_key(vault, keys, mine[0]))
    vault.commit()
    facts = mine[-1].facts
    erased = {*map(entity_text, numbers), *map(entity_text, facts.erased)}
    sealing = FolderSealing(
        folder_id, FolderKeys({one.version: one.facts.key for one in mine}), WorkSealer(keys)
    )

    def sealing_of(note: FolderNote) -> FolderSealing:
        if note.folder_id != folder_id:
            raise WorkFileError("another output folder lies there now")
        return sealing

    try:
        place = work_file_in(Path(os.fsdecode(facts.place)))
        if folder_id_of(place) != folder_id:
            return False
        work = WorkFolder.open_in_folder(place, sealing_of)
    except (BatchError, OSError):
        return False
    try:
        work.renew(erased, None if facts.erased else tells)
    except BatchError:
        return False
    finally:
        work.close()
    _settle(vault, keys, folder_id, sealing.version, erased)
    return True


def work_file_in(folder: Path) -> Path:
    """The work file of an output folder.

    Raises:
        BatchError: none is there.
    """
    place = folder / RECORDS_FOLDER / WORK_FILE
    if place.is_symlink() or not place.is_file():
        raise BatchError(
            f"there is no {RECORDS_FOLDER}/{WORK_FILE} in this folder: no run has "
            "written there; give the folder of `nymlink run --out`"
        )
    return place


def told_of_unreached(left: Sequence[str]) -> Iterator[str]:
    for shown in left:
        if shown.startswith(WORKSPACE_LEFT):
            yield (
                f"{shown} of the web service is destroyed if it may name one of the erased: within half a "
                "minute where the service runs, else when it is started, before anything of it can be opened"
            )
            continue
        yield (
            f"output folder {shown} was not reached: what its work file holds of the erased goes with the "
            "next run into it; `nymlink vault folders` tells where it was, and `nymlink vault give-up` "
            "destroys its key"
        )


# -- folders given up ----------------------------------------------------------------------------------------


def output_folders(vault: VaultCore, project: str) -> tuple[OutputFolder, ...]:
    """The folders that runs of a project wrote into, and that were not given up.

    Raises:
        AccessRefusedError: on record.
    """
    with vault.lock:
        authorize(vault, Verb.ERASE, project_name=project)
        found = []
        for folder_id, some in _by_folder(work_keys(vault, vault.keys_of(project))):
            facts = some[-1].facts
            used_on = _EPOCH + timedelta(days=facts.used_on)
            place = os.fsdecode(facts.place)
            found.append(OutputFolder(folder_id.hex(), place, facts.actor, used_on, len(facts.erased)))
        vault.rollback()
        return tuple(found)


def give_up_folders(
    vault: VaultCore, *, project: str, folders: Sequence[str], purpose: str, ticket: str = ""
) -> int:
    """Destroy the keys of these folders (their ids): nothing opens their work files again; returns how many
    there were. Outputs stay as they are, and the vault keeps their ways back. Commits.

    Raises:
        AccessRefusedError, UnknownFolderError, PurposeRequiredError: nothing is destroyed.
    """
    with vault.lock:
        vault.begin_keys()
        keys = vault.keys_of(project)
        role = authorize(vault, Verb.ERASE, project_name=project, purpose=purpose, ticket=ticket)
        if not purpose.strip():
            refuse(vault, Verb.ERASE, project_name=project, purpose="", ticket=ticket, reason="no purpose")
            raise PurposeRequiredError("say why these folders are given up: --purpose TEXT")
        stored = work_keys(vault, keys)
        wanted = set(folders)
        if not wanted:
            vault.rollback()
            raise UnknownFolderError("no folder is named; nothing was given up")
        if missing := len(wanted - {one.folder_id.hex() for one in stored}):
            vault.rollback()
            raise UnknownFolderError(
                f"{missing} of these folders have no key in this project; `nymlink vault folders` lists "
                "those that have one; nothing was given up"
            )
        destroy_keys(
            vault, project, [one for one in stored if one.folder_id.hex() in wanted], role=role,
            purpose=purpose, ticket=ticket,
        )  # fmt: skip
        return len(wanted)


def unused_since(vault: VaultCore, project: str, day: int) -> list[WorkKey]:
    """The keys of folders into which no run went since a day, in days since 1970-01-01."""
    return [one for one in work_keys(vault, vault.keys_of(project)) if one.facts.used_on < day]


def destroy_keys(
    vault: VaultCore, project: str, some: Sequence[WorkKey], *, role: str, purpose: str, ticket: str
) -> None:
    """Destroy keys of folders, on record. Needs VaultCore.begin_keys; commits."""
    folder_ids = {one.folder_id for one in some}
    needles = ends_of_work_keys(vault, folder_ids)
    drop_work_keys(vault, some)
    subjects = tuple(sorted(folder_id.hex() for folder_id in folder_ids))
    vault.record(Entry(
        GIVEN_UP, project=project, role=role, subjects=subjects, purpose=purpose, ticket=ticket,
        counts={"folders": len(subjects)},
    ))  # fmt: skip
    vault.commit()
    for _ in clean(vault.key_records, needles):
        pass  # what a backup or a log of the database still holds, docs/reference/vault.md says


def returned_keys(vault: VaultCore, project: str) -> int:
    """The number of folders that were given up and have a key again: an older key store was put back."""
    gone = {
        subject
        for event in vault.trail.events()
        if event.action == GIVEN_UP and event.project == project
        for subject in event.subjects
    }
    return len(gone & {one.folder_id.hex() for one in work_keys(vault, vault.keys_of(project))})


def _by_folder(stored: Sequence[WorkKey]) -> Iterator[tuple[bytes, list[WorkKey]]]:
    for folder_id, some in groupby(stored, key=attrgetter("folder_id")):
        yield folder_id, list(some)
