"""A full name of one file is replaced in all files of the run, in whatever order, and in later runs."""

from pathlib import Path

import pytest

from tests.pseudonymizer.batch_fakes import make_vault
from tests.pseudonymizer.runs.test_run import OpenVault, fill, outputs, restored, run

FILES = {
    "a.txt": b"Zie Jan_Tolsma_cv.",
    "b.jsonl": b'{"text": "Niets.", "Jan_Tolsma": {"Jan Tolsma": 1}}\n',
    "m.txt": b"Jan Tolsma belde.",
    "z.md": b"- __Jan_Tolsma__ en _Jan_ Tolsma",
}


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


def labels(folder: Path) -> set[bytes]:
    """The labels of Jan Tolsma in the outputs of FILES; no output may hold the name."""
    found = outputs(folder)
    for name in ("a.txt", "b.jsonl", "z.md"):
        assert b"Jan_Tolsma" not in found[name]
        assert b"Jan Tolsma" not in found[name]
    label = found["m.txt"].partition(b" ")[0]
    assert found["a.txt"] == b"Zie " + label + b"_cv."
    assert found["b.jsonl"].count(label) == 2
    assert label in found["z.md"]
    return {label}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_name_of_one_file_is_replaced_in_all(tmp_path: Path, open_vault: OpenVault, workers: int) -> None:
    report = run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out", workers=workers)
    assert len(labels(tmp_path / "out")) == 1
    assert report.detectors["consistency"] >= 3
    assert report.identities == 1
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == FILES


def test_a_name_of_an_earlier_run_is_replaced_in_a_later_one(tmp_path: Path, open_vault: OpenVault) -> None:
    folder = fill(tmp_path / "in", {"m.txt": FILES["m.txt"]})
    run(open_vault, [folder], tmp_path / "out")
    fill(folder, {name: raw for name, raw in FILES.items() if name != "m.txt"})
    run(open_vault, [folder], tmp_path / "out")
    assert len(labels(tmp_path / "out")) == 1


def test_a_run_that_looks_only_finds_them_too(tmp_path: Path, open_vault: OpenVault) -> None:
    report = run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out", dry_run=True)
    assert report.detectors["consistency"] >= 3
