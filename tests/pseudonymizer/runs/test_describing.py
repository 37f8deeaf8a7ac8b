"""What a report says of settings, models and versions: enough to repeat a run, and no name of a file."""

from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest

from linkage.settings import LinkageSettings, LinkingSettings, RecognitionSettings
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs import describing
from pseudonymizer.runs.describing import described


@pytest.fixture
def model(tmp_path: Path) -> Path:
    place = tmp_path / "Jan Tolsma.pt"
    place.write_bytes(b"weights")
    return place


def settings(network: Path | None = None, **linking: object) -> LinkageSettings:
    files = {"persons_file": network} if network is not None else {}
    return LinkageSettings(RecognitionSettings(ner_model=network, **files), LinkingSettings(**linking))  # type: ignore[arg-type]


def test_a_model_is_told_by_its_digest_and_its_place_by_nothing(model: Path) -> None:
    told = described(settings(model), FormatOptions())
    assert told["models"]["network"] == "9a129038d9a0"  # of "weights", as sha256sum tells it
    assert told["settings"]["recognition"]["ner_model"] is True
    assert told["settings"]["recognition"]["persons_file"] is True
    assert b"Tolsma" not in msgspec.json.encode(told)
    model.write_bytes(b"other weights")
    assert described(settings(model), FormatOptions())["models"]["network"] != told["models"]["network"]


def test_models_that_ship_are_told_too_and_one_that_is_gone_is_called_gone(model: Path) -> None:
    shipped = described(LinkageSettings(), FormatOptions())["models"]
    assert shipped.keys() == {"network", "detection", "classifier"}
    assert shipped["classifier"] != "not found"
    model.unlink()
    changed = described(settings(model), FormatOptions())["models"]
    assert changed == shipped | {"network": "not found"}


def test_each_setting_is_told_by_table_with_its_value() -> None:
    told = described(settings(link_threshold=0.8), FormatOptions())["settings"]
    assert told["linking"]["link_threshold"] == 0.8
    assert told["linking"]["review_threshold"] is None
    assert told["recognition"]["find_typing_errors"] is True
    assert told.keys() == {"recognition", "linking"}


def test_formats_are_told_where_they_are_read_otherwise_and_columns_by_number() -> None:
    options = FormatOptions(columns=("Jan Tolsma", "note"), keep_unread=True)
    told = described(LinkageSettings(), options)["settings"]
    assert told["formats"] == {"columns": 2, "keep_unread": True}


def test_versions_are_those_of_the_installed_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(describing, "_PACKAGES", ("hypothesis", "no-such-package"))
    assert described(LinkageSettings(), FormatOptions())["versions"] == {
        "hypothesis": version("hypothesis"), "no-such-package": "not installed as a package",
    }  # fmt: skip
