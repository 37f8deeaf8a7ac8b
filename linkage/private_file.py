"""Files that hold names, for their owner alone."""

import os
from collections.abc import Iterable
from pathlib import Path


def write_private(path: Path, pieces: Iterable[str]) -> None:
    """Write a text in UTF-8: whole or not at all, and readable by the owner only (mode 0600).

    A file that is there, perhaps readable by others, is replaced and not written into.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)  # left by a process that was killed and had this number
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.writelines(pieces)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
