"""Jobs of a workspace are asked for, foreseen and ended by its owner, and their results are read by him."""

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from pseudonymizer.desk import jobs
from pseudonymizer.desk.commands import Reject
from pseudonymizer.desk.correction_asked import GiveCommands
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.opened import result_of
from pseudonymizer.desk.text_options import WrongOptionError
from pseudonymizer.desk.workspace_asked import (
    AddFiles,
    GetPiece,
    Jobs,
    NewFile,
    OfFile,
    OfJob,
    OfWorkspace,
    StartAnalysis,
    StartWriting,
)
from pseudonymizer.errors import (
    DeskStoreError,
    UnknownWorkspaceError,
    UnsealedWorkError,
    UnsealError,
    WorkspaceStateError,
)
from tests.pseudonymizer.desk.filled_desk import ANNA, BO, ELSEWHERE, FILES, PROJECT, FilledDesk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FilledDesk]:
    made = FilledDesk(tmp_path)
    yield made
    made.close()


# -- asking for jobs -----------------------------------------------------------------------------------------


def test_an_analysis_waits_and_whoever_does_jobs_is_woken(desk: FilledDesk) -> None:
    workspace, _ = desk.received()
    shown = desk.jobs.start_analysis(ANNA, StartAnalysis(workspace=workspace))
    assert (shown.work, shown.state, shown.workspace) == (jobs.ANALYSE, jobs.QUEUED, workspace)
    assert desk.rung == 1
    assert desk.jobs.job(ANNA, OfJob(job=shown.job)) == shown
    assert desk.workspaces.show(ANNA, OfWorkspace(workspace=workspace)).job == shown.job


def test_a_second_job_of_a_workspace_is_refused_until_the_first_has_ended(desk: FilledDesk) -> None:
    workspace, _ = desk.received()
    first = desk.jobs.start_analysis(ANNA, StartAnalysis(workspace=workspace))
    with pytest.raises(WorkspaceStateError):
        desk.jobs.start_writing(ANNA, StartWriting(workspace=workspace))
    assert desk.rung == 1
    assert desk.jobs.cancel(ANNA, OfJob(job=first.job)).state == jobs.CANCELLED
    assert desk.rung == 2
    second = desk.jobs.start_writing(ANNA, StartWriting(workspace=workspace))
    assert desk.jobs.all_jobs(ANNA, Jobs()).jobs == (second, desk.jobs.job(ANNA, OfJob(job=first.job)))


def test_what_a_writing_was_asked_for_is_sealed_and_of_the_workspaces_project(desk: FilledDesk) -> None:
    workspace, _ = desk.received()
    asked = StartWriting(workspace=workspace, never=("Els Mol",), style="mask", restyle=True)
    desk.jobs.start_writing(ANNA, asked)
    taken = desk.jobs.jobs.next()
    assert taken is not None
    assert b"Els Mol" not in taken.sealed_options
    locker = desk.workspaces.opened(ANNA, workspace).locker
    told = locker.unseal(taken.sealed_options, what=f"job/{taken.job_id}")
    assert msgspec.msgpack.decode(told, type=StartWriting) == msgspec.structs.replace(asked, project=PROJECT)
    with pytest.raises(UnsealError):
        locker.unseal(taken.sealed_options, what="job/another")
    *head, last = taken.sealed_options
    with pytest.raises(UnsealError):
        locker.unseal(bytes([*head, last ^ 1]), what=f"job/{taken.job_id}")


def test_without_a_whole_file_there_is_nothing_to_do(desk: FilledDesk) -> None:
    workspace = desk.made()
    calls: list[Callable[[], object]] = [
        lambda: desk.jobs.start_analysis(ANNA, StartAnalysis(workspace=workspace)),
        lambda: desk.jobs.start_writing(ANNA, StartWriting(workspace=workspace)),
    ]
    for call in calls:
        with pytest.raises(WorkspaceStateError):
            call()
    desk.workspaces.add_files(ANNA, AddFiles(workspace=workspace, files=(NewFile("a.txt", 5),)))
    for call in calls:  # its bytes have not come
        with pytest.raises(WorkspaceStateError):
            call()
    assert (desk.jobs.all_jobs(ANNA, Jobs()).jobs, desk.rung) == ((), 0)


def test_without_a_place_in_memory_no_job_is_taken(desk: FilledDesk) -> None:
    workspace, _ = desk.received()
    desk.has_place = False
    with pytest.raises(UnsealedWorkError):
        desk.jobs.start_analysis(ANNA, StartAnalysis(workspace=workspace))
    assert (desk.jobs.all_jobs(ANNA, Jobs()).jobs, desk.rung) == ((), 0)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"kinds": ("none",)}, "kinds"),
        ({"profile": "none"}, "profile"),
        ({"treatments": {"PERSON": "none"}}, "treatments"),
    ],
)
def test_an_option_that_cannot_be_is_refused_before_the_job(
    desk: FilledDesk, options: dict[str, object], field: str
) -> None:
    workspace, _ = desk.received()
    with pytest.raises(WrongOptionError) as caught:
        desk.jobs.start_writing(ANNA, StartWriting(workspace=workspace, **options))  # type: ignore[arg-type]
    assert caught.value.field == field
    assert (desk.jobs.all_jobs(ANNA, Jobs()).jobs, desk.rung) == ((), 0)


