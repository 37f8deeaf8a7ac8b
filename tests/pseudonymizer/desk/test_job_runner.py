"""The process of jobs: each ends as its row says, a fault ends one job alone, and no plain file stays."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa

from linkage.records import Document, Mention
from pseudonymizer.desk import jobs
from pseudonymizer.desk.erasures import Erasures
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.job_runner import JobRunner, RunPlace
from pseudonymizer.desk.jobs import JobBell
from pseudonymizer.desk.opened import ARCHIVE, result_of
from pseudonymizer.desk.store import job as job_table
from pseudonymizer.desk.workspace_answered import JobShown
from pseudonymizer.desk.workspace_asked import OfJob, OfWorkspace, StartAnalysis, StartWriting
from pseudonymizer.desk.workspaces import new_id
from pseudonymizer.errors import UnknownWorkspaceError, UnsealedWorkError, VaultBusyError
from pseudonymizer.policy import Role
from tests.pseudonymizer.batch_fakes import FakePipeline
from tests.pseudonymizer.desk.job_world import ANNA, PROJECT, JobWorld

NAME: Final = "Jan Tolsma"
FILES: Final = {f"{NAME}.txt": f"{NAME} belde Els Mol.".encode(), "kapot.pdf": b"%PDF-1.7 cut off"}
BO: Final = Caller("web:bo", PROJECT)


class Parent:
    """The process that has the one of jobs as its child: the end of a pipe that it holds."""

    def __init__(self) -> None:
        self.heard, self._held = os.pipe()
        self.is_there = True

    def go(self) -> None:
        if self.is_there:
            os.close(self._held)
        self.is_there = False

    def close(self) -> None:
        self.go()
        os.close(self.heard)


class EndingBell(JobBell):
    """The parent goes when no job is left, so that serve returns."""

    def __init__(self, parent: Parent) -> None:
        super().__init__()
        self._parent = parent

    def wait(self, parent: int, seconds: float) -> bool:
        self._parent.go()
        return super().wait(parent, seconds)


class WatchedPipeline(FakePipeline):
    """Does work that a test gives before it searches texts."""

    def __init__(self) -> None:
        super().__init__()
        self.before: Callable[[], object] = lambda: None

    def detect_kinds(self, documents: Sequence[Document], **options: Any) -> tuple[tuple[Mention, ...], ...]:
        self.before()
        return super().detect_kinds(documents, **options)


@pytest.fixture
def parent() -> Iterator[Parent]:
    made = Parent()
    yield made
    made.close()


@pytest.fixture
def pipeline() -> WatchedPipeline:
    return WatchedPipeline()


@pytest.fixture
def world(tmp_path: Path, parent: Parent, pipeline: WatchedPipeline) -> Iterator[JobWorld]:
    made = JobWorld(tmp_path, EndingBell(parent), lambda: pipeline)
    yield made
    made.close()


def analysis(world: JobWorld, workspace: str, caller: Caller = ANNA) -> str:
    return world.desks.jobs.start_analysis(caller, StartAnalysis(workspace=workspace)).job


def writing(world: JobWorld, workspace: str, **options: Any) -> str:
    return world.desks.jobs.start_writing(ANNA, StartWriting(workspace=workspace, **options)).job


def shown(world: JobWorld, job: str, caller: Caller = ANNA) -> JobShown:
    return world.desks.jobs.job(caller, OfJob(job=job))


# -- how jobs end --------------------------------------------------------------------------------------------


def test_jobs_are_done_in_turn_and_nothing_stays_in_plain(
    world: JobWorld, parent: Parent, pipeline: WatchedPipeline
) -> None:
    one, other = world.filled(FILES), world.filled({"a.txt": b"Els Mol kwam."}, BO)
    first, second = analysis(world, one), analysis(world, other, BO)
    seen: list[set[str]] = []
    folder = world.place.folder(world.store.folder)
    pipeline.before = lambda: seen.append({one.name for one in folder.iterdir()})
    world.runner().serve(parent.heard)
    done = shown(world, first)
    assert (done.state, done.failed, done.error) == (jobs.DONE, 1, "")
    assert done.ended_at
    assert done.stage == "link"
    assert done.done == done.total > 0
    of_bo = shown(world, second, BO)
    assert (of_bo.state, of_bo.failed) == (jobs.DONE, 0)
    with pytest.raises(UnknownWorkspaceError):
        shown(world, second)  # of somebody else
    assert all(len(names) == 1 for names in seen)  # that of a job is gone before the next one begins
    assert set.union(*seen) == {first, second}
    assert list(world.work.iterdir()) == []


def test_a_writing_has_the_options_that_were_asked_for(world: JobWorld, parent: Parent) -> None:
    workspace = world.filled(FILES)
    job = writing(world, workspace, style="mask", restyle=True)
    world.runner().serve(parent.heard)
    assert (shown(world, job).state, shown(world, job).failed) == (jobs.DONE, 1)
    file = world.files(workspace)[f"{NAME}.txt"]
    text = world.opened(workspace).locker.get(result_of(file.file_id)).decode()
    assert not any(word in text for word in ("Tolsma", "Els Mol", "PERSOON-"))
    assert " belde " in text
    assert world.store.get(workspace).state == "written"


def test_the_vaults_are_closed_at_the_end(world: JobWorld, parent: Parent) -> None:
    closed: list[int] = []
    made = world.runner()
    JobRunner(made.desk, made.texts, made.place, made.bell, lambda: closed.append(1)).serve(parent.heard)
    assert closed == [1]


def test_a_fault_ends_its_job_alone_and_tells_no_name(
    world: JobWorld, parent: Parent, pipeline: WatchedPipeline, caplog: pytest.LogCaptureFixture
) -> None:
    faults = [RuntimeError(f"{NAME} is wrong")]

    def break_linking(*_: object, **__: object) -> Any:
        raise faults[0]

    broken = world.filled(FILES)
    job = analysis(world, broken)
    other = world.filled(FILES, BO)
    later = analysis(world, other, BO)
    link = pipeline.linker.link
    pipeline.linker.link = break_linking  # type: ignore[method-assign]
    pipeline.before = lambda: restore_when_failed()

    def restore_when_failed() -> None:
        if shown(world, job).state == jobs.FAILED:
            pipeline.linker.link = link  # type: ignore[method-assign]

    world.runner().serve(parent.heard)
    assert (shown(world, job).state, shown(world, job).error) == (jobs.FAILED, "EngineError")
    assert shown(world, later, BO).state == jobs.DONE
    assert "RuntimeError" in caplog.text
    assert "Tolsma" not in caplog.text
    assert list(world.work.iterdir()) == []


def test_options_that_were_altered_or_swapped_are_not_done(world: JobWorld, parent: Parent) -> None:
    first, second, third = (world.filled(FILES) for _ in range(3))
    altered, swapped, whole = writing(world, first), writing(world, second), writing(world, third)
    with world.store.store.transaction() as connection:
        sealed = connection.scalars(
            sa.select(job_table.c.sealed_options).where(job_table.c.job_id == whole)
        ).one()
        for job, raw in ((altered, sealed[:-1] + bytes([sealed[-1] ^ 1])), (swapped, sealed)):
            own = job_table.update().where(job_table.c.job_id == job)
            connection.execute(own.values(sealed_options=raw))
    world.runner().serve(parent.heard)
    for job in (altered, swapped):
        assert (shown(world, job).state, shown(world, job).error) == (jobs.FAILED, "UnsealError")
    assert shown(world, whole).state == jobs.DONE
    assert not world.opened(second).locker.has(ARCHIVE)


def test_a_job_of_who_may_no_more_is_not_done(world: JobWorld, parent: Parent) -> None:
    workspace = world.filled(FILES)
    job = writing(world, workspace)
    with world.vault("web:dpo") as vault:
        vault.give_role("web:dpo", Role.DPO)
        vault.commit()
    world.runner().serve(parent.heard)
    assert (shown(world, job).state, shown(world, job).error) == (jobs.FAILED, "AccessRefusedError")


def test_without_a_place_a_job_fails_and_says_so(world: JobWorld, parent: Parent, tmp_path: Path) -> None:
    workspace = world.filled(FILES)
    job = analysis(world, workspace)
    made, gone = world.runner(), RunPlace(tmp_path / "none")
    JobRunner(made.desk, made.texts, gone, made.bell, made.close).serve(parent.heard)
    assert (shown(world, job).state, shown(world, job).error) == (jobs.FAILED, "UnsealedWorkError")


# -- cancelled, ended, killed --------------------------------------------------------------------------------


def test_a_job_that_is_cancelled_at_work_ends_and_the_next_one_begins(
    world: JobWorld, parent: Parent, pipeline: WatchedPipeline
) -> None:
    workspace = world.filled({"a.txt": b"Els Mol kwam.", "b.txt": b"Els Mol ging."})
    job = analysis(world, workspace)
    other = analysis(world, world.filled(FILES, BO), BO)
    pipeline.before = lambda: world.desks.jobs.cancel(ANNA, OfJob(job=job))
    world.runner().serve(parent.heard)
    assert (shown(world, job).state, shown(world, job).error) == (jobs.CANCELLED, "")
    assert shown(world, other, BO).state == jobs.DONE
    assert list(world.work.iterdir()) == []


def test_a_job_whose_workspace_is_deleted_at_work_ends(
    world: JobWorld, parent: Parent, pipeline: WatchedPipeline
) -> None:
    workspace = world.filled({"a.txt": b"Els Mol kwam.", "b.txt": b"Els Mol ging."})
    job = analysis(world, workspace)
    other = analysis(world, world.filled(FILES, BO), BO)

    def delete() -> None:
        if not parent.is_there or shown(world, other, BO).state != jobs.QUEUED:
            return
        if (world.folder / "workspaces" / workspace).exists():
            world.desks.workspaces.delete(ANNA, OfWorkspace(workspace=workspace))

    pipeline.before = delete
    world.runner().serve(parent.heard)
    with pytest.raises(UnknownWorkspaceError):
        shown(world, job)
    assert not (world.folder / "workspaces" / workspace).exists()
    assert shown(world, other, BO).state == jobs.DONE
    assert list(world.work.iterdir()) == []


def test_a_job_goes_on_at_the_next_start_when_the_service_ends(
    world: JobWorld, parent: Parent, pipeline: WatchedPipeline
) -> None:
    workspace = world.filled({"a.txt": b"Els Mol kwam.", "b.txt": b"Els Mol ging."})
    job, other = analysis(world, workspace), analysis(world, world.filled(FILES, BO), BO)
    pipeline.before = parent.go
    world.runner().serve(parent.heard)
    assert (shown(world, job).state, shown(world, job).ended_at) == (jobs.RUNNING, "")
    assert shown(world, other, BO).state == jobs.QUEUED
    assert list(world.work.iterdir()) == []
    again = Parent()
    pipeline.before = lambda: None
    made = world.runner()
    JobRunner(made.desk, made.texts, made.place, EndingBell(again), made.close).serve(again.heard)
    again.close()
    assert shown(world, job).state == jobs.DONE
    assert shown(world, other, BO).state == jobs.DONE


def test_what_a_killed_process_left_is_kept_for_its_job_alone(
    world: JobWorld, parent: Parent, pipeline: WatchedPipeline
) -> None:
    workspace = world.filled({"a.txt": b"Els Mol kwam."})
    job = analysis(world, workspace)
    folder = world.place.folder(world.store.folder)
    for name in (job, new_id("j")):
        (folder / name / "out").mkdir(parents=True)
    stray = world.store.place_of(new_id("w"))
    stray.mkdir()
    seen: list[list[str]] = []
    pipeline.before = lambda: seen.append(
        [f"{one.name}/{two.name}" for one in folder.iterdir() for two in one.iterdir()]
    )
    world.runner().serve(parent.heard)
    assert sorted(seen[0]) == [f"{job}/in", f"{job}/out"]
    assert not stray.exists()
    assert shown(world, job).state == jobs.DONE
    assert list(world.work.iterdir()) == []


def test_one_process_does_the_jobs_of_a_desk(world: JobWorld, parent: Parent) -> None:
    workspace = world.filled(FILES)
    job = analysis(world, workspace)
    runner = world.runner()
    with world.desks.jobs.jobs.held() as is_mine:
        assert is_mine
        runner.serve(parent.heard)  # another one does them: it waits until the parent goes
    assert shown(world, job).state == jobs.QUEUED


def test_a_sweep_that_cannot_be_ends_no_job(
    world: JobWorld, parent: Parent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object) -> int:
        raise VaultBusyError(f"{NAME} holds it")

    job = analysis(world, world.filled(FILES))
    monkeypatch.setattr(Erasures, "sweep", away)
    world.runner().serve(parent.heard)
    assert shown(world, job).state == jobs.DONE
    assert "VaultBusyError" in caplog.text
    assert "Tolsma" not in caplog.text


# -- where runs work -----------------------------------------------------------------------------------------


def test_each_desk_has_a_private_folder_of_its_own(tmp_path: Path) -> None:
    place = RunPlace(tmp_path, unsealed=True)
    one, other = place.folder(tmp_path / "one"), place.folder(tmp_path / "other")
    assert one != other
    assert place.folder(tmp_path / "x" / ".." / "one") == one
    for folder in (one, other):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert "one" not in folder.name
    one.chmod(0o755)
    with pytest.raises(UnsealedWorkError, match="somebody else"):
        place.folder(tmp_path / "one")
    with pytest.raises(UnsealedWorkError, match="--work-folder"):
        RunPlace(tmp_path / "none").folder(tmp_path / "one")
