"""Restoring writes below its folder and nowhere else, whatever path the vault has for a file."""

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.records import Rewrite
from pseudonymizer.runs import restore, units
from pseudonymizer.runs.restore import BY_LABELS, EXACT, FAILED, Restoration
from pseudonymizer.vault import Vault
from pseudonymizer.vault.rows import documents
from tests.pseudonymizer.batch_fakes import PROJECT, make_vault
from tests.pseudonymizer.runs.test_run import fill, outputs, run

OpenVault = Callable[[], AbstractContextManager[Vault]]
FILES = {"a.txt": b"Jan Tolsma kwam", "b.txt": b"Els Mol ging", "c.jsonl": b'{"text": "Jan Tolsma"}\n' * 100}


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


@pytest.fixture
def small_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """c.jsonl is a large file, which is treated in units."""
    monkeypatch.setattr(restore, "LARGE_BYTES", 500)
    monkeypatch.setattr(units, "UNIT_BYTES", 500)


def evil_run(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch, paths: dict[str, str]
) -> Path:
    """Outputs of a vault made before paths were checked, in which somebody has altered some of them."""
    real = Vault.store_rewrites

    def stored(self: Vault, project: str, rewrites: list[tuple[Rewrite, bytes]]) -> None:
        altered = [
            (replace(one, path=paths.get(one.path, one.path) if one.path else None), output)
            for one, output in rewrites
        ]
        real(self, project, altered)

    with monkeypatch.context() as patch:
        patch.setattr(documents, "checked_relative_path", lambda path, **_: path, raising=False)
        patch.setattr(Vault, "store_rewrites", stored)
        run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out")
    return tmp_path / "out"


@pytest.mark.usefixtures("small_units")
@pytest.mark.parametrize("name", ["a.txt", "c.jsonl"])
@pytest.mark.parametrize(
    "path", ["{out}/evil.txt", "../evil.txt", "x/../../evil.txt", "a//evil.txt", "C:\\evil"]
)
def test_a_path_in_the_vault_that_leads_out_is_refused_for_its_file(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch, path: str, name: str
) -> None:
    path = path.format(out=tmp_path)
    out = evil_run(tmp_path, open_vault, monkeypatch, {name: path})
    report = Restoration(open_vault, PROJECT, "test").files(find_sources([out]), tmp_path / "back")
    assert (report.counts[EXACT], report.counts[FAILED]) == (2, 1)
    (failure,) = report.failures
    assert failure.error == "OutsideFolderError"
    assert "nothing was written" in failure.reason
    assert "evil" not in failure.reason
    assert not [place for place in tmp_path.rglob("*") if "evil" in place.name]
    assert outputs(tmp_path / "back") == {n: raw for n, raw in FILES.items() if n != name}
    # The person who restores gets the text all the same.
    assert Restoration(open_vault, PROJECT, "test").text((out / name).read_bytes()) == (EXACT, FILES[name])


def test_restoring_goes_through_no_link_out_of_the_folder(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"sub/a.txt": b"Jan Tolsma kwam", "b.txt": b"Els Mol ging", "in/c.txt": b"Els Mol kwam"}
    out, back, home = tmp_path / "out", tmp_path / "back", tmp_path / "home"
    run(open_vault, [fill(tmp_path / "in", files)], out)
    (back / "real").mkdir(parents=True)
    home.mkdir()
    (back / "sub").symlink_to(home)
    (back / "in").symlink_to(back / "real")
    report = Restoration(open_vault, PROJECT, "test").files(find_sources([out]), back)
    assert [failure.error for failure in report.failures] == ["OutsideFolderError"]
    assert list(home.iterdir()) == []
    assert (back / "real" / "c.txt").read_bytes() == files["in/c.txt"]


def test_nothing_is_restored_among_the_records_of_a_folder(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = evil_run(tmp_path, open_vault, monkeypatch, {"a.txt": ".nymlink/work.db"})
    report = Restoration(open_vault, PROJECT, "test").files(find_sources([out]), tmp_path / "back")
    assert [failure.error for failure in report.failures] == ["OutsideFolderError"]
    assert not (tmp_path / "back" / ".nymlink" / "work.db").exists()


def test_stored_paths_of_today_come_back(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"map\\brief.txt": b"Jan Tolsma kwam", "A: b.txt": b"Els Mol ging", "...": b"Jan Tolsma ging"}
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    report = Restoration(open_vault, PROJECT, "test").files(
        find_sources([tmp_path / "out"]), tmp_path / "back"
    )
    assert not report.failures
    assert outputs(tmp_path / "back") == files


def test_an_edited_output_comes_back_under_the_name_it_has(tmp_path: Path, open_vault: OpenVault) -> None:
    out = tmp_path / "out"
    run(open_vault, [fill(tmp_path / "in", {"sub/a.txt": b"Jan Tolsma kwam"})], out)
    edited = tmp_path / "edited"
    shutil.copytree(out / "sub", edited)
    (edited / "a.txt").write_bytes((out / "sub" / "a.txt").read_bytes() + b" gisteren")
    report = Restoration(open_vault, PROJECT, "test").files(find_sources([edited]), tmp_path / "back")
    assert report.counts[BY_LABELS] == 1
    assert outputs(tmp_path / "back") == {"a.txt": b"Jan Tolsma kwam gisteren"}
