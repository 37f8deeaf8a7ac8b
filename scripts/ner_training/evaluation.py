"""A network on Dutch gold documents."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from linkage.training import gold_sets
from linkage.training.gold_sets import tag_windows, trim, windows_of
from linkage.training.scoring import Scores, score
from ner_training.corpus import TextWithSpans, document_pieces

__all__ = ["GoldSet", "KindGoldSet", "tag_windows", "windows_of"]


class GoldSet:
    """Documents with gold person mentions, ready to be tagged again and again."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.pieces = [document_pieces(TextWithSpans(r["doc_id"], r["text"], [])) for r in self.rows]
        self.ranges = [windows_of(p) for p in self.pieces]

    @classmethod
    def read(cls, path: Path, keep: Callable[[str], bool] | None = None) -> Self:
        """The documents of a .persons.jsonl file, all or those whose id `keep` accepts."""
        with path.open(encoding="utf-8") as handle:
            rows = [json.loads(line) for line in handle]
        return cls([r for r in rows if keep is None or keep(r["doc_id"])])

    def found(self, model: Any, vocab: Any) -> list[list[tuple[int, int]]]:
        windows = [
            [x[2] for x in p[a:b]] for p, rs in zip(self.pieces, self.ranges, strict=True) for a, b in rs
        ]
        tagged = iter(tag_windows(model, vocab, windows))
        result = []
        for row, pieces, ranges in zip(self.rows, self.pieces, self.ranges, strict=True):
            spans = []
            for begin, _ in ranges:
                for s in next(tagged):
                    if s.label == "PER":
                        start, end = pieces[begin + s.start][0], pieces[begin + s.end - 1][1]
                        spans.append(trim(row["text"], start, end))
            result.append([s for s in spans if s[0] < s[1]])
        return result

    def score(self, model: Any, vocab: Any) -> Scores:
        found = self.found(model, vocab)
        return score((r["text"], r["mentions"], f) for r, f in zip(self.rows, found, strict=True))


class KindGoldSet(gold_sets.KindGoldSet):
    """Dutch documents with gold spans of many labels; tokens come from rules."""

    def __init__(self, documents: list[TextWithSpans]) -> None:
        super().__init__(documents, [document_pieces(one) for one in documents])
