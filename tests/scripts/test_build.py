"""Two builds of the wheel are equal byte for byte; it is small and holds data, migrations and man page."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
_LARGEST: Final = 40_000_000  # bytes; scripts/build refuses more


def built(folder: Path) -> Path:
    subprocess.run(  # noqa: S603  our own build
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=ROOT, check=True, capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_two_builds_are_equal(tmp_path: Path) -> None:
    first, second = built(tmp_path / "first"), built(tmp_path / "second")
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()
    assert first.stat().st_size <= _LARGEST
    with zipfile.ZipFile(first) as wheel:
        names = wheel.namelist()
        assert {one.date_time for one in wheel.infolist()} == {(2023, 11, 14, 22, 13, 20)}
    for needed in (
        "linkage/data/models/nl/ner.pt",
        "linkage/data/sample/documents/001.txt",
        "pseudonymizer/migrations/env.py",
        "data/share/man/man1/nymlink.1",
    ):
        assert any(name.endswith(needed) for name in names), needed


def test_the_script_has_the_same_bound() -> None:
    assert f"LARGEST={_LARGEST} #" in (ROOT / "scripts" / "build").read_text(encoding="utf-8")
