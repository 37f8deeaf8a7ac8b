"""Which text trains the network, which chooses among checkpoints, and how an epoch is put together."""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from linkage.recognition.ner_tokenizer import Tokenizer
from linkage.training.labels import MEANINGS, PERSON, UNMARKED
from linkage.training.tokenizer_training import trained_tokens
from linkage.training.windows import LONGEST_WINDOW, bounded, cut_all
from ner_training.augmentation import Augmenter
from ner_training.corpus import (
    LINE_BREAK,
    TextWithSpans,
    Window,
    document_window,
    is_tuning,
    join,
    of_record,
    read_bio,
    read_persons_jsonl,
)
from ner_training.kind_marks import read_kind_marks, record_of
from ner_training.marked_text import read_marked_text

RARE = 0.04  # share of the windows of office text; set, not measured
SILVER_SHARE = 0.12  # of the windows labelled by a network, in each epoch
KINDS_TEXT = Path(__file__).parent / "kinds"  # invented texts in which all kinds are marked
_TUNING_STORIES = frozenset({"s3", "s6", "k04", "k08", "k12"})  # of nl-story and nl_stories: one in four
OWN_TEXT = Path(__file__).parent / "text"  # invented news and office text with marked names
_TYPED = {"PER": "PER", "NAME": "NAME"}
_SILVER = {"PER": "PER", "LOC": "NAME", "ORG": "NAME", "MISC": "NAME"}
_MULTICONER_KINDS = {"PER": "PER", "LOC": "LOC", "CORP": "ORG", "GRP": "ORG", "CW": "WORK", "PROD": "PROD"}
_MULTICONER = {"PER": "PER", **dict.fromkeys(("LOC", "CORP", "GRP", "CW", "PROD"), "NAME")}


@dataclass(slots=True)
class Material:
    """Windows by source; office text twice, with tokens by rule and by the trained tokenizer."""

    office: list[TextWithSpans]
    office_by_rule: list[Window]
    office_by_network: list[Window]
    wikipedia: list[Window]
    press_1970: list[Window]
    novels: list[Window]
    own_by_rule: list[Window]
    own_by_network: list[Window]

    def all_windows(self) -> list[Window]:
        return [*self.office_by_rule, *self.own_by_rule, *self.wikipedia, *self.press_1970, *self.novels]


def read_own_text(*, tuning: bool, folder: Path = OWN_TEXT) -> list[TextWithSpans]:
    """Our invented texts: a tenth for tuning (the rule of is_tuning), the rest for training."""
    documents = [d for path in sorted(folder.rglob("*.txt")) for d in read_marked_text(path)]
    documents += [d for path in sorted(folder.glob("*.persons.jsonl")) for d in read_persons_jsonl(path)]
    return [d for d in documents if is_tuning(d.doc_id) is tuning]


def by_network(documents: list[TextWithSpans], tokenizer: Tokenizer) -> list[Window]:
    """A window a document, with the tokens that the trained tokenizer finds."""
    found = trained_tokens(documents, tokenizer)
    return [document_window(document, tokens) for document, tokens in zip(documents, found, strict=True)]


def read_material(shared: Path, tokenizer: Path, *, kinds: bool = False) -> Material:
    """Everything but the tuning parts of office text and our own text; kamerstukken is tuning text as a
    whole. kinds: office text with all kinds; the other sources say what they leave unmarked.
    """
    folder = shared / "data" / "ner"
    if kinds:
        office = read_kind_documents(shared, tuning=False)
    else:
        office = read_persons_jsonl(folder / "office-train.persons.jsonl")
        office = [document for document in office if not is_tuning(document.doc_id)]
    own = read_own_text(tuning=False)
    unmarked = UNMARKED if kinds else frozenset()
    for document in own:
        document.unmarked = unmarked
    network = Tokenizer.load(tokenizer)
    return Material(
        office,
        [document_window(d) for d in office],
        by_network(office, network),
        read_bio(folder / "ud-names-typed.persons.bio", label_of=_TYPED, unmarked=unmarked),
        read_bio(folder / "cdb-names-typed.persons.bio", label_of=_TYPED, unmarked=unmarked),
        read_bio(folder / "openboek-silver.all.bio", label_of=_SILVER, unmarked=unmarked),
        [document_window(d) for d in own],
        by_network(own, network),
    )


