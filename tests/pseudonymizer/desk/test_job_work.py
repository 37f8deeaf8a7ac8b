"""What a job does: files are analysed, corrected and written; nothing is sealed that was not whole."""

import io
import json
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pseudonymizer.desk import job_work
from pseudonymizer.desk import workspaces as states
from pseudonymizer.desk.commands import Reject, Step
from pseudonymizer.desk.erasures import ELSEWHERE
from pseudonymizer.desk.held_state import FOUND, HeldState
from pseudonymizer.desk.history import History
from pseudonymizer.desk.job_work import JobWork, in_pieces, remove, replaced_project, zipped
from pseudonymizer.desk.opened import ARCHIVE, REPORT, RESULTS, content_of, found_of, result_of
from pseudonymizer.desk.workspace_asked import AddFiles, NewFile, StartWriting
from pseudonymizer.engine.progress import Progress, Silent
from pseudonymizer.errors import RestyleNeededError, RunCancelledError, UnsealError
from tests.pseudonymizer.batch_fakes import FakePipeline
from tests.pseudonymizer.desk.job_world import ANNA, PROJECT, JobWorld

NAME: Final = "Jan Tolsma"
FILES: Final = {
    f"brieven/{NAME}.txt": f"{NAME} belde Els Mol op 06-12345678.".encode(),
    "tweede.txt": f"{NAME} kwam niet.".encode(),
    "kapot.pdf": b"%PDF-1.7 cut off",
}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[JobWorld]:
    made = JobWorld(tmp_path)
    yield made
    made.close()


class Counted(Silent):
    """Progress as (stage, total), and how many of the last stage are done. at: ends the job in this stage."""

    def __init__(self, at: str = "") -> None:
        self.stages, self.done, self._at = list[tuple[str, int]](), 0, at

    def begin(self, name: str, total: int, counted: str = "") -> None:
        del counted
        self.stages.append((name, total))
        self.done = 0

    def advance(self, count: int) -> None:
        self.done += count
        if self.stages[-1][0] == self._at:
            raise RunCancelledError("the job was cancelled")


def work_on(world: JobWorld, workspace: str, progress: Progress | None = None) -> JobWork:
    folder = world.folder / f"job-{workspace}"
    folder.mkdir(mode=0o700, exist_ok=True)
    desk = world.desks.workspaces
    opened = desk.opened(ANNA, workspace)
    return JobWork(opened, world.store, desk.held_states, world.texts, folder, progress or Silent())


def write(workspace: str, **options: Any) -> StartWriting:
    return StartWriting(workspace=workspace, **options)


def changed(world: JobWorld, workspace: str, work: Callable[[HeldState], History]) -> None:
    opened = world.opened(workspace)
    world.desks.workspaces.held_states.change(opened.held, opened.locker, opened.held.revision, work)


def rejected(world: JobWorld, workspace: str, words: str) -> None:
    """A correction: these words are no name, wherever they stand."""

    def work(state: HeldState) -> History:
        key = next(key for key, one in state.now.mentions.items() if one.text == words)
        step = Step(Reject(key, everywhere=True), "2026-01-01T00:00:00+00:00", "anna")
        return state.history.with_step(state.correcting, step)[0]

    changed(world, workspace, work)


def plain_files(folder: Path) -> list[Path]:
    return [one for one in folder.rglob("*") if one.is_file()]


# -- analyse -------------------------------------------------------------------------------------------------


