"""Linters and types see every Python script, with or without an extension."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_scripts_without_an_extension_are_listed_for_ruff_and_mypy() -> None:
    files = (path for path in (ROOT / "scripts").rglob("*") if path.is_file() and not path.suffix)
    scripts = {path for path in files if "python" in path.read_text(encoding="utf-8").partition("\n")[0]}
    named = {path.relative_to(ROOT).as_posix() for path in scripts}
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert named == set(tools["ruff"]["extend-include"])
    assert named == {name for name in tools["mypy"]["files"] if (ROOT / name).is_file()}
