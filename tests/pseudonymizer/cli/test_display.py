"""Progress that is no terminal's: a line every ten seconds, and none for work that is done sooner."""

from collections.abc import Iterator

import pytest

from pseudonymizer.cli.display import Lines


def test_a_line_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    times: Iterator[float] = iter([0.0, 4.0, 10.0, 15.0, 21.0])
    lines = Lines(now=lambda: next(times))
    lines.begin("detect", 3_400)
    for count in (40, 60, 50, 60):
        lines.advance(count)
    lines.end()
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        "detect: 100 of 3,400 files, 10.0 a second",
        "detect: 210 of 3,400 files, 10.0 a second",
    ]
