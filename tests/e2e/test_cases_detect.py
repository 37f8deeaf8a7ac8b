"""The public cases of detection and typing errors, by the shipped models; known failures by id."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.detector import MentionDetector
from linkage.records import Document, DocumentId, Span
from linkage.settings import RecognitionSettings

FOLDER = Path(__file__).parent.parent / "cases"
KNOWN_FAILURES = frozenset((FOLDER / "known_failures_detect.txt").read_text(encoding="utf-8").split())


def _cases() -> list[dict[str, Any]]:
    lines = (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines if line.strip()]
    return [
        case for case in cases
        if case["area"] in {"detect", "typo"} and case["expected"]["type"] == "mentions"
    ]  # fmt: skip


@cache
def _found() -> dict[str, tuple[Span, ...]]:
    """The spans of all cases, found in one call."""
    detector = MentionDetector.load(RecognitionSettings(), Gazetteer.load())
    documents = [Document(DocumentId(case["id"]), case["input"]["text"]) for case in _cases()]
    return {
        document.doc_id: tuple(mention.span for mention in mentions)
        for document, mentions in zip(documents, detector.detect(documents), strict=True)
    }


def _passes(case: dict[str, Any]) -> bool:
    """Whether the spans are the expected ones (or alternatives), and no forbidden one is touched."""
    found = set(_found()[case["id"]])
    for mention in case["expected"]["mentions"]:
        accepted = [Span(m["start"], m["end"]) for m in (mention, *mention.get("alt", ()))]
        right = next((span for span in accepted if span in found), None)
        if right is None:
            return False
        found.discard(right)
    forbidden = [Span(m["start"], m["end"]) for m in case["expected"].get("not_mentions", ())]
    exact = case["expected"]["mode"] == "exact"
    return not (exact and found) and not any(span.overlaps(other) for span in found for other in forbidden)


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    passes = _passes(case)
    if case["id"] in KNOWN_FAILURES:
        assert not passes, "passes now: take it off tests/cases/known_failures_detect.txt"
    else:
        assert passes


def test_known_failures_are_cases() -> None:
    assert {case["id"] for case in _cases()} >= KNOWN_FAILURES
