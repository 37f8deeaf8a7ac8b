"""Two builds of the wheel are equal byte for byte; it is small, and works outside the checkout."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest

from linkage.language_contents import CONTENTS

ROOT: Final = Path(__file__).resolve().parents[2]
_LARGEST: Final = 40_000_000  # bytes; scripts/build refuses more
LARGEST_LANGUAGE: Final = 25_000_000  # bytes of the wheel of a language
LARGEST_INSTALLED: Final = 60_000_000  # bytes of what it unpacks to
LANGUAGES: Final = ("de", "en", "it")


def built(folder: Path, root: Path = ROOT) -> Path:
    subprocess.run(  # noqa: S603  our own build
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=root, check=True, capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
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
        "linkage/data/languages/nl/models/ner.pt",
        "linkage/data/sample/documents/001.txt",
        "pseudonymizer/migrations/env.py",
        "data/share/man/man1/nymlink.1",
    ):
        assert any(name.endswith(needed) for name in names), needed


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_is_a_distribution_of_its_own(code: str, tmp_path: Path) -> None:
    """Data alone, found by an entry point; the main wheel leaves it out but for what other texts quote."""
    wheel = built(tmp_path / code, ROOT / "languages" / f"nymlink-lang-{code}")
    package = f"nymlink_lang_{code}"
    assert wheel.stat().st_size <= LARGEST_LANGUAGE
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        (entries,) = (opened.read(name).decode() for name in names if name.endswith("entry_points.txt"))
        assert sum(one.file_size for one in opened.infolist()) <= LARGEST_INSTALLED
    assert f"[nymlink.languages]\n{code} = {package}" in entries
    assert {f"{package}/{name}" for name in (*CONTENTS, "__init__.py")} <= set(names)
    assert [name for name in names if name.endswith(".py")] == [f"{package}/__init__.py"]
    with zipfile.ZipFile(built(tmp_path / "main")) as opened:
        left = {Path(name).name for name in opened.namelist() if f"/languages/{code}/" in name}
    assert left == {"months.tsv", "weekdays.tsv", "digests.tsv"}


def test_what_it_holds_is_enough(tmp_path: Path) -> None:
    """The wheel alone, far from the checkout: help, the demonstration, a text with its way back."""
    place = tmp_path / "packages"
    with zipfile.ZipFile(built(tmp_path)) as wheel:
        wheel.extractall(place)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def nymlink(*words: str, text: str = "") -> str:
        done = subprocess.run(  # noqa: S603  our own command
            [sys.executable, "-c", "import pseudonymizer.cli as c; print(c.__file__); c.main()", *words],
            cwd=elsewhere, input=text, check=False, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        source, _, told = done.stdout.partition("\n")
        assert source.startswith(str(place))
        return told

    assert "Usage: " in nymlink("--help")
    nymlink("demo")
    assert len(list((elsewhere / "try-nymlink" / "letters").iterdir())) == 64
    opened = ("--vault", "try-nymlink/vault.db", "--key-file", "try-nymlink/kek.key", "--project", "first")
    text = "Jan Tolsma belde met Els Wiersma.\n"
    hidden = nymlink("run", "-", "--out", "-", *opened, text=text)
    assert "Tolsma" not in hidden
    assert nymlink("restore", "-", "--out", "-", *opened, "--purpose", "a test", text=hidden) == text


@pytest.mark.slow
def test_it_is_installed_in_an_empty_environment(tmp_path: Path) -> None:
    """Some minutes: torch and all that the wheel asks for are installed anew."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    built(tmp_path / "dist")
    for code in LANGUAGES:
        wheel = built(tmp_path / code, ROOT / "languages" / f"nymlink-lang-{code}")
        wheel.rename(tmp_path / "dist" / wheel.name)
    done = subprocess.run(  # noqa: S603  our own script
        [str(tmp_path / "scripts" / "try_wheel")], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("restored byte for byte") == 2  # the sample; letters in further languages


@pytest.mark.parametrize(("name", "bound"), [("LARGEST", _LARGEST), ("LARGEST_LANGUAGE", LARGEST_LANGUAGE)])
def test_the_script_has_the_same_bounds(name: str, bound: int) -> None:
    script = (ROOT / "scripts" / "build").read_text(encoding="utf-8")
    assert re.findall(rf"^{name}=(\d+)\b", script, re.MULTILINE) == [str(bound)]
