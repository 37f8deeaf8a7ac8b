"""Networks trained on one language, on two at once, and on one after the other, measured on the second."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from language_scores.gold_sets import is_held_out
from ner_training.kind_marks import read_kind_marks, record_of

from linkage.training import trainer
from linkage.training.detection import gold_tokens
from linkage.training.gold import GoldDocument, read_gold
from linkage.training.gold_sets import KindGoldSet
from linkage.training.labels import LABELS, PERSON
from linkage.training.numbers import numbers
from linkage.training.scoring import Scores
from linkage.training.tokens import rules_of
from linkage.training.variation import NameLists, NameVariation
from linkage.training.windows import (
    BLANK_LINE,
    LINE_BREAK,
    Window,
    document_pieces,
    document_window,
    is_tuning,
)
from linkage.training.word_table import build_words, read_names

LONGEST: Final = 400  # tokens of a window; 32 sentences of the gold have about 350
_ENDS: Final = frozenset({".", "!", "?", LINE_BREAK, BLANK_LINE})
_HIDDEN: Final = 256  # states of the network in each direction, as in the packs
_WARM_UP: Final = 150  # batches


@dataclass(frozen=True, slots=True)
class Source:
    """Gold of a language. measured: what only measures, by the name of the set."""

    language: str
    training: tuple[Window, ...] = field(repr=False)
    tuning: tuple[GoldDocument, ...] = field(repr=False)
    measured: dict[str, tuple[GoldDocument, ...]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Result:
    """Strict scores of persons by set, of a network trained in one way on windows of so many sentences."""

    way: str
    sentences: int
    scores: dict[str, Scores] = field(repr=False)


def read_source(language: str, own: Path, measuring: Sequence[Path], shared: Path, ready: Path) -> Source:
    """The invented documents of a language, clinical ones among them.

    own: the folder of our own marked texts that train. Every fifth document of the shared set and the
    clinical documents of the folders in measuring measure; one in ten of the others chooses among
    checkpoints; the rest trains. ready: a folder for marked texts as lines of JSON.

    Raises:
        GoldFormatError: a file cannot be used.
    """
    training_texts = [one for path in sorted(own.glob("*.txt")) for one in read_kind_marks(path)]
    clinical = [
        one
        for folder in measuring
        for path in sorted(folder.glob(f"{language}_*.txt"))
        for one in read_kind_marks(path)
        if one.fields.get("domain") == "clinical"
    ]
    files = {}
    for name, documents in (("own", training_texts), ("clinical", clinical)):
        files[name] = ready / f"{name}-{language}.identifiers.jsonl"
        lines = [json.dumps(record_of(one), ensure_ascii=False) + "\n" for one in documents]
        files[name].write_text("".join(lines), encoding="utf-8")
    rules = rules_of(language)
    office = read_gold([shared / "data" / "ner" / f"office-{language}.identifiers.jsonl"], rules).documents
    training = [one for one in office if not is_held_out(one.marked.doc_id)]
    training += read_gold([files["own"]], rules).documents
    return Source(
        language,
        tuple(_window(one, language) for one in training if not is_tuning(one.marked.doc_id)),
        tuple(one for one in training if is_tuning(one.marked.doc_id)),
        {
            f"office-{language}, every fifth": tuple(one for one in office if is_held_out(one.marked.doc_id)),
            f"clinical-{language}": tuple(read_gold([files["clinical"]], rules).documents),
        },
    )


def _window(document: GoldDocument, language: str) -> Window:
    return document_window(document.marked, gold_tokens(document, rules_of(language)))


def grouped(window: Window, sentences: int) -> list[Window]:
    """The window in parts of so many sentences, of LONGEST tokens at most; no span is cut."""
    inside = {at for start, end, _ in window.spans for at in range(start + 1, end)}
    parts: list[Window] = []
    begin, count = 0, 0
    for at, token in enumerate(window.tokens, 1):
        count += token in _ENDS
        is_last = at == len(window.tokens)
        if at not in inside and (count >= sentences or at - begin >= LONGEST or is_last):
            spans = [(s - begin, e - begin, label) for s, e, label in window.spans if begin <= s and e <= at]
            parts.append(Window(window.tokens[begin:at], spans, window.unmarked))
            begin, count = at, 0
    return parts


class CrossLingual:
    """Trains networks over the words of two languages, and measures them on the second."""

    def __init__(self, first: Source, second: Source, shared: Path, work: Path, batches: int) -> None:
        self._first, self._second = first, second
        self._work, self._batches = work, batches
        self._words: dict[str, torch.Tensor] = {}
        given: list[str] = []
        surnames: list[str] = []
        for source in (second, first):  # a word of both has the vector of the second
            free = shared / "data" / "names" / "free"
            rules = rules_of(source.language)
            lists = [free / f"{name}_{source.language}.tsv" for name in ("given_names", "surnames")]
            names = read_names(lists, rules)
            given += names.given
            surnames += names.surnames
            words, vectors = build_words(source.training, names, source.language)
            for word, vector in zip(words, vectors, strict=True):
                self._words.setdefault(word, vector)
        self._variation = NameVariation(NameLists(sorted(set(given)), sorted(set(surnames))))

    def run(self, way: str, sentences: int, report: Any) -> Result:
        """The scores of a network trained in one way: `alone`, `mixed` or `first, then second`.

        What is done stays in the working folder, so that the same call goes on where it stopped.
        """
        first, second = list(self._first.training), list(self._second.training)
        stages = {"alone": [second], "mixed": [first + second], "first, then second": [first, second]}[way]
        torch.manual_seed(1)
        model, vocab, _ = trainer.new_model(
            list(self._words), torch.stack(list(self._words.values())), first + second, hidden_size=_HIDDEN,
            dropout=numbers("trainer")["dropout"], labels=LABELS, language=self._second.language,
        )  # fmt: skip
        for number, windows in enumerate(stages):
            is_first = number < len(stages) - 1
            # The first stage of "first, then second" chooses on its own language.
            source = self._first if is_first else self._second
            folder = self._work / f"{sentences}-{way.replace(', ', '-').replace(' ', '-')}-{number}"
            self._train(model, vocab, windows, source, sentences, folder, report)
        model.eval()
        scores = {
            name: _scored(documents, self._second.language, model, vocab)
            for name, documents in self._second.measured.items()
        }
        return Result(way, sentences, scores)

    def _train(
        self, model: Any, vocab: Any, windows: Sequence[Window], source: Source, sentences: int,
        folder: Path, report: Any,
    ) -> None:  # fmt: skip
        gold = _gold_set(source.tuning, source.language)

        def evaluate(network: Any) -> dict[str, float]:
            return {"choice": gold.score_kinds(network, vocab)[PERSON].f(1)}

        def epoch(_: random.Random) -> list[Window]:
            return [part for window in windows for part in grouped(window, sentences)]

        settings = trainer.TrainingSettings(
            steps=self._batches, seed=1, report=report, evaluate_every=max(1, self._batches // 5),
            warm_up_steps=min(_WARM_UP, max(1, self._batches // 10)),
        )  # fmt: skip
        trainer.train(model, vocab, epoch, self._variation, evaluate, settings, folder)
        trainer.restore(model, trainer.leading_weights(folder))


def _gold_set(documents: Sequence[GoldDocument], language: str) -> KindGoldSet:
    marked = [one.marked for one in documents]
    return KindGoldSet(
        marked, [document_pieces(one.marked, gold_tokens(one, rules_of(language))) for one in documents]
    )


def _scored(documents: Sequence[GoldDocument], language: str, model: Any, vocab: Any) -> Scores:
    return _gold_set(documents, language).score_kinds(model, vocab)[PERSON]
