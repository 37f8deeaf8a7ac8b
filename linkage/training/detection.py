"""A recognition network of any language from gold: the run behind `nymlink train detection`."""

import hashlib
import json
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch

from linkage.errors import GoldFormatError, SettingsError
from linkage.evaluation.detection import DetectionScores
from linkage.evaluation.marked import GoldDocument as ScoredDocument
from linkage.evaluation.marked import GoldMention
from linkage.language import Language
from linkage.language.particles import ParticleUse
from linkage.language_contents import MODEL_FOLDER, installed_languages, language_folder
from linkage.recognition.ner_tokenizer import Tokenizer
from linkage.recognition.stanza_ner import StanzaRecognizer
from linkage.records import Document, DocumentId, Span
from linkage.settings import RecognitionSettings
from linkage.training import calibration, export, trainer
from linkage.training.decision import DecisionGold, FittedDecision, fit_decision, undecided_detector
from linkage.training.gold import GoldDocument, read_gold
from linkage.training.gold_sets import KindGoldSet
from linkage.training.labels import ANY, LABELS, PERSON
from linkage.training.numbers import numbers
from linkage.training.parts import Parts, divided
from linkage.training.scoring import Scores, score
from linkage.training.tokenizer_training import rule_chunks, train_tokenizer, trained_tokens
from linkage.training.tokens import TokenRules, rules_of, tokenize
from linkage.training.variation import NameLists, NameVariation
from linkage.training.windows import (
    TextWithSpans,
    bounded,
    cut_all,
    document_pieces,
    document_window,
    without_breaks,
)
from linkage.training.word_table import Names, build_words, has_frequencies, read_names

