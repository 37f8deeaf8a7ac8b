"""Public trouble cases of linkage on gold spans, with the shipped model; known failures match exactly."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.normalization import normalize
from linkage.records import Detector, Document, DocumentId, Identity, LinkageResult, Mention, MentionId, Span
from linkage.settings import LinkingSettings

CASES_FILE = Path(__file__).parents[1] / "cases" / "cases.jsonl"
KNOWN_FAILURES = {
    "D58": "names of a case citation are other people than the parties of the same name",
}


def _cases() -> dict[str, dict[str, Any]]:
    rows = [json.loads(line) for line in CASES_FILE.read_text(encoding="utf-8").splitlines()]
    wanted = ("same", "different", "unresolved")
    return {
        row["id"]: row
        for row in rows
        if row["expected"]["type"] == "mentions" and any(row["expected"].get(key) for key in wanted)
    }


CASES = _cases()


@pytest.fixture(scope="module")
def linker() -> Linker:
    gazetteer = Gazetteer.load()
    return Linker.load(LinkingSettings(), gazetteer)


def _linked(linker: Linker, case: dict[str, Any]) -> tuple[LinkageResult, dict[str, MentionId]]:
    texts = {d["name"]: d["text"] for d in case["input"].get("docs", [])} or {"": case["input"]["text"]}
    documents = {name: Document(DocumentId(name or "document"), text) for name, text in texts.items()}
    found: dict[str, list[Mention]] = defaultdict(list)
    ids: dict[str, MentionId] = {}
    for gold in case["expected"]["mentions"]:
        name = gold.get("doc", "")
        mention = Mention.at(
            documents[name], Span(gold["start"], gold["end"]), detector=Detector.NER, confidence=1.0
        )
        found[name].append(mention)
        ids[gold["id"]] = mention.mention_id
    normalized = [n for name, d in documents.items() for n in normalize(d, found[name], linker.gazetteer)]
    return linker.link(normalized), ids


def _faults(linker: Linker, case: dict[str, Any]) -> list[str]:
    result, ids = _linked(linker, case)

    def identity(gold_id: str) -> Identity:
        return result.identity_of(ids[gold_id])

    expected, faults = case["expected"], []
    for left, right in expected.get("same", []):
        if identity(left).identity_id != identity(right).identity_id:
            faults.append(f"{left} and {right} are apart")
    for left, right in expected.get("different", []):
        if identity(left).identity_id == identity(right).identity_id:
            faults.append(f"{left} and {right} are together")
    for unresolved in expected.get("unresolved", []):
        wanted = {identity(candidate).identity_id for candidate in unresolved["candidates"]}
        mine = identity(unresolved["mention"])
        if mine.identity_id in wanted or set(mine.candidates) != wanted:
            faults.append(f"{unresolved['mention']} is not open between {unresolved['candidates']}")
    return faults


@pytest.mark.parametrize("case_id", sorted(CASES))
def test_case(linker: Linker, case_id: str) -> None:
    faults = _faults(linker, CASES[case_id])
    if case_id in KNOWN_FAILURES:
        assert faults, f"{case_id} passes now: take it off the list of known failures"
    else:
        assert not faults


def test_known_failures_are_few_and_exist() -> None:
    link_cases = [case_id for case_id in CASES if case_id.startswith("L")]
    assert KNOWN_FAILURES.keys() <= CASES.keys()
    assert sum(case_id in KNOWN_FAILURES for case_id in link_cases) <= len(link_cases) // 10
