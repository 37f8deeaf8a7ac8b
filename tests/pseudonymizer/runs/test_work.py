"""The work file: states, sealing, and nothing readable in its bytes."""

from pathlib import Path

import pytest

from linkage.records import (
    DocumentId,
    EntityId,
    FormLink,
    LinkDecision,
    PersonName,
    Span,
)
from pseudonymizer.crypto import Sealer
from pseudonymizer.engine.records import Label
from pseudonymizer.errors import WorkFileError
from pseudonymizer.runs.codec import SourceLabels
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.runs.work_results import LinkedSources
from pseudonymizer.runs.work_rows import DoneSource, PlannedSource, SourceState
from tests.pseudonymizer.runs.rows import NO_LABELS, ONE_MENTION, analysis, found

KEY = bytes(range(32))
A, B, C = (DocumentId(f"d{i}") for i in range(3))
ENTRIES = [
    PlannedSource(A, "Jan Terpstra.txt", 10, 1),
    PlannedSource(B, "b.txt", 20, 1),
    PlannedSource(C, "c.txt", 30, 1),
]


def opened(path: Path | None = None, key: bytes = KEY) -> WorkFile:
    return WorkFile.open(path, Sealer(key, key_id=0))


def finish(work: WorkFile, doc_id: DocumentId) -> None:
    work.save_detected([found(doc_id)])
    work.save_labels([(doc_id, NO_LABELS, ONE_MENTION)])
    work.save_done([DoneSource(doc_id, "out.txt", 5, ONE_MENTION)], now=1.0)


def states(work: WorkFile) -> dict[str, SourceState]:
    return {row.doc_id: row.state for row in work.rows()}


def test_a_source_goes_through_its_states() -> None:
    work = opened()
    work.plan(ENTRIES, b"f", only_failed=False)
    assert work.ids(SourceState.PLANNED) == [A, B, C]
    assert work.ids(SourceState.PLANNED, 2) == [A, B]
    work.save_detected([found(A, "Terpstra")])
    assert work.analysis(A) == analysis(A, "Terpstra")
    labels = SourceLabels.of(b"\0", [Label("", Span(0, 3), "P1", EntityId("vault:1"))])
    work.save_labels([(A, labels, SourceCounts(mentions=1, people=1))])
    assert work.labels(A) == labels
    assert work.counts_of(A) == SourceCounts(mentions=1, people=1)
    work.save_done([DoneSource(A, "a.txt", 7, ONE_MENTION)], now=1.0)
    work.save_failed(B, SourceState.FAILED, "DamagedDocumentError", "damaged")
    rows = {row.doc_id: row for row in work.rows()}
    assert (rows[A].state, rows[A].output, rows[A].output_size) == (SourceState.DONE, "a.txt", 7)
    assert (rows[B].state, rows[B].error, rows[B].reason) == (
        SourceState.FAILED,
        "DamagedDocumentError",
        "damaged",
    )
    assert rows[A].path == "Jan Terpstra.txt"
    assert "Terpstra" not in repr(rows)


@pytest.mark.parametrize(
    ("entry", "fingerprint", "state"),
    [
        (PlannedSource(A, "Jan Terpstra.txt", 10, 1), b"f", SourceState.DONE),
        (PlannedSource(A, "Jan Terpstra.txt", 11, 1), b"f", SourceState.PLANNED),
        (PlannedSource(A, "Jan Terpstra.txt", 10, 2), b"f", SourceState.PLANNED),
        (PlannedSource(A, "Jan Terpstra.txt", 10, 1), b"g", SourceState.PLANNED),
    ],
)
def test_what_is_done_stays_done_unless_it_changed(
    entry: PlannedSource, fingerprint: bytes, state: SourceState
) -> None:
    work = opened()
    work.plan(ENTRIES, b"f", only_failed=False)
    finish(work, A)
    work.plan([entry], fingerprint, only_failed=False)
    assert states(work) == {A: state}


def test_failures_are_tried_again_and_only_they_when_asked() -> None:
    work = opened()
    work.plan(ENTRIES, b"f", only_failed=False)
    finish(work, A)
    work.save_failed(B, SourceState.FAILED, "DamagedDocumentError", "damaged")
    work.plan(ENTRIES, b"f", only_failed=True)
    assert states(work) == {B: SourceState.PLANNED}
    work.save_failed(B, SourceState.FAILED, "DamagedDocumentError", "damaged")
    work.plan(ENTRIES, b"f", only_failed=False)
    assert states(work) == {A: SourceState.DONE, B: SourceState.PLANNED, C: SourceState.PLANNED}


def test_the_file_holds_no_name_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    work = opened(path)
    work.plan(ENTRIES, b"f", only_failed=False)
    work.save_detected([found(A, "Terpstra")])
    work.save_linked(
        LinkedSources([A], (), [FormLink("Terpstra", "Terpstra", 1.0, LinkDecision.LINK)]),
        {},
        {A: {PersonName(family="Terpstra")}},
    )
    everything = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    work.close()
    everything += path.read_bytes()
    assert b"Terpstra" not in everything
    assert path.stat().st_mode & 0o777 == 0o600


def test_it_opens_again_with_its_key_only(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    work = opened(path)
    work.plan(ENTRIES, b"f", only_failed=False)
    work.close()
    again = opened(path)
    again.plan(ENTRIES, b"f", only_failed=False)
    assert len(states(again)) == 3
    again.close()
    with pytest.raises(WorkFileError, match="another vault or project"):
        opened(path, bytes(32))


def test_two_runs_do_not_share_it(tmp_path: Path) -> None:
    work = opened(tmp_path / "work.db")
    with pytest.raises(WorkFileError, match="another run"):
        opened(tmp_path / "work.db")
    work.close()


def test_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    path.write_bytes(b"no database at all, but long enough to be read as one" * 40)
    with pytest.raises(WorkFileError, match="damaged"):
        opened(path)


def test_what_was_searched_and_not_written_is_searched_again() -> None:
    work = opened()
    ids = [DocumentId(name) for name in "abcd"]
    work.plan([PlannedSource(i, f"{i}.csv", 1, 1) for i in ids], b"f", only_failed=False)
    work.save_detected([found(i, "Terpstra") for i in ids[:3]])
    finish(work, ids[2])
    work.save_linked(LinkedSources(ids[:2]), {}, {})
    work.search_again(ids[:1])
    assert states(work) == {"a": "planned", "b": "detected", "c": "done", "d": "planned"}
    assert work.linked() is None
    work.save_linked(LinkedSources(ids[1:2]), {}, {})
    work.search_again(ids[2:])  # nothing of it waits
    assert work.linked() is not None
    assert not work.is_of_version_1