def read_kind_documents(shared: Path, *, tuning: bool, folder: Path = KINDS_TEXT) -> list[TextWithSpans]:
    """Dutch documents in which all kinds are marked: office-train, nl-story, and ours.

    tuning: a tenth of office-train and of ours (the rule of is_tuning) and five storylines, or the rest.
    """
    records = [
        *_records_of(shared / "data" / "ner" / "office-train.identifiers.jsonl"),
        *read_kind_records(shared, folder=folder),
    ]
    return [of_record(record) for record in records if is_tuning_record(record) is tuning]


def read_kind_records(shared: Path, *, folder: Path = KINDS_TEXT) -> list[dict[str, Any]]:
    """The records of nl-story and of our Dutch documents in which all kinds are marked."""
    records = _records_of(shared / "data" / "ner" / "nl-story.identifiers.jsonl")
    for path in sorted(folder.glob("nl*/*.txt")):
        records += [record_of(document) for document in read_kind_marks(path)]
    return records


def _records_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def is_tuning_record(record: dict[str, Any]) -> bool:
    """Whether a record belongs to the tuning part. Storylines stay together: their people come again."""
    if (story := record.get("storyline")) is not None:
        return story in _TUNING_STORIES
    return is_tuning(record["doc_id"])


def read_tuning(shared: Path) -> list[dict[str, Any]]:
    """Gold rows that choose checkpoints and fit the calibration."""
    folder = shared / "data" / "ner"
    rows = []
    for name in ("office-train", "kamerstukken"):
        with (folder / f"{name}.persons.jsonl").open(encoding="utf-8") as handle:
            rows += [json.loads(line) for line in handle]
    rows = [row for row in rows if str(row["doc_id"]).startswith("kamer") or is_tuning(row["doc_id"])]
    return rows + [gold_row(document) for document in read_own_text(tuning=True)]


def gold_row(document: TextWithSpans) -> dict[str, Any]:
    """A document as a row of a .persons.jsonl file."""
    mentions = [{"start": s, "end": e} for s, e, label in document.spans if label == PERSON]
    return {"doc_id": document.doc_id, "text": document.text, "mentions": mentions}


def first_epoch(material: Material) -> Callable[[random.Random], list[Window]]:
    """Epochs of the first round."""

    def epoch(generator: random.Random) -> list[Window]:
        windows = cut_all([material.office_by_rule, material.office_by_rule], generator)
        windows += cut_all([material.own_by_rule, material.own_by_network], generator)
        windows += grouped(material.wikipedia, generator)
        windows += grouped(material.press_1970, generator, share=0.8)
        return bounded(windows + grouped(material.novels, generator, share=0.4))

    return epoch


def second_epoch(
    material: Material,
    relabelled: list[Window],
    silver: list[Window],
    augmenter: Augmenter,
    *,
    kinds: bool = False,
) -> Callable[[random.Random], list[Window]]:
    """Epochs of the second round: relabelled Wikipedia, plain text that the first round's network labelled,
    many lone surnames.

    kinds: office text comes twice as often, and its windows with a rare label once more: only there is every
    kind marked.
    """

    def epoch(generator: random.Random) -> list[Window]:
        running = grouped(material.wikipedia, generator) + grouped(material.press_1970, generator, share=0.8)
        running += grouped(relabelled, generator, share=0.35)
        running += [window for window in silver if generator.random() < SILVER_SHARE]
        versions = [material.office_by_rule, material.office_by_network]
        windows = cut_all(versions * 2 if kinds else versions, generator)
        if kinds:
            windows += _with_rare_labels(windows)
        windows += cut_all([material.own_by_rule, *[material.own_by_network] * 2], generator)
        windows += [augmenter.shorten(window, generator, chance=0.3) for window in running]
        return bounded(windows + grouped(material.novels, generator, share=0.2))

    return epoch


def last_epoch(material: Material) -> Callable[[random.Random], list[Window]]:
    """Epochs of the last round of a network of many kinds: mostly text in which every kind is marked."""

    def epoch(generator: random.Random) -> list[Window]:
        windows = cut_all([material.office_by_rule, *[material.office_by_network] * 2], generator)
        windows += _with_rare_labels(windows)
        windows += cut_all([material.own_by_network], generator)
        windows += grouped(material.wikipedia, generator, share=0.5)
        return bounded(windows + grouped(material.press_1970, generator, share=0.3))

    return epoch


