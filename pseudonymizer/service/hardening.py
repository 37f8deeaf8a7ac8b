"""What keeps keys inside this process: no core dumps, no tracing by others, no swapping where allowed."""

import ctypes
import os
import sys
from dataclasses import dataclass
from typing import Final

from pseudonymizer.coredumps import forbid_core_dumps

_MCL_CURRENT: Final = 1
_MCL_FUTURE: Final = 2


@dataclass(frozen=True, slots=True)
class Hardening:
    """What the system granted."""

    core_dumps_off: bool
    memory_locked: bool


def harden() -> Hardening:
    """Ask for all of it; says what was had. Memory is locked only without a limit, or with the right to it:
    under a limit a later allocation would fail, and the vault with it.
    """
    cores_off = forbid_core_dumps()
    if not sys.platform.startswith("linux") or not _may_lock():
        return Hardening(core_dumps_off=cores_off, memory_locked=False)
    locked = ctypes.CDLL(None).mlockall(_MCL_CURRENT | _MCL_FUTURE) == 0
    return Hardening(core_dumps_off=cores_off, memory_locked=bool(locked))


def _may_lock() -> bool:
    import resource

    return resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == resource.RLIM_INFINITY or os.geteuid() == 0
