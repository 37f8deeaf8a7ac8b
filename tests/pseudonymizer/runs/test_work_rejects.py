"""Lines that are left out lie sealed in the work file, and in the order of its files."""

import os
from pathlib import Path

from linkage.records import DocumentId
from pseudonymizer.crypto import Sealer
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_rows import PlannedSource

FIRST, SECOND = DocumentId("aa"), DocumentId("bb+000001")


def test_lines_are_kept_until_their_file_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    work = WorkFile.open(path, Sealer(os.urandom(32), key_id=0))
    work.plan(
        [PlannedSource(SECOND, "b.csv", 9, 1), PlannedSource(FIRST, "a.jsonl", 9, 1)], b"", only_failed=False
    )
    work.keep_rejected({FIRST: {7: b"{Ada Postma\n"}, SECOND: {12: b"x\xff", 3: b"y"}})
    assert [(one.doc_id, one.path, one.number, one.content) for one in work.rejected()] == [
        ("bb", "b.csv", 3, b"y"), ("bb", "b.csv", 12, b"x\xff"), ("aa", "a.jsonl", 7, b"{Ada Postma\n"),
    ]  # fmt: skip
    assert "Postma" not in repr(list(work.rejected()))
    work.keep_rejected({FIRST: {}})
    assert [one.doc_id for one in work.rejected()] == ["bb", "bb"]
    work.close()
    assert all(b"Postma" not in file.read_bytes() for file in tmp_path.iterdir())


def test_units_are_known_by_their_bytes_while_their_file_is_unchanged() -> None:
    work = WorkFile.open(None, Sealer(os.urandom(32), key_id=0))
    units = [PlannedSource(DocumentId(f"aa+{n:06d}"), "a.csv", 500 + n, 77) for n in range(3)]
    work.plan(units, b"", only_failed=False)
    assert work.unit_sizes(DocumentId("aa"), 77) == (500, 501, 502)
    assert work.unit_sizes(DocumentId("aa"), 78) == ()
    assert work.unit_sizes(DocumentId("ab"), 77) == ()
