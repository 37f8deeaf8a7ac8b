"""Workspaces, jobs and corrections by the Python client, against the real front, engine and vault."""

import asyncio
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest
from nymlink_client import (
    AccessRefusedError,
    AsyncProject,
    ChangedError,
    Job,
    JobFailedError,
    JobShown,
    NotFoundError,
    Project,
    Workspace,
    WrongRequestError,
    commands,
    workspace_calls,
    workspaces,
)
from nymlink_client.commands import Add, Merge, Reject
from nymlink_client.sending import Sender, Settings

from pseudonymizer.desk import commands as own_commands
from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service
from tests.pseudonymizer.web.test_api_jobs import word

FILES: Final = {
    "map/a.docx": word("Jan Tolsma belde Els Mol.", "Later kwam Jan Tolsma. Op 06-12345678."),
    "b.txt": "Els Mol zag de molenaar \U0001f44d en Jan Tolsma.".encode(),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with fake_service(tmp_path_factory.mktemp("workspaces")) as made:
        yield made


@pytest.fixture(scope="module")
def project(service: Service) -> Iterator[Project]:
    with Project.open(service.url, token=service.token(), name=PROJECT) as made:
        yield made


@pytest.fixture
def workspace(project: Project) -> Iterator[Workspace]:
    made = project.make_workspace(keep_hours=2)
    yield made
    made.delete()


def test_files_are_found_corrected_written_and_gone(project: Project, tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(FILES["map/a.docx"])
    workspace = project.make_workspace()
    assert workspace.show().state == "empty"
    letter, note = workspace.add_files({"map/a.docx": tmp_path / "a.docx", "b.txt": FILES["b.txt"]})
    assert (letter.name, letter.state, note.number) == ("map/a.docx", "received", 2)
    assert [one.file for one in workspace.files()] == [letter.file, note.file]

    told: list[JobShown] = []
    done = workspace.analyse().wait(timeout=60, progress=told.append)
    assert (done.state, done.failed) == ("done", 0)
    assert told[-1] == done
    assert workspace.file(note.file).mentions == {"PERSON": 2}

    text = workspace.text(note.file)
    assert text.text.encode() == FILES["b.txt"]
    start = text.text.index("molenaar")
    found = workspace.mentions(note.file)
    assert [one.text for one in found] == ["Els Mol", "Jan Tolsma"]
    els = found.mentions[0].mention
    added = Add(text.document, start, start + 8, "molenaar")
    given = workspace.correct([added, Reject(els)], revision=found.revision)
    assert (given.changed, given.can_undo) == ((1, 1), True)
    assert [one.text for one in workspace.mentions(note.file)] == ["molenaar", "Jan Tolsma"]

    job = workspace.write(style="code", kinds=["PERSON"], mark=False)
    assert job.wait(timeout=60).state == "done"
    written = workspace.result(note.file).decode()
    assert written.startswith("Els Mol zag de PERSOON-")
    assert workspace.save_result(tmp_path / "note.txt", note.file) == len(written.encode())
    assert (tmp_path / "note.txt").read_text(encoding="utf-8") == written
    whole = workspace.result()
    assert b"".join(workspace.result_pieces()) == whole
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        assert len(archive.namelist()) == 2
    assert workspace.report()["documents"]["ok"] == 2  # type: ignore[index]
    assert job.id in {one.id for one in workspace.jobs()}
    assert project.job(job.id).last.state == "done"
    assert job.id in {one.id for one in project.jobs()}

    workspace.delete_file(letter.file)
    assert len(workspace.files()) == 1
    assert workspace.id in {one.id for one in project.workspaces()}
    workspace.delete()
    with pytest.raises(NotFoundError):
        project.workspace(workspace.id).show()


def test_people_are_put_together_taken_apart_and_turned_back(workspace: Workspace) -> None:
    files = workspace.add_files(FILES)
    workspace.analyse().wait(timeout=60)
    people = workspace.people()
    names = {person.forms[0].text: person for person in people}
    assert set(names) == {"Jan Tolsma", "Els Mol"}
    jan, els = names["Jan Tolsma"], names["Els Mol"]
    assert jan.count == 3
    merged = workspace.merge(jan.person, els.person, revision=people.revision)
    assert len(workspace.people()) == 1
    undone = workspace.undo(revision=merged.revision)
    assert undone.can_redo
    redone = workspace.redo(revision=undone.revision)
    again = workspace.undo(revision=redone.revision)
    split = workspace.split(jan.person, [jan.mentions[0]], revision=again.revision)
    assert len(workspace.people()) == 3
    judged = workspace.judge(jan.mentions[0], jan.mentions[1], "accept", revision=split.revision)
    assert len(workspace.people()) == 2
    assert workspace.questions(sure_from=1.0).revision == judged.revision
    lines = workspace.corrections("mentions").decode().splitlines()
    assert len([json.loads(line) for line in lines]) == 2
    taken = workspace.take_corrections(mentions="\n".join(lines), revision=judged.revision)
    assert taken.revision > judged.revision
    assert workspace.file(files[0].file).state == "analysed"


def test_of_two_the_later_one_is_told_and_changes_nothing(workspace: Workspace) -> None:
    (note,) = workspace.add_files({"b.txt": FILES["b.txt"]})
    workspace.analyse().wait(timeout=60)
    found = workspace.mentions(note.file)
    first, second = found.mentions
    workspace.correct(Reject(first.mention), revision=found.revision)
    with pytest.raises(ChangedError):
        workspace.correct(Reject(second.mention), revision=found.revision)
    assert [one.text for one in workspace.mentions(note.file)] == ["Jan Tolsma"]
    with pytest.raises(WrongRequestError, match="give a command"):
        workspace.correct([], revision=found.revision + 1)


def test_a_job_is_cancelled_and_a_file_that_cannot_be_read_says_why(workspace: Workspace) -> None:
    (broken, *_) = workspace.add_files({"kapot.pdf": b"%PDF-1.7 cut off", "b.txt": FILES["b.txt"]})
    done = workspace.analyse().wait(timeout=60)
    assert done.failed == 1
    refused = workspace.file(broken.file)
    assert refused.state == "refused"
    assert refused.error
    job = workspace.write()
    job.cancel()
    assert job.wait(timeout=60).state in {"cancelled", "done"}
    assert job.show().has_ended


def test_what_belongs_to_another_account_is_not_there(service: Service, workspace: Workspace) -> None:
    with Project.open(service.url, token=service.token(account="other"), name=PROJECT) as other:
        for ask in (
            other.workspace(workspace.id).show, other.workspace(workspace.id).files,
            other.workspace(workspace.id).delete, other.workspace(workspace.id).people,
        ):  # fmt: skip
            with pytest.raises(NotFoundError):
                ask()
        with pytest.raises(NotFoundError):
            other.job("j_0")
        assert workspace.id not in {one.id for one in other.workspaces()}


def test_documents_go_and_come_back_in_one_request(project: Project, tmp_path: Path) -> None:
    place = tmp_path / "Jan Tolsma.docx"
    place.write_bytes(FILES["map/a.docx"])
    written = project.pseudonymize_document(place, kinds=["PERSON"], style="code", restyle=False)
    assert "Tolsma" not in written.name
    assert written.how == "written"
    assert written.left_in["PHONE"] == 1
    assert "PERSON" not in written.left_in
    back = project.restore_document(written.content, written.name, purpose="ticket 88")
    assert (back.how, back.content) == ("exact", FILES["map/a.docx"])
    assert back.audit_sequence > 0
    assert "Tolsma" not in repr(back)
    with pytest.raises(WrongRequestError, match="no name"):
        project.pseudonymize_document(b"x")
    with pytest.raises(AccessRefusedError):
        project.restore_document(written.content, written.name, purpose="")


def test_the_same_for_async_code(service: Service) -> None:
    async def run() -> tuple[list[str], str]:
        async with AsyncProject.open(service.url, token=service.token(), name=PROJECT) as project:
            workspace = await project.make_workspace()
            (note,) = await workspace.add_files({"b.txt": FILES["b.txt"]})
            job = await workspace.analyse()
            told: list[JobShown] = []
            assert (await job.wait(timeout=60, progress=told.append)).state == "done"
            assert told
            found = [one.text for one in await workspace.mentions(note.file)]
            people = await workspace.people()
            left, right = (one.person for one in people)
            await workspace.correct(Merge(left, right), revision=people.revision)
            assert (await workspace.show()).revision > people.revision
            assert workspace.id in {one.id for one in await project.workspaces()}
            assert await project.jobs()
            await (await workspace.write()).wait(timeout=60)
            written = (await workspace.result(note.file)).decode()
            await workspace.delete()
            return found, written

    found, written = asyncio.run(run())
    assert found == ["Els Mol", "Jan Tolsma"]
    assert "Tolsma" not in written


def job_of(*states: str, error: str = "") -> Job:
    """A job that is in these states, one after the other."""
    left = list(states)

    def answer(request: httpx.Request) -> httpx.Response:
        del request
        state = left.pop(0) if len(left) > 1 else left[0]
        ended_at = "" if state in ("queued", "running") else "2026-01-01T00:00:00+00:00"
        body: dict[str, Any] = {"job": "j_1", "workspace": "w_1", "work": "write", "state": state}
        return httpx.Response(200, json={**body, "ended_at": ended_at, "error": error})

    settings = Settings("http://127.0.0.1:1", "nym_x", None, 0, 1)
    return Job(Sender(settings, httpx.MockTransport(answer)), JobShown("j_1", "w_1", "write", "queued"))


def test_waiting_ends_with_the_job_with_its_error_or_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    assert job_of("queued", "running", "running", "done").wait().state == "done"
    assert waited == [0.1, 0.2, 0.4]
    with pytest.raises(JobFailedError) as failed:
        job_of("running", "failed", error="VaultBusyError").wait()
    assert failed.value.kind == "VaultBusyError"
    with pytest.raises(TimeoutError, match="goes on"):
        job_of("running").wait(timeout=0.05)
    assert repr(job_of("done")) == "Job(j_1, queued)"


def test_commands_are_those_of_the_service() -> None:
    def shown(module: Any) -> dict[str, list[tuple[str, Any]]]:
        return {
            name: [(one.name, one.default) for one in msgspec.structs.fields(kind)]
            for name, kind in vars(module).items()
            if isinstance(kind, type)
            and issubclass(kind, msgspec.Struct)
            and name[0] != "_"
            and name != "Step"
        }

    assert shown(commands) == shown(own_commands)
    for name in shown(commands):
        made, own = getattr(commands, name), getattr(own_commands, name)
        assert made.__struct_config__.tag == own.__struct_config__.tag


def test_pages_of_two_revisions_are_no_answer() -> None:
    class Page:
        def __init__(self, revision: int) -> None:
            self.revision = revision

    assert workspaces.one_revision([Page(3), Page(3)]) == 3
    with pytest.raises(ChangedError):
        workspaces.one_revision([Page(3), Page(4)])
    with pytest.raises(WrongRequestError):
        workspaces.bytes_of("x")  # type: ignore[arg-type]


def test_a_post_that_is_sent_again_makes_nothing_twice(service: Service) -> None:
    token = service.token(Verb.PSEUDONYMIZE, account="twice")
    with Project.open(service.url, token=token, name=PROJECT) as project:
        before = len(project.workspaces())
        call = workspace_calls.make(PROJECT, 1)
        assert project._sender.ask(call) == project._sender.ask(call)
        assert len(project.workspaces()) == before + 1


def test_the_example_of_the_page_runs(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).resolve().parents[2] / "client" / "README.md").read_text(encoding="utf-8")
    (example,) = [one for one in page.split("```python\n") if one.startswith("from nymlink_client.commands")]
    monkeypatch.chdir(tmp_path)
    Path("intake.docx").write_bytes(FILES["map/a.docx"])
    exec(example.partition("```")[0], {"project": project, "Path": Path})  # noqa: S102  our own page
    with zipfile.ZipFile("out.zip") as archive:
        assert len(archive.namelist()) == 2
