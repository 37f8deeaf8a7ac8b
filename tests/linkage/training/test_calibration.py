"""How sure a network is, against how often it is right."""

import json
from pathlib import Path

import pytest

from linkage.training import calibration


def test_the_card_gets_what_was_fitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.json").write_text(json.dumps({"network": "ner.pt"}), encoding="utf-8")
    monkeypatch.setattr(calibration, "fit", lambda _, __: (0.51239, -1.0))
    calibration.calibrate(tmp_path, [])
    assert json.loads((tmp_path / "model.json").read_text()) == {
        "network": "ner.pt", "calibration_slope": 0.5124, "calibration_offset": -1.0,
    }  # fmt: skip
