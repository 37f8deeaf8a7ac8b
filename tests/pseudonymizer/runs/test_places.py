"""Nobody's file is written over, and what a killed run was putting in its place is known for an output."""

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NoReturn

import pytest

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import BatchError
from pseudonymizer.runs import restore, units
from pseudonymizer.runs.output import OutputFolder
from pseudonymizer.runs.restore import Restoration
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_folder import open_work_file
from pseudonymizer.runs.work_rows import DoneSource, IntendedOutput
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, make_vault
from tests.pseudonymizer.runs.test_run import fill, outputs, restored, run

OpenVault = Callable[[], AbstractContextManager[Vault]]
OWN = b"somebody's own"


class Killed(BaseException):
    """The process ends here."""


def killed(*_: object) -> NoReturn:
    raise Killed


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


def stopped(monkeypatch: pytest.MonkeyPatch, where: type, method: str, *args: Any, **settings: Any) -> None:
    """A run that ends where this method would be called."""
    with monkeypatch.context() as patch:
        patch.setattr(where, method, killed)
        with pytest.raises(Killed):
            run(*args, **settings)


def test_a_file_put_where_a_source_failed_is_refused(tmp_path: Path, open_vault: OpenVault) -> None:
    source, out = fill(tmp_path / "in", {"a.txt": bytes(range(256))}), tmp_path / "out"
    assert run(open_vault, [source], out).documents["failed"] == 1
    fill(out, {"a.txt": OWN})
    fill(source, {"a.txt": b"Jan Tolsma kwam"})
    with pytest.raises(BatchError, match="holds 1 file that no run"):
        run(open_vault, [source], out)
    assert outputs(out) == {"a.txt": OWN}


def test_a_file_with_the_new_name_of_an_output_is_refused(tmp_path: Path, open_vault: OpenVault) -> None:
    source, out = fill(tmp_path / "in", {"Jan Tolsma.txt": b"Jan Tolsma kwam", "b.txt": b"Els Mol"}), tmp_path
    run(open_vault, [source], out / "first", deterministic=True)
    (name,) = outputs(out / "first").keys() - {"b.txt"}
    second = fill(out / "second", {name: OWN})
    report = run(open_vault, [source], second, deterministic=True)
    assert (report.documents["ok"], report.errors) == (1, {"ForeignFileError": 1})
    assert outputs(second)[name] == OWN
    assert not [place for place in (second / ".nymlink").rglob("*") if "parts" in place.parts]
    (second / name).unlink()
    assert run(open_vault, [source], second, deterministic=True).documents["ok"] == 2
    assert outputs(second) == outputs(out / "first")


def test_a_link_that_leads_nowhere_is_somebodys_too(tmp_path: Path, open_vault: OpenVault) -> None:
    source, out = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma kwam"}), tmp_path / "out"
    out.mkdir()
    (out / "a.txt").symlink_to(tmp_path / "nowhere")
    with pytest.raises(BatchError, match="holds 1 file that no run"):
        run(open_vault, [source], out)
    assert (out / "a.txt").readlink() == tmp_path / "nowhere"


def test_a_file_in_units_replaces_nobodys_file(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "UNIT_BYTES", 500)
    lines = b'{"text": "Jan Tolsma belde Els Mol"}\n' * 100
    source = fill(tmp_path / "in", {"Jan Tolsma.jsonl": lines})
    run(open_vault, [source], tmp_path / "first", deterministic=True)
    (name,) = outputs(tmp_path / "first")
    second = fill(tmp_path / "second", {name: OWN})
    assert run(open_vault, [source], second, deterministic=True).errors == {"ForeignFileError": 1}
    assert outputs(second) == {name: OWN}


