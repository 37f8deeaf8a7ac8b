"""A training that was interrupted ends as one that ran through."""

import random
from pathlib import Path
from typing import Any, Final

import pytest
import torch
from ner_training.corpus import Window

from linkage.training.trainer import TrainingSettings, new_model, train

WINDOWS: Final = [
    Window([f"Woord{i}", "ziet", "Abelo", f"Tarin{i}", "."], [(2, 4, "PER")]) for i in range(10)
]  # invented names
SETTINGS: Final = TrainingSettings(steps=9, batch_tokens=10, evaluate_every=3, warm_up_steps=2)
ROUNDS: Final = 3  # evaluations of a whole run


class BrokenOffError(Exception):
    """The process ends here."""


class Unchanged:
    """An augmenter that draws and changes nothing."""

    def augment(self, window: Window, generator: random.Random) -> Window:
        generator.random()
        return window


def run(folder: Path, *, ends_at: int | None = None) -> None:
    """Train a tiny network; at evaluation number ends_at the run breaks off before it saves."""
    torch.manual_seed(1)
    model, vocab, _ = new_model(["ziet", "abelo"], torch.zeros(2, 4), WINDOWS, hidden_size=4, dropout=0.4)
    calls = 0

    def evaluate(network: Any) -> dict[str, float]:
        nonlocal calls
        calls += 1
        if calls == ends_at:
            raise BrokenOffError
        return {"choice": float(network.tag_clfs[0].bias.detach().sum())}

    def epoch(generator: random.Random) -> list[Window]:
        return generator.sample(WINDOWS, len(WINDOWS))

    train(model, vocab, epoch, Unchanged(), evaluate, SETTINGS, folder)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    saved: dict[str, torch.Tensor] = torch.load(folder / "average-000009.pt", weights_only=True)
    return saved


@pytest.mark.parametrize("ends_at", [1, 2, ROUNDS])
def test_an_interrupted_training_ends_with_the_same_weights(tmp_path: Path, ends_at: int) -> None:
    run(tmp_path / "whole")
    with pytest.raises(BrokenOffError):
        run(tmp_path / "parts", ends_at=ends_at)
    run(tmp_path / "parts")
    whole, parts = weights(tmp_path / "whole"), weights(tmp_path / "parts")
    assert all(torch.equal(value, parts[name]) for name, value in whole.items())
    scores = [(tmp_path / name / "scores.jsonl").read_text() for name in ("whole", "parts")]
    assert scores[0] == scores[1]
    assert len(scores[0].splitlines()) == ROUNDS


def test_a_finished_training_trains_no_more(tmp_path: Path) -> None:
    run(tmp_path)
    before = (tmp_path / "last.pt").read_bytes()
    run(tmp_path, ends_at=1)
    assert (tmp_path / "last.pt").read_bytes() == before


def test_a_checkpoint_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    with pytest.raises(BrokenOffError):
        run(tmp_path, ends_at=2)
    saved = torch.load(tmp_path / "last.pt", weights_only=True)
    del saved["at"], saved["history"]
    torch.save(saved, tmp_path / "last.pt")
    run(tmp_path)
    assert len((tmp_path / "scores.jsonl").read_text().splitlines()) == ROUNDS
