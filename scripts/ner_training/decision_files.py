"""Where the decision model and its table of name slots go, both or neither."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

_MODEL = Path("languages") / "nl" / "models" / "detection.json"
_SLOTS = Path("languages") / "nl" / "lexicon" / "name_slots" / "name_slots.tsv"


def destinations(data: Path, *, out: Path | None, slots: Path | None) -> tuple[Path, Path]:
    """Files of the model and of the table: those of the data folder, unless out names another model.

    The table of another model lies beside it, unless slots says where: the shipped one stays as it is.
    """
    if out is None:
        return data / _MODEL, slots or data / _SLOTS
    return out, slots or out.with_name(_SLOTS.name)


def write_together(contents: Mapping[Path, str]) -> None:
    """Write the files, UTF-8, each replaced in one step, and none before all of them lie on the disk.

    Raises:
        OSError: if one cannot be written; then none is changed.
    """
    written: dict[Path, Path] = {}
    try:
        for path, text in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            written[path] = Path(name)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            written[path].chmod(0o644)
        for path in contents:
            written.pop(path).replace(path)
    finally:
        for left in written.values():
            left.unlink(missing_ok=True)
