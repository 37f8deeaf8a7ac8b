"""erase shows what it would destroy, asks at a terminal, and tells of what was erased before."""

import json
import re
import sys
from pathlib import Path

import pytest
import typer

from pseudonymizer.cli.erasing import gathered
from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
WHY = ("--purpose", "verzoek 3", *STORE)


@pytest.fixture
def label(nymlink: Nymlink, corpus: Path) -> str:
    """The pseudonym of Jan Tolsma, who stands in both letters."""
    nymlink("run", "in", "--out", "out", *STORE)
    found = re.findall(r"PERSOON-\w+", (corpus / "out" / "a.txt").read_text())
    return str(found[0])


def reveals(nymlink: Nymlink, label: str) -> bool:
    return nymlink("reveal", label, "--out", "names", *WHY).status == 0


def test_a_dry_run_destroys_nothing_and_says_what_it_would(nymlink: Nymlink, label: str) -> None:
    told = json.loads(nymlink("vault", "erase", label, "--dry-run", "--json", *WHY).out)
    assert told == {"verb": "vault erase", "status": 0, "people": 1, "pseudonyms": [label], "documents": 2}
    shown = nymlink("vault", "erase", label, "--dry-run", *WHY)
    assert "would be destroyed: 1 people or values, 1 pseudonyms" in shown.out
    assert "files whose outputs have these pseudonyms: 2\n" in shown.out
    assert "a.txt" not in shown.out  # it is no terminal
    assert reveals(nymlink, label)


@pytest.mark.parametrize("agrees", [False, True])
def test_a_terminal_is_asked(
    nymlink: Nymlink, label: str, monkeypatch: pytest.MonkeyPatch, *, agrees: bool
) -> None:
    monkeypatch.setattr("tests.pseudonymizer.test_cli._Bytes.isatty", lambda _: True)
    monkeypatch.setattr(typer, "confirm", lambda *_, **__: agrees)
    done = nymlink("vault", "erase", label, *WHY)
    assert "  a.txt\n" in done.out
    assert done.status == (0 if agrees else 1)
    assert ("nothing was destroyed" in done.err) is not agrees
    monkeypatch.undo()
    assert sys.stdin is not None


def test_yes_and_a_pipe_are_not_asked(nymlink: Nymlink, label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object, **__: object) -> bool:
        raise AssertionError("it asked")

    monkeypatch.setattr(typer, "confirm", asked)
    done = nymlink("vault", "erase", label, *WHY)
    assert (done.status, "erased 1 pseudonyms" in done.out) == (0, True)
    assert "files whose outputs have these pseudonyms: 2\n" in done.out
    assert not reveals(nymlink, label)


def test_who_was_erased_before_is_told_so(nymlink: Nymlink, label: str) -> None:
    told = json.loads(nymlink("vault", "erase", label, "--json", *WHY).out)
    assert told["documents"] == 2
    again = nymlink("vault", "erase", label, *WHY)
    assert (again.status, again.out) == (1, "")
    assert "1 of these pseudonyms were erased before" in again.err


def test_a_value_is_planned_by_its_text(nymlink: Nymlink, label: str) -> None:
    about = ("--value", "NL91ABNA0417164300", "--kind", "BANK_ACCOUNT", "--dry-run")
    done = nymlink("vault", "erase", *about, *WHY)
    assert done.status == 1
    assert "this value is not of this project" in done.err
    assert reveals(nymlink, label)


def test_what_remains_in_many_documents_is_one_line() -> None:
    told = gathered(
        ["backups remain", "document 6: 1 edits that stay", "document 9: 16 edits that stay",
         "document 9: 2 edits of values that stay"]
    )  # fmt: skip
    assert list(told) == [
        "backups remain", "in 2 documents 17 edits that stay", "in 1 documents 2 edits of values that stay",
    ]  # fmt: skip