def test_each_file_is_found_or_refused_and_none_stays_in_plain(world: JobWorld) -> None:
    workspace, progress = world.filled(FILES), Counted()
    work = work_on(world, workspace, progress)
    assert work.analyse() == 1
    files = world.files(workspace)
    letter = files[f"brieven/{NAME}.txt"]
    assert (letter.state, dict(letter.mentions)) == (states.ANALYSED, {"PERSON": 2, "PHONE": 1})
    damaged = files["kapot.pdf"]
    assert (damaged.state, damaged.error, dict(damaged.mentions)) == (
        states.REFUSED, "DamagedDocumentError", {},
    )  # fmt: skip
    assert damaged.remedy
    assert world.store.get(workspace).state == states.ANALYSED
    opened = world.opened(workspace)
    assert opened.locker.has(found_of(letter.file_id))
    assert not opened.locker.has(found_of(damaged.file_id))
    state = world.desks.workspaces.held_states.of(opened.held, opened.locker)
    assert sorted(one.text for one in state.now.mentions.values()) == [
        "06-12345678", "Els Mol", NAME, NAME,
    ]  # fmt: skip
    people = {state.now.persons[key] for key, one in state.now.mentions.items() if one.text == NAME}
    assert len(people) == 1  # of both files
    assert plain_files(work.folder) == []
    assert [stage for stage, _ in progress.stages] == ["detect", "link"]
    assert progress.stages[0][1] == 3
    sealed = b"".join(one.read_bytes() for one in plain_files(world.folder / "workspaces"))
    assert NAME.encode() not in sealed
    assert "Tolsma" not in repr(opened)


def test_a_file_whose_bytes_are_not_there_waits(world: JobWorld) -> None:
    workspace = world.filled({"a.txt": FILES["tweede.txt"]})
    assert work_on(world, workspace).analyse() == 0
    assert world.opened(workspace).locker.has(ELSEWHERE)  # all texts were read
    world.desks.workspaces.add_files(ANNA, AddFiles(workspace=workspace, files=(NewFile("b.txt", 5),)))
    assert work_on(world, workspace).analyse() == 0
    assert {name: one.state for name, one in world.files(workspace).items()} == {
        "a.txt": states.ANALYSED, "b.txt": states.WAITING,
    }  # fmt: skip
    assert not world.opened(workspace).locker.has(ELSEWHERE)  # nobody knows what the second one says


def test_who_is_in_no_file_is_noted_for_erasures(world: JobWorld) -> None:
    first = world.filled({"a.txt": b"Piet Anker en Els Mol."})
    work_on(world, first).write(write(first))
    workspace = world.filled({"b.txt": b"Els Mol kwam."})
    work_on(world, workspace).analyse()
    opened = world.opened(workspace)
    elsewhere = msgspec.msgpack.decode(opened.locker.get(ELSEWHERE), type=list[str])
    names = {
        str(one.entity_id): {name.family for name in one.names} for one in opened.vault.known(PROJECT).people
    }
    opened.vault.rollback()
    assert [names[one] for one in elsewhere] == [{"Anker"}]


def test_corrections_are_kept_when_files_are_added(world: JobWorld) -> None:
    workspace = world.filled({"a.txt": b"Els Mol zag Jan Tolsma."})
    work_on(world, workspace).analyse()
    rejected(world, workspace, "Els Mol")
    world.add(workspace, {"b.txt": b"Els Mol kwam."})
    assert work_on(world, workspace).analyse() == 0
    opened = world.opened(workspace)
    state = world.desks.workspaces.held_states.of(opened.held, opened.locker)
    assert sorted(one.text for one in state.now.mentions.values()) == ["Els Mol", NAME]  # of the new file
    assert dict(world.files(workspace)["a.txt"].mentions) == {"PERSON": 1}


def test_a_cancelled_analysis_stores_no_state(world: JobWorld) -> None:
    workspace = world.filled(FILES)
    with pytest.raises(RunCancelledError):
        work_on(world, workspace, Counted(at="detect")).analyse()
    assert not world.opened(workspace).locker.has(FOUND)
    assert world.store.get(workspace).state == states.NEW
    assert work_on(world, workspace).analyse() == 1


