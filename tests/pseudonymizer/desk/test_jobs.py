"""Jobs: one a workspace, taken up after a kill, in turn by account, by one process alone."""

import os
from pathlib import Path

import pytest

from pseudonymizer.desk import jobs
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.jobs import MOST_TRIES, JobBell, JobStore
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.workspaces import Workspace, WorkspaceStore
from pseudonymizer.errors import RunCancelledError, UnknownWorkspaceError, WorkspaceStateError

ANNA, BERT = Caller("web:anna"), Caller("web:bert", "p")


@pytest.fixture
def store(tmp_path: Path) -> JobStore:
    return JobStore(WorkspaceStore(DeskStore.open(tmp_path / "workspaces.db"), tmp_path))


def workspace(store: JobStore, caller: Caller) -> Workspace:
    return store.store.make(caller, "p", intent="pseudonymize", keep_hours=1, seal=lambda _: b"key")


def add(store: JobStore, caller: Caller, work: str = jobs.ANALYSE) -> str:
    return store.add(workspace(store, caller), work, lambda job_id: job_id.encode()).job


def test_a_workspace_has_one_unfinished_job(store: JobStore) -> None:
    held = workspace(store, ANNA)
    first = store.add(held, jobs.ANALYSE, lambda _: b"")
    with pytest.raises(WorkspaceStateError):
        store.add(held, jobs.WRITE, lambda _: b"")
    store.end(first.job, jobs.DONE)
    assert store.add(held, jobs.WRITE, lambda _: b"").ahead == 0
    assert [one.work for one in store.all_of(ANNA, held.workspace_id)] == [jobs.WRITE, jobs.ANALYSE]


def test_accounts_take_turns(store: JobStore) -> None:
    first, second, third = add(store, ANNA), add(store, ANNA), add(store, BERT)
    assert store.of(BERT, third).ahead == 2
    order = []
    while (taken := store.next()) is not None:
        assert taken.sealed_options == taken.job_id.encode()
        order.append(taken.job_id)
        store.end(taken.job_id, jobs.DONE)
    assert order == [first, third, second]


def test_what_a_killed_process_did_is_taken_up_but_not_for_ever(store: JobStore) -> None:
    job, other = add(store, ANNA), add(store, BERT)
    for tries in range(1, MOST_TRIES + 1):
        taken = store.next()
        assert taken is not None
        assert (taken.job_id, taken.tries) == (job, tries)  # before what was never begun
        store.take_up()
    shown = store.of(ANNA, job)
    assert (shown.state, shown.error) == (jobs.FAILED, "EngineGoneError")
    assert shown.ended_at
    taken = store.next()
    assert taken is not None
    assert taken.job_id == other


def test_a_job_is_cancelled_before_and_while_it_runs(store: JobStore) -> None:
    waiting, running = add(store, ANNA), add(store, BERT)
    assert store.cancel(ANNA, waiting).state == jobs.CANCELLED
    taken = store.next()
    assert taken is not None
    assert taken.job_id == running
    store.note(running, stage="detect", done=3, total=9)
    assert store.cancel(BERT, running).state == jobs.RUNNING
    with pytest.raises(RunCancelledError):
        store.note(running, done=4)
    store.end(running, jobs.CANCELLED)
    assert store.cancel(BERT, running).state == jobs.CANCELLED
    assert store.unfinished() == []


def test_jobs_of_others_are_not_there(store: JobStore) -> None:
    job = add(store, ANNA)
    for caller in (BERT, Caller("web:anna", "other")):
        for call in (store.of, store.cancel):
            with pytest.raises(UnknownWorkspaceError):
                call(caller, job)
        assert store.all_of(caller, None) == ()


def test_one_process_does_jobs(store: JobStore) -> None:
    with store.held() as first:
        assert first
        with store.held() as second:
            assert not second
    with store.held() as again:
        assert again


def test_a_bell_wakes_and_the_end_of_the_parent_is_heard() -> None:
    bell = JobBell()
    parent, held = os.pipe()
    for _ in range(100_000):
        bell.ring()  # a full pipe is no fault
    assert not bell.wait(parent, 10)
    while not bell.wait(parent, 0):
        os.close(held)
        break
    assert bell.wait(parent, 10)
    os.close(parent)
