"""Pages of the reference that are made from code are as the code says, and the man page is one."""

import shutil
import subprocess
from pathlib import Path

import pytest
import reference_pages

ROOT = Path(__file__).resolve().parents[2]


def test_the_made_pages_are_up_to_date() -> None:
    old = [
        name
        for name, text in reference_pages.pages().items()
        if (ROOT / name).read_text(encoding="utf-8") != text.rstrip("\n") + "\n"
    ]
    assert old == [], "run scripts/make_reference"


def test_every_verb_and_every_error_has_its_place() -> None:
    page = reference_pages.command_page()
    names = [" ".join(path) for path, _ in reference_pages.verbs()]
    assert {"run", "demo", "vault erase", "web token create"} <= set(names)
    assert [name for name in names if f"\n## {name}\n" not in page] == []
    told = reference_pages.errors_page()
    for package in ("linkage", "pseudonymizer"):
        errors = reference_pages.errors_of(package)
        assert len(errors) > 10
        assert [error.__name__ for error in errors if f"| `{error.__name__}` |" not in told] == []


def test_a_pipe_and_an_angle_are_no_table_and_no_element() -> None:
    assert reference_pages._cell("a|b <c>") == "a\\|b &lt;c>"


def test_paragraphs_are_one_line_each() -> None:
    assert reference_pages.paragraphs("a\n  b\n\n  c\n") == ["a b", "", "c"]
    assert reference_pages.paragraphs(None) == [""]


def test_man_reads_the_page_without_a_warning() -> None:
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("groff is not installed")
    done = subprocess.run(  # noqa: S603  a tool of the system on our own page
        [groff, "-man", "-Tutf8", "-ww", "-z", str(ROOT / "deploy" / "man" / "nymlink.1")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
