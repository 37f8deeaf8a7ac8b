"""The sample corpus through the whole pipeline with the shipped models: found, hidden, and restored."""

import json
import logging
import re
from pathlib import Path

import pytest

from linkage.evaluation.detection import evaluate_detection
from linkage.evaluation.gold import read_gold
from tests.e2e.whole_runs import WholeRun, run_files

SAMPLE = Path(__file__).parents[2] / "data" / "sample"


class _Lines(logging.Handler):
    """Every log line there is, formatted, from DEBUG on."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[WholeRun, str]:
    """One run over the sample at DEBUG, and all that was logged."""
    handler, root = _Lines(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        files = {path.name: path.read_bytes() for path in sorted((SAMPLE / "documents").iterdir())}
        run = run_files(tmp_path_factory.mktemp("sample"), files)
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    return run, "\n".join(handler.lines)


def test_names_are_found(sample: tuple[WholeRun, str]) -> None:
    run, _ = sample
    gold = read_gold(SAMPLE / "gold.persons.jsonl")
    found = {g.document.doc_id: [m.span for m in run.pipeline.found[g.document.text]] for g in gold}
    scores = evaluate_detection(gold, found).as_dict()
    assert scores["strict"]["f1"] >= 0.70
    assert scores["letters_leaked"] <= 0.12


def test_every_document_comes_back_byte_for_byte(sample: tuple[WholeRun, str]) -> None:
    run, _ = sample
    assert run.report.documents == {"all": 64, "ok": 64, "failed": 0, "skipped": 0, "waiting": 0}
    assert dict(run.restored()) == dict(run.files)


def test_no_mention_stays_where_it_was_found(sample: tuple[WholeRun, str]) -> None:
    """A mention's text is in the output at most as often as it is in the input outside of all mentions."""
    run, _ = sample
    left = []
    for name, raw in run.files.items():
        text, written = raw.decode(), run.outputs[name].decode()
        mentions = run.pipeline.found[text]
        outside, read_to = "", 0
        for mention in mentions:
            outside += text[read_to : mention.span.start] + "\0"
            read_to = mention.span.end
        outside += text[read_to:]
        for surface in {mention.surface for mention in mentions}:
            whole = re.compile(rf"(?<!\w){re.escape(surface)}(?!\w)")
            if len(whole.findall(written)) > len(whole.findall(outside)):
                left.append((name, len(surface)))
    assert left == []


def test_no_mention_reaches_a_record_a_log_or_a_store(sample: tuple[WholeRun, str]) -> None:
    run, logged = sample
    surfaces = {m.surface for found in run.pipeline.found.values() for m in found if len(m.surface) >= 6}
    assert len(surfaces) > 300
    kept = {
        path: path.read_bytes()
        for folder in (run.folder / "out" / ".nymlink", run.folder / "vault")
        for path in folder.iterdir()
        if path.name != "kek.key"
    }
    kept[Path("log")] = logged.encode()
    hits = [
        (path.name, len(surface))
        for path, raw in kept.items()
        for surface in surfaces
        if surface.encode() in raw or surface.encode("utf-16-le") in raw
    ]
    assert hits == []


def test_the_report_counts_and_names_nothing(sample: tuple[WholeRun, str]) -> None:
    run, _ = sample
    report = json.loads((run.folder / "out" / ".nymlink" / "report.json").read_text())
    assert len(report["documents_by_id"]) == 64
    assert sum(line["mentions"] for line in report["documents_by_id"]) == report["mentions"]
    assert {"NATIONAL_ID", "BANK_ACCOUNT"} <= set(report["identifiers_left_in"])


def test_a_second_run_over_the_output_changes_nothing(sample: tuple[WholeRun, str], tmp_path: Path) -> None:
    """Pseudonyms are no names: what was missed may be found now, but no token is touched."""
    run, _ = sample
    names = sorted(run.outputs)[:6]
    again = run_files(tmp_path, {name: run.outputs[name] for name in names})
    tokens = re.compile(rb"P1-[0-9A-Z]{20}")
    for name in names:
        assert len(tokens.findall(again.outputs[name])) >= len(tokens.findall(run.outputs[name]))