def test_outputs_of_two_corpora_in_one_folder_stay_apart(tmp_path: Path, open_vault: OpenVault) -> None:
    """Another run, with other inputs, knows what lies there."""
    first = fill(tmp_path / "one", {"Jan Tolsma.txt": b"Jan Tolsma kwam"})
    out = tmp_path / "out"
    run(open_vault, [first], out, deterministic=True)
    (name,) = outputs(out)
    before = outputs(out)[name]
    run(open_vault, [fill(tmp_path / "two", {name: b"Els Mol ging"})], out, deterministic=True)
    written = outputs(out)
    assert len(written) == 2
    assert written[name] == before


def test_an_output_takes_no_place_that_another_source_has_by_its_own_name(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    run(open_vault, [fill(tmp_path / "one", {"Jan Tolsma.txt": b"Jan Tolsma kwam"})], tmp_path / "names")
    (name,) = outputs(tmp_path / "names")
    files = {"Jan Tolsma.txt": b"Jan Tolsma ging", name: b"Els Mol ging"}
    run(open_vault, [fill(tmp_path / "two", files)], tmp_path / "out")
    assert len(outputs(tmp_path / "out")) == 2
    assert outputs(tmp_path / "out")[name].endswith(b" ging")
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files


def test_restoring_replaces_nobodys_file(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restore, "LARGE_BYTES", 500)
    monkeypatch.setattr(units, "UNIT_BYTES", 500)
    files = {"a.txt": b"Jan Tolsma kwam", "b.jsonl": b'{"text": "Jan Tolsma belde Els Mol"}\n' * 100}
    out, back = tmp_path / "out", tmp_path / "back"
    run(open_vault, [fill(tmp_path / "in", files)], out)
    for _ in range(2):  # the same again is no harm
        assert restored(open_vault, out, back) == files
    fill(back, dict.fromkeys(files, OWN))
    report = Restoration(open_vault, PROJECT, "test").files(find_sources([out]), back)
    assert [failure.error for failure in report.failures] == ["ForeignFileError"] * 2
    assert outputs(back) == dict.fromkeys(files, OWN)
    assert not list(back.rglob("*.part"))


@pytest.mark.parametrize(
    ("where", "method", "there"),
    [
        (Vault, "store_rewrites", 0),
        (WorkFile, "save_intended", 0),  # the way back is durable, and nothing is in its place
        (OutputFolder, "write", 0),
        (WorkFile, "save_done", 3),  # everything is in its place, and nothing is noted as done
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_ends_in_the_last_pass_is_gone_on_with(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch, where: type, method: str,
    there: int, workers: int,
) -> None:  # fmt: skip
    files = {"Jan Tolsma.txt": b"Jan Tolsma kwam", "sub/b.txt": b"Els Mol en Jan Tolsma", "c.txt": b"niemand"}
    source, out = fill(tmp_path / "in", files), tmp_path / "out"
    method = "take" if method == "write" else method
    stopped(monkeypatch, where, method, open_vault, [source], out, workers=workers)
    before = outputs(out)
    assert len(before) == there
    assert restored(open_vault, out, tmp_path / "early") == (files if there else {})
    assert run(open_vault, [source], out, workers=workers).documents["ok"] == 3
    written = outputs(out)
    assert len(written) == 3
    assert before.items() <= written.items()
    assert restored(open_vault, out, tmp_path / "back") == files


def test_a_file_put_where_a_killed_run_meant_to_write_is_refused(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = fill(tmp_path / "in", {"a.txt": b"Jan Tolsma kwam"}), tmp_path / "out"
    stopped(monkeypatch, OutputFolder, "take", open_vault, [source], out)
    fill(out, {"a.txt": OWN})
    with pytest.raises(BatchError, match="holds 1 file that no run"):
        run(open_vault, [source], out)
    assert outputs(out) == {"a.txt": OWN}


def test_an_output_of_a_killed_run_that_gets_another_name_is_taken_away(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pseudonymizer.records import Scope

    source, out = fill(tmp_path / "in", {"Jan Tolsma.txt": b"Jan Tolsma kwam"}), tmp_path / "out"
    stopped(monkeypatch, WorkFile, "save_done", open_vault, [source], out)
    (before,) = outputs(out)
    run(open_vault, [source], out, scope=Scope.DOCUMENT)
    (after,) = outputs(out)
    assert before != after
    assert restored(open_vault, out, tmp_path / "back") == {"Jan Tolsma.txt": b"Jan Tolsma kwam"}


def test_more_files_than_one_transaction_holds_are_gone_on_with(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        f"{n:04}.txt": f"Jan Tolsma belde {'Els Mol' if n % 2 else 'Piet Kok'}".encode() for n in range(700)
    }
    source, out = fill(tmp_path / "in", files), tmp_path / "out"
    calls: list[int] = []
    save_done = WorkFile.save_done

    def second_fails(work: WorkFile, written: Any, now: float) -> None:
        calls.append(len(written))
        if len(calls) == 2:
            raise Killed
        save_done(work, written, now)

    with monkeypatch.context() as patch:
        patch.setattr(WorkFile, "save_done", second_fails)
        with pytest.raises(Killed):
            run(open_vault, [source], out)
    assert calls[0] >= 512
    assert sum(calls) == 700
    before = {place: place.stat().st_mtime_ns for place in out.glob("*.txt")}
    assert len(before) == 700
    written = outputs(out)
    assert run(open_vault, [source], out).documents["ok"] == 700
    assert outputs(out) == written
    done_again = sum(place.stat().st_mtime_ns != moment for place, moment in before.items())
    assert done_again == calls[1]
    assert restored(open_vault, out, tmp_path / "back") == files


def test_equal_files_come_back_each_under_its_own_name(tmp_path: Path, open_vault: OpenVault) -> None:
    """The unchanged one has no way back of its own, and would be taken for the one that got another name."""
    files = {"A.txt": b"", "brief Jan Tolsma.txt": b"", "b.txt": b"niets", "z/b Els Mol.txt": b"niets"}
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    assert "brief Jan Tolsma.txt" not in outputs(tmp_path / "out")
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files


@pytest.mark.parametrize("was_killed", [False, True])
@pytest.mark.parametrize("path", ["../home/x", "{home}/x", "link/x"])
def test_a_record_of_a_place_outside_leads_to_nothing_there(
    tmp_path: Path, open_vault: OpenVault, path: str, was_killed: bool
) -> None:
    """Whoever has the key of the work file can write any place into it."""
    source, out, home = (
        fill(tmp_path / "in", {"a.txt": b"Jan Tolsma kwam"}),
        tmp_path / "out",
        tmp_path / "home",
    )
    run(open_vault, [source], out)
    fill(home, {"x": OWN})
    (out / "link").symlink_to(home)
    place = path.format(home=home)
    with open_vault() as vault:
        work = open_work_file(vault, PROJECT, out)
        (row,) = work.rows()
        work.save_done([DoneSource(row.doc_id, place, len(OWN), row.counts)], 0.0)
        if was_killed:
            plain = hashlib.sha256(b"killed").hexdigest()
            work.save_intended([IntendedOutput(row.doc_id, "b.txt", plain)])
            fill(out, {"b.txt": b"killed"})
        work.close()
    (out / "a.txt").unlink()
    fill(source, {"a.txt": b"Jan Tolsma ging"})
    report = run(open_vault, [source], out)
    assert report.errors == ({} if was_killed else {"OutsideFolderError": 1})
    assert (home / "x").read_bytes() == OWN
    assert (out / "a.txt").read_bytes().endswith(b" ging")
    assert not (out / "b.txt").exists()


def test_an_input_that_no_folder_could_take_back_fails_alone(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"C:/a.txt": b"Jan Tolsma kwam", "b.txt": b"Els Mol ging"})
    report = run(open_vault, [source], tmp_path / "out")
    assert (report.documents["ok"], report.errors) == (1, {"OutsideFolderError": 1})
    assert outputs(tmp_path / "out").keys() == {"b.txt"}
