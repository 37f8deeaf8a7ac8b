"""Workspaces over HTTP: made, filled by raw bodies, listed, deleted; theirs alone, sealed, bounded, ended."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from pseudonymizer.desk.workspace_asked import PIECE
from pseudonymizer.desk.workspaces import WorkspaceLimits
from pseudonymizer.policy import Verb
from pseudonymizer.web.settings import Limits
from tests.pseudonymizer.web.served import Service, fake_service, json_of

PLACE = "/api/v1/workspaces"
CANARY = "Solyne Peijnenburg"


def make(client: httpx.Client, **options: Any) -> str:
    answer = client.post(PLACE, json=options)
    assert answer.status_code == 201, answer.text
    place = str(answer.headers["location"])
    assert place == f"{PLACE}/{json_of(answer)['workspace']}"
    return place


def name(client: httpx.Client, place: str, **files: int) -> list[str]:
    told = [
        {"name": path.replace("__", "/").replace("_", "."), "bytes": size} for path, size in files.items()
    ]
    answer = client.post(f"{place}/files", json={"files": told})
    assert answer.status_code == 201, answer.text
    return [one["file"] for one in json_of(answer)["files"]]


def put(client: httpx.Client, place: str, file: str, raw: bytes, **headers: str) -> httpx.Response:
    return client.put(f"{place}/files/{file}/content", content=raw, headers=headers)


def slug(answer: httpx.Response) -> str:
    return str(json_of(answer)["type"]).rpartition(":")[2]


def test_files_come_in_pieces_and_are_listed(fake: Service) -> None:
    raw = (f"{CANARY} belde. ".encode() * (PIECE // 10))[: 2 * PIECE + 77]
    with fake.client(fake.token()) as client:
        place = make(client, keep_hours=2)
        assert json_of(client.get(place))["state"] == "empty"
        first, second = name(client, place, brieven__intake_txt=len(raw), b_txt=0)
        assert json_of(client.get(place))["state"] == "uploading"
        assert put(client, place, first, raw).status_code == 204
        assert put(client, place, second, b"").status_code == 204
        shown = json_of(client.get(f"{place}/files"))
        assert [(one["name"], one["state"]) for one in shown["files"]] == [
            ("brieven/intake.txt", "received"), ("b.txt", "received"),
        ]  # fmt: skip
        page = json_of(client.get(f"{place}/files", params={"limit": 1}))
        assert page["after"] == 1
        rest = json_of(client.get(f"{place}/files", params={"after": 1}))
        assert [one["number"] for one in rest["files"]] == [2]
        told = client.get(place)
        assert json_of(told)["files"] == {"received": 2}
        assert json_of(told)["bytes"] == len(raw)
        assert told.headers["etag"] == f'"{json_of(told)["revision"]}"'
        assert client.delete(f"{place}/files/{second}").status_code == 204
        assert client.get(f"{place}/files/{second}").status_code == 404
        sealed = [path for path in (fake.folder / "workspaces").rglob("*") if path.is_file()]
        assert sum(path.stat().st_size for path in sealed) > len(raw)
        for path in sealed:
            assert CANARY.encode() not in path.read_bytes()
            assert b"intake" not in path.read_bytes()
        assert client.delete(place).status_code == 204
        assert client.get(place).status_code == 404
        assert not (fake.folder / "workspaces" / place.rpartition("/")[2]).exists()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/etc/passwd", 422),
        ("../Jan Tolsma.txt", 422),
        ("a/../b.txt", 422),
        ("a//b.txt", 422),
        ("a\nb.txt", 422),
        ("a\u202etxt.exe", 422),
        (".nymlink/work.db", 422),
        ("x" * 256, 422),
        ("A.TXT", 422),
        ("a.txt/b.txt", 422),
        ("map\\c.txt", 201),
    ],
)
def test_paths_that_cannot_be_are_refused_without_being_told(fake: Service, path: str, status: int) -> None:
    with fake.client(fake.token()) as client:
        place = make(client)
        name(client, place, a_txt=1)
        answer = client.post(f"{place}/files", json={"files": [{"name": "ok.txt", "bytes": 1},
                                                               {"name": path, "bytes": 1}]})  # fmt: skip
        assert answer.status_code == status, answer.text
        if status == 422:
            assert json_of(answer)["field"] == "files[1].name"
            assert "Tolsma" not in answer.text
            assert len(json_of(client.get(f"{place}/files"))["files"]) == 1
        else:
            assert json_of(answer)["files"][1]["name"] == "map/c.txt"


def test_bodies_that_are_not_as_told_are_refused(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place = make(client)
        text, word = name(client, place, a_txt=10, b_docx=4)
        assert slug(put(client, place, text, b"123456789")) == "wrong-size"
        assert put(client, place, text, b"0123456789", **{"Content-Encoding": "gzip"}).status_code == 415
        chunked = client.put(f"{place}/files/{text}/content", content=iter([b"0123456789"]))
        assert chunked.status_code == 411
        assert put(client, place, text, b"0123456789").status_code == 204
        assert slug(put(client, place, text, b"0123456789")) == "wrong-file"  # it is whole
        answer = put(client, place, word, b"no!!")
        assert (answer.status_code, slug(answer)) == (415, "wrong-format")
        shown = json_of(client.get(f"{place}/files/{word}"))
        assert (shown["state"], shown["error"]) == ("refused", "UnsupportedInputError")
        assert shown["remedy"]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Service]:
    bounds = {"limits": WorkspaceLimits(largest_file=100, largest=150, most_files=3, most_workspaces=2)}
    with fake_service(tmp_path, bounds=bounds, limits=Limits(a_minute=1_000, largest_file=120)) as made:
        yield made


def test_bounds_are_kept(small: Service) -> None:
    with small.client(small.token()) as client:
        place = make(client)
        for sizes in ([101], [100, 51], [1, 1, 1, 1]):
            files = [{"name": f"{number}.txt", "bytes": size} for number, size in enumerate(sizes)]
            answer = client.post(f"{place}/files", json={"files": files})
            assert (answer.status_code, slug(answer)) == (413, "workspace-full")
        (file,) = name(client, place, a_txt=100)
        assert put(client, place, file, bytes(121)).status_code == 413
        make(client)
        assert slug(client.post(PLACE, json={})) == "workspace-full"
        assert client.post(PLACE, json={"keep_hours": 721}).status_code == 422


def test_too_many_uploads_at_once_are_told_to_wait(fake: Service) -> None:
    assert fake.front is not None
    token = fake.token(account="eager")
    with fake.client(token) as client:
        place = make(client)
        (file,) = name(client, place, a_txt=1)
        key = f"t{token.split('_')[1]}"
        with ExitStack() as others:
            for _ in range(4):
                others.enter_context(fake.front.uploads.one_more(key))
            answer = put(client, place, file, b"x")
            assert answer.status_code == 429
            assert int(answer.headers["retry-after"]) >= 1
        assert put(client, place, file, b"x").status_code == 204


def test_an_upload_that_broke_off_begins_anew(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        place = make(client)
        raw = bytes(range(256)) * (PIECE // 128)
        (file,) = name(client, place, a_txt=len(raw))

        def broken() -> Iterator[bytes]:
            yield raw[: PIECE + 5]
            raise ConnectionError

        with pytest.raises(ConnectionError):
            client.put(
                f"{place}/files/{file}/content", content=broken(), headers={"Content-Length": f"{len(raw)}"}
            )
        assert json_of(client.get(f"{place}/files/{file}"))["state"] == "waiting"
        assert put(client, place, file, raw).status_code == 204


def test_what_is_not_yours_is_not_there(fake: Service) -> None:
    with fake.client(fake.token(account="owner")) as client:
        place = make(client)
        (file,) = name(client, place, a_txt=1)
    others = [fake.token(*Verb, account="other"), fake.token(*Verb, account="owner", project="study-99")]
    for token in others:
        with fake.client(token) as client:
            for method, path, body in (
                ("GET", place, None), ("DELETE", place, None), ("GET", f"{place}/files", None),
                ("POST", f"{place}/files", {"files": [{"name": "b.txt", "bytes": 1}]}),
                ("GET", f"{place}/files/{file}", None), ("DELETE", f"{place}/files/{file}", None),
            ):  # fmt: skip
                answer = client.request(method, path, json=body)
                assert answer.status_code == 404, (method, path, answer.text)
            assert put(client, place, file, b"x").status_code == 404
            assert json_of(client.get(PLACE))["workspaces"] == []
    with fake.client(fake.token(account="owner")) as client:
        assert client.get(f"{place}/files/{file}").status_code == 200
        assert place.endswith(json_of(client.get(PLACE))["workspaces"][0]["workspace"])


def test_a_workspace_ends_when_nobody_uses_it(tmp_path: Path) -> None:
    now = [datetime(2026, 1, 2, tzinfo=UTC)]
    with (
        fake_service(tmp_path, bounds={"clock": lambda: now[0]}) as made,
        made.client(made.token()) as client,
    ):
        place, other = make(client, keep_hours=2), make(client, keep_hours=2)
        now[0] += timedelta(hours=1, minutes=59)
        ends = json_of(client.get(place))["expires_at"]
        assert datetime.fromisoformat(ends) == now[0] + timedelta(hours=2)
        now[0] += timedelta(minutes=2)
        assert client.get(other).status_code == 404
        assert not (tmp_path / "workspaces" / other.rpartition("/")[2]).exists()
        now[0] += timedelta(hours=3)
        assert json_of(client.get(PLACE))["workspaces"] == []
        assert client.get(place).status_code == 404
