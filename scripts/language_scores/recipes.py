"""Recipes: from what the models of a language are made, and the files that a training reads."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from language_scores.gold_sets import is_held_out
from linkage.training.detection import TrainingOrder


@dataclass(frozen=True, slots=True)
class Recipe:
    """Names of files in the shared folder. names: each with the number of rows that are read."""

    language: str
    gold: tuple[str, ...]
    names: tuple[tuple[str, int], ...]
    text: tuple[str, ...]
    batches: int

    @classmethod
    def read(cls, file: Path, language: str) -> "Recipe":
        """The recipe of a language.

        Raises:
            KeyError: there is none for it.
        """
        with file.open("rb") as handle:
            told = tomllib.load(handle)[language]
        names = tuple((name, int(rows)) for name, rows in told["names"])
        return cls(language, tuple(told["gold"]), names, tuple(told["text"]), int(told["batches"]))

    def order(self, shared: Path, work: Path, out: Path, *, batches: int | None = None) -> TrainingOrder:
        """The order of the training. It writes into work what the training reads of gold and of names: gold
        in lines of JSON without the documents that measure, and the first rows of long lists.
        """
        ready = work / "ready"
        ready.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = shared / "data"
        return TrainingOrder(
            self.language,
            tuple(_training_part(data / "ner" / name, ready) for name in self.gold),
            out,
            work / "run",
            tuple(_first_rows(data / "names" / "free" / name, rows, ready) for name, rows in self.names),
            tuple(data / "text" / name for name in self.text),
            batches=batches or self.batches,
        )


def _training_part(path: Path, ready: Path) -> Path:
    if path.suffix != ".jsonl":
        return path
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    kept = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows if not is_held_out(row["doc_id"])]
    (ready / path.name).write_text("".join(kept), encoding="utf-8")
    return ready / path.name


def _first_rows(path: Path, rows: int, ready: Path) -> Path:
    """A list with its header and its first rows; the list itself where it has no more."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if len(lines) <= rows + 1:
        return path
    (ready / path.name).write_text("".join(lines[: rows + 1]), encoding="utf-8")
    return ready / path.name
