"""The known people of a project, kept in memory for as long as nothing changes them.

The revision tells: a digest over the counts (see checkpoints) of every table that known people are read from,
over the unfinished erasures, and over the generation of the keys. Each writing of a count is sealed under a
fresh nonce, so that no two states have one revision, not even where an older copy of a store was put back.
"""

import itertools
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlalchemy import func, select

from linkage.collector import without_collector
from linkage.kept_words import forget_words
from linkage.text_forms import TextForms
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.errors import KeyDestroyedError, VaultDamagedError
from pseudonymizer.records import Known, KnownCandidates
from pseudonymizer.schema import entity, job
from pseudonymizer.vault import erasure
from pseudonymizer.vault.linker_api import CandidateLinker, PeopleIndex
from pseudonymizer.vault.rows import people
from pseudonymizer.vault.rows.fact_reader import Rows
from pseudonymizer.vault.rows.fetched_people import also_known, fetched
from pseudonymizer.vault.rows.identifiers import entity_number
from pseudonymizer.vault.rows.open_people import OpenPeople, index_keys
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.ownrows import OWN
from pseudonymizer.vault.store.projectkeys import ProjectKeys

TABLES: Final = ("edit", "entity", "form", "link")  # what people.known_identities reads of the vault
# So many people and values of a project are all linked anew with a text of at most ten names, as many more
# with every further ten: to look for candidates would cost more, and find nearly everybody. Chosen for what a
# text costs: to link a hundred people takes about what finding the names takes.
MOST_LINKED: Final = 100
MOST_ROWS: Final = 500  # of what is known of them: a hundred people who were met in five texts each
_NAMES: Final = 10
_SIZES: Final = (
    "SELECT table_name, row_count FROM checkpoint WHERE project_id = ? AND table_name IN ('entity', 'form')"
)
_COUNTS: Final = (
    "SELECT project_id, table_name, revision, sealed FROM checkpoint "
    "WHERE (project_id = ? AND table_name IN (?, ?, ?, ?)) OR (project_id = ? AND table_name = ?) "
    "ORDER BY project_id, table_name"
)


def are_few(vault: VaultCore, keys: ProjectKeys, names: int) -> bool:
    """Whether a project has so few people and values, and so little is known of them, that all are linked
    with a text of so many names.
    """
    sizes: dict[str, int] = dict(vault.store.rows(_SIZES, (keys.project_id,)))
    share = max(names, _NAMES) / _NAMES
    return sizes.get("entity", 0) <= MOST_LINKED * share and sizes.get("form", 0) <= MOST_ROWS * share


def revision_of(vault: VaultCore, keys: ProjectKeys) -> bytes:
    """The revision of what is committed now."""
    counts = vault.store.rows(_COUNTS, (keys.project_id, *TABLES, OWN, job.name))
    generation = vault.keystore.generation()
    parts = [generation.to_bytes(8, "big")]
    for project_id, table, revision, sealed in counts:
        parts += [f"{project_id} {table} {revision}".encode(), bytes(sealed)]
    return digest_sha256(parts)


_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class _Indexed:
    """People of a project as they were opened, and where the index of a linker has them."""

    people: OpenPeople
    linker: CandidateLinker
    index: PeopleIndex


