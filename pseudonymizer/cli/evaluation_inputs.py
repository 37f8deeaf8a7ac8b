"""What evaluate compares: the gold, what was found in its texts, the training gold, and the kinds scored."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import typer

from linkage.detection import ValueFinder
from linkage.detection.values import clear_of_persons, people_and_others, value_mentions
from linkage.evaluation.found import Found, read_found
from linkage.evaluation.gold import MarkedGold, count_overlapping, read_marked_gold
from linkage.evaluation.kind_comparison import FoundSpan
from linkage.evaluation.kind_scores import Surfaces, surfaces_of
from linkage.evaluation.marked import PERSON, PERSON_LABELS, GoldDocument, Labels
from linkage.evaluation.schemes import ALL_KINDS, Scheme, scheme_of
from linkage.kinds import Kinds
from linkage.meant import question
from linkage.reading import decode
from linkage.records import DocumentId
from pseudonymizer.cli.saying import say
from pseudonymizer.engine.records import Pipeline


@dataclass(frozen=True, slots=True)
class EvaluatedGold:
    """The gold, the scheme of the kinds that are scored, and what labels of files stand for.

    by_kind: whether kinds are scored, beside people.
    """

    marked: MarkedGold
    scheme: Scheme
    labels: Labels
    by_kind: bool

    @property
    def documents(self) -> tuple[GoldDocument, ...]:
        return self.marked.documents


@dataclass(frozen=True, slots=True)
class Training:
    """Marks that models were trained on. names: those of people."""

    names: frozenset[str] = field(repr=False)
    surfaces: Surfaces | None = field(default=None, repr=False)


def read_evaluated_gold(
    file: Path, *, scheme: str | None, kinds: str | None, labels: Sequence[str], table: Kinds
) -> EvaluatedGold:
    """The gold and what is scored of it, with hints on standard error.

    scheme: name of a coarser scheme. kinds: a list of kinds, as Kinds.chosen reads it. labels: LABEL or
    LABEL=KIND of the command line. table: the kinds in use.

    Raises:
        BadParameter: an unknown scheme or kind, or a gold without a document.
        GoldFormatError: the gold breaks its format.
    """
    if scheme is not None and scheme != ALL_KINDS and scheme not in table.schemes:
        raise typer.BadParameter(
            f"there is no such scheme; {question(scheme, [ALL_KINDS, *table.schemes])}"
            f"known: {ALL_KINDS}, {', '.join(table.schemes)}"
        )
    wanted = scheme_of(table, scheme or ALL_KINDS)
    read = wanted.file_labels().with_labels(dict(_label(one, wanted) for one in labels))
    marked = read_marked_gold(file, read)
    if not marked.documents:
        raise typer.BadParameter("the gold holds no document")
    asked = (scheme, kinds) != (None, None)
    by_kind = asked or any(document.identifiers is not None for document in marked.documents)
    if kinds is not None:
        wanted = wanted.only(table.chosen(kinds))
    elif marked.kinds is not None:
        wanted = wanted.only(marked.kinds)
    gold = EvaluatedGold(marked, wanted, read, by_kind)
    _tell(gold)
    return gold


def _label(told: str, scheme: Scheme) -> tuple[str, str]:
    """A label of files and what it stands for, of LABEL or LABEL=KIND."""
    label, has_kind, kind = told.partition("=")
    meant = kind.strip().upper() if has_kind else PERSON
    if scheme.label(meant) is None and meant not in scheme.kinds:
        raise typer.BadParameter(
            f"--label: there is no such kind; {question(meant, scheme.kinds)}known: {', '.join(scheme.kinds)}"
        )
    return label.strip(), meant


def _tell(gold: EvaluatedGold) -> None:
    documents = gold.documents
    if not any(document.mentions or document.identifiers for document in documents):
        people = sorted(
            {*PERSON_LABELS, *(key for key, kind in gold.labels.kind_of.items() if kind == PERSON)}
        )
        say(f"nymlink: the gold marks no person; labels that count: {', '.join(people)} (--label)", err=True)
    if overlapping := count_overlapping(documents):
        say(
            f"nymlink: {overlapping} gold mentions overlap an earlier one and do not count in who is who",
            err=True,
        )
    if gold.by_kind and gold.marked.left_out:
        say(f"nymlink: {_left_out(gold.marked.left_out, 'gold')}", err=True)


def _left_out(count: int, role: str) -> str:
    return f"{count} marks of the {role} have a label that stands for no kind (--label LABEL=KIND)"


def found_here(pipeline: Pipeline, gold: EvaluatedGold, finder: ValueFinder) -> Found:
    """What detection finds in the texts of the gold: people, and other kinds where kinds are scored.

    finder: of the kinds in use. As everywhere, no person is lost to a value that only overlaps it.
    """
    texts = [document.document for document in gold.documents]
    found: dict[DocumentId, list[FoundSpan]] = {}
    for text, mentions in zip(texts, pipeline.detect_kinds(texts), strict=True):
        people, seen = people_and_others(mentions)
        found[text.doc_id] = [FoundSpan(mention.span, mention.kind) for mention in people]
        if gold.by_kind:
            told = value_mentions(
                text, persons=[person.span for person in people], finder=finder, recognized=seen
            )
            values = clear_of_persons(people, told, finder=finder)
            found[text.doc_id] += [FoundSpan(value.mention.span, value.kind) for value in values]
    return found


def found_in(file: Path, gold: EvaluatedGold) -> Found:
    """What a file says was found in the texts of the gold, with hints on standard error.

    Raises:
        GoldFormatError: the file breaks its format, or belongs to other texts.
    """
    read = read_found(file, gold.documents, gold.labels)
    for count, told in (
        (
            read.missing,
            f"{read.missing} documents of the gold are not in the found file: nothing is found there",
        ),
        (read.foreign, f"{read.foreign} documents of the found file are not in the gold and do not count"),
        (read.left_out, _left_out(read.left_out, "found file")),
    ):
        if count:
            say(f"nymlink: {told}", err=True)
    return read.spans


def read_training(files: Sequence[Path], gold: EvaluatedGold) -> Training:
    """The marks of training files: gold, or .txt with the name of a person a line."""
    names: set[str] = set()
    documents: list[GoldDocument] = []
    for file in files:
        if file.suffix.lower() == ".txt":
            names.update(line.strip() for line in decode(file.read_bytes()).text.splitlines() if line.strip())
            continue
        documents += read_marked_gold(file, gold.labels).documents
    names.update(mention.span.cut(one.document.text) for one in documents for mention in one.mentions)
    if not files:
        return Training(frozenset())
    surfaces = surfaces_of(documents, gold.scheme)
    if (label := gold.scheme.label(PERSON)) is not None:
        surfaces.setdefault(label, set()).update(names)
    return Training(frozenset(names), surfaces)
