"""The test command runs all but slow tests; Spark and the browser have runs of their own."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_TOOLS = ("ruff", "mypy", "lint-imports", "python")


def runs_of_pytest(folder: Path, *words: str) -> list[str]:
    """What pytest is given, run by run, by the command with tools that only note their arguments."""
    (folder / "scripts").mkdir()
    shutil.copy2(ROOT / "scripts" / "test", folder / "scripts" / "test")
    (folder / "scripts" / "environment.sh").write_text(
        "set -euo pipefail\n"
        f"project={folder} environment={folder / 'environment'}\n"
        'install() { [ "$1" = test ]; }\n'
    )
    (folder / "environment" / "bin").mkdir(parents=True)
    for tool in _TOOLS:
        place = folder / "environment" / "bin" / tool
        place.write_text(f"#!/bin/sh\necho {tool} \"$@\" >>'{folder}/ran'\n")
        place.chmod(0o700)
    subprocess.run([folder / "scripts" / "test", *words], check=True)  # noqa: S603  our own script
    ran = (folder / "ran").read_text().splitlines()
    assert {line.split()[0] for line in ran} == set(_TOOLS)
    return [line.removeprefix("python -m pytest ") for line in ran if line.startswith("python -m pytest ")]


def test_spark_runs_after_all_others_and_not_beside_itself(tmp_path: Path) -> None:
    ordinary, spark, browser = runs_of_pytest(tmp_path)
    assert ordinary == "-n 2 --dist loadfile -m not slow and not spark and not browser"
    assert spark == "-m spark"
    assert browser == "-m browser and not slow -rs"


@pytest.mark.parametrize("words", [("-k", "vault"), ("-m", "spark", "-n", "0")])
def test_arguments_go_to_one_run(tmp_path: Path, words: tuple[str, ...]) -> None:
    (ordinary,) = runs_of_pytest(tmp_path, *words)
    assert ordinary.endswith(" ".join(words))
