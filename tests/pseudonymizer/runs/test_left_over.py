"""Outputs of inputs that are gone, or that fail now, are listed and deleted where somebody says so."""

import json
from pathlib import Path

from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, files_of, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
RUN = ("run", "in", "--out", "out", *STORE)


def test_an_output_of_a_deleted_and_of_a_failing_input_are_listed(nymlink: Nymlink, corpus: Path) -> None:
    assert "outputs of earlier runs" not in nymlink(*RUN).out
    (corpus / "in" / "a.txt").unlink()
    (corpus / "in" / "b.txt").write_bytes(bytes(range(256)))
    done = nymlink(*RUN)
    assert done.status == 4
    assert "or fail now: 2; --prune deletes them\n  a.txt\n  b.txt\n" in done.out
    assert sorted(files_of(corpus / "out")) == ["a.txt", "b.txt"]
    report = json.loads((corpus / "out" / ".nymlink" / "report.json").read_bytes())
    assert (report["left_over"], report["pruned"]) == (2, 0)


def test_prune_deletes_them_and_what_comes_again_is_treated_again(nymlink: Nymlink, corpus: Path) -> None:
    nymlink(*RUN)
    raw = (corpus / "in" / "a.txt").read_bytes()
    (corpus / "in" / "a.txt").unlink()
    done = nymlink(*RUN, "--prune")
    assert (done.status, "outputs deleted" in done.out) == (0, True)
    assert sorted(files_of(corpus / "out")) == ["b.txt"]
    assert "outputs of earlier runs" not in nymlink(*RUN).out
    (corpus / "in" / "a.txt").write_bytes(raw)
    assert nymlink(*RUN).status == 0
    assert sorted(files_of(corpus / "out")) == ["a.txt", "b.txt"]
    assert nymlink("restore", "out", "--out", "back", "--purpose", "x", *STORE).out == "2 exact\n"


def test_files_of_nobody_are_not_pruned(nymlink: Nymlink, corpus: Path) -> None:
    nymlink(*RUN)
    (corpus / "out" / "mine.txt").write_text("x")
    nymlink(*RUN, "--prune")
    assert sorted(files_of(corpus / "out")) == ["a.txt", "b.txt", "mine.txt"]