@pytest.mark.parametrize("place", [0, 40, -1])
def test_an_altered_file_is_not_read(world: JobWorld, place: int) -> None:
    workspace = world.filled({"a.txt": FILES["tweede.txt"]})
    (file,) = world.files(workspace).values()
    sealed = world.store.place_of(workspace) / content_of(file.file_id)
    raw = bytearray(sealed.read_bytes())
    raw[place] ^= 1
    sealed.write_bytes(raw)
    with pytest.raises(UnsealError) as at_analysis:
        work_on(world, workspace).analyse()
    with pytest.raises(UnsealError) as at_writing:
        work_on(world, workspace).write(write(workspace))
    assert "Tolsma" not in f"{at_analysis.value} {at_writing.value}"
    locker = world.opened(workspace).locker
    assert not any(locker.has(name) for name in (FOUND, RESULTS, ARCHIVE, REPORT))


# -- write ---------------------------------------------------------------------------------------------------


def test_outputs_are_sealed_with_labels_in_their_texts_and_paths(world: JobWorld) -> None:
    workspace, progress = world.filled(FILES), Counted()
    work = work_on(world, workspace, progress)
    assert work.write(write(workspace)) == 1
    files, locker = world.files(workspace), world.opened(workspace).locker
    letter, second = files[f"brieven/{NAME}.txt"], files["tweede.txt"]
    assert [letter.state, second.state] == [states.WRITTEN, states.WRITTEN]
    assert (files["kapot.pdf"].state, files["kapot.pdf"].error) == (states.REFUSED, "DamagedDocumentError")
    assert not locker.has(result_of(files["kapot.pdf"].file_id))
    places = msgspec.msgpack.decode(locker.get(RESULTS), type=dict[str, str])
    assert places.keys() == {letter.file_id, second.file_id}
    assert "Tolsma" not in str(places)
    text = locker.get(result_of(letter.file_id)).decode()
    assert not any(word in text for word in ("Tolsma", "Els Mol", "12345678"))
    label = text.split()[0]
    assert locker.get(result_of(second.file_id)).decode() == f"{label} kwam niet."
    with zipfile.ZipFile(io.BytesIO(locker.get(ARCHIVE))) as archive:
        assert archive.testzip() is None
        assert {one: archive.read(one) for one in archive.namelist()} == {
            place: locker.get(result_of(file_id)) for file_id, place in places.items()
        }
    report = json.loads(locker.get(REPORT))
    assert report["documents"]["ok"] == 2
    assert "Tolsma" not in str(report)
    assert world.store.get(workspace).state == states.WRITTEN
    stages = dict(progress.stages)
    assert (stages["unseal"], stages["seal"]) == (3, 2)
    for one in plain_files(work.folder / "in"):
        assert stat.S_IMODE(one.stat().st_mode) == 0o600
    remove(work.folder)
    assert not work.folder.exists()
    remove(work.folder)  # a folder that is gone is no fault


def test_what_was_corrected_is_written_so(world: JobWorld) -> None:
    workspace = world.filled({"a.txt": b"Els Mol zag Jan Tolsma."})
    work_on(world, workspace).analyse()
    rejected(world, workspace, "Els Mol")
    assert work_on(world, workspace).write(write(workspace)) == 0
    (file,) = world.files(workspace).values()
    text = world.opened(workspace).locker.get(result_of(file.file_id)).decode()
    assert text.startswith("Els Mol zag ")
    assert "Tolsma" not in text


@pytest.mark.parametrize("stage", ["unseal", "rewrite", "seal"])
def test_a_writing_that_was_ended_goes_on_where_it_was(world: JobWorld, stage: str) -> None:
    files = {f"{number}.txt": FILES["tweede.txt"] for number in range(4)}
    workspace = world.filled(files)
    progress = Counted(at=stage)
    with pytest.raises(RunCancelledError):
        work_on(world, workspace, progress).write(write(workspace))
    assert progress.stages[-1][0] == stage
    assert world.store.get(workspace).state == states.NEW
    assert not world.opened(workspace).locker.has(RESULTS)
    assert work_on(world, workspace).write(write(workspace)) == 0
    locker = world.opened(workspace).locker
    with zipfile.ZipFile(io.BytesIO(locker.get(ARCHIVE))) as archive:
        assert sorted(archive.namelist()) == sorted(files)
        assert len({archive.read(one) for one in archive.namelist()}) == 1  # one label for the person


