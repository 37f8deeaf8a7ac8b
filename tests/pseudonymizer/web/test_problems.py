"""Problem answers: the right status, the place that is wrong, and never a value of the request."""

import json

import httpx
import pytest

from pseudonymizer.web.problems import ERRORS, FAILED, problem_of
from pseudonymizer.web.settings import Limits
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service, json_of

CANARY = "Wilhelmina Quispel"
PSEUDONYMIZE = "/api/v1/text/pseudonymize"


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        (f'{{"texts": [{{"text": "{CANARY}"}}]', 400, None),
        (f'"{CANARY}"', 422, None),
        ("[" * 50_000, 400, None),
        (json.dumps({"texts": [{"text": 5}]}), 422, "texts[0].text"),
        (json.dumps({"texts": [{"text": "x", CANARY: 1}]}), 422, "texts[0]"),
        (json.dumps({"texts": [{"text": "x"}], CANARY: 1}), 422, None),
        (json.dumps({"texts": [], "kinds": ["PERSON"]}), 422, "texts"),
        (json.dumps({"texts": [{"text": "x"}] * 501}), 422, "texts"),
        (json.dumps({"texts": [{"text": "x"}], "style": CANARY}), 422, "style"),
        (json.dumps({"texts": [{"text": "x"}], "min_confidence": 1.5}), 422, "min_confidence"),
        (json.dumps({"texts": [{"text": "x"}], "kinds": [CANARY]}), 422, "kinds"),
        (json.dumps({"texts": [{"text": "x"}], "profile": CANARY}), 422, "profile"),
        (json.dumps({"texts": [{"text": "x"}], "treatments": {CANARY: "code"}}), 422, "treatments"),
        (json.dumps({"texts": [{"text": "x"}], "treatments": {"PHONE": CANARY}}), 422, "treatments"),
        (json.dumps({"texts": [{"text": "x"}], "always": {CANARY: ["x"]}}), 422, "always"),
        (json.dumps({"texts": [{"text": "x"}], "never": ["..."]}), 422, "never"),
        (json.dumps({"texts": [{"text": "x"}], "project": CANARY}), 404, None),
        (json.dumps({"texts": [{"text": "x" * 1_000_001}]}), 422, "texts[0].text"),
    ],
)  # fmt: skip
def test_no_answer_tells_a_value(fake: Service, body: str, status: int, field: str | None) -> None:
    with fake.client(fake.token()) as client:
        answer = client.post(PSEUDONYMIZE, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = json_of(answer)
    assert told["status"] == status
    assert told.get("field") == field
    assert CANARY not in answer.text
    assert not {part for part in CANARY.split() if part in answer.text}


def test_types_lengths_and_methods(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        assert (
            client.post(PSEUDONYMIZE, content=b"{}", headers={"Content-Type": "text/plain"}).status_code
            == 415
        )
        chunked = client.post(
            PSEUDONYMIZE, content=iter([b"{}"]), headers={"Content-Type": "application/json"}
        )
        assert chunked.status_code == 411
        large = client.post(PSEUDONYMIZE, content=b"x" * ((20 << 20) + 1))
        assert large.status_code == 413
        assert client.get(PSEUDONYMIZE).status_code == 405
        for path in ("/api/v1/nothing", f"/{CANARY}", "/api/v1/text/pseudonymize/x", "/%00"):
            answer = client.get(path)
            assert answer.status_code == 404, path
            assert CANARY.split()[0] not in answer.text


def test_a_fault_of_the_detector_tells_only_that_it_failed(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        answer = client.post(PSEUDONYMIZE, json={"texts": [{"text": f"ONTPLOFT {CANARY}"}]})
    assert answer.status_code in (422, 500)
    assert CANARY not in answer.text


def test_too_many_requests_are_told_when_to_come_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    with fake_service(tmp_path_factory.mktemp("few"), limits=Limits(a_minute=3)) as service:
        with service.client(service.token()) as client:
            answers = [client.get("/api/v1/styles") for _ in range(5)]
        assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 20
        with service.client(service.token(account="another")) as client:
            assert client.get("/api/v1/styles").status_code == 200
        with service.client() as client:
            assert client.get("/health").status_code == 200


def test_the_table_finds_the_nearest_class() -> None:
    assert problem_of(("PurposeRequiredError", "AccessRefusedError", "PseudonymizerError")).status == 403
    assert problem_of(("LimitExceededError", "AccessRefusedError")).status == 429
    assert problem_of(("KeyUnavailableError", "VaultError")).status == 503
    assert problem_of(("SomethingElse",)) is FAILED
    assert all(problem.retry_after for problem in ERRORS.values() if problem.status in (429, 503))


def test_every_answer_has_the_headers_of_the_service(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        answers: list[httpx.Response] = [
            client.get("/health"),
            client.get("/api/v1/styles"),
            client.get("/none"),
        ]
    for answer in answers:
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["nymlink-version"] == "test"
        assert "server" not in answer.headers
    assert PROJECT not in answers[0].text
