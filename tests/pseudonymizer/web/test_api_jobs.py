"""Jobs over HTTP: analyse and write, progress, cancel; results in the formats of the files, and a report."""

import io
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import docx
import httpx
import pytest
from reportlab.pdfgen import canvas
from typer.testing import CliRunner

from pseudonymizer.cli import app
from pseudonymizer.desk.workspace_asked import PIECE
from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import PROJECT, Service, json_of

PLACE: Final = "/api/v1/workspaces"


def word(*paragraphs: str) -> bytes:
    made, raw = docx.Document(), io.BytesIO()
    for text in paragraphs:
        made.add_paragraph(text)
    made.save(raw)
    return raw.getvalue()


def text_of(raw: bytes) -> str:
    return "\n".join(paragraph.text for paragraph in docx.Document(io.BytesIO(raw)).paragraphs)


def filled(client: httpx.Client, files: Mapping[str, bytes]) -> tuple[str, dict[str, str]]:
    """(place of a workspace with these files, their ids by path)."""
    place = str(client.post(PLACE, json={}).headers["location"])
    told = [{"name": name, "bytes": len(raw)} for name, raw in files.items()]
    answer = json_of(client.post(f"{place}/files", json={"files": told}))
    ids = {one["name"]: one["file"] for one in answer["files"]}
    for name, raw in files.items():
        assert client.put(f"{place}/files/{ids[name]}/content", content=raw).status_code == 204
    return place, ids


def ended(client: httpx.Client, started: httpx.Response, *, seconds: float = 60) -> Any:
    """The job at its end."""
    assert started.status_code == 202, started.text
    place = started.headers["location"]
    ends_at = time.monotonic() + seconds
    while True:
        answer = client.get(place)
        assert answer.status_code == 200, answer.text
        shown = json_of(answer)
        if shown.get("ended_at"):
            assert "retry-after" not in answer.headers
            return shown
        assert int(answer.headers["retry-after"]) >= 1
        assert time.monotonic() < ends_at, shown
        time.sleep(0.05)


def analysed(client: httpx.Client, files: Mapping[str, bytes]) -> tuple[str, dict[str, str]]:
    """The same, after its analysis."""
    place, ids = filled(client, files)
    assert ended(client, client.post(f"{place}/analyses"))["state"] == "done"
    return place, ids


FILES: Final = {
    "brieven/Jan Tolsma.docx": word("Jan Tolsma belde Els Mol.", "Op 06-12345678."),
    "brieven/tweede.txt": b"Jan Tolsma kwam niet.",
    "kapot.pdf": b"%PDF-1.7 cut off",
}


