"""Recipes: from what the models of a language are made, and the files that a training reads."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from language_scores.preparation import GoldSource, NameSource, TextSource, write_origins
from linkage.training.detection import TrainingOrder

TRAINING_TEXTS: Final = Path(__file__).resolve().parent.parent / "ner_training"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What the models of a language are made from, by names of files in the shared folder.

    borrowed: gold of other languages, which trains the network alone. names: lists of the language and of
    other origins; those of `foreign_names.tsv` beside our training texts are read, too.
    """

    language: str
    gold: tuple[GoldSource, ...]
    borrowed: tuple[GoldSource, ...]
    names: tuple[NameSource, ...]
    text: tuple[TextSource, ...]
    batches: int

    @classmethod
    def read(cls, file: Path, language: str) -> "Recipe":
        """The recipe of a language.

        Raises:
            KeyError: there is none for it.
            TypeError: it has an unknown field.
        """
        with file.open("rb") as handle:
            told = tomllib.load(handle)[language]
        return cls(
            language,
            tuple(map(GoldSource.read, told["gold"])),
            tuple(map(GoldSource.read, told.get("borrowed", ()))),
            tuple(NameSource(*one) for one in told["names"]),
            tuple(TextSource(**one) if isinstance(one, dict) else TextSource(one) for one in told["text"]),
            int(told["batches"]),
        )

    def order(self, shared: Path, work: Path, out: Path, *, batches: int | None = None) -> TrainingOrder:
        """The order of the training. It writes into work what the training reads of gold, names and text:
        nothing of documents that measure.
        """
        ready = work / "ready"
        ready.mkdir(mode=0o700, parents=True, exist_ok=True)
        lists = [one.write(shared, ready) for one in self.names]
        return TrainingOrder(
            self.language,
            tuple(path for one in self.gold for path in one.write(shared, TRAINING_TEXTS, ready)),
            out,
            work / "run",
            (*lists, *write_origins(TRAINING_TEXTS / "text" / "foreign_names.tsv", ready)),
            tuple(one.write(shared, ready) for one in self.text),
            tuple(path for one in self.borrowed for path in one.write(shared, TRAINING_TEXTS, ready)),
            batches=batches or self.batches,
        )