def test_jobs_of_others_are_neither_seen_nor_cancelled(desk: FilledDesk) -> None:
    workspace, _ = desk.received()
    job = desk.jobs.start_analysis(ANNA, StartAnalysis(workspace=workspace))
    for caller in (BO, ELSEWHERE):
        assert desk.jobs.all_jobs(caller, Jobs()).jobs == ()
        with pytest.raises(UnknownWorkspaceError):
            desk.jobs.all_jobs(caller, Jobs(workspace=workspace))
        with pytest.raises(UnknownWorkspaceError):
            desk.jobs.job(caller, OfJob(job=job.job))
        with pytest.raises(UnknownWorkspaceError):
            desk.jobs.cancel(caller, OfJob(job=job.job))
    assert desk.jobs.job(ANNA, OfJob(job=job.job)).state == jobs.QUEUED
    assert desk.rung == 1


# -- foreseeing ----------------------------------------------------------------------------------------------


def test_a_writing_is_foreseen_with_the_corrections_so_far(desk: FilledDesk) -> None:
    workspace, _ = desk.analysed()

    def found() -> dict[str, int]:
        kinds = desk.jobs.foresee(ANNA, StartWriting(workspace=workspace)).kinds
        return {one.kind: one.found for one in kinds}

    assert found() == {"PERSON": 4, "PHONE": 1}
    revision = desk.store.get(workspace).revision
    desk.corrections.give(
        ANNA, GiveCommands(workspace=workspace, revision=revision, commands=(Reject("m1"),))
    )
    assert found() == {"PERSON": 3, "PHONE": 1}
    with pytest.raises(WrongOptionError):
        desk.jobs.foresee(ANNA, StartWriting(workspace=workspace, kinds=("none",)))
    assert desk.jobs.all_jobs(ANNA, Jobs()).jobs == ()


def test_nothing_is_foreseen_before_an_analysis(desk: FilledDesk) -> None:
    workspace, _ = desk.received()
    with pytest.raises(WorkspaceStateError):
        desk.jobs.foresee(ANNA, StartWriting(workspace=workspace))


# -- results -------------------------------------------------------------------------------------------------


def test_what_was_written_is_given_file_by_file_and_as_an_archive(desk: FilledDesk) -> None:
    workspace, ids = desk.written()
    archive = desk.jobs.result(ANNA, GetPiece(workspace=workspace))
    assert (archive.pieces, archive.bytes, archive.name) == (1, len(archive.content), "result.zip")
    held = zipfile.ZipFile(io.BytesIO(archive.content))
    outputs = {}
    for name, file in ids.items():
        one = desk.jobs.result(ANNA, GetPiece(workspace=workspace, file=file))
        assert (one.pieces, one.bytes) == (1, len(one.content))
        assert not any(word in one.content for word in (b"Tolsma", b"Els Mol", b"12345678"))
        assert one.content != FILES[name].encode()
        outputs[one.name] = one.content
    assert {name: held.read(name) for name in held.namelist()} == outputs
    report = desk.jobs.report(ANNA, OfWorkspace(workspace=workspace)).report
    assert "Tolsma" not in msgspec.json.encode(report).decode()
    assert report


def test_before_a_writing_there_is_no_result(desk: FilledDesk) -> None:
    workspace, ids = desk.analysed()
    calls: list[Callable[[], object]] = [
        lambda: desk.jobs.result(ANNA, GetPiece(workspace=workspace)),
        lambda: desk.jobs.result(ANNA, GetPiece(workspace=workspace, file=ids["a.txt"])),
        lambda: desk.jobs.report(ANNA, OfWorkspace(workspace=workspace)),
    ]
    for call in calls:
        with pytest.raises(WorkspaceStateError):
            call()


def test_what_is_not_there_is_told_apart(desk: FilledDesk) -> None:
    workspace, ids = desk.written()
    with pytest.raises(UnknownWorkspaceError):
        desk.jobs.result(ANNA, GetPiece(workspace=workspace, file="f_none"))
    with pytest.raises(DeskStoreError):
        desk.jobs.result(ANNA, GetPiece(workspace=workspace, number=1))
    desk.workspaces.delete_file(ANNA, OfFile(workspace=workspace, file=ids["a.txt"]))
    with pytest.raises(WorkspaceStateError):  # the archive held what is gone
        desk.jobs.result(ANNA, GetPiece(workspace=workspace))
    assert desk.jobs.result(ANNA, GetPiece(workspace=workspace, file=ids["b.txt"])).content


@pytest.mark.parametrize("caller", [BO, ELSEWHERE], ids=["another account", "another project"])
def test_results_are_the_owners_alone(desk: FilledDesk, caller: Caller) -> None:
    workspace, ids = desk.written()
    for file in (None, ids["a.txt"]):
        with pytest.raises(UnknownWorkspaceError):
            desk.jobs.result(caller, GetPiece(workspace=workspace, file=file))
    with pytest.raises(UnknownWorkspaceError):
        desk.jobs.report(caller, OfWorkspace(workspace=workspace))


def test_a_result_that_was_altered_or_swapped_is_not_given(desk: FilledDesk) -> None:
    workspace, ids = desk.written()
    first, second = (desk.store.place_of(workspace) / result_of(ids[name]) for name in ("a.txt", "b.txt"))
    raw, other = first.read_bytes(), second.read_bytes()
    for changed in (raw[:-1] + bytes([raw[-1] ^ 1]), raw[:-9], other):
        first.write_bytes(changed)
        with pytest.raises(UnsealError):
            desk.jobs.result(ANNA, GetPiece(workspace=workspace, file=ids["a.txt"]))
    first.write_bytes(raw)
    assert desk.jobs.result(ANNA, GetPiece(workspace=workspace, file=ids["a.txt"])).content
