"""Write a trained network as an ordinary Stanza model, small: vectors in one byte a number, weights in
two."""

import json
from pathlib import Path
from typing import Any

import torch

VECTOR_STEP = 5 / 127  # vectors are whole multiples of this, within five times their spread


def rounded(vectors: torch.Tensor) -> torch.Tensor:
    """Vectors as they will be shipped: training on them makes the rounding free."""
    return (vectors / VECTOR_STEP).round().clamp(-127, 127) * VECTOR_STEP


def export(
    weights: dict[str, torch.Tensor],
    vocab_state: dict[str, Any],
    arguments: dict[str, Any],
    vectors: torch.Tensor,
    folder: Path,
) -> None:
    """Write folder/ner.pt and folder/vectors.pt.

    Stanza adds up vector and trained change, so both are kept in units of VECTOR_STEP; the transformation
    that
    follows takes the factor back.
    """
    folder.mkdir(parents=True, exist_ok=True)
    width = vectors.shape[1]
    state = {name: value.clone() for name, value in weights.items() if not name.startswith("word_emb")}
    state["delta_emb.weight"] /= VECTOR_STEP
    state["input_transform.weight"][:, :width] *= VECTOR_STEP
    shipped_arguments = {**arguments, "train_file": None, "eval_file": None}
    torch.save(
        {"model": {n: v.half() for n, v in state.items()}, "vocab": vocab_state, "config": shipped_arguments},
        folder / "ner.pt",
    )
    matrix = torch.cat([torch.zeros(4, width), vectors])
    bytes_matrix = (matrix / VECTOR_STEP).round().clamp(-127, 127).to(torch.int8)
    torch.save({"vocab": vocab_state["word"], "emb": bytes_matrix}, folder / "vectors.pt")


def write_card(folder: Path, **values: object) -> None:
    (folder / "model.json").write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
