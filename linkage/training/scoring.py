"""Scores of person spans: strict precision, recall, F1 and F2, and the share of the names' letters left
readable."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scores:
    true_positives: int
    found: int
    gold: int
    letters_leaked: float

    @property
    def precision(self) -> float:
        return self.true_positives / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.true_positives / self.gold if self.gold else 0.0

    def f(self, beta: float) -> float:
        p, r = self.precision, self.recall
        return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0

    def __str__(self) -> str:
        return (
            f"P {self.precision:.3f} R {self.recall:.3f} F1 {self.f(1):.3f} F2 {self.f(2):.3f} "
            f"leak {self.letters_leaked:.3f} ({self.gold} mentions)"
        )


def score(documents: Iterable[tuple[str, Sequence[dict[str, object]], Sequence[tuple[int, int]]]]) -> Scores:
    """documents: (text, gold mentions as in .persons.jsonl, found spans). Unsure mentions count for
    nothing."""
    hits = found_count = gold_count = letters = leaked = 0
    for text, mentions, found in documents:
        sure = {(m["start"], m["end"]) for m in mentions if not m.get("unsure")}
        unsure = [(m["start"], m["end"]) for m in mentions if m.get("unsure")]
        counted = {f for f in found if not any(f[0] < e and s < f[1] for s, e in unsure) or f in sure}  # type: ignore[operator]
        hits += len(sure & counted)
        found_count += len(counted)
        gold_count += len(sure)
        covered = {i for s, e in found for i in range(s, e)}
        for start, end in sure:
            name = [i for i in range(start, end) if text[i].isalpha()]  # type: ignore[call-overload]
            letters += len(name)
            leaked += sum(i not in covered for i in name)
    return Scores(hits, found_count, gold_count, leaked / letters if letters else 0.0)
