"""A full name of one file is replaced in all files of the run, in whatever order, and in later runs."""

from pathlib import Path

import pytest

from tests.pseudonymizer.batch_fakes import PROJECT, make_vault
from tests.pseudonymizer.runs.test_run import OpenVault, fill, outputs, restored, run

FILES = {
    "a.txt": b"Zie Jan_Tolsma_cv.",
    "b.jsonl": b'{"text": "Niets.", "Jan_Tolsma": {"Jan Tolsma": 1}}\n',
    "m.txt": b"Jan Tolsma belde.",
    "z.md": b"- __Jan_Tolsma__ en _Jan_ Tolsma",
}


HIDDEN = ("a.txt", "b.jsonl")  # in these nobody finds the name who does not know it
OTHERS = {name: raw for name, raw in FILES.items() if name not in HIDDEN}


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


# -- names that become known after a file was written --------------------------------------------------------


def _first(tmp_path: Path, open_vault: OpenVault) -> Path:
    """A folder whose files hold a name that nobody knew when they were written."""
    folder = fill(tmp_path / "in", {name: FILES[name] for name in HIDDEN})
    fill(folder, {"over.txt": b"Els Mol belde."})
    report = run(open_vault, [folder], tmp_path / "out")
    assert report.known_since == 0
    assert b"Jan_Tolsma" in outputs(tmp_path / "out")["a.txt"]
    return folder


@pytest.mark.parametrize("workers", [1, 2])
def test_files_that_were_written_are_treated_again_when_a_name_in_them_becomes_known(
    tmp_path: Path, open_vault: OpenVault, workers: int
) -> None:
    folder = _first(tmp_path, open_vault)
    fill(folder, OTHERS)
    report = run(open_vault, [folder], tmp_path / "out", workers=workers)
    assert report.known_since == 2
    assert report.documents["ok"] == 5
    assert len(labels(tmp_path / "out")) == 1
    back = restored(open_vault, tmp_path / "out", tmp_path / "back")
    assert back == {**FILES, "over.txt": b"Els Mol belde."}
    again = run(open_vault, [folder], tmp_path / "out")
    assert again.known_since == 0, "once"
    fill(folder, {"n.txt": b"Jan Tolsma kwam weer."})
    assert run(open_vault, [folder], tmp_path / "out").known_since == 0


def test_a_run_with_a_limit_leaves_them_and_the_next_one_treats_them(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    folder = _first(tmp_path, open_vault)
    fill(folder, {"m.txt": FILES["m.txt"]})
    assert run(open_vault, [folder], tmp_path / "out", limit=1).known_since == 0
    assert b"Jan_Tolsma" in outputs(tmp_path / "out")["a.txt"]
    fill(folder, {**OTHERS, "n.txt": b"Jan Tolsma kwam weer."})
    assert run(open_vault, [folder], tmp_path / "out").known_since == 2
    assert len(labels(tmp_path / "out")) == 1


def test_files_that_are_no_part_of_a_run_are_left(tmp_path: Path, open_vault: OpenVault) -> None:
    _first(tmp_path, open_vault)
    other = fill(tmp_path / "other", {"m.txt": FILES["m.txt"]})
    assert run(open_vault, [other], tmp_path / "out").known_since == 0
    assert b"Jan_Tolsma" in outputs(tmp_path / "out")["a.txt"]


def test_what_is_kept_of_unknown_names_shows_none(tmp_path: Path, open_vault: OpenVault) -> None:
    _first(tmp_path, open_vault)
    for file in (tmp_path / "out" / ".nymlink").glob("work.db*"):
        assert b"Tolsma" not in file.read_bytes()


def test_nothing_is_compared_any_more_once_somebody_is_erased(tmp_path: Path, open_vault: OpenVault) -> None:
    """The key of what was kept goes with the erased, as the one of their names does."""
    folder = _first(tmp_path, open_vault)
    with open_vault() as vault:
        label = vault.lookup(project=PROJECT, name="Els Mol", purpose="t").pseudonyms[0]
        vault.erase(project=PROJECT, pseudonyms=[label], purpose="verzoek")
    fill(folder, {"m.txt": FILES["m.txt"]})
    assert run(open_vault, [folder], tmp_path / "out").known_since == 0
