"""Modules have their test modules: tests/ mirrors the engine and the facade, file by file."""

from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).resolve().parents[1]
FACADE: Final = (
    "answering", "answers", "columns", "finding", "inputs", "kept_runs", "mention_lines", "presidio",
    "presidio_entities", "preview",
    "project", "project_options", "vault_address",
)  # fmt: skip
ENGINE: Final = [path.stem for path in (ROOT / "pseudonymizer" / "engine").glob("[!_]*.py")]


@pytest.mark.parametrize("module", [*FACADE, *(f"engine/{name}" for name in sorted(ENGINE))])
def test_a_module_has_its_test_module(module: str) -> None:
    folder, _, name = module.rpartition("/")
    assert (ROOT / "pseudonymizer" / folder / f"{name}.py").is_file()
    assert (ROOT / "tests" / "pseudonymizer" / folder / f"test_{name}.py").is_file()
