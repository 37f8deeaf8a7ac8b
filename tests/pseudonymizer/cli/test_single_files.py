"""--out FILE for one file: that file is written, restored the same way, and nothing is written over."""

import json
import stat
from pathlib import Path

import pytest

from pseudonymizer.runs import units
from tests.pseudonymizer.test_cli import STORE, TEXT, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
WHY = (*STORE, "--purpose", "klacht 7")


def test_one_file_becomes_one_file_and_comes_back_as_one(nymlink: Nymlink, corpus: Path) -> None:
    done = nymlink("run", "in/a.txt", "--out", "brief.txt", *STORE)
    assert (done.status, done.err) == (0, "")
    assert "1 of 1 files done" in done.out
    written = (corpus / "brief.txt").read_text()
    assert "Tolsma" not in written
    assert "PERSOON-" in written
    assert sorted(path.name for path in corpus.iterdir() if path.name.startswith((".", "b"))) == ["brief.txt"]
    back = nymlink("restore", "brief.txt", "--out", "back.txt", *WHY)
    assert (back.status, back.out) == (0, "1 exact\n")
    assert (corpus / "back.txt").read_bytes() == TEXT.encode()
    assert stat.S_IMODE((corpus / "back.txt").stat().st_mode) == 0o600
    folder = nymlink("restore", "brief.txt", "--out", "back", *WHY)
    assert (folder.status, (corpus / "back" / "a.txt").read_bytes()) == (0, TEXT.encode())


def test_the_same_person_has_the_same_pseudonym_in_a_file_and_in_a_folder(
    nymlink: Nymlink, corpus: Path
) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    nymlink("run", "in/a.txt", "--out", "one.txt", *STORE)
    assert (corpus / "one.txt").read_text() == (corpus / "out" / "a.txt").read_text()


def test_no_file_of_somebody_else_is_written_over(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "mine.txt").write_text("van mij")
    for arguments in (("run", "in/a.txt", *STORE), ("restore", "in/a.txt", *WHY)):
        done = nymlink(*arguments, "--out", "mine.txt")
        assert (done.status, (corpus / "mine.txt").read_text()) == (1, "van mij")
        assert "choose another --out" in done.err
    itself = nymlink("run", "in/a.txt", "--out", "in/a.txt", *STORE)
    assert (itself.status, (corpus / "in" / "a.txt").read_bytes()) == (2, TEXT.encode())
    nymlink("run", "in/a.txt", "--out", "again.txt", *STORE)
    assert nymlink("run", "in/a.txt", "--out", "again.txt", *STORE).status == 0  # its own output


def test_a_file_has_its_own_format(nymlink: Nymlink, corpus: Path) -> None:
    done = nymlink("run", "in/a.txt", "--out", "a.docx", *STORE)
    assert done.status == 2
    assert "give --out NAME.txt, or a folder" in done.err
    assert not (corpus / "a.docx").exists()


@pytest.mark.parametrize(("inputs", "out"), [(["in"], "x.txt"), (["in/a.txt"], "x"), (["in/a.txt"], "x.v2")])
def test_anything_else_is_a_folder(nymlink: Nymlink, corpus: Path, inputs: list[str], out: str) -> None:
    assert nymlink("run", *inputs, "--out", out, *STORE).status == 0
    assert (corpus / out / "a.txt").is_file()


def test_a_file_that_fails_is_told_and_nothing_is_written(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "Els Mol.json").write_text("{kapot")
    done = nymlink("run", "Els Mol.json", "--out", "x.json", *STORE, "--json")
    told = json.loads(done.out)
    assert (done.status, told["status"], told["documents"]["failed"]) == (4, 4, 1)
    assert told["failures"][0]["error"] == "DamagedDocumentError"
    assert "Mol" not in done.out + done.err
    assert not (corpus / "x.json").exists()
    assert "input 1: no valid JSON" in nymlink("run", "Els Mol.json", "--out", "x.json", *STORE).out


def test_a_large_file_of_lines_takes_a_folder(
    nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "UNIT_BYTES", 500)
    (corpus / "a.jsonl").write_text('{"text": "Jan Tolsma belde."}\n' * 100)
    done = nymlink("run", "a.jsonl", "--out", "b.jsonl", *STORE)
    assert done.status == 1
    assert "give --out DIR" in done.err
    assert not (corpus / "b.jsonl").exists()
    refused = nymlink("run", "in/a.txt", "--out", "b.txt", "--prune", *STORE)
    assert (refused.status, (corpus / "b.txt").exists()) == (2, False)
