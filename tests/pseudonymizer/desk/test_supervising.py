"""Places of sockets: private, and never over what is something else."""

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import pytest

from pseudonymizer.desk.supervising import become, check_place, listening, private_folder
from pseudonymizer.errors import EngineError


def test_a_private_folder_is_for_this_user_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as parent:  # a path of pytest would be too long for a socket
        monkeypatch.setenv("XDG_RUNTIME_DIR", parent)
        with private_folder() as folder:
            assert folder.parent == Path(parent)
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert list(Path(parent).iterdir()) == []


def test_a_long_path_of_temporary_files_is_no_hindrance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long-" * 20)
    long.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", "")
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    with private_folder() as folder, listening(folder / "engine.sock") as listener:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert listener.getsockname() == str(folder / "engine.sock")
    assert not folder.exists()
    with pytest.raises(EngineError, match="longer than 100 bytes"):
        listening(long / "engine.sock")
    assert list(long.iterdir()) == []


def test_a_socket_takes_the_place_of_one_that_was_left(tmp_path: Path) -> None:
    place = tmp_path / "own" / "engine.sock"
    for _ in range(2):  # the second time over the socket of the first, as after a kill
        with listening(place):
            assert place.is_socket()
            assert stat.S_IMODE(place.stat().st_mode) & 0o007 == 0
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
                caller.connect(os.fspath(place))


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o777])
def test_a_folder_that_is_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(EngineError, match="0700"):
        check_place(folder / "engine.sock")


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    place = tmp_path / "engine.sock"
    place.write_text("mine")
    with pytest.raises(EngineError, match="no socket"):
        listening(place)
    assert place.read_text() == "mine"
    with pytest.raises(EngineError, match="cannot be made"):
        check_place(tmp_path / "none" / "deeper" / "engine.sock")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_a_process_ends_the_one_that_it_runs(number: signal.Signals) -> None:
    child = "import os, sys, time; print(os.getpid(), sys.stdin.read(), flush=True); time.sleep(60)"
    parent = (
        "import sys; from pseudonymizer.desk.supervising import run_and_pass_on; "
        f"sys.exit(run_and_pass_on(['-c', {child!r}], b'given'))"
    )
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True) as running:  # noqa: S603  our own code
        assert running.stdout is not None
        process, given = running.stdout.readline().split()
        assert given == "given"
        running.send_signal(number)
        assert running.wait(10) == 0
        with pytest.raises(ProcessLookupError):
            os.kill(int(process), 0)


_BECOMING: Final = """
import os, signal, sys
from pseudonymizer.desk.supervising import become
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background begin with it ignored
kept = os.open(os.devnull, os.O_RDONLY)
print(os.getpid(), flush=True)
child = '''
import os, sys, time
print(os.getpid(), len(sys.stdin.read()), len(os.listdir("/proc/self/fd")), flush=True)
time.sleep(60)
'''
become(["-c", child], b"x" * 300_000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a second process runs")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_becomes_the_other_and_keeps_nothing_open(number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", _BECOMING], stdout=subprocess.PIPE, text=True) as running:  # noqa: S603  our own code
        assert running.stdout is not None
        assert int(running.stdout.readline()) == running.pid
        process, given, open_files = map(int, running.stdout.readline().split())
        assert (process, given) == (running.pid, 300_000)
        assert open_files == 4  # the three of every process, and the folder that is read
        running.send_signal(number)
        assert running.wait(10) in (-number, 1)


def test_elsewhere_a_second_process_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    code = "import sys; sys.exit(len(sys.stdin.read()))"
    assert become(["-c", code], b"four") == 4
