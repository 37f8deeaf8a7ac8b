"""A run leaves what a review of its inputs asks, word for word; on the sample, with the models."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pseudonymizer.cli import app

SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "documents"
_ASKED = re.compile(r"probability (\S+) *(\S*)\n  (.*)\n  (.*)\n")


def asked(*arguments: str) -> Counter[tuple[str, str, frozenset[str]]]:
    """Probability, variant and both places, as `nymlink review` shows them."""
    done = CliRunner().invoke(app, ["review", *arguments], input="s\n" * 1_000)
    assert done.exit_code == 0, done.output
    return Counter((p, v, frozenset((one, other))) for p, v, one, other in _ASKED.findall(done.output))


def test_a_run_leaves_what_a_review_of_its_inputs_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(SAMPLE, "in")
    fresh = asked("in", "--judgements", "fresh.jsonl")
    assert fresh.total() > 100
    place = ["--vault", "sqlite:///v.db", "--key-file", "k.key"]
    for arguments in (
        ["vault", "init", *place],
        ["run", "in", "--out", "out", *place, "--project", "p"],
    ):
        assert CliRunner().invoke(app, arguments).exit_code == 0
    shutil.rmtree("in")
    assert asked("--run", "out", "--judgements", "kept.jsonl", *place, "--project", "p") == fresh
