"""Idempotency-Key: what comes again is answered from memory, and done once."""

import threading
from typing import Any

import httpx
import pytest

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import Service, json_of

PLACE = "/api/v1/workspaces"
TEXT = "/api/v1/text/pseudonymize"


def post(client: httpx.Client, path: str, key: str, body: Any) -> httpx.Response:
    return client.post(path, json=body, headers={"Idempotency-Key": key})


def test_what_comes_again_is_done_once(fake: Service) -> None:
    with fake.client(fake.token(account="again")) as client:
        first, second = (post(client, PLACE, "key-1", {"keep_hours": 3}) for _ in range(2))
        assert (first.status_code, second.status_code) == (201, 201)
        assert first.content == second.content
        assert first.headers["location"] == second.headers["location"]
        assert "idempotency-replayed" not in first.headers
        assert second.headers["idempotency-replayed"] == "true"
        assert len(json_of(client.get(PLACE))["workspaces"]) == 1
        other = post(client, PLACE, "key-1", {"keep_hours": 4})
        assert (other.status_code, json_of(other)["type"]) == (422, "urn:nymlink:problem:key-used")
        assert post(client, TEXT, "key-1", {"texts": [{"text": "x"}]}).status_code == 422
    with fake.client(fake.token(account="somebody else")) as client:
        assert "idempotency-replayed" not in post(client, PLACE, "key-1", {"keep_hours": 3}).headers


def test_a_text_keeps_its_answer_and_an_error_of_the_caller_too(fake: Service) -> None:
    with fake.client(fake.token(Verb.PSEUDONYMIZE, account="again")) as client:
        body = {"texts": [{"text": "Jan Tolsma belde."}], "scope": "occurrence", "restyle": True}
        assert post(client, TEXT, "key-2", body).content == post(client, TEXT, "key-2", body).content
        wrong = [post(client, TEXT, "key-3", {"texts": 5}) for _ in range(2)]
        assert [one.status_code for one in wrong] == [422, 422]
        refused = [post(client, "/api/v1/reveals", "key-4", {}) for _ in range(2)]
        assert [one.status_code for one in refused] == [403, 403]
        assert "idempotency-replayed" not in refused[1].headers


@pytest.mark.parametrize("key", ["", "a b", "x" * 256])
def test_a_key_that_cannot_be_is_refused(fake: Service, key: str) -> None:
    with fake.client(fake.token()) as client:
        answer = post(client, PLACE, key, {})
        assert (answer.status_code, json_of(answer)["type"]) == (422, "urn:nymlink:problem:wrong-key")


def test_two_at_once_are_one(fake: Service) -> None:
    with fake.client(fake.token(account="twice")) as client:
        answers: list[httpx.Response] = []
        threads = [
            threading.Thread(target=lambda: answers.append(post(client, PLACE, "key-5", {})))
            for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {one.status_code for one in answers} <= {201, 409}
        for one in answers:
            assert one.status_code == 201 or int(one.headers["retry-after"]) >= 1
        assert len(json_of(client.get(PLACE))["workspaces"]) == 1
