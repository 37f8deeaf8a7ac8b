"""Tutorials, how-to guides and the Dutch guide do what they say: every command and Python block is run."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.documented import ROOT, Block, Reader, assert_shown, blocks, commands

DOCS: Final = ROOT / "docs"
# Pages whose blocks other tests run, or that document files of a server.
ELSEWHERE: Final = {
    "how-to/language-model.md": "tests/e2e/test_language_model.py",
    "how-to/corrections.md": "tests/e2e/test_review_run.py",
    "how-to/deploy.md": "tests/test_deployment.py",
    "how-to/table-columns.md": "tests/pseudonymizer/test_column_kinds.py",
}
PAGES: Final = sorted(
    page.relative_to(DOCS).as_posix()
    for folder in ("tutorials", "how-to", "nl")
    for page in (DOCS / folder).glob("*.md")
)
RUN: Final = [page for page in PAGES if page not in ELSEWHERE]


@pytest.mark.parametrize("page", RUN)
def test_a_page_does_what_it_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Reader(tmp_path, monkeypatch).follow(DOCS / page)


@pytest.mark.parametrize("page", RUN)
def test_a_block_that_is_not_run_says_which_test_does_it(page: str) -> None:
    for block in blocks(DOCS / page):
        for named in re.findall(r"tests/[\w/.]*\w", block.reason or ""):
            assert (ROOT / named).exists()


def test_blocks_of_other_pages_say_why_they_are_not_run() -> None:
    """README is run by its own test."""
    others = [page for page in DOCS.rglob("*.md") if page.relative_to(DOCS).as_posix() not in PAGES]
    silent = [
        (page.name, block.body)
        for page in others
        for block in blocks(page)
        if block.language in {"sh", "bash", "console", "python"} and not block.reason
    ]
    assert silent == []
    for reason in [block.reason for page in others for block in blocks(page) if block.reason]:
        for named in re.findall(r"(?:tests|docs)/[\w/.-]*\w", reason):
            assert (ROOT / named).exists()


def test_each_test_that_runs_a_page_elsewhere_is_there() -> None:
    assert [test for test in ELSEWHERE.values() if not (ROOT / test).is_file()] == []
    assert set(ELSEWHERE) <= set(PAGES)


def test_blocks_are_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "x\n```sh\na \\\n  b  # c\n# d\n```\n<!-- not run: because -->\n```python\ne\n```\n"
        '```toml title="f.toml"\ng\n```\n',
        encoding="utf-8",
    )
    assert blocks(page) == [
        Block("sh", None, "a \\\n  b  # c\n# d\n", None),
        Block("python", None, "e\n", "because"),
        Block("toml", "f.toml", "g\n", None),
    ]
    assert [" ".join(command.split()) for command in commands(blocks(page)[0].body)] == ["a b"]


@pytest.mark.parametrize("line", ["nobody printed this", "PERSOON-7KQM3 zweeg."])
def test_what_is_not_printed_fails(line: str) -> None:
    assert_shown("...\nPERSOON-7KQM3 belde.\n", "a\nPERSOON-4W0TN belde.\n")
    with pytest.raises(AssertionError, match="not printed"):
        assert_shown(line, "PERSOON-4W0TN belde.\n")


def test_a_command_that_fails_fails_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\nfalse\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        Reader(tmp_path, monkeypatch).follow(page)
    page.write_text("```sh\nnymlink vault verify --vault none.db\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        Reader(tmp_path, monkeypatch).follow(page)
