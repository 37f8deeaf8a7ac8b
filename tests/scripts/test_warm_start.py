"""A training that begins from an exported network reads as that network did."""

from pathlib import Path
from typing import Any

import pytest
import torch
from ner_training.corpus import Window
from ner_training.warm_start import start_from

from linkage.recognition.ner_network import WordEncoder, emissions, word_inputs
from linkage.training import export
from linkage.training import trainer as training
from linkage.training.labels import KINDS, LABELS

WORDS = ["jan", "de", "vries", "woont", "in", "zwolle"]
VECTORS = export.rounded(torch.randn(6, 5, generator=torch.Generator().manual_seed(1)))


def model(labels: tuple[str, ...], further: list[str], *, hidden_size: int = 8) -> Any:
    windows = [Window([*WORDS, *further], [])] * 5
    torch.manual_seed(len(further))
    return training.new_model(WORDS, VECTORS, windows, hidden_size=hidden_size, dropout=0.0, labels=labels)


@torch.no_grad()
def scores(network: Any, vocab: Any) -> dict[str, torch.Tensor]:
    network.eval()
    vectors = network.input_transform(word_inputs(network, WordEncoder(vocab), WORDS))
    found = emissions(network, vectors[None], torch.tensor([len(WORDS)]))[0]
    return {tag: found[:, number] for tag, number in vocab["tag"]._unit2id[0].items()}


@pytest.fixture
def exported(tmp_path: Path) -> tuple[Path, dict[str, torch.Tensor]]:
    network, vocab, arguments = model(training.TWO_LABELS, ["belde"])
    export.export(dict(network.named_parameters()), vocab.state_dict(), arguments, VECTORS, tmp_path)
    return tmp_path, scores(network, vocab)


def test_tags_of_the_exported_network_score_as_before(exported: tuple[Path, dict[str, torch.Tensor]]) -> None:
    folder, before = exported
    network, vocab, _ = model(LABELS, ["later", "xylofoon"])
    start_from(network, vocab, folder)
    after = scores(network, vocab)
    for tag in ("O", "S-PER", "B-PER", "I-PER", "E-PER"):
        assert torch.allclose(after[tag], before[tag], atol=0.01), tag


def test_kinds_share_the_tag_of_any_name(exported: tuple[Path, dict[str, torch.Tensor]]) -> None:
    folder, before = exported
    network, vocab, _ = model(LABELS, [])
    start_from(network, vocab, folder)
    after = scores(network, vocab)
    names = torch.stack([after[f"S-{label}"] for label in LABELS if f"S-{label}" in after])[1:]
    assert (names <= before["S-NAME"] + 0.01).all()
    assert torch.allclose(after["I-CITY"], before["I-NAME"], atol=0.01)
    assert len(names) == len(KINDS) + 1


def test_other_layers_are_refused(exported: tuple[Path, dict[str, torch.Tensor]]) -> None:
    network, vocab, _ = model(LABELS, [], hidden_size=6)
    with pytest.raises(ValueError, match="has shape"):
        start_from(network, vocab, exported[0])
