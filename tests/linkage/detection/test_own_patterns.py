"""Patterns of the user's own: refused where they are wrong or slow, and never left to hang."""

import time

import pytest

from linkage.detection import own_patterns
from linkage.detection.own_patterns import OwnPattern, SlowPatternError, trial_lines
from linkage.errors import KindsError, SettingsError

OPENING = "nymlink.toml, line 3: [kinds.DOG]"


@pytest.mark.parametrize(
    "expression",
    [
        r"\bPRJ-\d{4}\b", r"(?i)projectcode:?\s*(?P<value>\w+)", r"[A-Z]+-\d+", r"\w+@\w+\.nl",
        r"(?:[A-Z]{2}-)?\d{2,8}(?:/\d{1,3})?", r"\d{3}[ -]?\d{3}[ -]?\d{3}", r"(?<!\d)\d{6}(?!\d)",
        r"dossier (?:[A-Z]+ ){1,4}\d+", r"[^\W\d_]{2,20}\s\d{1,4}[a-z]?",
    ],
)  # fmt: skip
def test_patterns_as_people_write_them_pass(expression: str) -> None:
    pattern = OwnPattern(expression, OPENING)
    pattern.refuse_wrong()
    pattern.refuse_slow()


@pytest.mark.parametrize(
    "expression",
    [
        r"(a+)+$", r"(x+x+)+y", r"([a-zA-Z]+)*\d", r"(.*,){11}P", r"(\w+\s?)+:$",
        r"(?:a|aa)+$", r"(\s*\w+\s*)+;",
    ],
)  # fmt: skip
def test_slow_patterns_are_refused_in_bounded_time(expression: str) -> None:
    started = time.monotonic()
    with pytest.raises(SettingsError, match=r"^nymlink\.toml, line 3: \[kinds\.DOG\]: a pattern is slow"):
        OwnPattern(expression, OPENING).refuse_slow()
    assert time.monotonic() - started < 30  # seconds; alone on a machine it takes two


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("(", "is no regular expression"),
        ("[z-a]", "is no regular"),
        ("a*", "matches the empty"),
        ("|x", "matches"),
    ],
)
def test_wrong_patterns_are_refused(expression: str, message: str) -> None:
    with pytest.raises(SettingsError, match=rf"^nymlink\.toml, line 3: \[kinds\.DOG\]: a pattern {message}"):
        OwnPattern(expression, OPENING).refuse_wrong()


def test_a_text_that_takes_too_long_is_an_error_of_that_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_patterns, "TIME_LIMIT", 0.2)
    pattern = OwnPattern(r"(a+)+$", OPENING)
    assert [match.span() for match in pattern.finditer("aaa")] == [(0, 3)]
    with pytest.raises(
        SlowPatternError, match=r"line 3: \[kinds\.DOG\]: .* longer than 0\.2 seconds"
    ) as raised:
        pattern.finditer("a" * 3_000 + "!")
    assert isinstance(raised.value, KindsError)  # fails the document, and not the run
    assert not isinstance(raised.value, SettingsError)


def test_trial_lines_hold_what_a_pattern_asks_for() -> None:
    lines = list(trial_lines(r"PRJ-\d+\.(?:x|y)"))
    assert all(set("PRJ-.xy") <= set(line) for line in lines)
    assert any("PRJPRJPRJ" in line or "1-1-1-" in line for line in lines)
    assert max(map(len, lines)) < 2_200