def test_files_are_analysed_and_written_in_their_formats(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place, ids = analysed(client, FILES)
        shown = {one["name"]: one for one in json_of(client.get(f"{place}/files"))["files"]}
        assert shown["brieven/Jan Tolsma.docx"]["mentions"] == {"PERSON": 2, "PHONE": 1}
        assert shown["kapot.pdf"]["state"] == "refused"
        assert shown["kapot.pdf"]["error"] == "DamagedDocumentError"
        assert shown["kapot.pdf"]["remedy"]
        assert json_of(client.get(place))["state"] == "analysed"
        assert client.get(f"{place}/result").status_code == 409  # nothing was written
        job = ended(client, client.post(f"{place}/runs", json={"style": "code"}))
        assert (job["state"], job["failed"], job["work"]) == ("done", 1, "write")
        one = client.get(f"{place}/files/{ids['brieven/Jan Tolsma.docx']}/result")
        assert "attachment" in one.headers["content-disposition"]
        assert "Tolsma" not in one.headers["content-disposition"]
        assert "Tolsma" not in text_of(one.content)
        assert "PERSOON-" in text_of(one.content)
        whole = client.get(f"{place}/result")
        with zipfile.ZipFile(io.BytesIO(whole.content)) as archive:
            assert archive.testzip() is None
            assert len(archive.namelist()) == 2
            assert all(name.startswith("brieven/") for name in archive.namelist())
            assert "Tolsma" not in "".join(archive.namelist())
            assert b"Tolsma" not in archive.read("brieven/tweede.txt")
        report = json_of(client.get(f"{place}/report"))["report"]
        assert report["documents"]["ok"] == 2
        assert "Tolsma" not in str(report)
        assert client.get(f"{place}/files/{ids['kapot.pdf']}/result").status_code == 409
        jobs = json_of(client.get("/api/v1/jobs", params={"workspace": place.rpartition("/")[2]}))["jobs"]
        assert [one["work"] for one in jobs] == ["write", "analyse"]
    assert list((fake.folder / "work").glob("*/*")) == []


def test_files_are_written_without_an_analysis_and_added_later(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place, _ = filled(client, {"a.txt": b"Jan Tolsma belde."})
        assert ended(client, client.post(f"{place}/runs", json={}))["state"] == "done"
        answer = client.post(f"{place}/files", json={"files": [{"name": "b.txt", "bytes": 17}]})
        (file,) = json_of(answer)["files"]
        client.put(f"{place}/files/{file['file']}/content", content=b"Els Mol kwam ook.")
        assert ended(client, client.post(f"{place}/analyses"))["state"] == "done"
        assert ended(client, client.post(f"{place}/runs", json={}))["failed"] == 0
        with zipfile.ZipFile(io.BytesIO(client.get(f"{place}/result").content)) as archive:
            assert sorted(archive.namelist()) == ["a.txt", "b.txt"]
            assert b"Els Mol" not in archive.read("b.txt")


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_pdf_comes_back_whole_where_it_was_kept(fake: Service, tmp_path: Path, *, is_kept: bool) -> None:
    raw = io.BytesIO()
    page = canvas.Canvas(raw)
    page.drawString(50, 700, "Jan Tolsma belde gisteren.")
    page.save()
    with fake.client(fake.token()) as client:
        place, ids = filled(client, {"a.pdf": raw.getvalue()})
        ended(client, client.post(f"{place}/runs", json={"keep_original": True} if is_kept else {}))
        written = tmp_path / "a.pdf"
        written.write_bytes(client.get(f"{place}/files/{ids['a.pdf']}/result").content)
    about = ("--project", PROJECT, "--purpose", "zaak 12", "--actor", "tester")
    at = ("--vault", str(fake.vault_file), "--key-file", str(fake.folder / "kek.key"))
    back = tmp_path / "back.pdf"
    done = CliRunner().invoke(app, ["restore", str(written), "--out", str(back), *at, *about])
    assert done.exit_code == 0, done.output
    assert ("text only" in done.output) != is_kept
    assert (back.is_file() and back.read_bytes() == raw.getvalue()) == is_kept


def test_large_results_come_whole(fake: Service) -> None:
    raw = b"Jan Tolsma belde.\n" + b"niets bijzonders\n" * (PIECE // 16) + b"Els Mol ook.\n"
    with fake.client(fake.token()) as client:
        place, ids = filled(client, {"a.txt": raw})
        assert ended(client, client.post(f"{place}/runs", json={}), seconds=120)["state"] == "done"
        answer = client.get(f"{place}/files/{ids['a.txt']}/result")
        assert len(answer.content) == int(answer.headers["content-length"]) > PIECE
        assert answer.content.count(b"PERSOON-") == 2
        with zipfile.ZipFile(io.BytesIO(client.get(f"{place}/result").content)) as archive:
            assert archive.read("a.txt") == answer.content


def test_what_cannot_be_is_refused_before_a_job_is_made(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place = str(client.post(PLACE, json={}).headers["location"])
        assert client.post(f"{place}/analyses").status_code == 409  # it has no file
        place, _ = analysed(client, {"a.txt": b"Jan Tolsma belde."})
        assert client.post(f"{place}/runs", json={"style": "none"}).status_code == 422
        answer = client.post(f"{place}/runs", json={"kinds": ["NONE"]})
        assert json_of(answer)["field"] == "kinds"
        ended(client, client.post(f"{place}/runs", json={}))
        other = client.post(f"{place}/runs", json={"style": "token"})
        assert json_of(other)["type"].endswith("restyle-needed")


def test_jobs_of_others_are_not_there(fake: Service) -> None:
    with fake.client(fake.token(account="owner")) as client:
        place, ids = filled(client, {"a.txt": b"Jan Tolsma belde."})
        started = client.post(f"{place}/analyses")
        job = started.headers["location"]
        ended(client, started)
    for token in (fake.token(*Verb, account="other"), fake.token(account="owner", project="study-99")):
        with fake.client(token) as client:
            for method, path in (
                ("GET", job), ("DELETE", job), ("POST", f"{place}/analyses"), ("POST", f"{place}/runs"),
                ("GET", f"{place}/result"), ("GET", f"{place}/files/{ids['a.txt']}/result"),
                ("GET", f"{place}/report"), ("GET", f"/api/v1/jobs?workspace={place.rpartition('/')[2]}"),
            ):  # fmt: skip
                answer = client.request(method, path, json={} if path.endswith("runs") else None)
                assert answer.status_code == 404, (method, path, answer.text)
            assert json_of(client.get("/api/v1/jobs"))["jobs"] == []


@pytest.mark.parametrize("work", ["analyses", "runs"])
def test_a_job_is_cancelled(fake: Service, work: str) -> None:
    with fake.client(fake.token()) as client:
        place, _ = filled(client, {f"{n}.txt": b"Jan Tolsma belde. " * 3_000 for n in range(30)})
        started = client.post(f"{place}/{work}", json={} if work == "runs" else None)
        again = client.post(f"{place}/analyses")
        assert again.status_code == 409
        answer = client.delete(started.headers["location"])
        assert answer.status_code == 202
        assert ended(client, started)["state"] == "cancelled"
        assert client.delete(started.headers["location"]).status_code == 202
        assert json_of(client.get(place))["job"] is None
        assert client.delete(place).status_code == 204
        assert client.get(started.headers["location"]).status_code == 404
