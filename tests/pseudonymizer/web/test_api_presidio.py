"""Presidio's routes: the payloads of its documentation, its operators, and pseudonyms of this vault."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import Service, fake_service, json_of

pytest.importorskip("presidio_anonymizer")
TEXT: Final = "Jan Tolsma belde op 06-12345678."


@pytest.fixture(scope="module")
def presidio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("presidio")
    with fake_service(folder, presidio=True) as made:
        yield made


def _post(service: Service, path: str, body: Any) -> Any:
    with service.client(service.token()) as client:
        answer = client.post(f"/presidio/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return json_of(answer)


def test_what_is_found_has_presidios_form(presidio: Service) -> None:
    found = _post(
        presidio, "analyze", {"text": TEXT, "language": "en", "correlation_id": "1", "trace": False}
    )
    assert {(one["entity_type"], TEXT[one["start"] : one["end"]]) for one in found} == {
        ("PERSON", "Jan Tolsma"), ("PHONE_NUMBER", "06-12345678"),
    }  # fmt: skip
    assert all(set(one) == {"start", "end", "score", "entity_type", "analysis_explanation"} for one in found)
    assert _post(presidio, "analyze", {"text": TEXT, "language": "en", "entities": ["PERSON"]}) == found[:1]
    assert _post(presidio, "analyze", {"text": TEXT, "language": "en", "score_threshold": 1.0}) == [
        one for one in found if one["score"] == 1
    ]
    assert _post(presidio, "analyze", {"text": [TEXT, "niets"], "language": "en"}) == [found, []]


# From the OpenAPI description of Presidio's anonymizer.
DOCUMENTED: Final = {
    "text": "hello world, my name is Jane Doe. My number is: 034453334",
    "anonymizers": {
        "DEFAULT": {"type": "replace", "new_value": "ANONYMIZED"},
        "PHONE_NUMBER": {"type": "mask", "masking_char": "*", "chars_to_mask": 4, "from_end": True},
    },
    "analyzer_results": [
        {"start": 24, "end": 32, "score": 0.8, "entity_type": "NAME"},
        {"start": 24, "end": 28, "score": 0.8, "entity_type": "FIRST_NAME"},
        {"start": 29, "end": 32, "score": 0.6, "entity_type": "LAST_NAME"},
        {"start": 48, "end": 57, "score": 0.95, "entity_type": "PHONE_NUMBER"},
    ],
}


def test_the_documented_request_has_the_documented_answer(presidio: Service) -> None:
    assert _post(presidio, "anonymize", DOCUMENTED) == {
        "text": "hello world, my name is ANONYMIZED. My number is: 03445****",
        "items": [
            {"operator": "mask", "entity_type": "PHONE_NUMBER", "start": 50, "end": 59, "text": "03445****"},
            {"operator": "replace", "entity_type": "NAME", "start": 24, "end": 34, "text": "ANONYMIZED"},
        ],
    }


def test_what_is_left_out_gets_a_pseudonym_that_comes_back(presidio: Service) -> None:
    found = _post(presidio, "analyze", {"text": TEXT, "language": "nl"})
    first = _post(presidio, "anonymize", {"text": TEXT, "analyzer_results": found})
    assert "Tolsma" not in first["text"]
    assert "12345678" not in first["text"]
    assert {one["operator"] for one in first["items"]} == {"replace"}
    for one in first["items"]:
        assert first["text"][one["start"] : one["end"]] == one["text"]
    again = _post(presidio, "anonymize", {"text": TEXT, "analyzer_results": found})
    assert again["text"] == first["text"]  # the same person, the same pseudonym
    with presidio.client(presidio.token(Verb.RESTORE)) as client:
        back = client.post(
            "/api/v1/text/restore", json={"texts": [{"text": first["text"]}], "purpose": "test"}
        )
        assert json_of(back)["texts"][0]["text"] == TEXT
    kept = {"DEFAULT": {"type": "keep"}, "PERSON": {"type": "nymlink"}}
    mixed = _post(presidio, "anonymize", {"text": TEXT, "analyzer_results": found, "anonymizers": kept})
    assert mixed["text"].endswith(" belde op 06-12345678.")
    assert "Tolsma" not in mixed["text"]


def test_what_there_is_is_listed(presidio: Service) -> None:
    with presidio.client(presidio.token()) as client:
        names = json_of(client.get("/presidio/supportedentities", params={"language": "en"}))
        assert {"PERSON", "PHONE_NUMBER", "IBAN_CODE", "EMAIL_ADDRESS"} <= set(names)
        assert json_of(client.get("/presidio/recognizers", params={"language": "en"}))
        assert "mask" in json_of(client.get("/presidio/anonymizers"))
    with presidio.client() as client:
        assert client.get("/presidio/health").status_code == 200
        assert client.post("/presidio/analyze", json={"text": TEXT}).status_code == 401


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("analyze", {}, ""),
        ("analyze", {"text": TEXT, "ad_hoc_recognizers": [{"name": "Tolsma"}]}, "ad_hoc_recognizers"),
        ("anonymize", {"text": "x", "analyzer_results": [{"start": 0, "end": 9, "entity_type": "A"}]},
         "analyzer_results"),
        ("anonymize", {"text": "x", "analyzer_results": [{"start": 0, "end": 1, "entity_type": "A"}],
                       "anonymizers": {"DEFAULT": {"type": "custom"}}}, "anonymizers"),
        ("anonymize", {"text": "x", "analyzer_results": [{"start": 0, "end": 1, "entity_type": "A"}],
                       "anonymizers": {"DEFAULT": {"type": "mask"}}}, "anonymizers"),
        ("anonymize", {"text": "x", "anonymizers": {"A": {"type": "mask", "chars_to_mask": 10**30}}}, ""),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(presidio: Service, path: str, body: Any, field: str) -> None:
    with presidio.client(presidio.token()) as client:
        answer = client.post(f"/presidio/{path}", json=body)
    assert answer.status_code == 422, answer.text
    assert json_of(answer).get("field", "") == field
    assert "Tolsma" not in answer.text


def test_without_the_option_the_routes_are_not_there(fake: Service) -> None:
    with fake.client(fake.token()) as client:
        assert client.get("/presidio/health").status_code == 404
        assert client.post("/presidio/analyze", json={"text": TEXT}).status_code == 404
