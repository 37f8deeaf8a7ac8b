"""Outputs that workers leave in parts, and the main process puts in their places."""

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from linkage.records import DocumentId
from pseudonymizer.crypto import Sealer, digest_sha256
from pseudonymizer.engine.records import RenderTask, SourceFailure, SourceRendered
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import BatchError, PseudonymizerError, WorkFileError
from pseudonymizer.runs.output import OutputFolder, real_paths, write_whole
from pseudonymizer.runs.run import Batch, BatchSettings
from pseudonymizer.runs.stages import Worker
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.vault import Vault
from pseudonymizer.work_files.folder import WORK_FILE
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch

OpenVault = Callable[[], AbstractContextManager[Vault]]
RAW = b"Jan Tolsma belde."


@pytest.fixture
def source(tmp_path: Path) -> Path:
    place = tmp_path / "in" / "a.txt"
    place.parent.mkdir()
    place.write_bytes(RAW)
    return place


def task(source: Path, parts: Path | None) -> RenderTask:
    return RenderTask(DocumentId("a"), source, "a.txt", digest_sha256((RAW,)), (), parts=parts)


def test_a_worker_leaves_the_bytes_and_says_what_they_are(source: Path, tmp_path: Path) -> None:
    (sent,) = Worker(load_fake).render([task(source, None)])
    (left,) = Worker(load_fake).render([task(source, tmp_path / "parts")])
    assert isinstance(sent, SourceRendered)
    assert isinstance(left, SourceRendered)
    assert left.part is not None
    assert (left.raw, left.part.place.read_bytes()) == (b"", sent.raw)
    assert left.part.place.is_relative_to(tmp_path / "parts")
    assert left.size == sent.size == len(sent.raw)
    assert left.part.plain == hashlib.sha256(sent.raw).hexdigest()
    assert left.part.stored == digest_sha256((sent.raw,))


def test_bytes_that_cannot_be_left_are_a_failure_of_their_file(source: Path) -> None:
    (failed,) = Worker(load_fake).render([task(source, source / "parts")])
    assert failed == SourceFailure(DocumentId("a"), "NotADirectoryError", os.strerror(errno.ENOTDIR))


def test_what_is_not_written_whole_is_not_there(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"a"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "a.part", broken(), 0o600)
    assert not (tmp_path / "a.part").exists()


def test_a_part_is_taken_to_its_place_with_the_mode_of_outputs(tmp_path: Path) -> None:
    folder = OutputFolder(tmp_path / "out", frozenset())
    part = folder.records / "a"
    write_whole(part, [b"new"], 0o666)
    folder.take("sub/a.txt", part)
    place = tmp_path / "out" / "sub" / "a.txt"
    assert place.read_bytes() == b"new"
    assert not part.exists()
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(place.stat().st_mode) == 0o666 & ~umask


def test_no_part_is_taken_over_a_source(source: Path) -> None:
    folder = OutputFolder(source.parent, frozenset({str(source.resolve())}))
    part = folder.records / "a"
    write_whole(part, [b"new"], 0o666)
    with pytest.raises(BatchError, match="over a source"):
        folder.take("a.txt", part)
    assert source.read_bytes() == RAW
    assert not part.exists()


def batch(source: Path, output: Path, open_vault: OpenVault) -> Batch:
    return new_batch(
        find_sources([source.parent]), output, BatchSettings(PROJECT), load=load_fake, open_vault=open_vault
    )


def leave(folder: OutputFolder) -> Path:
    """What a worker of a killed run left."""
    left = folder.parts / "123" / "left"
    left.parent.mkdir(parents=True)
    write_whole(left, [b"half"], 0o666)
    return left


