"""Progress of a run, where nobody looks."""

import pytest

from pseudonymizer.engine.progress import Progress, Silent


def test_silent_shows_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    shown: Progress = Silent()
    shown.begin("detect", 2)
    shown.advance(2)
    shown.end()
    assert capfd.readouterr() == ("", "")
