"""restore says so where nothing is of the project."""

from pathlib import Path

from tests.pseudonymizer.test_cli import STORE, TEXT, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures


def test_a_folder_that_no_run_wrote_is_an_error(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    done = nymlink("restore", "in", "--out", "back", "--purpose", "x", *STORE)
    assert (done.status, done.out) == (1, "2 untouched\n")
    assert "none of 2 files is an output of this project" in done.err
    assert corpus.exists()


def test_a_text_of_nobody_is_told(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    done = nymlink("restore", "-", "--out", "-", "--purpose", "x", *STORE, stdin=TEXT.encode())
    assert (done.status, done.out) == (0, TEXT)
    assert "this text has no pseudonym of this project" in done.err
    assert corpus.exists()


def test_files_without_names_come_back_without_a_complaint(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "plain").mkdir()
    (corpus / "plain" / "a.txt").write_text("Niemand.\n")
    nymlink("run", "plain", "--out", "out", *STORE)
    done = nymlink("restore", "out", "--out", "back", "--purpose", "x", *STORE)
    assert (done.status, done.out) == (0, "1 untouched\n")