def test_an_output_of_before_goes_away_when_its_file_is_refused(tmp_path: Path) -> None:
    pipeline = FakePipeline()
    find = pipeline.detect_kinds

    def fail(*_: object, **__: object) -> Any:
        raise ZeroDivisionError(NAME)

    world = JobWorld(tmp_path, load=lambda: pipeline)
    workspace = world.filled({"a.txt": FILES["tweede.txt"]})
    work = work_on(world, workspace)
    assert work.analyse() == 0
    assert work.write(write(workspace)) == 0
    remove(work.folder)
    (file,) = world.files(workspace).values()
    opened = world.opened(workspace)
    assert opened.locker.has(result_of(file.file_id))
    opened.locker.remove(FOUND)  # so that it is searched anew
    pipeline.detect_kinds = fail  # type: ignore[method-assign]
    assert work_on(world, workspace).write(write(workspace)) == 1
    (refused,) = world.files(workspace).values()
    assert (refused.state, dict(refused.mentions)) == (states.REFUSED, {})
    assert refused.error
    assert "Tolsma" not in f"{refused.error} {refused.remedy}"
    assert not opened.locker.has(result_of(file.file_id))
    assert not opened.locker.has(found_of(file.file_id))
    pipeline.detect_kinds = find  # type: ignore[method-assign]
    assert work_on(world, workspace).analyse() == 0  # one that was refused is tried again
    world.close()


def test_other_treatments_than_those_of_the_project_must_be_meant(world: JobWorld) -> None:
    workspace = world.filled({"a.txt": FILES["tweede.txt"]})
    assert work_on(world, workspace).write(write(workspace)) == 0
    other = world.filled({"a.txt": FILES["tweede.txt"]})
    with pytest.raises(RestyleNeededError):
        work_on(world, other).write(write(other, style="mask"))
    assert not world.opened(other).locker.has(RESULTS)


def test_a_project_of_the_options_gives_way_to_that_of_the_workspace(world: JobWorld) -> None:
    asked = write("w", project="other", style="code", mark=True)
    own = replaced_project(asked, PROJECT)
    assert own == msgspec.structs.replace(asked, project=PROJECT)
    workspace = world.filled({"a.txt": FILES["tweede.txt"]})
    assert work_on(world, workspace).write(write(workspace, project="other")) == 0
    vault = world.opened(workspace).vault
    assert vault.projects() == (PROJECT,)
    vault.rollback()


# -- pieces and archives -------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chunks=st.lists(st.binary(max_size=20), max_size=8), size=st.integers(1, 9))
def test_pieces_are_full_but_the_last_one(
    monkeypatch: pytest.MonkeyPatch, chunks: list[bytes], size: int
) -> None:
    monkeypatch.setattr(job_work, "PIECE", size)
    pieces = list(in_pieces(chunks))
    assert b"".join(pieces) == b"".join(chunks)
    assert all(len(one) == size for one in pieces[:-1])
    assert all(1 <= len(one) <= size for one in pieces[-1:])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contents=st.lists(st.binary(max_size=50), max_size=4))
def test_an_archive_holds_the_files_and_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contents: list[bytes]
) -> None:
    monkeypatch.setattr(job_work, "PIECE", 16)
    files = {f"{number} é.txt": raw for number, raw in enumerate(contents)}
    for name, raw in files.items():
        (tmp_path / name).write_bytes(raw)
    raw = b"".join(zipped(tmp_path, files))
    assert raw == b"".join(zipped(tmp_path, files))
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.testzip() is None
        assert {one: archive.read(one) for one in archive.namelist()} == files
        assert {one.date_time for one in archive.infolist()} <= {(1980, 1, 1, 0, 0, 0)}
