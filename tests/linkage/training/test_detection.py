"""Training from gold in an invented language to a folder that finds its names."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from linkage.errors import GoldFormatError, SettingsError
from linkage.recognition.ner_model import NerModel
from linkage.training.detection import TrainedNetwork, TrainingOrder, train_detection
from tests.linkage.training.invented import GIVEN, SURNAMES, bio, names, record

BATCHES, LATEST_CHECKPOINT = 150, 90.0  # batches; seconds


def order(folder: Path, *, batches: int = BATCHES, hold_out: int = 5) -> TrainingOrder:
    gold = folder / "gold.bio"
    if not gold.exists():
        gold.write_text(bio(), encoding="utf-8")
    return TrainingOrder(
        "xx", (gold,), folder / "pack", folder / "work", names(folder), batches=batches,
        tokenizer_batches=60, hidden_size=16, hold_out=hold_out,
    )  # fmt: skip


def trained(told: TrainingOrder) -> tuple[TrainedNetwork, list[str]]:
    torch.set_num_threads(1)
    lines: list[str] = []
    return train_detection(told, lines.append), lines


def weights(folder: Path) -> dict[str, torch.Tensor]:
    found: dict[str, torch.Tensor] = torch.load(folder / "pack" / "ner.pt", weights_only=True)["model"]
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TrainedNetwork, list[str]]:
    folder = tmp_path_factory.mktemp("whole")
    return (folder, *trained(order(folder)))


def test_a_tiny_network_learns_the_names(whole: tuple[Path, TrainedNetwork, list[str]]) -> None:
    _, result, _ = whole
    assert result.held_out is not None
    assert result.held_out.f(1) > 1 / 2


def test_the_folder_is_a_model_with_a_card(whole: tuple[Path, TrainedNetwork, list[str]]) -> None:
    folder, result, _ = whole
    assert NerModel.read(folder / "pack").tokenizer.name == "tokenizer.pt"
    card = (folder / "pack" / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert f"| {result.documents:,} |" in card
    assert str(result.held_out) in card


def test_progress_and_card_name_no_person(whole: tuple[Path, TrainedNetwork, list[str]]) -> None:
    folder, _, lines = whole
    told = "\n".join([*lines, (folder / "pack" / "MODEL_CARD.md").read_text(encoding="utf-8")])
    assert "tokenizer step" not in told or "loss" in told
    assert "PER" in told
    assert not any(name in told for name in (*GIVEN, *SURNAMES))


def test_a_run_ended_by_kill_9_goes_on_to_the_same_network(
    tmp_path: Path, whole: tuple[Path, TrainedNetwork, list[str]]
) -> None:
    order(tmp_path)  # writes the gold and the names
    child = subprocess.Popen(  # noqa: S603 - our own Python
        [
            sys.executable, "-c",
            "import sys; from pathlib import Path; from tests.linkage.training.test_detection import *; "
            "trained(order(Path(sys.argv[1])))",
            str(tmp_path),
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    checkpoint, until = tmp_path / "work" / "network" / "last.pt", time.monotonic() + LATEST_CHECKPOINT
    while not checkpoint.exists() and child.poll() is None and time.monotonic() < until:
        time.sleep(1 / 100)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert checkpoint.exists()
    assert not (tmp_path / "pack").exists()
    trained(order(tmp_path))
    once, twice = weights(whole[0]), weights(tmp_path)
    assert all(torch.equal(value, twice[name]) for name, value in once.items())


def test_kinds_of_identifiers_files_become_labels(tmp_path: Path) -> None:
    told = order(tmp_path, batches=2, hold_out=0)
    told.gold[0].write_text("\n".join(map(record, range(60))), encoding="utf-8")
    result, _ = trained(told)
    assert result.held_out is None
    tags = torch.load(tmp_path / "pack" / "ner.pt", weights_only=True)["vocab"]["tag"]["_unit2id"][0]
    assert "S-CITY" in tags
    assert json.loads((tmp_path / "pack" / "model.json").read_text())["strict_tags"] is True
    assert "not known" in (tmp_path / "pack" / "MODEL_CARD.md").read_text(encoding="utf-8")


def test_borrowed_gold_trains_and_chooses_nothing(tmp_path: Path) -> None:
    alone = order(tmp_path, batches=2, hold_out=0)
    borrowed = tmp_path / "borrowed.bio"
    borrowed.write_text("Wob\tO\nYendo\tB-PER\n\nWob\tO\nwob\tO\n", encoding="utf-8")
    told = replace(alone, borrowed=(borrowed,))
    result, lines = trained(told)
    assert lines[0].endswith("; 1 are borrowed")
    pretrained = torch.load(tmp_path / "pack" / "vectors.pt", weights_only=True)
    assert "wob" in pretrained["vocab"]["_unit2id"]
    assert told.fingerprint() != alone.fingerprint()
    assert result.persons == sum(line.endswith("B-PER") for line in bio().splitlines())


def test_gold_that_is_given_twice_is_counted_once(tmp_path: Path) -> None:
    told = order(tmp_path, batches=2, hold_out=0)
    result, _ = trained(replace(told, gold=told.gold * 2))
    assert result.persons == sum(line.endswith("B-PER") for line in bio().splitlines())
    assert 0 < result.documents <= 20  # documents of 20 sentences


def test_a_folder_that_is_there_and_work_of_another_order_are_refused(tmp_path: Path) -> None:
    told = order(tmp_path, batches=2)
    told.out.mkdir()
    with pytest.raises(SettingsError, match="is there already"):
        train_detection(told, print)
    told.out.rmdir()
    told.work.mkdir()
    (told.work / "order.txt").write_text("another", encoding="utf-8")
    with pytest.raises(SettingsError, match="another training"):
        train_detection(told, print)


def test_too_little_gold_is_refused(tmp_path: Path) -> None:
    told = order(tmp_path)
    told.gold[0].write_text(bio(3), encoding="utf-8")
    with pytest.raises(GoldFormatError, match="too small"):
        train_detection(told, print)
