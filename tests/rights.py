"""Files that cannot be read, for tests that run as root too: root without its right to read everything."""

import ctypes
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

# linux/capability.h: what lets root pass over the permissions of files.
_READS_EVERYTHING: Final = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
_VERSION_3: Final = 0x20080522
_HEADER: Final = struct.Struct("=Ii")
_SETS: Final = struct.Struct("=6I")  # effective, permitted, inheritable, twice


@contextmanager
def without_reading_everything() -> Iterator[None]:
    """In this thread the permissions of files hold, as they do for everybody but root. Skips where root
    cannot let go of that right."""
    if os.geteuid() != 0:
        yield
        return
    if not sys.platform.startswith("linux"):
        pytest.skip("root reads every file here")
    system = ctypes.CDLL(None, use_errno=True)
    header = ctypes.create_string_buffer(_HEADER.pack(_VERSION_3, 0), _HEADER.size)
    before = ctypes.create_string_buffer(_SETS.size)
    if system.capget(header, before) != 0:
        pytest.skip("the system does not tell the rights of root")
    effective, *rest = _SETS.unpack(before.raw)
    less = ctypes.create_string_buffer(_SETS.pack(effective & ~_READS_EVERYTHING, *rest), _SETS.size)
    if system.capset(header, less) != 0:
        pytest.skip("root cannot let go of a right here")
    try:
        yield
    finally:
        assert system.capset(header, before) == 0
