"""The decision model of a language belongs to the network beside it, and begins with today's Dutch one."""

import hashlib
import json
from pathlib import Path

import pytest

from linkage.shipped_data import data_directory

LANGUAGES = data_directory() / "languages"
MADE_BY_TRAINING = sorted(
    file
    for file in LANGUAGES.glob("*/models/detection.json")
    if file.parts[-3] != "nl"  # scripts/train_detection makes it, and nothing is begun with
)


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize("file", MADE_BY_TRAINING, ids=lambda file: file.parts[-3])
def test_no_decision_is_left_from_another_network(file: Path) -> None:
    made_with = json.loads(file.read_text(encoding="utf-8")).get("made_with")
    if made_with is None:  # the Dutch one, unchanged: it must not be that of an earlier day
        assert digest(file) == digest(LANGUAGES / "nl" / "models" / "detection.json")
        return
    assert made_with == {
        "network": digest(file.with_name("ner.pt")),
        "begun_with": digest(LANGUAGES / "nl" / "models" / "detection.json"),
    }, f"make it anew: scripts/train_language {file.parts[-3]}"


def test_german_has_one_of_its_own() -> None:
    assert "made_with" in json.loads((LANGUAGES / "de/models/detection.json").read_text(encoding="utf-8"))
