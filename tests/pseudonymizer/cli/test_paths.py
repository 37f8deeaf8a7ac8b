"""paths: the ids of a report lead to files again, for whoever has the vault."""

import json
import stat
from pathlib import Path

from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures


def test_a_file_that_failed_is_found_by_its_id(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "in" / "Jan Tolsma.txt").write_bytes(bytes(range(256)))
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert done.status == 4
    assert "which files these are: `nymlink paths out --failed --out -`\n" in done.out
    assert "paths.tsv" not in done.out
    lines = map(json.loads, (corpus / "out" / ".nymlink" / "documents.jsonl").read_text().splitlines())
    (failed,) = (line["id"] for line in lines if line["status"] == "failed")
    shown = nymlink("paths", "out", "--out", "table.tsv", *STORE)
    assert (shown.status, shown.out, shown.err) == (0, "", "")
    assert stat.S_IMODE((corpus / "table.tsv").stat().st_mode) == 0o600
    assert f"{failed}\tJan Tolsma.txt\t\n" in (corpus / "table.tsv").read_text()
    assert nymlink("paths", "out", "--out", "-", *STORE).out == (corpus / "table.tsv").read_text()


def test_a_folder_without_a_run_and_a_wrong_project_are_errors(nymlink: Nymlink, corpus: Path) -> None:
    told = nymlink("paths", "in", "--out", "-", *STORE)
    assert (told.status, told.out) == (1, "")
    assert "no run has written there" in told.err
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("paths", "out", "--out", "-", *STORE[:-1], "other").status == 1
    assert corpus.exists()
