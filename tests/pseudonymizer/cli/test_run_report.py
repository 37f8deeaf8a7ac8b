"""Which file failed and why: on a terminal by its path, in logs by its number, and sealed for later."""

import json
from pathlib import Path

import pytest

from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
WHY = "no valid JSON: line 2, character 0; get it again, or open it in its program and save it anew"


@pytest.fixture
def failing(corpus: Path) -> Path:
    (corpus / "in" / "Els Mol.jsonl").write_text('{"doc_id": "1", "text": "Els Mol"}\nkapot\nkapot\n')
    return corpus


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.pseudonymizer.test_cli._Bytes.isatty", lambda _: True)


def test_a_log_has_the_number_and_the_reason_and_no_path(nymlink: Nymlink, failing: Path) -> None:
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert done.status == 4
    assert f"input 1: {WHY}\n" in done.out
    assert "Mol" not in done.out
    assert failing.exists()


def test_a_terminal_shows_the_path(nymlink: Nymlink, failing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_a_terminal(monkeypatch)
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert f"Els Mol.jsonl: {WHY}\n" in done.out
    assert failing.exists()


def test_json_and_the_report_name_failures_by_id_alone(nymlink: Nymlink, failing: Path) -> None:
    told = json.loads(nymlink("run", "in", "--out", "out", "--json", *STORE).out)
    (failure,) = told["failures"]
    assert (failure["input"], failure["error"]) == (1, "DamagedDocumentError")
    assert failure["reason"] == "no valid JSON: line 2, character 0"
    assert failure["remedy"].startswith("get it again")
    report = json.loads((failing / "out" / ".nymlink" / "report.json").read_bytes())
    assert report["failures"] == told["failures"]
    assert "Mol" not in json.dumps(told)


def test_the_sealed_record_of_failures_is_shown_with_paths(nymlink: Nymlink, failing: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    header, line = nymlink("paths", "out", "--failed", "--out", "-", *STORE).out.splitlines()
    assert header == "id\tinput\terror\twhy"
    assert line.split("\t")[1:] == ["Els Mol.jsonl", "DamagedDocumentError", WHY]
    (failing / "in" / "Els Mol.jsonl").unlink()
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("paths", "out", "--failed", "--out", "-", *STORE).out.splitlines() == [header]


def test_detect_and_restore_say_which_and_why_too(nymlink: Nymlink, failing: Path) -> None:
    found = nymlink("detect", "in", "--out", "m.jsonl")
    assert f"document 1: {WHY}\n" in found.err
    nymlink("run", "in/a.txt", "--out", "out", *STORE)
    (failing / "out" / "b.jsonl").write_text("kapot")
    back = nymlink("restore", "out", "--out", "back", "--purpose", "x", *STORE)
    assert (back.status, back.out) == (4, "1 exact, 1 failed\n")
    assert "input 2: no valid JSON" in back.err


LINES = '{"text": "Els Mol"}\n{"text": "Ada Postma\n{"text": "Jan Tolsma"}\n'


def test_a_bad_line_is_named_and_lies_sealed(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "in" / "regels.jsonl").write_text(LINES)
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert done.status == 4
    assert "lines that cannot be read, left out of the outputs: 1\n" in done.out
    assert "line 2: it is no valid JSON at character" in done.out
    assert "`nymlink paths out --rejected --out FILE`" in done.out
    assert "Postma" not in done.out + done.err
    assert len((corpus / "out" / "regels.jsonl").read_text().splitlines()) == 2
    report = (corpus / "out" / ".nymlink" / "report.json").read_text()
    (told,) = json.loads(report)["rejected"]
    assert list(told["lines"]) == ["2"]
    assert "regels" not in report
    assert nymlink("paths", "out", "--rejected", "--out", "lines.tsv", *STORE).status == 0
    place = corpus / "lines.tsv"
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.read_text().splitlines()[1].endswith('\t{"text": "Ada Postma')


def test_lines_that_were_left_out_do_not_go_into_the_folder_that_is_handed_on(
    nymlink: Nymlink, corpus: Path
) -> None:
    (corpus / "in" / "regels.jsonl").write_text(LINES)
    nymlink("run", "in", "--out", "out", *STORE)
    refused = nymlink("paths", "out", "--rejected", "--out", "out/lines.tsv", *STORE)
    assert refused.status == 2
    assert "handed on" in refused.err
    assert not (corpus / "out" / "lines.tsv").exists()


def test_a_file_that_is_passed_by_is_no_error(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "in" / "~$brief.docx").write_bytes(b"lock")
    (corpus / "in" / "desktop.ini").write_bytes(b"x")
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert done.status == 0
    assert (
        "skipped, 2: a file of the operating system, or of a program that has a document open\n" in done.out
    )
    assert "errors" not in done.out
    assert "errors" in json.loads(nymlink("run", "in", "--out", "out", "--json", *STORE).out)
