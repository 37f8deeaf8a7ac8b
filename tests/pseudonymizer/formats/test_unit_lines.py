"""Lines of files in UTF-16: none is cut inside a character, and a long one costs what its length is."""

import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer.formats import unit_lines
from pseudonymizer.formats.unit_lines import LineReader

_READER = LineReader(b"\xff\xfe", "utf-16-le")


@given(
    st.text(st.sampled_from("a\n\u0a0a\u0a00\u000d")), st.booleans(), st.sampled_from([1, 2, 3, 8, 1 << 20])
)
def test_lines_end_with_a_line_feed_and_are_the_whole_file(text: str, odd: bool, block: int) -> None:
    raw = text.encode("utf-16-le") + b"x" * odd
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unit_lines, "_BLOCK", block)
        lines = list(_READER.lines(io.BytesIO(raw)))
    expected = [line.encode("utf-16-le") for line in text.split("\n")]
    expected = [line + b"\n\0" for line in expected[:-1]] + [expected[-1] + b"x" * odd]
    assert lines == [line for line in expected if line]


class _Counted(bytes):
    """Bytes that count how many of them are looked through."""

    looked = 0

    def find(self, *args: object) -> int:
        _Counted.looked += len(self)
        return super().find(*args)  # type: ignore[arg-type]

    def __add__(self, other: bytes) -> "_Counted":  # type: ignore[override]
        return _Counted(super().__add__(other))

    def __radd__(self, other: bytes) -> "_Counted":
        return _Counted(other + bytes(self))

    def __getitem__(self, key: object) -> "_Counted":  # type: ignore[override]
        return _Counted(super().__getitem__(key))  # type: ignore[call-overload]


class _File(io.BytesIO):
    def read(self, size: int | None = -1) -> bytes:
        return _Counted(super().read(size))


def test_a_line_without_end_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit_lines, "_BLOCK", 1_000)
    found: Iterator[bytes] = _READER.lines(_File(b"a\0" * 100_000))
    _Counted.looked = 0
    assert [len(line) for line in found] == [200_000]
    assert 0 < _Counted.looked <= 400_000
