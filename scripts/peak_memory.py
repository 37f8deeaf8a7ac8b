"""The most memory that this process ever had.

getrusage's ru_maxrss does not tell: in a process that another one started it begins at the peak of that other
process. VmHWM belongs to the memory of the program itself, which is new when a program is started.
"""

from pathlib import Path


def peak_bytes() -> int:
    """Resident memory at its highest, of this process since its program started (Linux)."""
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("/proc/self/status does not tell the highest memory of this process")
