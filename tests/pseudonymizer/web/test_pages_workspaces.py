"""The pages /workspaces: made, listed, filled, analysed, written, fetched, ended; errors in words."""

import asyncio
import re
import time
from typing import Any, Final

import httpx
import pytest

from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.workspace_answered import JobsShown
from pseudonymizer.desk.workspace_asked import Jobs
from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import Service, json_of
from tests.pseudonymizer.web.test_api_jobs import FILES, analysed, filled, text_of

HTMX: Final = {"HX-Request": "true", "Accept": "text/html", "Accept-Language": "en"}
FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}


def made_by_form(client: httpx.Client, **fields: str) -> str:
    """The address of the page of a new workspace."""
    answer = client.post("/workspaces", data={"keep_hours": "8", **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def followed(client: httpx.Client, page: str) -> str:
    """The part of the page that changes, when the job that it follows has ended."""
    poll = re.findall(r'hx-get="(/workspaces/[^"]+/jobs/[^"]+)"', page)[0]
    ends_at = time.monotonic() + 180
    while True:
        answer = client.get(poll)
        assert answer.status_code == 200, answer.text
        if answer.headers.get("hx-retarget") == "#state":
            return answer.text
        assert "<progress" in answer.text
        assert time.monotonic() < ends_at
        time.sleep(0.05)


def test_a_workspace_is_made_listed_and_ended(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = made_by_form(client)
        assert place in client.get("/workspaces").text
        page = client.get(place).text
        assert "There are no files in it yet." in page
        assert 'id="pick-folder" webkitdirectory' in page
        answer = client.post(f"{place}/ended")
        assert (answer.status_code, answer.headers["location"]) == (303, "/workspaces")
        assert place not in client.get("/workspaces").text
        assert client.get(place).status_code == 404


def test_from_files_to_results(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        api, ids = filled(client, FILES)
        place = api.removeprefix("/api/v1")
        page = client.get(place).text
        assert "3 files" in page
        assert "Analyse" in page
        begun = client.post(f"{place}/analysis")
        assert "The files are being analysed" in begun.text
        seen = followed(client, begun.text)
        assert "The files are analysed. 1 file could not be treated; the list says why." in seen
        assert "The file is damaged." in seen
        assert "telephone number 1" in seen
        assert "Written</h2>" not in seen
        begun = client.post(f"{place}/writing", data={"style": "code"})
        assert "The files are being written" in begun.text
        done = followed(client, begun.text)
        assert "2 files were written." in done
        assert "Each of 2 files was read again" in done
        file = ids["brieven/Jan Tolsma.docx"]
        address = f"/api/v1/workspaces/{place.rpartition('/')[2]}/files/{file}/result"
        assert f'href="{address}"' in done
        fetched = text_of(client.get(address).content)
        assert "PERSOON-" in fetched
        assert "Tolsma" not in fetched
        assert f'href="{api}/result"' in done
        gone = client.post(f"{place}/files/{file}/deleted").text
        assert "2 files" in gone
        assert "Tolsma" not in gone


def test_without_script_a_form_goes_back_to_the_page(fake: Service) -> None:
    with fake.client(fake.token(), Accept="text/html") as client:
        api, ids = filled(client, {"a.txt": b"Jan Tolsma belde."})
        place = api.removeprefix("/api/v1")
        answer = client.post(f"{place}/files/{ids['a.txt']}/deleted")
        assert (answer.status_code, answer.headers["location"]) == (303, place)


def test_a_job_is_cancelled(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        api, _ = filled(client, {f"{n}.txt": b"Jan Tolsma belde. " * 3_000 for n in range(30)})
        place = api.removeprefix("/api/v1")
        page = client.post(f"{place}/writing", data={"style": "code"}).text
        job = re.findall(r'hx-post="([^"]+/cancelled)"', page)
        answer = client.post(job[0])
        assert answer.status_code == 200
        ended = answer.text if "hx-trigger" not in answer.text else followed(client, answer.text)
        assert "The job was cancelled." in ended
        assert "The files are written." not in ended


def test_a_job_that_ends_while_its_page_is_made_is_followed_or_shown_with_its_files(
    fake: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fake.front is not None
    engine = fake.front.engine
    ask = engine.ask

    async def until_all_jobs_ended(verb: str, caller: Caller, asked: Any, shown: Any) -> Any:
        answer = await ask(verb, caller, asked, shown)
        while verb == "files" and any(
            not one.ended_at
            for one in (await ask("jobs", caller, Jobs(workspace=asked.workspace), JobsShown)).jobs
        ):
            await asyncio.sleep(0.02)
        return answer

    with fake.client(fake.token(), **HTMX) as client:
        api, _ = filled(client, {"a.txt": b"Jan Tolsma belde."})
        monkeypatch.setattr(engine, "ask", until_all_jobs_ended)
        page = client.post(f"{api.removeprefix('/api/v1')}/analysis").text
        assert "Look at it" in followed(client, page)


def test_what_writing_would_make_is_shown_and_nothing_is_written(fake: Service) -> None:
    files = {"a.txt": b"Jan Tolsma belde. Bel 06-12345678 of jan@x.nl."}
    with fake.client(fake.token(), **HTMX) as client:
        api, _ = analysed(client, files)
        place = api.removeprefix("/api/v1")
        form = {"style": "code", "profile": "direct", "restyle": "yes"}
        shown = client.post(f"{place}/foreseen", data=form)
        assert shown.status_code == 200, shown.text
        rows = re.findall(r"<tr><th scope=.row.*?</tr>", shown.text, re.DOTALL)
        assert "PERSOON-\u2026" in rows[0]
        phone = next(row for row in rows if "06-12345678" in row)
        assert "a code" in phone
        kept = client.post(f"{place}/foreseen", data={**form, "treat:PHONE": "keep"}).text
        phone = next(row for row in re.findall(r"<tr>.*?</tr>", kept, re.DOTALL) if "06-12345678" in row)
        assert "stays as it is" in phone
        wrong = client.post(f"{place}/foreseen", data={**form, "treat:PHONE": "explode"})
        assert wrong.status_code == 422
        assert json_of(client.get(api))["state"] == "analysed"


@pytest.mark.parametrize(
    ("path", "fields", "status", "said"),
    [
        ("/analysis", {}, 409, "This cannot be done now"),
        ("/writing", {"style": "code"}, 409, "This cannot be done now"),
        ("/writing", {"style": "none of these"}, 422, "Something in the form is not right"),
        ("/files/f_none/deleted", {}, 404, "There is no such page"),
    ],
)
def test_errors_are_told_in_their_place(
    fake: Service, path: str, fields: dict[str, str], status: int, said: str
) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = made_by_form(client)
        answer: Any = client.post(f"{place}{path}", data=fields, headers=FORM)
    assert answer.status_code == status, answer.text
    assert said in answer.text
    assert answer.headers["hx-retarget"] == "#problem"
    assert "none of these" not in answer.text


@pytest.mark.parametrize("hours", ["", "0", "721", "99999", "x", "\u0661"])
def test_a_wrong_time_makes_no_workspace(fake: Service, hours: str) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        before = client.get("/workspaces").text.count('href="/workspaces/')
        assert client.post("/workspaces", data={"keep_hours": hours}).status_code == 422
        assert client.get("/workspaces").text.count('href="/workspaces/') == before


def test_who_may_not_pseudonymize_and_who_does_not_own_it_sees_nothing(fake: Service) -> None:
    with fake.client(fake.token(), **HTMX) as client:
        place = made_by_form(client)
    with fake.client(fake.token(Verb.RESTORE), **HTMX) as client:
        assert client.get("/workspaces").status_code == 403
        assert 'href="/workspaces"' not in client.get("/").text
    with fake.client(fake.token(account="another"), **HTMX) as client:
        for path in (place, f"{place}/state", f"{place}/jobs/j_none"):
            assert client.get(path).status_code == 404
        assert client.post(f"{place}/ended").status_code == 404
    with fake.client(fake.token(), **HTMX) as client:
        assert client.get(place).status_code == 200


def test_paths_of_files_are_text_and_nothing_else(fake: Service) -> None:
    with fake.client(fake.token(), **{**HTMX, "Accept-Language": "nl"}) as client:
        api, _ = filled(client, {"<img src=x>&.txt": b"Jan Tolsma belde."})
        page = client.get(api.removeprefix("/api/v1")).text
    assert "&lt;img src=x&gt;&amp;.txt" in page
    assert "<img" not in page
    assert "1 bestand (" in page
