"""A text in pieces over HTTP: lines and events, what is refused, what breaks off, the example of the page."""

import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from pseudonymizer.policy import Verb
from pseudonymizer.web.settings import Limits
from tests.pseudonymizer.web.served import PROJECT, Service, answered, fake_service, json_of

STREAM: Final = "/api/v1/text/restore/stream"
PAGE: Final = Path(__file__).resolve().parents[3] / "docs" / "reference" / "api.md"
TYPE: Final = {"Content-Type": "application/x-ndjson"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("streams")
    limits = Limits(stream_pause_seconds=1.0, largest_body=200_000, a_minute=10_000)
    with fake_service(folder, limits=limits) as made:
        yield made


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[httpx.Client]:
    with service.client(service.token(Verb.PSEUDONYMIZE, Verb.RESTORE, Verb.GIVE_BACK), **TYPE) as made:
        yield made


@pytest.fixture(scope="module")
def sent(service: Service) -> tuple[str, str]:
    """(label, receipt)."""
    with service.client(service.token(Verb.PSEUDONYMIZE, Verb.RESTORE, Verb.GIVE_BACK)) as plain:
        body = {"texts": [{"text": "Sanne Wiersma belde."}], "receipt": True, "kinds": ["PERSON"]}
        answer = json_of(plain.post("/api/v1/text/pseudonymize", json=body))
    return answer["texts"][0]["mentions"][0]["label"], answer["receipt"]


def written(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def read(answer: httpx.Response) -> list[Any]:
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def test_each_piece_has_its_line_and_the_last_one_says_what_was_done(
    client: httpx.Client, sent: tuple[str, str]
) -> None:
    label, receipt = sent
    pieces = [{"text": f"Bel {label[:6]}"}, {"text": label[6:] + " en PERSOON-7KQN3."}]
    found = read(client.post(STREAM, content=written({"receipt": receipt}, *pieces)))
    assert len(found) == 3
    assert "".join(one["text"] for one in found) == "Bel Sanne Wiersma en PERSOON-7KQN3."
    assert found[0]["held"] > 0
    assert found[-1]["restored"] == 1
    assert found[-1]["is_last"]
    assert [*found[-1].get("unknown", ()), *found[-1].get("malformed", ())] == ["PERSOON-7KQN3"]
    assert found[-1]["audit_sequence"] > 0


def test_events_are_for_who_asks_for_them(client: httpx.Client, sent: tuple[str, str]) -> None:
    body = written({"receipt": sent[1]}, {"text": f"Bel {sent[0]}."})
    answer = client.post(STREAM, content=body, headers={"Accept": "text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"
    events = [json.loads(one.removeprefix("data: ")) for one in answer.text.strip().split("\n\n")]
    assert "".join(one["text"] for one in events) == "Bel Sanne Wiersma."


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400), (b"no json\n", 400), (b"[" * 100_000, 422), (written({"receipt": 5}), 422),
        (written({"purpose": "x", "Jan Tolsma": 1}), 422), (written({"project": "study-99"}), 404),
        (written({"notation": "Tolsma"}), 422), (written({"receipt": "x", "made_from": ["y"]}), 422),
    ],
)  # fmt: skip
def test_options_that_cannot_be_are_a_problem_without_what_was_sent(
    client: httpx.Client, body: bytes, status: int
) -> None:
    answer = client.post(STREAM, content=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert "Tolsma" not in answer.text


def test_another_type_and_a_body_that_is_too_long_are_refused(
    client: httpx.Client, sent: tuple[str, str]
) -> None:
    assert client.post(STREAM, content=b"{}", headers={"Content-Type": "application/json"}).status_code == 415
    long = written({"receipt": sent[1]}, {"text": "x" * 250_000})
    assert client.post(STREAM, content=long).status_code == 413

    def chunks() -> Iterator[bytes]:
        yield written({"receipt": sent[1]})
        for _ in range(30):
            yield written({"text": "x" * 10_000})

    found = read(client.post(STREAM, content=chunks()))
    assert found[-1]["problem"]["status"] == 413


def test_a_refusal_reaches_a_caller_who_sends_on(service: Service) -> None:
    host = service.url.removeprefix("http://")
    name, _, port = host.partition(":")
    head = (
        f"POST {STREAM} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {service.token(Verb.RESTORE)}\r\n"
        "Content-Type: application/x-ndjson\r\nContent-Length: 250000\r\n\r\n"
    ).encode()
    with socket.create_connection((name, int(port)), timeout=20) as connection:
        connection.sendall(head)
        for _ in range(5):
            time.sleep(0.1)
            connection.sendall(b"x" * 50_000)
        assert answered(connection).startswith(b"HTTP/1.1 413")
        assert connection.recv(10) == b""


def test_only_a_stream_may_come_without_its_length(service: Service) -> None:
    with service.client(service.token()) as plain:
        answer = plain.post("/api/v1/text/detect", content=iter([b"{}"]))
        assert answer.status_code == 411


def test_what_goes_wrong_in_the_middle_is_a_last_line(client: httpx.Client, sent: tuple[str, str]) -> None:
    for line, status in ((b'{"text": 5}\n', 422), (b"Jan Tolsma\n", 400)):
        found = read(client.post(STREAM, content=written({"receipt": sent[1]}, {"text": "Bel."}) + line))
        assert found[-1]["is_last"]
        assert found[-1]["problem"]["status"] == status
        assert "Tolsma" not in json.dumps(found)
    found = read(client.post(STREAM, content=written({}, {"text": f"Bel {sent[0]}."})))
    assert found[-1]["problem"]["type"] == "urn:nymlink:problem:purpose-required"
    assert "Sanne" not in json.dumps(found)


def test_a_key_of_idempotency_is_not_for_streams(client: httpx.Client, sent: tuple[str, str]) -> None:
    body = written({"receipt": sent[1]}, {"text": f"Bel {sent[0]}."})
    for _ in range(2):
        answer = client.post(STREAM, content=body, headers={"Idempotency-Key": "k"})
        assert "idempotency-replayed" not in answer.headers
        assert read(answer)[-1]["restored"] == 1


class Raw:
    """A connection on which a stream was begun."""

    def __init__(self, service: Service, options: Any, token: str = "") -> None:
        host = service.url.removeprefix("http://")
        name, _, port = host.partition(":")
        token = token or service.token(Verb.RESTORE, Verb.GIVE_BACK)
        self.connection = socket.create_connection((name, int(port)), timeout=20)
        self.connection.sendall(
            f"POST {STREAM} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
            "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        self.send(options)
        self.file = self.connection.makefile("rb")

    def send(self, value: Any) -> None:
        raw = written(value)
        self.connection.sendall(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")

    def until(self, wanted: bytes) -> bytes:
        found = b""
        while wanted not in found:
            line = self.file.readline()
            assert line, found
            found += line
        return found

    def close(self) -> None:
        self.file.close()
        self.connection.close()


def test_a_caller_who_pauses_too_long_is_told_and_ended(service: Service, sent: tuple[str, str]) -> None:
    raw = Raw(service, {"receipt": sent[1]})
    raw.send({"text": f"Bel {sent[0]}. " + "Niets. " * 50})
    assert b"Sanne Wiersma" in raw.until(b"Sanne")
    began = time.monotonic()
    assert b"too-slow" in raw.until(b"problem")
    assert time.monotonic() - began < 10
    raw.close()


def test_a_caller_may_have_so_many_open_and_broken_ones_do_not_count(
    service: Service, sent: tuple[str, str]
) -> None:
    opened, token = [], service.token(Verb.GIVE_BACK)
    for _ in range(8):
        raw = Raw(service, {"receipt": sent[1]}, token)
        raw.send({"text": "Bel."})
        raw.until(b'"held"')
        opened.append(raw)
    body = written({"receipt": sent[1]}, {"text": "Bel."})
    with service.client(token, **TYPE) as client:
        answer = client.post(STREAM, content=body)
        assert answer.status_code == 429, answer.text
        assert int(answer.headers["retry-after"]) > 0
        for raw in opened:
            raw.close()
        ends_at = time.monotonic() + 10
        while (answer := client.post(STREAM, content=body)).status_code == 429:
            assert time.monotonic() < ends_at
            time.sleep(0.05)
    assert read(answer)[-1]["is_last"]


def test_texts_are_answered_while_a_stream_is_open(service: Service, sent: tuple[str, str]) -> None:
    raw = Raw(service, {"receipt": sent[1], "project": PROJECT})
    raw.send({"text": "Bel "})
    raw.until(b'"held"')
    with service.client(service.token()) as plain:
        body = {"texts": [{"text": "Jan Tolsma belde."}]}
        assert plain.post("/api/v1/text/detect", json=body).status_code == 200
    raw.send({"text": f"{sent[0]}. " + "Niets. " * 50})
    raw.until(b"Sanne Wiersma")
    raw.close()


def test_the_example_of_the_page_gives_the_answer_on_it(service: Service, sent: tuple[str, str]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    ((asked, shown),) = re.findall(r"```ndjson\n(.*?)```\n```ndjson\n(.*?)```", page, re.DOTALL)
    label, receipt = sent
    asked = asked.replace("7KQM3", label.removeprefix("PERSOON-")).replace("nyr_...", receipt)
    with service.client(service.token(Verb.GIVE_BACK), **TYPE) as client:
        found = read(client.post(STREAM, content=asked.encode()))
    wanted = [json.loads(line) for line in shown.replace("Jan de Vries", "Sanne Wiersma").splitlines()]
    assert [one["text"] for one in found] == [one["text"] for one in wanted]
    assert found[-1].keys() == wanted[-1].keys()
    assert found[-1]["restored"] == wanted[-1]["restored"] == 1
