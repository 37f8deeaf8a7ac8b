"""A disk that fills up: a file is whole or not there, the others go on, and the report says so."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pseudonymizer.runs.output import OutputFolder
from tests.pseudonymizer.batch_fakes import make_vault
from tests.pseudonymizer.runs.test_run import OpenVault, fill, outputs, restored, run, statuses

_LIMIT = 4_000_000  # bytes of one file; vault and work file stay far below
_FILES = {
    "a.txt": b"Jan Tolsma belde",
    "groot.txt": b"Els Mol " + b"kwam " * 1_000_000,
    "z.txt": b"Els Mol ging",
}
_LIMITED = """
import resource, sys
from functools import partial
from pathlib import Path
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, new_batch

folder, limit = Path(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
url = f"sqlite:///{folder / 'vault' / 'vault.db'}"
opener = partial(Vault.open, url, FileKey(folder / "vault" / "kek.key"))
report = new_batch(
    find_sources([folder / "in"]), folder / "out", BatchSettings(PROJECT), load=load_fake, open_vault=opener
).run()
assert report.has_failures
"""


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="file sizes can be limited on POSIX alone")
def test_a_file_that_does_not_fit_fails_alone_and_comes_later(tmp_path: Path, open_vault: OpenVault) -> None:
    fill(tmp_path / "in", _FILES)
    subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", _LIMITED, str(tmp_path), str(_LIMIT)],
        check=True,
        cwd=Path(__file__).resolve().parents[3],
        timeout=120,
    )
    out = tmp_path / "out"
    assert outputs(out).keys() == {"a.txt", "z.txt"}
    assert not list(out.rglob("*.part"))
    lines = statuses(open_vault, out)
    assert {path: line["status"] for path, line in lines.items()} == {
        "a.txt": "ok",
        "groot.txt": "failed",
        "z.txt": "ok",
    }
    assert lines["groot.txt"]["reason"] == os.strerror(errno.EFBIG)
    report = run(open_vault, [tmp_path / "in"], out, retry_failed=True)
    assert not report.has_failures
    assert restored(open_vault, out, tmp_path / "back") == _FILES


def test_a_disk_that_is_full_stays_an_error_of_each_file(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing fits beside the records: every file fails, and the run still ends with its report."""
    whole = Path.replace

    def full(self: Path, target: Path) -> Path:
        if ".nymlink" not in Path(target).parts:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        return whole(self, target)

    files = {name: raw for name, raw in _FILES.items() if name != "groot.txt"}
    source, out = fill(tmp_path / "in", files), tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        report = run(open_vault, [source], out)
    assert (report.documents["ok"], report.documents["failed"]) == (0, 2)
    assert report.errors == {"OSError": 2}
    assert {line["reason"] for line in statuses(open_vault, out).values()} == {os.strerror(errno.ENOSPC)}
    assert outputs(out) == {}
    assert not list(out.rglob("*.part"))
    run(open_vault, [source], out)
    assert restored(open_vault, out, tmp_path / "back") == files


def test_what_was_there_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = OutputFolder(tmp_path / "out", frozenset())
    folder.write("a.txt", b"before")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        folder.write("a.txt", b"after, and longer")
    assert (tmp_path / "out" / "a.txt").read_bytes() == b"before"
    assert not list(tmp_path.rglob("*.part"))
