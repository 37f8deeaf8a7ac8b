"""What the passes leave for each other in a work file, sealed until it is used. All names are invented."""

import sqlite3
from pathlib import Path

import pytest

from linkage.records import (
    DocumentId,
    EntityId,
    FormLink,
    Identity,
    IdentityId,
    LinkDecision,
    MentionId,
    PersonName,
)
from pseudonymizer.crypto import Sealer
from pseudonymizer.engine.records import LabelledPerson
from pseudonymizer.errors import WorkFileError
from pseudonymizer.runs.codec import SOURCES
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_results import LinkedSources
from pseudonymizer.runs.work_rows import DoneSource, PlannedSource
from tests.pseudonymizer.runs.rows import NO_LABELS, ONE_MENTION, found

SEALER = Sealer(bytes(range(32)), key_id=0)
A, B = (DocumentId(f"d{i}") for i in range(2))
ENTRIES = [PlannedSource(A, "Jan Terpstra.txt", 10, 1), PlannedSource(B, "b.txt", 20, 1)]
ELS = LabelledPerson(EntityId("vault:1"), "P1-X", (PersonName("Els", family="Postma"),), {"email": "E1"})


def opened(path: Path | None = None) -> WorkFile:
    return WorkFile.open(path, SEALER)


def finish(work: WorkFile, doc_id: DocumentId) -> None:
    work.save_detected([found(doc_id)])
    work.save_labels([(doc_id, NO_LABELS, ONE_MENTION)])
    work.save_done([DoneSource(doc_id, "out.txt", 5, ONE_MENTION)], now=1.0)


def test_a_result_waits_until_labels_are_saved() -> None:
    work = opened()
    work.plan(ENTRIES, b"f", only_failed=False)
    work.save_detected([found(A)])
    identities = [Identity(IdentityId(f"p{i}"), frozenset({MentionId(f"{i}")})) for i in range(5_000)]
    forms = [FormLink("Jan", f"Jan {i}", 0.5, LinkDecision.LINK, None, 0.5) for i in range(2_001)]
    assert work.linked() is None
    work.save_linked(LinkedSources([A], identities, forms, 7), {}, {})
    assert work.linked() == LinkedSources([A], identities, forms, 7)
    work.save_labels([(A, NO_LABELS, ONE_MENTION)])
    assert work.linked() is None


def test_totals_add_up() -> None:
    work = opened()
    work.plan(ENTRIES, b"f", only_failed=False)
    assert work.totals() == {}
    work.save_linked(LinkedSources([]), {"identities": 3, "open_links": 1}, {})
    finish(work, A)
    work.save_linked(LinkedSources([]), {"identities": 2}, {})
    work.save_labels([], totals={"open_links": 4})
    assert work.totals() == {"identities": 5, "open_links": 5}


def test_totals_of_what_is_linked_anew_as_a_whole_are_replaced() -> None:
    work = opened()
    for fingerprint in (b"f", b"g"):
        work.plan(ENTRIES[:1], fingerprint, only_failed=False)
        work.save_detected([found(A)])
        work.save_linked(LinkedSources([A]), {"identities": 3}, {})
        work.save_labels([(A, NO_LABELS, ONE_MENTION)])
        work.save_done([DoneSource(A, "out.txt", 5, ONE_MENTION)], now=1.0)
        assert work.totals() == {"identities": 3}


def test_swapped_rows_do_not_open(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    work = opened(path)
    work.plan(ENTRIES, b"f", only_failed=False)
    work.save_detected([found(A, "Jansen"), found(B, "Postma")])
    work.close()
    raw = sqlite3.connect(path)
    raw.execute(
        "update source set mentions = (select mentions from source where doc_id = 'd1') where doc_id = 'd0'"
    )
    raw.commit()
    raw.close()
    again = opened(path)
    again.plan(ENTRIES, b"f", only_failed=False)
    with pytest.raises(WorkFileError):
        again.analysis(A)
    again.close()


def test_people_are_kept_until_they_are_forgotten() -> None:
    work = opened()
    work.save_labels([], [ELS])
    assert list(work.people()) == [ELS]
    work.forget_people()
    assert list(work.people()) == []


def test_records_of_another_version_are_refused_without_being_shown(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    work = opened(path)
    work.plan(ENTRIES, b"f", only_failed=False)
    work.close()
    sealed = SEALER.seal(SOURCES.encode([DocumentId("Terpstra")]), context=b"work/mentions/d0")
    raw = sqlite3.connect(path)
    raw.execute("update source set mentions = ? where doc_id = 'd0'", (sealed,))
    raw.commit()
    raw.close()
    again = opened(path)
    with pytest.raises(WorkFileError, match="another version") as caught:
        again.analysis(A)
    assert "Terpstra" not in str(caught.value)
    again.close()
