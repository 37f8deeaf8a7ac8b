"""The text API over the real models and a real vault, as a program calls it."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import PROJECT, Service, json_of

TEXT = "Jan de Vries belde. J. de Vries was boos."


@pytest.fixture(scope="module")
def client(real: Service) -> Iterator[httpx.Client]:
    with real.client(real.token()) as made:
        yield made


def test_many_texts_are_pseudonymized_and_linked_together(client: httpx.Client) -> None:
    asked: dict[str, Any] = {
        "project": PROJECT, "style": "code", "kinds": ["PERSON", "EMAIL"], "never": ["Jan Steen"],
        "texts": [
            {"id": "a", "text": TEXT}, {"id": "b", "text": "Bel Jan de Vries of Jan Steen op 06-12345678."},
        ],
    }  # fmt: skip
    answer = client.post("/api/v1/text/pseudonymize", json=asked)
    assert answer.status_code == 200, answer.text
    first, second = json_of(answer)["texts"]
    label = first["mentions"][0]["label"]
    assert first["id"] == "a"
    assert first["text"] == f"{label} belde. {label} was boos."
    assert second["text"] == f"Bel {label} of Jan Steen op 06-12345678."
    assert second["left_in"] == {"PHONE": 1}
    for given, text in zip(asked["texts"], (first, second), strict=True):
        for one in text["mentions"]:
            assert text["text"][one["new_start"] : one["new_end"]] == one["label"]
            assert given["text"][one["start"] : one["end"]] in ("Jan de Vries", "J. de Vries")
            assert one["kind"] == "PERSON"
            assert 0 <= one["confidence"] <= 1


def test_a_restored_text_is_the_one_that_was_sent(client: httpx.Client) -> None:
    text = "\ufeff👍 Mevrouw Sanne Bakker\r\n en haar man.\r\n"
    written = json_of(client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": text}]}))["texts"][0]
    assert "Sanne" not in written["text"]
    (one,) = written["mentions"]
    assert text[one["start"] : one["end"]] == "Sanne Bakker"
    assert written["text"][one["new_start"] : one["new_end"]] == one["label"]
    asked: dict[str, Any] = {"texts": [{"id": "x", "text": written["text"]}], "purpose": "ticket 88"}
    (back,) = json_of(client.post("/api/v1/text/restore", json=asked))["texts"]
    assert (back["id"], back["text"], back["how"]) == ("x", text, "exact")
    asked["texts"] = [{"text": f"Bel {one['label']} en PERSOON-7KQN3."}]
    (back,) = json_of(client.post("/api/v1/text/restore", json=asked))["texts"]
    assert back["text"].startswith("Bel Sanne Bakker en")
    assert back["restored"] == 1
    assert [*back.get("unknown", ()), *back.get("malformed", ())] == ["PERSOON-7KQN3"]


def test_offsets_count_code_points_or_units_of_utf16(client: httpx.Client) -> None:
    text = "👍👍 Jan de Vries 👍 belde J. de Vries."
    for unit in ("codepoint", "utf16"):
        asked: dict[str, Any] = {"texts": [{"text": text}], "offset_unit": unit}
        (found,) = json_of(client.post("/api/v1/text/detect", json=asked))["texts"]
        (written,) = json_of(client.post("/api/v1/text/pseudonymize", json=asked))["texts"]
        for one in (*found["mentions"], *written["mentions"]):
            assert _cut(text, one["start"], one["end"], unit) in ("Jan de Vries", "J. de Vries")
        for one in written["mentions"]:
            assert _cut(written["text"], one["new_start"], one["new_end"], unit) == one["label"]


def _cut(text: str, start: int, end: int, unit: str) -> str:
    if unit == "codepoint":
        return text[start:end]
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def test_detection_tells_who_is_who_and_repeats_no_text(client: httpx.Client) -> None:
    asked: dict[str, Any] = {
        "texts": [{"id": "1", "text": TEXT}, {"id": "2", "text": "Piet Jansen, jan@x.nl, 06-12345678"}]
    }
    answer = client.post("/api/v1/text/detect", json=asked)
    first, second = json_of(answer)["texts"]
    assert [one["person"] for one in first["mentions"]] == [1, 1]
    assert second["mentions"][0]["person"] == 2
    assert {one["kind"] for one in second["mentions"]} >= {"PERSON", "EMAIL", "PHONE"}
    assert "Vries" not in answer.text
    assert "Jansen" not in answer.text
    only = json_of(client.post("/api/v1/text/detect", json=asked | {"kinds": ["phone"]}))["texts"]
    assert [one["kind"] for text in only for one in text["mentions"]] == ["PHONE"]


def test_lists_of_a_request_hold_for_it_alone(client: httpx.Client) -> None:
    asked: dict[str, Any] = {"texts": [{"text": "De wasmachine kwam met Jan de Vries."}]}
    more = asked | {"always": {"PERSON": ["wasmachine"]}, "never": ["Jan de Vries"]}

    def surfaces(body: dict[str, object]) -> list[str]:
        (found,) = json_of(client.post("/api/v1/text/detect", json=body))["texts"]
        return [asked["texts"][0]["text"][one["start"] : one["end"]] for one in found["mentions"]]

    assert surfaces(more) == ["wasmachine"]
    assert surfaces(asked) == ["Jan de Vries"]
    for _ in range(2):  # also once the project knows the name
        (written,) = json_of(client.post("/api/v1/text/pseudonymize", json=more))["texts"]
        assert written["text"].endswith("kwam met Jan de Vries.")
        client.post("/api/v1/text/pseudonymize", json=asked)


def test_what_is_less_sure_than_asked_stays(client: httpx.Client) -> None:
    text = "Roelof Terwisscha belde naar 06-12345678 over de Havenstraat."
    (all_of_it,) = json_of(client.post("/api/v1/text/detect", json={"texts": [{"text": text}]}))["texts"]
    least = min(one["confidence"] for one in all_of_it["mentions"])
    asked: dict[str, Any] = {"texts": [{"text": text}], "min_confidence": round(least + 0.001, 4)}
    (sure,) = json_of(client.post("/api/v1/text/detect", json=asked))["texts"]
    assert 0 < len(sure["mentions"]) < len(all_of_it["mentions"])
    (written,) = json_of(client.post("/api/v1/text/pseudonymize", json=asked))["texts"]
    assert len(written["mentions"]) == len(sure["mentions"])


def test_another_style_or_treatment_than_the_projects_needs_restyle(client: httpx.Client) -> None:
    client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}]})
    for other in ({"style": "token"}, {"treatments": {"PHONE": "mask"}}, {"profile": "names"}):
        asked: dict[str, Any] = {"texts": [{"text": f"{TEXT} 06-12345678"}]} | other
        refused = client.post("/api/v1/text/pseudonymize", json=asked)
        assert refused.status_code == 422
        assert json_of(refused)["type"] == "urn:nymlink:problem:restyle-needed"
        answer = client.post("/api/v1/text/pseudonymize", json=asked | {"restyle": True})
        assert answer.status_code == 200, answer.text
    same = client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}], "style": "code"})
    assert same.status_code == 200


def test_scope_and_kinds_of_a_request(client: httpx.Client) -> None:
    asked: dict[str, Any] = {"texts": [{"text": TEXT}], "scope": "occurrence"}
    (written,) = json_of(client.post("/api/v1/text/pseudonymize", json=asked))["texts"]
    assert len({one["label"] for one in written["mentions"]}) == 2
    asked = {
        "texts": [{"text": "Jan de Vries, 06-12345678, jan.devries@x.nl"}],
        "kinds": ["PHONE"],
    }
    (written,) = json_of(client.post("/api/v1/text/pseudonymize", json=asked))["texts"]
    assert written["text"].startswith("Jan de Vries, ")
    assert written["text"].endswith("jan.devries@x.nl")
    assert [one["kind"] for one in written["mentions"]] == ["PHONE"]


def test_a_text_that_cannot_be_treated_fails_alone(client: httpx.Client) -> None:
    asked: dict[str, Any] = {
        "texts": [{"id": "bad", "text": "a\0b Jan de Vries"}, {"id": "good", "text": TEXT}]
    }
    answer = client.post("/api/v1/text/pseudonymize", json=asked)
    assert answer.status_code == 200
    bad, good = json_of(answer)["texts"]
    assert bad["failure"]["error"] == "UnsupportedInputError"
    assert "text" not in bad or bad["text"] is None
    assert good["mentions"]
    asked["texts"] = asked["texts"][:1]
    assert client.post("/api/v1/text/pseudonymize", json=asked).status_code == 422


def test_restoring_takes_a_purpose_and_a_verb(real: Service) -> None:
    asked: dict[str, Any] = {"texts": [{"text": "Bel PERSOON-7KQM3."}]}
    with real.client(real.token(Verb.PSEUDONYMIZE)) as client:
        client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}]})
    with real.client(real.token(Verb.RESTORE)) as client:
        refused = client.post("/api/v1/text/restore", json=asked)
        assert refused.status_code == 403
        assert json_of(refused)["type"] == "urn:nymlink:problem:purpose-required"
    with real.client(real.token(Verb.PSEUDONYMIZE)) as client:
        assert client.post("/api/v1/text/restore", json=asked | {"purpose": "x"}).status_code == 403


def test_the_trail_names_the_account(real: Service) -> None:
    with real.client(real.token(account="gateway")) as client:
        client.post("/api/v1/text/pseudonymize", json={"texts": [{"text": TEXT}]})
        client.post(
            "/api/v1/text/restore", json={"texts": [{"text": "Bel [PERSOON]."}], "purpose": "ticket 88"}
        )
    with real.open_vault() as vault:
        actors = {event.actor for event in vault.audit_events()}
    assert "web:gateway" in actors


def test_a_receipt_gives_an_account_its_own_names_back_without_a_purpose(real: Service) -> None:
    with real.client(real.token(Verb.PSEUDONYMIZE, Verb.GIVE_BACK, account="sender")) as client:
        asked: dict[str, Any] = {"texts": [{"text": TEXT}], "receipt": True}
        written = json_of(client.post("/api/v1/text/pseudonymize", json=asked))
        (text,) = written["texts"]
        back: dict[str, Any] = {"texts": [{"text": text["text"]}], "receipt": written["receipt"]}
        (whole,) = json_of(client.post("/api/v1/text/restore", json=back))["texts"]
        assert (whole["text"], whole["how"]) == (TEXT, "exact")
        back["texts"] = [{"text": f"Beste {text['mentions'][0]['label'].lower()}, en PERSOON-7KQN3"}]
        (edited,) = json_of(client.post("/api/v1/text/restore", json=back))["texts"]
        assert edited["text"] == "Beste Jan de Vries, en PERSOON-7KQN3"
        del back["receipt"]
        assert client.post("/api/v1/text/restore", json=back | {"purpose": "x"}).status_code == 403
    with real.client(real.token(Verb.GIVE_BACK, account="another")) as client:
        answer = client.post("/api/v1/text/restore", json=back | {"receipt": written["receipt"]})
    assert answer.status_code == 403
    assert json_of(answer)["type"] == "urn:nymlink:problem:receipt-invalid"
    with real.client(real.token(Verb.RESTORE)) as client:
        assert client.post("/api/v1/text/restore", json=back | {"receipt": "nyr_x"}).status_code == 403


def test_two_people_of_one_pseudonym_are_taken_apart(real: Service) -> None:
    with real.client(real.token(Verb.PSEUDONYMIZE, Verb.SEE_NAMES, account="curator")) as client:
        asked: dict[str, Any] = {"texts": [{"text": "Wim Brinkhof belde. W. Brinkhof was boos."}]}
        written = json_of(client.post("/api/v1/text/pseudonymize", json=asked))["texts"][0]
        (label,) = {one["label"] for one in written["mentions"]}
        body = {"pseudonym": label, "forms": ["W. Brinkhof"], "purpose": "ticket 9"}
        answer = client.post("/api/v1/splits", json=body)
        assert answer.status_code == 200, answer.text
        made = json_of(answer)
        assert made["pseudonym"] != label
        assert (made["forms"], made["edits"]) == (1, 1)
        assert made["audit_sequence"] > 0
    with real.open_vault() as vault:
        names = vault.reveal(project=PROJECT, pseudonyms=[label, made["pseudonym"]], purpose="test")
        assert {one.name for one in names.values()} == {"Wim Brinkhof", "W. Brinkhof"}