_FORMAT: Final = 3  # of what a working folder holds
_MOST_BETWEEN: Final = 500  # batches from one checkpoint to the next
_CHECKPOINTS: Final = 5  # at least, in a run
_FIRST: Final = "nl"  # the language whose decision others begin with, and whose lists serve those without any
_DECISION: Final = "detection.json"
_MOST_SEEN: Final = 600_000  # letters of the documents that trained the network and fit its decision, too

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TrainingOrder:
    """An order to train a network on gold.

    gold: a file that is given several times trains as often; borrowed: gold of other languages, which trains
    the network alone: it chooses no checkpoint, and no tokenizer or decision learns from it. texts: files of
    plain text of the language, which tell what words stand beside; none are needed.

    hold_out: one document in so many is kept out of training and measured (SHA-256 of doc_id, first byte
    mod hold_out = 0); 0 for none. batches: of the network. tokenizer_batches and hidden_size: its size.
    """

    language: str
    gold: tuple[Path, ...] = field(repr=False)
    out: Path = field(repr=False)
    work: Path = field(repr=False)
    names: tuple[Path, ...] = field(default=(), repr=False)
    texts: tuple[Path, ...] = field(default=(), repr=False)
    borrowed: tuple[Path, ...] = field(default=(), repr=False)
    batches: int = 2500
    tokenizer_batches: int = 600
    hidden_size: int = 256
    hold_out: int = 0
    seed: int = 1

    def fingerprint(self) -> str:
        """A digest of all that decides about the result: contents of files and numbers."""
        digests = [
            [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
            for paths in (self.gold, self.names, self.texts, self.borrowed)
        ]
        elisions = rules_of(self.language).elisions
        told = [
            _FORMAT, self.language, digests, self.batches, self.tokenizer_batches, self.hidden_size,
            self.hold_out, self.seed, has_frequencies(self.language),
            *([sorted(elisions)] if elisions else []), _particles(self.language),
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class TrainedNetwork:
    """Counts and scores of a training that ended.

    held_out: strict scores of persons in the documents held out; None where nothing was held out.
    """

    documents: int
    persons: int
    labels: int
    words: int
    held_out_documents: int
    held_out: Scores | None


def train_detection(order: TrainingOrder, report: Report) -> TrainedNetwork:
    """Train a network and write the folder order.out; what is done stays in order.work.

    The same order goes on where an earlier run stopped, and ends with the same network.

    Raises:
        GoldFormatError: the gold cannot be used, or is too small.
        GazetteerError: a file of names cannot be used.
        SettingsError: order.out is there already, or order.work belongs to another order.
    """
    if order.out.exists():
        raise SettingsError("the folder of --out is there already; give another one, or remove it")
    rules = rules_of(order.language)
    gold = read_gold(order.gold, rules)
    borrowed = read_gold(order.borrowed, rules, tells_kinds=gold.has_kinds) if order.borrowed else None
    _claim(order)
    parts = divided(gold, order.hold_out)
    report(
        f"{len(parts.training)} documents train, {len(parts.tuning)} choose, {len(parts.held)} are held out"
        + (f"; {len(borrowed.documents)} are borrowed" if borrowed else "")
    )
    tokenizer = _tokenizer(order, parts.training, report)
    versions = [
        _by_rule(parts.training, rules),
        _by_network(parts.training, tokenizer),
        _by_rule(borrowed.documents, rules) if borrowed else [],
    ]
    windows = [window for version in versions for window in version]
    names = read_names(order.names, rules)
    if not has_frequencies(order.language):
        report("no counts of the language's words: nymlink[train] brings them")
    words, vectors = build_words(
        [*versions[0], *versions[2]], names, order.language, _plain_texts(order.texts, rules)
    )
    labels = LABELS if gold.has_kinds else trainer.TWO_LABELS
    torch.manual_seed(order.seed)
    model, vocab, arguments = trainer.new_model(
        words, vectors, windows, hidden_size=order.hidden_size, dropout=numbers("trainer")["dropout"],
        labels=labels, language=order.language,
    )  # fmt: skip
    tuning = [one.marked for one in parts.tuning]
    found = trained_tokens(tuning, tokenizer)
    gold_set = KindGoldSet(tuning, [document_pieces(*one) for one in zip(tuning, found, strict=True)])

    def evaluate(network: Any) -> dict[str, float]:
        scores = gold_set.score_kinds(network, vocab)
        report("\n".join(f"{label:14} {one}" for label, one in scores.items()))
        persons = scores[PERSON].f(1) if PERSON in scores else 0.0
        return {"choice": (persons + scores["all"].f(1)) / 2, "persons_f1": persons}

    def epoch(generator: random.Random) -> list[Any]:
        return bounded(cut_all(versions, generator))

    settings = trainer.TrainingSettings(
        steps=order.batches, seed=order.seed, report=report,
        evaluate_every=max(1, min(_MOST_BETWEEN, order.batches // _CHECKPOINTS)),
        warm_up_steps=max(1, min(150, order.batches // 10)),
    )  # fmt: skip
    folder = order.work / "network"
    variation = NameVariation(
        _lists(names), [_lists(one) for _, one in sorted(names.elsewhere.items())], _particles(order.language)
    )
    trainer.train(model, vocab, epoch, variation, evaluate, settings, folder)
    part = order.work / "pack"
    shutil.rmtree(part, ignore_errors=True)
    export.export(trainer.leading_weights(folder), vocab.state_dict(), arguments, vectors, part)
    shutil.copyfile(order.work / "tokenizer.pt", part / "tokenizer.pt")
    strict = {"strict_tags": True} if gold.has_kinds else {}
    export.write_card(part, network="ner.pt", vectors="vectors.pt", tokenizer="tokenizer.pt", **strict)
    calibration.calibrate(part, [_row(one.marked) for one in parts.tuning])
    documents = {one.marked.doc_id for one in parts.training}
    trained = TrainedNetwork(
        len(documents), gold.persons(), len(labels), len(words), len(parts.held),
        measured(part, [one.marked for one in parts.held]) if parts.held else None,
    )  # fmt: skip
    decision = _decision(order, part, parts, report)
    (part / "MODEL_CARD.md").write_text(model_card(order, trained, decision), encoding="utf-8")
    order.out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = order.out.with_name(f".{order.out.name}.part")
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(part, unfinished)
    unfinished.rename(order.out)
    return trained


def measured(folder: Path, documents: Sequence[TextWithSpans]) -> Scores:
    """Strict scores of persons, found by the network of a folder alone."""
    recognizer = StanzaRecognizer.load(RecognitionSettings(ner_model=folder))
    texts = [Document(DocumentId(one.doc_id), one.text) for one in documents]
    return score(
        (
            one.text,
            _row(one)["mentions"],
            [(p.span.start, p.span.end) for p in read.persons if 2 * p.confidence >= 1],
        )
        for one, read in zip(documents, recognizer.recognize(texts), strict=True)
    )


def _decision(order: TrainingOrder, part: Path, parts: Parts, report: Report) -> FittedDecision:
    """Writes the decision model of a folder, fitted on its gold with the language's lists."""
    installed = order.language in installed_languages()
    language = order.language if installed else _FIRST
    seen: list[GoldDocument] = []
    left = _MOST_SEEN
    training = {one.marked.doc_id: one for one in parts.training}
    for one in sorted(training.values(), key=lambda one: hashlib.sha256(one.marked.doc_id.encode()).digest()):
        left -= len(one.marked.text)
        if left >= 0:
            seen.append(one)
    gold = DecisionGold(
        [_scored(one.marked, language) for one in parts.tuning],
        [_scored(one.marked, language) for one in seen],
        has_own_slots=installed,
    )
    start = language_folder(_FIRST) / MODEL_FOLDER / _DECISION
    detector = undecided_detector(RecognitionSettings(language=language, ner_model=part))
    begun = start if order.language != _FIRST and start.is_file() else None
    fitted = fit_decision(detector, gold, begun, seed=order.seed, report=report)
    made_with = {"network": _digest(part / "ner.pt"), "begun_with": "" if begun is None else _digest(begun)}
    text = json.dumps({**fitted.stored, "made_with": made_with}, separators=(",", ":")) + "\n"
    (part / _DECISION).write_text(text, encoding="utf-8")
    return fitted


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _scored(document: TextWithSpans, language: str) -> ScoredDocument:
    """The people of a document as gold; what is unknown there is unsure. A source that marks whole words
    marks a genitive that is glued to a name with it: the name without it is as right.
    """
    ending = Language.load(language).grammar.glued_genitive
    people = [
        GoldMention(
            Span(start, end),
            alternatives=(Span(start, end - len(ending)),)
            if ending and document.text.endswith(ending, start + len(ending) + 1, end)
            else (),
            unsure=label == ANY,
        )
        for start, end, label in sorted(document.spans)
        if label in {PERSON, ANY}
    ]
    return ScoredDocument(Document(DocumentId(document.doc_id), document.text, language), tuple(people))


def model_card(order: TrainingOrder, trained: TrainedNetwork, decision: FittedDecision) -> str:
    """The card of a network: where it comes from, and how well it finds persons. It names no file."""
    measured_on = (
        f"persons in {trained.held_out_documents} documents that no training saw, strict: {trained.held_out}"
        if trained.held_out
        else "nothing was held out: how well it finds names is not known (`--hold-out 5` measures it)"
    )
    before = "" if decision.before is None else f"; before: {_told(decision.before)}"
    return f"""# A recognition network for texts in {order.language!r}

Made by `nymlink train detection`. Use: `ner_model` in the table `[recognition]` of the settings.

| | |
|---|---|
| language | {order.language} |
| documents that trained | {trained.documents:,} |
| persons marked in all gold | {trained.persons:,} |
| labels | {trained.labels} |
| words known beforehand | {trained.words:,} |
| batches, seed | {order.batches:,}, {order.seed} |
| digest of gold, names and numbers | {order.fingerprint()[:16]} |

The decision about persons (`detection.json`): {decision.own_trees} trees of its own, acceptance
{decision.stored["acceptance"]}. In documents that chose among checkpoints, cross-validated:
{_told(decision.scores)}{before}.

Measured, the network alone: {measured_on}

The network holds words of the gold that stand outside names of persons, and letters of all of it. Give
this folder to those alone who may have the gold. Write the licences of the gold and of the lists
of names here before you give it to others.
"""


def _told(scores: DetectionScores) -> str:
    return f"strict F1 {scores.strict.f_beta(1):.3f}, letters leaked {100 * scores.letters_leaked:.2f} %"


def _claim(order: TrainingOrder) -> None:
    order.work.mkdir(mode=0o700, parents=True, exist_ok=True)
    claim, fingerprint = order.work / "order.txt", order.fingerprint()
    if claim.exists():
        if claim.read_text(encoding="utf-8") != fingerprint:
            raise SettingsError(
                "the working folder belongs to another training (other gold, names or numbers); "
                "give another --work, or remove it"
            )
        return
    unfinished = claim.with_suffix(".part")
    unfinished.write_text(fingerprint, encoding="utf-8")
    unfinished.replace(claim)


def _plain_texts(paths: Sequence[Path], rules: TokenRules) -> list[list[str]]:
    """The tokens of plain texts, by rule.

    Raises:
        GoldFormatError: a file cannot be read as UTF-8; its place in the list is told.
    """
    texts = []
    for number, path in enumerate(paths, 1):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise GoldFormatError(
                f"text file {number} cannot be read as UTF-8; save it as UTF-8 text"
            ) from None
        texts.append([text[start:end] for start, end in tokenize(text, rules)])
    return texts


def gold_tokens(document: GoldDocument, rules: TokenRules) -> Sequence[tuple[int, int]]:
    """The tokens of a gold document as (start, end): those of its source, else by rule."""
    if document.tokens is not None:
        return document.tokens
    return tokenize(without_breaks(document.marked.text), rules)


def _tokenizer(order: TrainingOrder, documents: Sequence[GoldDocument], report: Report) -> Tokenizer:
    path = order.work / "tokenizer.pt"
    if not path.exists():
        treebank, ruled = [], []
        for one in documents:
            if one.tokens is None:
                ruled += rule_chunks(one.marked, rules_of(order.language))
            else:
                treebank.append((one.marked.text, list(one.tokens), [""] * len(one.tokens)))
        part = path.with_suffix(".part")
        train_tokenizer(
            treebank, ruled, steps=order.tokenizer_batches, seed=order.seed, path=part,
            language=order.language, report=report,
        )  # fmt: skip
        part.replace(path)
    return Tokenizer.load(path)


def _by_rule(documents: Sequence[GoldDocument], rules: TokenRules) -> list[Any]:
    return [document_window(one.marked, gold_tokens(one, rules)) for one in documents]


def _lists(names: Names) -> NameLists:
    return NameLists(sorted(names.given), sorted(names.surnames))


def _particles(language: str) -> list[str]:
    """The particles that show a surname, as tokens; none where the language is not installed."""
    if language not in installed_languages():
        return []
    rules = rules_of(language)
    told = sorted(Language.load(language).particles(ParticleUse.SURNAME))
    return [one for one in told if one[-1].isalpha() or rules.elides(one)]


def _by_network(documents: Sequence[GoldDocument], tokenizer: Tokenizer) -> list[Any]:
    marked = [one.marked for one in documents]
    return [document_window(*one) for one in zip(marked, trained_tokens(marked, tokenizer), strict=True)]


def _row(document: TextWithSpans) -> dict[str, Any]:
    mentions = [{"start": start, "end": end} for start, end, label in document.spans if label == PERSON]
    return {"doc_id": document.doc_id, "text": document.text, "mentions": mentions}
