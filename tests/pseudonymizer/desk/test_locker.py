"""Sealed files: what went in comes out; what was cut, swapped or moved does not open."""

from pathlib import Path

import pytest

from pseudonymizer.crypto import new_key
from pseudonymizer.desk.locker import SEALED_PIECE, Locker, destroy
from pseudonymizer.desk.workspace_asked import PIECE
from pseudonymizer.errors import DeskStoreError, UnsealError, UploadRefusedError


@pytest.fixture
def locker(tmp_path: Path) -> Locker:
    return Locker(tmp_path, "w_1", new_key())


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
def test_a_file_comes_back(locker: Locker, tmp_path: Path, size: int) -> None:
    raw = (b"Jan Tolsma" * (size // 10 + 1))[:size]
    locker.put("a", raw)
    assert locker.get("a") == raw
    assert locker.pieces_of("a") == max(1, -(-size // PIECE))
    assert b"".join(locker.piece("a", number) for number in range(locker.pieces_of("a"))) == raw
    assert b"Tolsma" not in (tmp_path / "a").read_bytes()
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600
    pieces = [raw[start : start + PIECE] for start in range(0, size, PIECE)] or [b""]
    for number, piece in enumerate(pieces):
        locker.append("b", number, piece, is_last=number == len(pieces) - 1)
    assert locker.get("b") == raw
    assert list(tmp_path.glob("*.part")) == []


def test_what_was_altered_does_not_open(locker: Locker, tmp_path: Path) -> None:
    locker.put("a", bytes(2 * PIECE + 5))
    whole = (tmp_path / "a").read_bytes()
    first, second = whole[:SEALED_PIECE], whole[SEALED_PIECE : 2 * SEALED_PIECE]
    for altered in (
        second + first + whole[2 * SEALED_PIECE :], whole[: 2 * SEALED_PIECE], whole[:-1], b"",
        whole[:100] + bytes([whole[100] ^ 1]) + whole[101:],
    ):  # fmt: skip
        (tmp_path / "a").write_bytes(altered)
        with pytest.raises(UnsealError):
            locker.get("a")
    (tmp_path / "b").write_bytes(whole)  # another name
    with pytest.raises(UnsealError):
        locker.get("b")
    sealed = locker.seal(b"x", what="name/1")
    assert locker.unseal(sealed, what="name/1") == b"x"
    with pytest.raises(UnsealError):
        locker.unseal(sealed, what="name/2")
    with pytest.raises(UnsealError):
        Locker(tmp_path, "w_2", new_key()).unseal(sealed, what="name/1")


def test_pieces_come_in_their_order_and_size(locker: Locker) -> None:
    with pytest.raises(UploadRefusedError):
        locker.append("a", 1, bytes(PIECE), is_last=False)
    with pytest.raises(UploadRefusedError):
        locker.append("a", 0, bytes(5), is_last=False)
    locker.append("a", 0, bytes(PIECE), is_last=False)
    locker.append("a", 1, b"old", is_last=True)
    locker.append("a", 1, b"new", is_last=True)
    assert locker.get("a") == bytes(PIECE) + b"new"


def test_what_is_gone_is_told(locker: Locker, tmp_path: Path) -> None:
    with pytest.raises(DeskStoreError):
        locker.get("none")
    locker.put("a", b"x")
    with pytest.raises(DeskStoreError):
        locker.piece("a", 1)
    locker.remove("a", "none")
    assert not locker.has("a")
    destroy(tmp_path)
    assert not tmp_path.exists()
    assert "w_1" in repr(locker)
