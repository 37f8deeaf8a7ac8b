"""What the description of the API allows, and what it forbids, made by schemathesis and sent: no answer is an
error of the service, and no refusal says what was sent.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import Service, fake_service, json_of

schemathesis = pytest.importorskip("schemathesis")

_EXAMPLES: Final = 6  # of a route and mode: the whole test takes about a minute alone
_SHORTEST: Final = 6  # letters of what is looked for in an answer; shorter ones stand there by chance
_ALLOWED: Final = frozenset({501})  # what this service does not offer


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("described")
    with fake_service(folder, presidio=True) as made:
        yield made


@pytest.fixture(scope="module")
def description(service: Service) -> Any:
    with service.client(service.token()) as client:
        return json_of(client.get("/api/v1/openapi.json"))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from _leaves(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _leaves(one)


def _sent(case: Any) -> Iterator[str]:
    for part in (case.path_parameters, case.query, case.headers):
        yield from (str(value) for value in dict(part or {}).values())
    yield from _leaves(case.body)


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_no_answer_is_a_fault_of_the_service_or_says_what_was_sent(
    service: Service, description: Any, mode: str
) -> None:
    schema = schemathesis.openapi.from_dict(description)
    known = f"{json.dumps(description)} urn:nymlink:problem: urn:nymlink:request:"  # these are in any refusal
    headers = {"Authorization": f"Bearer {service.token(*Verb)}"}
    count, faults = 0, set[str]()
    with httpx.Client(base_url=service.url, headers=headers, timeout=60, trust_env=False) as client:
        for found in schema.get_all_operations():
            operation = found.ok()

            @settings(
                max_examples=_EXAMPLES, deadline=None, database=None, derandomize=True,
                suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate],
            )  # fmt: skip
            @given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode[mode]))
            def send(case: Any) -> None:
                nonlocal count
                count += 1
                faults.update(_faults(client, case, known))

            try:
                send()
            except schemathesis.errors.SchemathesisError:
                continue  # nothing can be made that this route forbids
    assert count > 60
    assert faults == set()


def _faults(client: httpx.Client, case: Any, known: str) -> Iterator[str]:
    """What is wrong with the answer to a request."""
    told = case.as_transport_kwargs(base_url=str(client.base_url))
    told.pop("cookies", None)
    sent = {
        name: value for name, value in (told.pop("headers", None) or {}).items()
        if str(value).isascii() and str(value).isprintable() and name.lower() != "authorization"
    }  # fmt: skip
    if "data" in told:
        told["content"] = told.pop("data")
    try:
        answer = client.request(told.pop("method"), told.pop("url"), headers=sent, **told)
    except (httpx.InvalidURL, UnicodeEncodeError, httpx.LocalProtocolError):
        return  # what no client can send
    place = f"{case.operation.method} {case.operation.path}"
    if answer.status_code >= 500 and answer.status_code not in _ALLOWED:
        yield f"{place}: {answer.status_code}"
    if answer.status_code >= 400:
        for word in _sent(case):
            if len(word) >= _SHORTEST and word not in known and word in answer.text:
                yield f"{place}: says {word}"
