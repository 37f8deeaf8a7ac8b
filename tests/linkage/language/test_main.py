"""The command that says what a language has and lacks."""

import subprocess
import sys

import pytest

from linkage.language.__main__ import main
from linkage.language_contents import MODELS


def test_dutch_has_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nl"]) == 0
    assert "missing" not in capsys.readouterr().out


def test_the_list_for_a_new_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fr"]) == 4
    said = capsys.readouterr().out
    assert "missing  titles.tsv: titles before" in said
    assert "there    months.tsv" in said
    assert "spared   models/detection.json" in said
    assert f"fr, models: 0 of {len(MODELS)} files" in said


@pytest.mark.parametrize("arguments", [[], ["de", "en"], ["../nl"], ["NL"]])
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "usage" in capsys.readouterr().err


def test_a_reader_that_stops_early_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "linkage.language", "nl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as asked:
        assert asked.stdout is not None
        assert asked.stderr is not None
        asked.stdout.close()
        assert asked.stderr.read() == b""
