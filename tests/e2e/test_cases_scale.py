"""The public cases of scale: long lines, common surnames, copies, bad files; times in CPU seconds."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from peak_memory import peak_bytes

from linkage.records import Detector, Document, DocumentId, Mention, Span
from linkage.settings import LinkageSettings
from pseudonymizer.assignment import assign
from pseudonymizer.engine.loading import load_pipeline
from tests.cases.build_inputs import build_docs
from tests.e2e.whole_runs import PROJECT, run_files
from tests.pseudonymizer.batch_fakes import make_vault

FOLDER = Path(__file__).parents[1] / "cases"
CASES = {
    case["id"]: case
    for case in map(json.loads, (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines())
    if case["area"] == "scale"
}


def files_of(case_id: str) -> dict[str, bytes]:
    return dict(build_docs(CASES[case_id]["input"]))  # type: ignore[no-untyped-call]


def check_of(case_id: str, name: str) -> dict[str, Any]:
    return next(c for c in CASES[case_id]["expected"]["checks"] if c["check"] == name)


def spans_found(text: str) -> tuple[list[Span], float]:
    """The spans that detection finds, and its CPU seconds."""
    pipeline = load_pipeline(LinkageSettings())
    pipeline.detect([Document(DocumentId("warm"), "Jan Tolsma")])
    started = time.process_time()
    (found,) = pipeline.detect([Document(DocumentId("d"), text)])
    return [m.span for m in found], time.process_time() - started


def listed(case_id: str) -> tuple[Document, list[Mention]]:
    """The list of names of a case, one a line, as mentions up to the first comma."""
    ((_, raw),) = files_of(case_id).items()
    document = Document(DocumentId("d"), raw.decode())
    mentions, at = [], 0
    for line in document.text.split("\n"):
        name = line.split(",")[0]
        mentions.append(
            Mention.at(document, Span(at, at + len(name)), detector=Detector.LIST, confidence=1.0)
        )
        at += len(line) + 1
    return document, mentions


@pytest.mark.slow
def test_s01_a_long_line() -> None:
    ((_, raw),) = files_of("S01").items()
    found, seconds = spans_found(raw.decode())
    assert found == [Span(s["start"], s["end"]) for s in check_of("S01", "mentions_exact")["spans"]]
    assert seconds <= check_of("S01", "seconds")["max"]


@pytest.mark.slow
def test_s09_characters_that_change_length() -> None:
    ((_, raw),) = files_of("S09").items()
    text = raw.decode()
    found, seconds = spans_found(text)
    wanted = check_of("S09", "mentions_include")["spans"]
    assert {Span(s["start"], s["end"]) for s in wanted} <= set(found)
    _, half = spans_found(text[len(text) // 2 :])
    assert seconds / half <= check_of("S09", "time_ratio")["max"]


@pytest.mark.slow
def test_s04_one_surname_twenty_thousand_times() -> None:
    document, mentions = listed("S04")
    pipeline = load_pipeline(LinkageSettings())
    started = time.process_time()
    result = pipeline.link([document], [mentions])
    assert time.process_time() - started <= check_of("S04", "seconds")["max"]
    assert peak_bytes() / 2**20 <= check_of("S04", "peak_rss_mb")["max"]
    for identity in result.identities:
        assert len({result.mention(m).mention.surface.split(" ")[0] for m in identity.mention_ids}) == 1


@pytest.mark.slow
def test_s05_fifty_thousand_people_have_pseudonyms_of_their_own(tmp_path: Path) -> None:
    document, mentions = listed("S05")
    pipeline = load_pipeline(LinkageSettings())
    result = pipeline.link([document], [mentions])
    with make_vault(tmp_path)() as vault:
        pseudonyms = assign(result, vault, project=PROJECT)
        vault.commit()
    distinct = {m.surface for m in mentions}
    assert len({p.label for p in pseudonyms.values()}) == len(distinct)


def test_s06_one_bad_file(tmp_path: Path) -> None:
    run = run_files(tmp_path, files_of("S06"))
    wanted = {c["doc"]: c["equals"] for c in CASES["S06"]["expected"]["checks"] if c["check"] == "status"}
    assert {name: line["status"] for name, line in run.statuses.items()} == wanted
    assert run.report.has_failures


def test_s07_copies_stay_copies(tmp_path: Path) -> None:
    run = run_files(tmp_path, files_of("S07"))
    assert len(run.outputs) == check_of("S07", "outputs_identical")["count"]
    assert len(set(run.outputs.values())) == 1
    with run.open_vault() as vault:
        assert len(vault.known_identities(PROJECT)) == check_of("S07", "distinct_persons")["equals"]
    assert dict(run.restored()) == dict(run.files)
