"""The site is built strict, and a page of it asks nothing of any other host."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
_FETCHED: Final = re.compile(
    r"""<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=["']?(?:https?:)?//[^"' >]*"""
    r"""|<link\b(?![^>]*\brel=["']?(?:canonical|next|prev))[^>]*\bhref=["']?(?:https?:)?//[^"' >]*"""
    r"""|@import\s+["']?(?:url\()?["']?(?:https?:)?//[^"')]*"""
    r"""|\burl\(["']?(?:https?:)?//[^"')]*"""
)


def fetched(text: str) -> list[str]:
    """Whatever a browser would fetch of another host for a page or a style sheet."""
    return _FETCHED.findall(text)


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    if importlib.util.find_spec("zensical") is None:
        pytest.skip("the generator of the site is not installed: ./scripts/site")
    return subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    return tmp_path


def test_it_is_built_strict_and_fetches_nothing(copy: Path) -> None:
    done = built(copy)
    assert done.returncode == 0, done.stdout + done.stderr
    site = copy / "build" / "site"
    for page in (copy / "docs").rglob("*.md"):
        assert (site / page.relative_to(copy / "docs")).with_suffix(".html").is_file()
    texts = [path for suffix in ("html", "css") for path in site.rglob(f"*.{suffix}")]
    assert texts
    assert {str(path): found for path in texts if (found := fetched(path.read_text("utf-8")))} == {}


@pytest.mark.parametrize("target", ["nowhere.md", "index.md#nowhere"])
def test_a_broken_link_ends_it(copy: Path, target: str) -> None:
    page = copy / "docs" / "index.md"
    page.write_text(page.read_text(encoding="utf-8") + f"\n[broken]({target})\n", encoding="utf-8")
    done = built(copy)
    assert done.returncode != 0
    assert "does not exist" in done.stdout + done.stderr


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://cdn.example/a.js"></script>',
        "<img alt='' src=//cdn.example/a.png>",
        '<link rel="stylesheet" href="https://fonts.example/css">',
        "@import url('https://fonts.example/css');",
        "src: url(https://fonts.example/a.woff2)",
    ],
)
def test_what_fetches_is_seen(text: str) -> None:
    assert fetched(text) != []


@pytest.mark.parametrize(
    "text",
    ['<a href="https://example.org">x</a>', '<link rel="stylesheet" href="assets/a.css">', "url(a.png)"],
)
def test_a_link_and_an_own_file_fetch_nothing(text: str) -> None:
    assert fetched(text) == []
