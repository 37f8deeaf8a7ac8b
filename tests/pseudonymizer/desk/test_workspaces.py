"""Workspaces in the store: whose they are, how long they live, what bounds them, and that nothing stays."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.workspaces import (
    ENDED,
    NEW,
    RECEIVED,
    WAITING,
    HeldFile,
    Workspace,
    WorkspaceLimits,
    WorkspaceStore,
    new_id,
)
from pseudonymizer.errors import (
    StaleRevisionError,
    UnknownWorkspaceError,
    WorkspaceFullError,
)

ANNA, BO = Caller("web:anna", "study"), Caller("web:bo", "study")


class Clock:
    now = datetime(2026, 11, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> WorkspaceStore:
    limits = WorkspaceLimits(largest_file=100, largest=150, most_files=3, most_workspaces=2)
    return WorkspaceStore(DeskStore.open(tmp_path / "workspaces.db"), tmp_path, limits, clock)


def made(store: WorkspaceStore, caller: Caller = ANNA, hours: int = 24) -> Workspace:
    return store.make(
        caller, "study", intent="pseudonymize", keep_hours=hours, seal=lambda key: f"sealed {key}".encode()
    )


def added(store: WorkspaceStore, held: Workspace, *sizes: int) -> tuple[HeldFile, ...]:
    return store.add_files(held, sizes, lambda number, key: f"{number} {key}".encode())


def test_a_workspace_is_its_owners_alone(store: WorkspaceStore) -> None:
    held = made(store)
    assert store.of(ANNA, held.workspace_id).sealed_key == f"sealed {held.workspace_id}".encode()
    assert store.of(Caller("web:anna"), held.workspace_id).state == NEW
    for other in (BO, Caller("web:anna", "another")):
        with pytest.raises(UnknownWorkspaceError):
            store.of(other, held.workspace_id)
        assert store.all_of(other) == ()
    with pytest.raises(UnknownWorkspaceError):
        store.of(ANNA, new_id("w"))
    assert [one.workspace_id for one in store.all_of(ANNA)] == [held.workspace_id]


def test_use_makes_it_live_longer_and_without_use_it_ends(store: WorkspaceStore, clock: Clock) -> None:
    held = made(store, hours=2)
    clock.now += timedelta(minutes=90)
    store.of(ANNA, held.workspace_id)
    clock.now += timedelta(minutes=90)
    assert store.destroy_ended() == 0
    clock.now += timedelta(minutes=31)
    with pytest.raises(UnknownWorkspaceError):
        store.of(ANNA, held.workspace_id)
    assert not store.place_of(held.workspace_id).exists()


def test_what_is_destroyed_has_no_key_and_no_files_and_is_forgotten_later(
    store: WorkspaceStore, tmp_path: Path
) -> None:
    held = made(store)
    added(store, held, 10)
    (store.place_of(held.workspace_id) / "f").write_bytes(b"sealed")
    store.destroy(held.workspace_id)
    (ended,) = store.everything()
    assert (ended.state, ended.sealed_key) == (ENDED, b"")
    assert store.files(held.workspace_id) == ()
    assert f"sealed {held.workspace_id}".encode() not in (tmp_path / "workspaces.db").read_bytes()
    with pytest.raises(UnknownWorkspaceError):
        store.get(held.workspace_id)
    store.forget(held.workspace_id)
    assert store.everything() == ()


def test_one_that_lives_is_not_forgotten(store: WorkspaceStore) -> None:
    held = made(store)
    store.forget(held.workspace_id)
    assert store.get(held.workspace_id).workspace_id == held.workspace_id


def test_bounds_on_workspaces_files_and_bytes(store: WorkspaceStore) -> None:
    held = made(store)
    made(store)
    with pytest.raises(WorkspaceFullError, match="2 workspaces"):
        made(store)
    made(store, BO)
    store.destroy(held.workspace_id)
    held = made(store)  # one that has ended does not count
    with pytest.raises(WorkspaceFullError, match="100 bytes"):
        added(store, held, 101)
    added(store, held, 100)
    with pytest.raises(WorkspaceFullError, match="150 bytes"):
        added(store, held, 51)
    added(store, held, 1, 1)
    with pytest.raises(WorkspaceFullError, match="3 files"):
        added(store, held, 1)
    assert [one.number for one in store.files(held.workspace_id)] == [1, 2, 3]


def test_files_are_paged_changed_and_removed(store: WorkspaceStore) -> None:
    held = made(store)
    first, second = added(store, held, 10, 20)
    assert [one.file_id for one in store.files(held.workspace_id, after=1)] == [second.file_id]
    store.set_file(first.file_id, state=RECEIVED, pieces=1, mentions={"PERSON": 2, "EMAIL": 1})
    assert store.file(held.workspace_id, first.file_id).mentions == {"EMAIL": 1, "PERSON": 2}
    counts, size = store.counted(held.workspace_id)
    assert (dict(counts), size) == ({RECEIVED: 1, WAITING: 1}, 30)
    store.remove_file(held, first.file_id)
    with pytest.raises(UnknownWorkspaceError):
        store.file(held.workspace_id, first.file_id)
    other = made(store)
    with pytest.raises(UnknownWorkspaceError):
        store.file(other.workspace_id, second.file_id)


def test_of_two_changes_at_one_revision_the_second_is_refused(store: WorkspaceStore) -> None:
    held = made(store)
    with store.changing(held.workspace_id, 0):
        pass
    with pytest.raises(StaleRevisionError), store.changing(held.workspace_id, 0):
        pass
    with store.changing(held.workspace_id, None):
        pass
    assert store.get(held.workspace_id).revision == 2
    with pytest.raises(UnknownWorkspaceError), store.changing(new_id("w"), None):
        pass


def test_folders_without_a_workspace_are_deleted_at_the_start(store: WorkspaceStore) -> None:
    held = made(store)
    stray = store.place_of(new_id("w"))
    stray.mkdir()
    store.destroy_strays()
    assert not stray.exists()
    assert store.place_of(held.workspace_id).is_dir()
