"""Original paths are nowhere in clear in the folder that is handed on, and none of them is lost."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from linkage.records import DocumentId
from pseudonymizer.crypto import Sealer
from pseudonymizer.errors import BatchError, UnknownProjectError, WorkFileError
from pseudonymizer.runs import units
from pseudonymizer.runs.path_records import path_lines, seal_old_record
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_folder import open_work_file
from pseudonymizer.runs.work_rows import PlannedSource
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault import Vault
from pseudonymizer.work_files.folder import WORK_FILE
from tests.pseudonymizer.batch_fakes import PROJECT, make_vault
from tests.pseudonymizer.runs.test_run import fill, outputs, run

OpenVault = Callable[[], AbstractContextManager[Vault]]
FILES = {"Jan Tolsma/brief Els Mol.txt": b"Jan Tolsma kwam", "b.txt": b"Els Mol ging", ".DS_Store": b""}
OLD = "id\tinput\toutput\nd1\tJan Tolsma.txt\tP1-X.txt\nd2\tzonder uitvoer.txt\t\n"


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


def table(open_vault: OpenVault, output: Path) -> dict[str, str]:
    """Path of the output by that of the input."""
    head, *lines = path_lines(output, open_vault, PROJECT).decode("utf-8", "surrogateescape").split("\n")[:-1]
    assert head == "id\tinput\toutput"
    rows = [line.split("\t") for line in lines]
    assert {len(row) for row in rows} <= {3}
    return {row[1]: row[2] for row in rows}


@pytest.mark.parametrize("style", ["token", "tag", "surrogate", "initials", "mask"])
def test_no_path_with_a_name_is_in_clear_in_the_folder(
    tmp_path: Path, open_vault: OpenVault, style: str
) -> None:
    settings: dict[str, Any] = {"styles": StyleSettings.from_mapping({"style": style})}
    run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out", **settings)
    assert not (tmp_path / "out" / ".nymlink" / "paths.tsv").exists()
    for place in (tmp_path / "out").rglob("*"):
        raw = place.read_bytes() if place.is_file() else b""
        for name in ("Tolsma", "Els Mol", "brief Els"):
            assert name not in place.relative_to(tmp_path / "out").as_posix()
            assert name.encode() not in raw, place.name
    shown = table(open_vault, tmp_path / "out")
    assert shown.keys() == FILES.keys()
    assert set(shown.values()) == {*outputs(tmp_path / "out"), ""}


def test_the_table_tells_the_files_of_all_runs_and_large_files_once(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "UNIT_BYTES", 500)
    run(
        open_vault,
        [fill(tmp_path / "one", {"Jan Tolsma.jsonl": b'{"text": "Els Mol"}\n' * 200})],
        tmp_path / "out",
    )
    run(open_vault, [fill(tmp_path / "two", {"b.txt": b"Els Mol"})], tmp_path / "out")
    shown = table(open_vault, tmp_path / "out")
    assert list(shown) == ["b.txt", "Jan Tolsma.jsonl"]
    assert set(shown.values()) == set(outputs(tmp_path / "out"))


def test_a_path_with_a_tab_or_a_line_end_is_one_field(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"a\tb\nc\\d\re\u2028f.txt": b"Els Mol", "b\udcff.txt": b"Els Mol"}
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    assert table(open_vault, tmp_path / "out").keys() == {"a\\tb\\nc\\\\d\\re\u2028f.txt", "b\udcff.txt"}


def test_the_record_of_an_older_version_is_sealed_and_nothing_of_it_is_lost(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    """A work file that was lost knows nothing of what the old record tells."""
    out, records = tmp_path / "out", tmp_path / "out" / ".nymlink"
    source = fill(tmp_path / "in", {"b.txt": b"Els Mol ging", "c\u2028.txt": b"niets"})
    for number in range(2):
        run(open_vault, [source], out)
        mine = path_lines(out, open_vault, PROJECT).decode().split("\n", 1)[1]
        old = OLD + f"d{number + 3}\tnog een\x0b{number}.txt\t\n"
        (records / "paths.tsv").write_text(old + mine, encoding="utf-8")
    report = run(open_vault, [source], out)
    assert report.names_in_folder.old_paths == 8  # with the three of the first time
    assert not (records / "paths.tsv").exists()
    assert table(open_vault, out) == {
        "b.txt": "b.txt", "c\u2028.txt": "c\u2028.txt", "Jan Tolsma.txt": "P1-X.txt",
        "zonder uitvoer.txt": "", "nog een\x0b0.txt": "", "nog een\x0b1.txt": "",
    }  # fmt: skip
    assert not [place for place in records.rglob("*") if place.is_file() and b"Tolsma" in place.read_bytes()]
    assert run(open_vault, [source], out).names_in_folder.old_paths == 0
    assert len(table(open_vault, out)) == 6


def work_file(folder: Path) -> WorkFile:
    return WorkFile.open(folder / WORK_FILE, Sealer(bytes(32), key_id=0))


def test_a_run_that_is_killed_before_the_old_record_is_gone_seals_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "paths.tsv").write_text(OLD)
    work = work_file(tmp_path)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            seal_old_record(tmp_path, work)
    assert (tmp_path / "paths.tsv").read_text() == OLD
    assert seal_old_record(tmp_path, work) == 2
    assert list(work.kept_path_lines()) == [f"{line}\n" for line in OLD.split("\n")[1:-1]]
    assert seal_old_record(tmp_path, work) == 0


def test_many_lines_and_bytes_that_are_no_text_are_kept(tmp_path: Path) -> None:
    lines = [f"d{n}\tJan Tolsma {n}\t\n".encode() for n in range(5_000)] + [b"d\tb\xff.txt\t"]
    (tmp_path / "paths.tsv").write_bytes(b"".join(lines))  # without a head, and cut off
    work = work_file(tmp_path)
    work.plan([PlannedSource(DocumentId("d7"), "Jan Tolsma 7", 1, 1)], b"f", only_failed=False)
    assert seal_old_record(tmp_path, work) == 5_001
    kept = [line.encode("utf-8", "surrogateescape") for line in work.kept_path_lines()]
    assert kept == [line for n, line in enumerate(lines[:-1]) if n != 7] + [b"d\tb\xff.txt\t\n"]


def test_paths_are_told_to_the_vault_and_project_of_the_folder_alone(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    out = tmp_path / "out"
    run(open_vault, [fill(tmp_path / "in", FILES)], out)
    (tmp_path / "empty").mkdir()
    with pytest.raises(BatchError, match="no run has written there"):
        path_lines(tmp_path / "empty", open_vault, PROJECT)
    assert list((tmp_path / "empty").iterdir()) == []
    with pytest.raises(UnknownProjectError):
        path_lines(out, open_vault, "other")
    with open_vault() as vault:
        assert vault.projects() == (PROJECT,)
        vault.ensure_project("other")
        vault.commit()
    with pytest.raises(WorkFileError, match="another vault or project"):
        path_lines(out, open_vault, "other")


def test_a_run_that_goes_on_is_not_disturbed(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, [fill(tmp_path / "in", FILES)], tmp_path / "out")
    with open_vault() as vault:
        work = open_work_file(vault, PROJECT, tmp_path / "out")
    try:
        with pytest.raises(WorkFileError, match="another run"):
            path_lines(tmp_path / "out", open_vault, PROJECT)
    finally:
        work.close()