def _with_rare_labels(windows: list[Window]) -> list[Window]:
    """The windows that hold a label which stands in fewer than RARE of all of them."""
    held = [{label for _, _, label in window.spans} for window in windows]
    counts = Counter(label for labels in held for label in labels)
    rare = {label for label, count in counts.items() if count < RARE * len(windows)}
    return [window for window, labels in zip(windows, held, strict=True) if labels & rare]


def grouped(windows: list[Window], generator: random.Random, *, share: float = 1.0) -> list[Window]:
    """One to four neighbouring sentences as one window; a random share of the groups."""
    groups = []
    at = generator.randrange(3)
    while at < len(windows):
        size = generator.choice((1, 1, 2, 3, 4))
        part = windows[at : at + size]
        at += size
        while len(part) > 1 and sum(len(w.tokens) for w in part) > LONGEST_WINDOW - 20:
            part.pop()
        if generator.random() < share:
            groups.append(join(part, generator.choice((None, None, LINE_BREAK))))
    return groups


def relabel_multiconer(
    shared: Path,
    tag: Callable[[list[list[str]]], list[list[Any]]],
    *,
    most: int | None = None,
    kinds: bool = False,
) -> list[Window]:
    """Multiconer's sentences, whose labels miss persons, completed by the network of the first round.

    A sentence where the network is unsure of a person, or contradicts a label, is left out. most bounds how
    many sentences are read. kinds: its coarse types are told apart.
    """
    sentences = read_bio(
        shared / "data" / "ner" / "multiconer-nl-recased.train.bio",
        label_of=_MULTICONER_KINDS if kinds else _MULTICONER,
        unmarked=UNMARKED if kinds else frozenset(),
    )[:most]
    kept = []
    for window, found in zip(sentences, tag([w.tokens for w in sentences]), strict=True):
        added: list[tuple[int, int, str]] = []
        doubtful = False
        for span in found:
            overlapping = [g for g in window.spans if span.start < g[1] and g[0] < span.end]
            if overlapping:
                doubtful |= span.probability > 0.9 and any(
                    span.label not in MEANINGS[g[2]] for g in overlapping
                )
            elif span.label == "PER":
                doubtful |= 0.25 < span.probability <= 0.8
                if span.probability > 0.8:
                    added.append((span.start, span.end, "PER"))
            elif span.probability > 0.6:
                added.append((span.start, span.end, span.label))
        if not doubtful and (window.spans or added):
            kept.append(Window(window.tokens, sorted(window.spans + added), window.unmarked))
    return kept


def label_plain_text(
    shared: Path, tag: Callable[[list[list[str]]], list[list[Any]]], *, most: int | None = None
) -> list[Window]:
    """Windows of plain text (Wikipedia, press of 1970) with at least one person, labelled by a network.

    A window where the network is unsure of any name is left out. most bounds how many windows of each text
    are read.
    """
    kept = []
    for name in ("alpino-nlwikipedia-selection", "alpino-eindhoven"):
        windows = _plain_windows(shared / "data" / "text" / f"{name}.tok.txt")[:most]
        for tokens, found in zip(windows, tag(windows), strict=True):
            persons = [s for s in found if s.label == PERSON and s.probability >= 0.15]
            others = [s for s in found if s.label != PERSON]
            if (
                not persons
                or any(s.probability < 0.85 for s in persons)
                or any(s.probability < 0.6 for s in others)
            ):
                continue
            spans = sorted((s.start, s.end, s.label) for s in persons + others)
            if all(left[1] <= right[0] for left, right in pairwise(spans)):
                kept.append(Window(tokens, spans))
    return kept


def _plain_windows(path: Path, *, longest: int = 70) -> list[list[str]]:
    """Neighbouring sentences (one a line, tokens parted by spaces) put together."""
    windows: list[list[str]] = [[]]
    with path.open(encoding="utf-8") as handle:
        for line in handle:
            tokens = line.split()
            if len(tokens) > longest:
                continue
            if len(windows[-1]) + len(tokens) > longest:
                windows.append([])
            windows[-1] += tokens
    return [window for window in windows if window]
