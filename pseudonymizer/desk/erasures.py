"""Workspaces that may hold somebody who was erased are destroyed, with all that is in them.

The vault notes for each workspace who was erased since: by number, for no name is left by then. A workspace
is kept only where it is known that the person is not in it: at its last analysis no word of any of his
surnames stood in its texts. Where that is not known, it is destroyed.
"""

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec

from linkage.known import KnownIdentity
from linkage.person_name import PersonName, fold
from linkage.records import EntityId
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.workspaces import ENDED, Workspace, WorkspaceStore
from pseudonymizer.errors import AccessRefusedError, UnknownProjectError, VaultError, WorkFileError
from pseudonymizer.vault.api import VaultApi
from pseudonymizer.vault.remote.client import VaultClient

ELSEWHERE: Final = "elsewhere"  # the name of the sealed list of people who are not in a workspace
CHECK_SECONDS: Final = 30.0  # after a check a process takes a workspace for clean for so long
EVERY_VERSION: Final = 2**31  # of the keys of a folder: higher than any
_WORD: Final = re.compile(r"\w+")


class Lists(Protocol):
    """The sealed files of a workspace, as desk.locker.Locker has them."""

    def has(self, name: str) -> bool: ...
    def get(self, name: str) -> bytes: ...


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Every word of texts, without case and accents."""
    return frozenset(fold(word) for text in texts for word in _WORD.findall(text))


def people_elsewhere(known: Iterable[KnownIdentity], words: frozenset[str]) -> tuple[EntityId, ...]:
    """The known people whom texts of these words cannot name: they have no word of a surname of theirs."""
    return tuple(one.entity_id for one in known if not any(_may_stand(name, words) for name in one.names))


def _may_stand(name: PersonName, words: frozenset[str]) -> bool:
    surnames = [part for part in (name.family, name.partner_family) if part]
    told = surnames or [part for part in (name.given, name.nickname) if part]
    asked = words_of(told)
    return not asked or not asked.isdisjoint(words)


def is_opened_here(vault: VaultApi) -> bool:
    """Whether this process opened the stores of a vault; not so where it asks a vault service."""
    return not isinstance(vault, VaultClient)


def folder_of(workspace_id: str) -> bytes:
    """The id by which the vault knows a workspace."""
    return bytes.fromhex(workspace_id.partition("_")[2])


@dataclass(frozen=True, slots=True)
class Erasures:
    """vault_of: the vault in an account's name. locker: opens the sealed files of a workspace."""

    store: WorkspaceStore
    vault_of: Callable[[Caller, str], VaultApi]
    locker: Callable[[VaultApi, Workspace], Lists]
    _checked: dict[str, float] = field(default_factory=dict, repr=False)

    def note(self, vault: VaultApi, held: Workspace) -> None:
        """The vault tells from now on who was erased since. Commits."""
        place = self.store.place_of(held.workspace_id).resolve()
        vault.folder_keys(held.project, folder_of(held.workspace_id), place, is_new=True)

    def is_clean(self, vault: VaultApi, held: Workspace) -> bool:
        """Whether a workspace may be opened; one that may hold somebody who was erased is destroyed.

        Raises:
            VaultError: the vault is not at hand; nothing was destroyed.
        """
        now = time.monotonic()
        if now - self._checked.get(held.workspace_id, -CHECK_SECONDS) < CHECK_SECONDS:
            return True
        if not self._holds_none(vault, held):
            self.store.destroy(held.workspace_id)
            return False
        self._checked[held.workspace_id] = now
        return True

    def sweep(self, project: str | None = None) -> int:
        """How many workspaces were destroyed because of somebody who was erased. project: those of one."""
        self._checked.clear()
        destroyed = 0
        for held in self.store.everything():
            if project not in (None, held.project):
                continue
            try:
                vault = self.vault_of(Caller(held.actor, held.project), held.project)
                if held.state == ENDED:
                    self._forget(vault, held)
                elif not self.is_clean(vault, held):
                    self._forget(vault, held)
                    destroyed += 1
            except (AccessRefusedError, UnknownProjectError):
                continue  # nobody can open it; it is looked at when its owner may again, and ends in time
            except VaultError:
                continue  # it is looked at the next time
        return destroyed

    def _holds_none(self, vault: VaultApi, held: Workspace) -> bool:
        """Whether nobody of those who were erased since the last look can be in a workspace."""
        folder_id, place = folder_of(held.workspace_id), self.store.place_of(held.workspace_id).resolve()
        with vault.lock:
            try:
                keys = vault.folder_keys(held.project, folder_id, place, is_new=False)
            except WorkFileError:  # of a version before, which the vault was not told of
                self.note(vault, held)
                return True
            finally:
                vault.rollback()
            if not keys.erased:
                return True
            locker = self.locker(vault, held)
            if not locker.has(ELSEWHERE):
                return False
            if not set(keys.erased) <= set(msgspec.msgpack.decode(locker.get(ELSEWHERE), type=list[str])):
                return False
            vault.settle_folder(held.project, folder_id, keys.newest, keys.erased)
            return True

    def _forget(self, vault: VaultApi, held: Workspace) -> None:
        """The vault forgets a workspace that has ended, and so does the store."""
        with vault.lock:
            vault.settle_folder(held.project, folder_of(held.workspace_id), EVERY_VERSION, ())
        self.store.forget(held.workspace_id)
