"""Learned tables that are whole, missing, cut off and altered."""

from pathlib import Path

import numpy as np
import pytest

from linkage.comparison.tables import read_arrays
from linkage.errors import ModelDamagedError, ModelNotFoundError


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.npz"
    np.savez_compressed(path, first=np.arange(2_000) % 17, second=np.linspace(0, 1, 500))
    return path


def test_arrays_come_in_the_order_asked_for(table: Path) -> None:
    second, first = read_arrays(table, "second", "first", what="invented words")
    assert second.shape == (500,)
    assert first[18] == 1


@pytest.mark.parametrize("share", [0.0, 0.001, 0.01, 0.3, 0.5, 0.9, 0.99])
def test_a_table_cut_off_anywhere_is_damaged(table: Path, share: float) -> None:
    whole = table.read_bytes()
    table.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(ModelDamagedError, match="invented words"):
        read_arrays(table, "first", "second", what="invented words")


def test_a_flipped_byte_is_noticed_or_changes_nothing(table: Path) -> None:
    whole = table.read_bytes()
    expected = read_arrays(table, "first", "second", what="invented words")
    noticed = 0
    for at in range(0, len(whole), 7):
        table.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        try:
            found = read_arrays(table, "first", "second", what="invented words")
        except ModelDamagedError:
            noticed += 1
        else:
            for array, original in zip(found, expected, strict=True):
                np.testing.assert_array_equal(array, original)
    assert noticed > 0


def test_a_file_of_something_else_is_damaged(table: Path) -> None:
    table.write_text("no table at all", encoding="utf-8")
    with pytest.raises(ModelDamagedError, match="invented words"):
        read_arrays(table, "first", what="invented words")


def test_a_table_without_the_array_is_damaged(table: Path) -> None:
    with pytest.raises(ModelDamagedError, match="invented words"):
        read_arrays(table, "third", what="invented words")


def test_a_missing_table_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="invented words"):
        read_arrays(tmp_path / "none.npz", "first", what="invented words")