def test_parts_of_a_killed_run_are_taken_away(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    folder = OutputFolder(out, frozenset())
    left = leave(folder)
    batch(source, out, make_vault(tmp_path / "vault")).run()
    assert (out / "a.txt").is_file()
    assert not left.exists()
    assert not folder.parts.exists()


def test_parts_of_a_run_that_goes_on_stay(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    folder = OutputFolder(out, frozenset())
    left = leave(folder)
    other = WorkFile.open(folder.records / WORK_FILE, Sealer(bytes(32), key_id=0))
    try:
        with pytest.raises(WorkFileError, match="another run"):
            batch(source, out, make_vault(tmp_path / "vault")).run()
    finally:
        other.close()
    assert left.read_bytes() == b"half"


def test_real_paths_are_those_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real" / "sub").mkdir(parents=True)
    for name in ("a", "b", "sub/c"):
        (tmp_path / "real" / name).write_bytes(b"")
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "link").symlink_to(tmp_path / "real" / "a")
    monkeypatch.chdir(tmp_path / "real")
    paths = [
        *(tmp_path / "folder" / name for name in ("a", "b", "sub/c", "link", "none", "sub/..", "sub/../a")),
        Path("b"), Path("sub/c"), Path(), Path(".."), Path("/"),
    ]  # fmt: skip
    for path in paths:
        assert real_paths([path]) == {str(path.resolve())}
    assert real_paths(paths) == {str(path.resolve()) for path in paths}


@pytest.mark.parametrize(
    "path", ["/{home}/x", "../home/x", "sub/../../home/x", "", "a\0b", ".nymlink/x", "link/x"]
)
def test_nothing_is_put_or_taken_away_outside_the_folder(tmp_path: Path, path: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "x").write_bytes(RAW)
    folder = OutputFolder(tmp_path / "out", frozenset())
    (tmp_path / "out" / "link").symlink_to(home)
    (folder.records / "x").write_bytes(RAW)
    relative = path.format(home=home)
    part = folder.records / "left"
    write_whole(part, [b"evil"], 0o666)
    acts: list[Callable[[], None]] = [
        lambda: folder.add(relative, [b"evil"]),
        lambda: folder.write(relative, b"evil"),
        lambda: folder.take(relative, part),
        lambda: folder.remove(relative),
    ]
    for act in acts:
        with pytest.raises(PseudonymizerError, match=r"path of an output|a link in the output folder"):
            act()
    assert not part.exists()
    assert [entry.name for entry in home.iterdir()] == ["x"]
    assert (home / "x").read_bytes() == (folder.records / "x").read_bytes() == RAW


def test_no_folder_is_made_through_a_link(tmp_path: Path) -> None:
    folder = OutputFolder(tmp_path / "out", frozenset())
    (tmp_path / "home").mkdir()
    (tmp_path / "out" / "link").symlink_to(tmp_path / "home")
    with pytest.raises(PseudonymizerError, match="a link in the output folder"):
        folder.write("link/new/deep/x", b"evil")
    assert not list((tmp_path / "home").iterdir())


def test_an_output_folder_may_be_a_link_itself_and_hold_links_to_its_own_folders(tmp_path: Path) -> None:
    (tmp_path / "disk" / "real").mkdir(parents=True)
    (tmp_path / "out").symlink_to(tmp_path / "disk")
    (tmp_path / "disk" / "sub").symlink_to("real")
    folder = OutputFolder(tmp_path / "out", frozenset())
    folder.write("sub/new/a.txt", b"new")
    assert (tmp_path / "disk" / "real" / "new" / "a.txt").read_bytes() == b"new"
    folder.remove("sub/new/a.txt")
    assert not (tmp_path / "disk" / "real" / "new" / "a.txt").exists()


@pytest.mark.parametrize("doc_id", ["d1+/../../../x", "../x", "/x", ""])
def test_the_id_of_a_unit_is_no_path(tmp_path: Path, doc_id: str) -> None:
    folder = OutputFolder(tmp_path / "out", frozenset())
    folder.write_unit("d1+000000", b"unit")
    (tmp_path / "x").write_bytes(RAW)
    acts: list[Callable[[], object]] = [
        lambda: folder.unit(doc_id),
        lambda: folder.remove_units([doc_id]),
    ]
    for act in acts:
        with pytest.raises(PseudonymizerError, match="of a unit"):
            act()
    assert (tmp_path / "x").read_bytes() == RAW
    assert folder.unit("d1+000000").read_bytes() == b"unit"
