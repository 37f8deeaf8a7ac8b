"""docs/reference/api.md: every request on the page is sent, and every answer on it is what comes."""

import json
import re
from pathlib import Path
from typing import Any, Final

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import Service, json_of

PAGE: Final = Path(__file__).resolve().parents[3] / "docs" / "reference" / "api.md"
_EXAMPLE: Final = re.compile(r"```http\n(\w+) (\S+)\n(.*?)```\n```json\n(.*?)```", re.DOTALL)
_LABEL: Final = re.compile(r"[A-Z]+-[0-9A-Z]{5}\b")
_SHOWN_LABEL: Final = "PERSOON-7KQM3"


def _plain(told: Any, label: str) -> Any:
    """An answer without what differs between two vaults: labels, receipts, ids of requests, confidence, and
    numbers of events.
    """
    if isinstance(told, dict):
        return {
            key: _number(key, value) if isinstance(value, int | float) else _plain(value, label)
            for key, value in told.items()
        }
    if isinstance(told, list):
        return [_plain(one, label) for one in told]
    if isinstance(told, str):
        told = re.sub(r"^(nyr_|urn:nymlink:request:).+", r"\1...", told, flags=re.DOTALL)
        return told.replace(label, _SHOWN_LABEL)
    return told


def _number(key: str, value: float) -> float:
    """A number of an answer; of an event in the trail only that there is one."""
    if key == "audit_sequence":
        return float(value > 0)
    return round(value, 1) if key == "confidence" else value


def test_every_example_gives_the_answer_on_the_page(real: Service) -> None:
    examples = _EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(examples) == PAGE.read_text(encoding="utf-8").count("```http") >= 6
    label = receipt = ""
    verbs = (Verb.PSEUDONYMIZE, Verb.GIVE_BACK, Verb.RESTORE)
    with real.client(real.token(*verbs, account="page")) as client:
        for method, path, body, shown in examples:
            if body.strip():
                sent = json.loads(body.replace(_SHOWN_LABEL, label or _SHOWN_LABEL))
                if "receipt" in sent and sent["receipt"] is not True:
                    sent["receipt"] = receipt
                answer = json_of(client.request(method, path, json=sent))
            else:
                answer = json_of(client.request(method, path))
            if isinstance(answer.get("receipt"), str):
                receipt = answer["receipt"]
                label = answer["texts"][0]["mentions"][0]["label"]
                assert _LABEL.fullmatch(label)
            assert _plain(answer, label or _SHOWN_LABEL) == _plain(json.loads(shown), _SHOWN_LABEL), path
