"""nymlink train detection."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pseudonymizer.cli import app
from tests.linkage.training.invented import bio


def test_a_network_is_made_and_named(tmp_path: Path) -> None:
    gold = tmp_path / "gold.bio"
    gold.write_text(bio(), encoding="utf-8")
    given = ["train", "detection", "--language", "xx", "--gold", str(gold), "--out", str(tmp_path / "pack")]
    answer = CliRunner().invoke(app, [*given, "--batches", "1", "--hold-out", "5"])
    assert answer.exit_code == 0, answer.output
    assert "documents held out" in answer.output
    assert (tmp_path / "pack" / "model.json").exists()


@pytest.mark.parametrize("language", ["Danish", "D", "../x"])
def test_a_language_is_a_code(tmp_path: Path, language: str) -> None:
    gold = tmp_path / "gold.bio"
    gold.write_text(bio(), encoding="utf-8")
    answer = CliRunner().invoke(
        app, ["train", "detection", "--language", language, "--gold", str(gold), "--out", str(tmp_path / "p")]
    )
    assert answer.exit_code == 2
    assert not (tmp_path / "p").exists()
