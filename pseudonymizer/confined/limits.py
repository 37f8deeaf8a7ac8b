"""What reading a file may take, and how the reading process keeps to it."""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from pseudonymizer.confined.messages import Limits
from pseudonymizer.coredumps import forbid_core_dumps
from pseudonymizer.file_limits import MEGABYTE
from pseudonymizer.formats import FormatOptions

OUT_OF_MEMORY: Final = 77  # the exit status of a process whose memory did not suffice to say so
_MEGABYTE: Final = 1_000_000
# Seconds by the clock for each megabyte of a file, beside those of FormatOptions. The slowest formats take
# two seconds a megabyte on one core; a machine may be busy with other things.
_SECONDS_A_MEGABYTE: Final = 60
# The same for files whose pages may be pictures: a page of ten kilobytes, the smallest that scanners make,
# gets six seconds, and text recognition takes one to three.
_SECONDS_A_MEGABYTE_OF_PAGES: Final = 600
_PAGES: Final = (b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
_CGROUP: Final = Path("/sys/fs/cgroup/memory.max")
_OWN_SCORE: Final = Path("/proc/self/oom_score_adj")
_FIRST_TO_GO: Final = "1000"  # where memory runs short, Linux ends the process with the highest number


def limits_for(raw: bytes, options: FormatOptions) -> Limits:
    """What reading these bytes may take."""
    rate = _SECONDS_A_MEGABYTE_OF_PAGES if raw.startswith(_PAGES) else _SECONDS_A_MEGABYTE
    return Limits(options.max_seconds + rate * len(raw) / _MEGABYTE, _memory(options.max_memory))


def too_much_memory(limits: Limits) -> str:
    """What is said of a file that needs more than it may take."""
    megabytes = limits.memory // MEGABYTE
    return (
        f"reading the file takes more than the {megabytes} MB of memory that one file may take: it is left "
        "out; cut it into smaller files"
    )


def _memory(wanted: int) -> int:
    """No more than half of what the machine has, or what the container may take."""
    return min(wanted, _HALF_OF_ALL)


def _half_of_all() -> int:
    amounts = [sys.maxsize]
    with suppress(OSError, ValueError, AttributeError):
        amounts.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError):  # "max" is no number
        amounts.append(int(_CGROUP.read_text("ascii")))
    return min(amounts) // 2


_HALF_OF_ALL: Final = _half_of_all()


class OwnLimits:
    """The limits of this process, which reads files. Where the system has none, only time is limited, by the
    process that asks.
    """

    def __init__(self) -> None:
        with suppress(OSError):
            _OWN_SCORE.write_text(_FIRST_TO_GO, "ascii")
        forbid_core_dumps()
        self._memory = 0

    def begin(self, limits: Limits) -> None:
        """From now on the limits hold; the system ends this process when its time is over."""
        if sys.platform == "linux" and limits.memory != self._memory:
            import resource

            _, most = resource.getrlimit(resource.RLIMIT_DATA)
            allowed = limits.memory if most == resource.RLIM_INFINITY else min(limits.memory, most)
            resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))
            self._memory = limits.memory
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, limits.seconds)

    def end(self) -> None:
        """The time that nobody asks for anything does not count."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