class KnownPeople:
    """Known people by project, each at one revision. Several vaults of one process may share it.

    It is empty once the last vault that uses it is closed. Where somebody is gone, what the process keeps of
    words goes as well (linkage.kept_words).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._kept: dict[int, Known] = {}
        self._indexed: dict[int, _Indexed] = {}
        self._last: dict[int, frozenset[int]] = {}  # numbers of the people who were known last
        self._indexing = threading.RLock()  # one vault reads, the others wait for what it found
        self._uncommitted = itertools.count()

    @property
    def is_empty(self) -> bool:
        """Whether nobody of any project is or was known here."""
        with self._lock:
            return not (self._kept or self._indexed or self._last)

    def used_by_one_more(self) -> None:
        with self._lock:
            self._users += 1

    def used_by_one_less(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users <= 0:
                self._kept.clear()
                self._indexed.clear()
                self._last.clear()
                forget_words()

    def changed(self, project_id: int, *, lessened: bool) -> None:
        """Note that the people of a project were changed here. lessened: not only by what came."""
        with self._lock:
            self._kept.pop(project_id, None)
            if lessened:
                self._indexed.pop(project_id, None)
                forget_words()

    def candidates(
        self,
        vault: VaultCore,
        keys: ProjectKeys,
        linker: CandidateLinker,
        forms: TextForms,
    ) -> KnownCandidates:
        """The people whom the names of a text may mean, as the stores have them now.

        Kept in memory are the opened rows of everybody, by the index of the linker: what was added since the
        last call is added, and after any other change everybody is read anew.
        """
        with self._indexing:
            indexed = self._up_to_date(vault, keys, linker)
            try:
                return _found(vault, keys, indexed, forms)
            except KeyDestroyedError:
                self.changed(keys.project_id, lessened=True)
                del indexed
                return _found(vault, keys, self._up_to_date(vault, keys, linker), forms)

    def _up_to_date(self, vault: VaultCore, keys: ProjectKeys, linker: CandidateLinker) -> _Indexed:
        with self._lock:
            kept = self._indexed.get(keys.project_id)
        if kept is not None:
            changed = _came(vault, keys, kept) if kept.linker is linker else None
            if changed is not None:
                _add(kept, changed.items())
                return kept
        with self._lock:
            self._indexed.pop(keys.project_id, None)
        if kept is not None:
            forget_words()
        del kept  # before others take its place: nobody who was erased stays in memory
        found = _read_committed(vault, keys, lambda now: OpenPeople.read(vault, now))
        indexed = _Indexed(found, linker, linker.people_index())
        _add(indexed, found.everything())
        with self._lock:
            if self._users > 0:
                self._indexed[keys.project_id] = indexed
        return indexed

    def of(self, vault: VaultCore, keys: ProjectKeys) -> Known:
        """The known people of a project as they are now, read anew only if something changed."""
        revision = revision_of(vault, keys)
        if vault.checkpoints.changes(keys.project_id, TABLES):
            # What is not committed may be taken back: it is not kept, and no revision of it is met again.
            return _read(vault, keys, digest_sha256((revision, str(next(self._uncommitted)).encode())))
        with self._lock:
            kept = self._kept.get(keys.project_id)
            if kept is not None and kept.revision == revision:
                return kept
            self._kept.pop(keys.project_id, None)
        del kept  # before others take its place: nobody who was erased stays in memory
        found = _read_committed(vault, keys, lambda now: _read(vault, now, revision_of(vault, now)))
        numbers = frozenset([entity_number(person.entity_id) for person in found.people])
        with self._lock:
            if not self._last.get(keys.project_id, frozenset()) <= numbers:
                forget_words()
            self._last[keys.project_id] = numbers
            if self._users > 0:
                self._kept[keys.project_id] = found
        return found


def _found(
    vault: VaultCore,
    keys: ProjectKeys,
    indexed: _Indexed,
    forms: TextForms,
) -> KnownCandidates:
    found = indexed.index.candidates(
        forms,
        indexed.people.names_of,
        lambda numbers: also_known(vault, keys, indexed.people, numbers),
    )
    some = fetched(vault, keys, indexed.people, found)
    return KnownCandidates(some, found.beyond, indexed.people.seen_through)


def _came(vault: VaultCore, keys: ProjectKeys, indexed: _Indexed) -> dict[int, Rows] | None:
    """The rows that came of people, by their numbers; None where everybody has to be read anew.

    Also where somebody is half erased: keys go before rows.
    """
    try:
        return indexed.people.update(vault, keys)
    except (KeyDestroyedError, VaultDamagedError):
        return None


def _add(indexed: _Indexed, came: Iterable[tuple[int, Rows]]) -> None:
    with without_collector():
        for number, is_person, names, met in index_keys(indexed.people, came):
            (indexed.index.add if is_person else indexed.index.add_unclear)(number, names, met)


def _read_committed(vault: VaultCore, keys: ProjectKeys, read: Callable[[ProjectKeys], _Read]) -> _Read:
    """The people of two stores that other processes write to meanwhile."""
    if not vault.has_open_work():
        erasure.resume(vault)  # of a process that was killed: this vault may stay open for days
        keys = vault.keys_of(keys.name)
    try:
        return read(keys)
    except (KeyDestroyedError, VaultDamagedError):
        if vault.store.in_transaction:
            raise
    # Keys are committed before rows: between the two a person has one without the other. As the only writer
    # we see both or neither.
    vault.begin()
    try:
        return read(vault.keys_of(keys.name))
    finally:
        vault.store.rollback()


def _read(vault: VaultCore, keys: ProjectKeys, revision: bytes) -> Known:
    # Both before the people: whoever comes in between counts as not seen, and is found by the blind index.
    highest = vault.store.execute(
        select(func.max(entity.c.entity_id)).where(entity.c.project_id == keys.project_id)
    ).scalar()
    return Known(people.known_identities(vault, keys), highest or 0, revision)
