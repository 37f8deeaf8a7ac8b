"""Files that take down what reads them fail alone: by memory, time, depth or a crash."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from linkage.errors import DamagedDocumentError, DocumentError, DocumentTooLargeError
from linkage.records import Span
from pseudonymizer import confined, formats
from pseudonymizer.confined import reading
from pseudonymizer.confined.reading import ConfinedFile
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.run import BatchSettings
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch

_PAGE = b"<p>Sanne Terpstra belde.</p>"
_MEGABYTES = 1_000_000
_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")


def _many_cells(count: int) -> bytes:
    """A table of so many cells takes some hundred bytes a letter."""
    return b"a;b\r\n" + b'"""";"""x"\r\n' * count


def _process_ids() -> set[int]:
    return {process._process.pid for process in reading._PROCESSES._started if process.is_ours}


@_LINUX
def test_a_file_that_needs_too_much_memory_fails_alone() -> None:
    options = FormatOptions(max_memory=150 * _MEGABYTES)
    assert confined.read(_PAGE, name="a.html", options=options).parts[0].text == "Sanne Terpstra belde.\n"
    with pytest.raises(DocumentError, match="MB of memory that one file may take"):
        confined.read(_many_cells(180_000), name="a.csv", options=options)
    assert confined.read(_PAGE, name="a.html", options=options).parts[0].text == "Sanne Terpstra belde.\n"


def test_a_file_that_takes_too_long_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pseudonymizer.confined.limits._SECONDS_A_MEGABYTE", 0)
    confined.read(_PAGE, name="a.html")  # the process has begun
    with pytest.raises(DocumentTooLargeError, match=r"takes more than \d+ seconds"):
        confined.read(_many_cells(100_000), name="a.csv", options=FormatOptions(max_seconds=0.3))
    assert confined.read(_PAGE, name="a.html").parts


def test_files_within_files_are_counted_there_too() -> None:
    with pytest.raises(DocumentTooLargeError):
        confined.read(b"[" * 200_000 + b"]" * 200_000, name="a.json")


def test_a_process_that_is_killed_takes_one_file_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        reading, "_PROCESSES", reading._Processes()
    )  # threads of other tests may have several
    kept = confined.read(_PAGE, name="a.html", keep=True)
    (first,) = _process_ids()
    os.kill(first, signal.SIGKILL)
    with pytest.raises(DamagedDocumentError, match="signal 9"):
        confined.read(_PAGE, name="b.html")
    assert kept.render({"": {Span(0, 14): "P1"}}).raw == b"<p>P1 belde.</p>"  # read again in a new process
    assert first not in _process_ids()


def test_the_process_is_used_again() -> None:
    confined.read(_PAGE, name="a.html")
    before = _process_ids()
    for number in range(5):
        confined.read(_PAGE, name=f"{number}.html", keep=True).render({})
    assert _process_ids() == before


def test_what_comes_out_is_what_this_process_reads() -> None:
    raw = b'naam;"op ""merking"\r\nSanne Terpstra;"zei ""ja"""\r\nJan Postma;\r\n'
    here, there = formats.read(raw, name="x.csv"), confined.read(raw, name="x.csv", keep=True)
    assert isinstance(there, ConfinedFile)
    assert (there.format_name, there.parts, there.unread) == (here.format_name, here.parts, here.unread)
    start = here.parts[0].text.index("Sanne")
    labels = {here.parts[0].part_id: {Span(start, start + 14): "P1"}}
    rendered, expected = there.render(labels), here.render(labels)
    assert (rendered.raw, rendered.edits, rendered.unplaced) == (expected.raw, expected.edits, 0)


def test_a_plain_text_needs_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_PROCESSES", None)
    assert confined.read(b"Sanne belde.", name="a.txt").format_name == "txt"
    assert confined.read(b"Sanne belde.").format_name == "txt"


def test_threads_read_at_the_same_time() -> None:
    texts: list[str] = []

    def read() -> None:
        texts.append(confined.read(_PAGE, name="a.html").parts[0].text)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == ["Sanne Terpstra belde.\n"] * 4


@_LINUX
def test_the_process_has_no_key_and_no_name_in_arguments_or_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NYMLINK_KEY", "c2VjcmV0")
    started = reading._Processes()
    source = reading._Source(_PAGE, ".html", FormatOptions(), None)
    read = started.read(source, keep=False)
    place = Path(f"/proc/{read._process._process.pid}")
    assert "Sanne" not in (place / "cmdline").read_text()
    try:
        environment = (place / "environ").read_text()
    except PermissionError:  # as it should be: its memory is closed to others
        environment = ""
    assert "c2VjcmV0" not in environment
    read._process.close()


_ONE_PAGE_OF_WHAT_NEEDS_MUCH = """
import sys
from pathlib import Path
from pseudonymizer import confined
confined.read(Path(sys.argv[1]).read_bytes(), name="a.html")
print("Sanne")
raise SystemExit(3)
"""


def test_the_process_ends_with_who_asks(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(_PAGE)
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-W", "error", "-c", _ONE_PAGE_OF_WHAT_NEEDS_MUCH, page],
        capture_output=True, text=True, timeout=120, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (3, "Sanne\n", "")


@_LINUX
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_goes_on_behind_a_hostile_file(tmp_path: Path, workers: int) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_bytes(_many_cells(180_000))
    for number in range(3):
        (tmp_path / "in" / f"{number}.html").write_bytes(_PAGE)
    sources = find_sources([tmp_path / "in"], output=tmp_path / "out")
    report = new_batch(
        sources, tmp_path / "out", BatchSettings(PROJECT, workers=workers), load=load_fake,
        open_vault=make_vault(tmp_path / "vault"), formats=FormatOptions(max_memory=150 * _MEGABYTES),
    ).run()  # fmt: skip
    assert report.errors == {"DocumentTooLargeError": 1}
    assert len(list((tmp_path / "out").glob("*.html"))) == 3


@_LINUX
def test_a_process_that_a_large_one_started_is_used_again() -> None:
    """The memory of who asks is not that of the process that reads."""
    large = bytearray(os.urandom(1)) * 1_200_000_000
    started = reading._Processes()
    read = started.read(reading._Source(_PAGE, ".html", FormatOptions(), None), keep=False)
    assert read._process.is_ours
    assert len(large) == 1_200_000_000
    read._process.close()
