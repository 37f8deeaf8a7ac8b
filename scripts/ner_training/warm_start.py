"""Begin a training from the weights of a network that was exported before."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch

from linkage.training.export import VECTOR_STEP
from linkage.training.labels import MEANINGS, NAME

_RARE: Final = 4.0  # nats by which a tag that the exported network lacks begins below a tag that it has
_EMBEDDINGS: Final = {"delta_emb.weight": "delta", "charmodel.char_emb.weight": "char"}


def start_from(model: Any, vocab: Any, folder: Path) -> None:
    """Put the weights of folder/ner.pt into a new model of the same layers and word vectors.

    Rows of words and letters are matched by the word and the letter; those that the exported network lacks
    keep their random beginning. A tag of a kind begins as the exported tag of any name, which is shared out
    among the kinds.

    Raises:
        ValueError: if a layer of the exported network has another shape.
    """
    saved = torch.load(folder / "ner.pt", weights_only=True)
    old: dict[str, torch.Tensor] = {name: value.float() for name, value in saved["model"].items()}
    # An exported network has its vectors in whole steps; the transformation behind them has the factor.
    old["delta_emb.weight"] *= VECTOR_STEP
    old["input_transform.weight"][:, : old["delta_emb.weight"].shape[1]] /= VECTOR_STEP
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name in _EMBEDDINGS:
                ids = vocab[_EMBEDDINGS[name]]._unit2id
                for unit, row in saved["vocab"][_EMBEDDINGS[name]]["_unit2id"].items():
                    if unit in ids:
                        parameter[ids[unit]] = old[name][row]
            elif name in old and not name.startswith(("tag_clfs", "crits")):
                if parameter.shape != old[name].shape:
                    raise ValueError(
                        f"{name} has shape {tuple(old[name].shape)} in {folder.name}, "
                        f"and {tuple(parameter.shape)} here"
                    )
                parameter.copy_(old[name])
        _start_tags(model, vocab["tag"]._unit2id[0], old, saved["vocab"]["tag"]["_unit2id"][0])


def _start_tags(
    model: Any, ids: Mapping[str, int], old: Mapping[str, torch.Tensor], old_ids: Mapping[str, int]
) -> None:
    like: dict[
        int, tuple[int, float]
    ] = {}  # by tag id: the exported tag that it begins as, and nats below it
    names = MEANINGS[NAME]
    for tag, number in ids.items():
        part, _, label = tag.partition("-")
        if tag in old_ids:
            below = math.log(len(names)) if label == NAME and len(ids) > len(old_ids) else 0.0
            like[number] = (old_ids[tag], below)
        elif label in names:
            like[number] = (old_ids[f"{part}-{NAME}"], math.log(len(names)))
        else:
            like[number] = (old_ids[f"{part}-{NAME}"], math.log(len(names)) + _RARE)
    rows = torch.tensor([like[number][0] for number in range(len(like))])
    # Only tags that begin a name carry the share: it counts once for each name.
    starts = torch.tensor([tag[:2] in {"S-", "B-"} for tag, _ in sorted(ids.items(), key=lambda one: one[1])])
    shares = torch.tensor([like[number][1] for number in range(len(like))]) * starts
    model.tag_clfs[0].weight.copy_(old["tag_clfs.0.weight"][rows])
    model.tag_clfs[0].bias.copy_(old["tag_clfs.0.bias"][rows] - shares)
    model.crits[0]._transitions.copy_(old["crits.0._transitions"][rows][:, rows])
