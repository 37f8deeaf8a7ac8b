"""Answers that are kept: for some minutes, within a bound, and not while they are being made."""

from typing import Any

import pytest

from pseudonymizer.web.kept_answers import KEPT_SECONDS, LARGEST, KeptAnswers
from pseudonymizer.web.problems import ProblemError

START: Any = {"type": "http.response.start", "status": 200, "headers": []}


def test_an_answer_is_kept_for_some_minutes() -> None:
    now = [0.0]
    kept = KeptAnswers(lambda: now[0])
    assert kept.begin("a", "k", b"1") is None
    with pytest.raises(ProblemError, match="still-going-on"):
        kept.begin("a", "k", b"1")
    kept.end("a", "k", START, b"body")
    found = kept.begin("a", "k", b"1")
    assert found is not None
    assert found.body == b"body"
    with pytest.raises(ProblemError, match="key-used"):
        kept.begin("a", "k", b"2")
    assert kept.begin("b", "k", b"2") is None
    now[0] = KEPT_SECONDS
    assert kept.begin("a", "k", b"2") is None


def test_what_failed_or_is_large_is_not_kept() -> None:
    kept = KeptAnswers()
    for start, body in ((None, b""), (START, bytes(LARGEST + 1))):
        assert kept.begin("a", "k", b"1") is None
        kept.end("a", "k", start, body)
    assert kept.begin("a", "k", b"1") is None


def test_memory_is_bounded() -> None:
    kept = KeptAnswers()
    for number in range(20):
        kept.begin("a", str(number), b"1")
        kept.end("a", str(number), START, bytes(LARGEST))
    assert kept.begin("a", "0", b"1") is None  # the oldest is gone
    assert kept.begin("a", "19", b"1") is not None
    kept.end("a", "gone", START, b"")
