"""The file of judgements: read as it was written, the user's alone, and silent about names."""

import stat
from pathlib import Path

import pytest

from linkage.errors import InvalidRecordError
from linkage.judgement import Judgement, MentionPlace, Verdict
from linkage.judgement_file import read_judgements, write_judgements
from linkage.records import MentionId

NOW = "2026-01-02T03:04:00+00:00"
JUDGEMENTS = (
    Judgement("Fenna Woudstra", "Woudstra", Verdict.REJECT, MentionId("a@1"), MentionId("b@2"), NOW, "els"),
    Judgement("F. Woudstra", "Woudstra", Verdict.ACCEPT),
    Judgement(
        "Inge", "Inge Woudstra", Verdict.ACCEPT, None, None, NOW, "", MentionPlace("a.txt", 3, 7),
        MentionPlace("b.txt", 0, 13),
    ),
)  # fmt: skip


def test_file_keeps_judgements_and_is_the_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "judgements.jsonl"
    write_judgements(path, JUDGEMENTS)
    assert read_judgements(path) == JUDGEMENTS
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "oudstra" not in repr(JUDGEMENTS)


@pytest.mark.parametrize(
    "line",
    [
        '{"left": "Fenna Woudstra"}',
        '{"left": "Fenna Woudstra", "right": "W", "verdict": "accept", "left_at": {}, "right_at": {}}',
        '{"left": "Fenna Woudstra", "right": "W", "verdict": "accept", "left_mention": "a@1"}',
        '["Fenna Woudstra"]',
    ],
)
def test_a_damaged_line_is_named_by_number_only(tmp_path: Path, line: str) -> None:
    path = tmp_path / "judgements.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(InvalidRecordError, match="line 2") as caught:
        read_judgements(path)
    assert "oudstra" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecordError, match="cannot be read"):
        read_judgements(tmp_path / "none.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b"\xe9")
    with pytest.raises(InvalidRecordError, match="UTF-8"):
        read_judgements(tmp_path / "latin.jsonl")
