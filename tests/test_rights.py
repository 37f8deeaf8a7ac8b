"""The helper itself: closed files are closed to root, and open again afterwards."""

import os
from pathlib import Path

import pytest

from tests.rights import without_reading_everything


def test_a_closed_file_is_closed_to_root_too(tmp_path: Path) -> None:
    file = tmp_path / "closed"
    file.write_text("x")
    file.chmod(0)
    with without_reading_everything(), pytest.raises(PermissionError):
        file.read_text()
    if os.geteuid() == 0:
        assert file.read_text() == "x"
