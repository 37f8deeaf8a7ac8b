"""Training of the name vectors: variants are drawn together, names at random pushed apart (InfoNCE)."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from linkage.comparison.embedding import NameEmbedding, n_gram_rows
from training.name_pairs import NamePair


@dataclass(frozen=True, slots=True)
class EmbeddingRecipe:
    buckets: int = 1 << 13
    dimensions: int = 64
    steps: int = 1_600
    batch: int = 256
    extra_names: int = 256
    learning_rate: float = 0.01
    temperature: float = 0.08
    dropped_share: float = 0.5  # of n-grams, in training, so that no single one is relied on
    weight_decay: float = 0.0


class _Bag(nn.Module):
    def __init__(self, buckets: int, dimensions: int) -> None:
        super().__init__()
        self.table = nn.EmbeddingBag(buckets, dimensions, mode="sum", sparse=False)
        nn.init.normal_(self.table.weight, std=0.1)

    def forward(self, flat: torch.Tensor, starts: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        return nn.functional.normalize(self.table(flat, starts, per_sample_weights=weights), dim=1)


def train_embedding(
    pairs: Sequence[NamePair],
    negatives: Sequence[NamePair],
    names: Collection[str],
    recipe: EmbeddingRecipe,
    *,
    seed: int,
) -> NameEmbedding:
    """Vectors from variant pairs, judged negatives, and further names that only serve as strangers."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    words = sorted({w for p in (*pairs, *negatives) for w in p.key} | set(names))
    row_of = {word: row for row, word in enumerate(words)}
    rows_of = [n_gram_rows(word, recipe.buckets) for word in words]
    lengths = np.array([len(rows) for rows in rows_of])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    grams = np.fromiter((gram for rows in rows_of for gram in rows), dtype=np.int64, count=int(offsets[-1]))
    positive = np.array([[row_of[p.left], row_of[p.right]] for p in pairs])
    weight = np.array([p.weight for p in pairs])
    chance = weight / weight.sum()
    against: dict[int, list[int]] = {}
    for pair in negatives:
        against.setdefault(row_of[pair.left], []).append(row_of[pair.right])
        against.setdefault(row_of[pair.right], []).append(row_of[pair.left])
    related: dict[int, set[int]] = defaultdict(set)
    for left, right in positive.tolist():
        related[left].add(right)
        related[right].add(left)
    model = _Bag(recipe.buckets, recipe.dimensions)
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.learning_rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, recipe.steps)

    def encode(rows: npt.NDArray[np.int64]) -> torch.Tensor:
        counts = lengths[rows]
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        flat = grams[np.arange(counts.sum()) + np.repeat(offsets[rows] - starts, counts)]
        kept = (random.random(len(flat)) >= recipe.dropped_share).astype(np.float32) + 1e-3
        encoded: torch.Tensor = model(
            torch.from_numpy(flat), torch.from_numpy(starts), torch.from_numpy(kept)
        )
        return encoded

    for _ in range(recipe.steps):
        chosen = positive[random.choice(len(positive), recipe.batch, p=chance)]
        flip = random.random(recipe.batch) < 0.5
        chosen[flip] = chosen[flip][:, ::-1]
        hard = [random.choice(against[row]) for row in chosen[:, 0].tolist() if row in against]
        strangers = random.integers(len(words), size=recipe.extra_names)
        columns = np.concatenate([chosen[:, 1], np.array(hard, dtype=np.int64), strangers])
        logits = encode(chosen[:, 0]) @ encode(columns).T / recipe.temperature
        mask = torch.zeros_like(logits, dtype=torch.bool)
        places: dict[int, list[int]] = defaultdict(list)
        for column, row in enumerate(columns.tolist()):
            places[row].append(column)
        for i, left in enumerate(chosen[:, 0].tolist()):
            for row in (related[left] | {left}) & places.keys():
                mask[i, places[row]] = True
            mask[i, i] = False
        loss = nn.functional.cross_entropy(logits.masked_fill(mask, -1e4), torch.arange(recipe.batch))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
    return NameEmbedding(model.table.weight.detach().numpy().copy())
