"""Entities that training never saw: gold mentions unlike every mention of a training gold."""

from collections.abc import Collection
from dataclasses import asdict, astuple, dataclass
from operator import add

import numpy as np
from rapidfuzz import fuzz, process

from linkage.evaluation.scores import share

UNSEEN_RATIO = 90.0
_MATRIX_CELLS = 20_000_000  # of four bytes: names are compared in pieces of this size


@dataclass(frozen=True, slots=True)
class UnseenScore:
    """Gold mentions under UNSEEN_RATIO like every mention of the training gold (Indel ratio, case folded)."""

    mentions: int = 0
    found_strict: int = 0
    found_relaxed: int = 0
    letters: int = 0
    letters_leaked: int = 0

    def __add__(self, other: "UnseenScore") -> "UnseenScore":
        return UnseenScore(*map(add, astuple(self), astuple(other)))

    def as_dict(self) -> dict[str, float]:
        return {
            **asdict(self),
            "recall_strict": share(self.found_strict, self.mentions),
            "recall_relaxed": share(self.found_relaxed, self.mentions),
            "letters_leaked_share": share(self.letters_leaked, self.letters),
        }


def unseen_surfaces(surfaces: Collection[str], training: Collection[str]) -> frozenset[str]:
    """The folded surfaces under UNSEEN_RATIO like every one of training."""
    folded = sorted({fold_surface(surface) for surface in surfaces})
    known = sorted({fold_surface(surface) for surface in training})
    best = np.zeros(len(folded), dtype=np.float32)
    piece = max(1, _MATRIX_CELLS // max(1, len(folded)))
    for start in range(0, len(known), piece):
        scores = process.cdist(
            folded,
            known[start : start + piece],
            scorer=fuzz.ratio,
            dtype=np.float32,
            score_cutoff=UNSEEN_RATIO,
        )
        best = np.maximum(best, scores.max(axis=1, initial=0))
    return frozenset(surface for surface, ratio in zip(folded, best, strict=True) if ratio < UNSEEN_RATIO)


def fold_surface(surface: str) -> str:
    """A surface in small letters, with single blanks between its words."""
    return " ".join(surface.casefold().split())
