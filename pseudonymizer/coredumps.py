"""No image of a process that holds keys and names is ever written to a disk."""

import sys
from typing import Final

_PR_SET_DUMPABLE: Final = 4


def forbid_core_dumps() -> bool:
    """Core dumps of this process off, and its memory out of reach of other processes of the same user, where
    the system has that; says whether it was granted. Children of exec get the limit, not the rest.
    """
    try:
        import resource
    except ImportError:  # not POSIX
        return False
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ValueError, OSError):
        return False
    if not sys.platform.startswith("linux"):
        return True
    import ctypes

    # The limit does not count where dumps are piped to a program; this does.
    return bool(ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
