"""Gold files: documents with the mentions that are really there.

Three formats are read: `.persons.jsonl` (one document a line), CoNLL-like column files (`.bio`, `.conll`,
`.iob`) and brat (a folder of `.txt` + `.ann` pairs, or one `.ann`).
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from linkage.errors import GoldFormatError, InvalidRecordError
from linkage.records import Detector, Document, DocumentId, Mention, MentionId, Span

PERSON_LABELS = frozenset({"PER", "PERS", "PERSON", "PERSOON", "NAME_PERSON", "PATIENT"})
_COLUMN_SUFFIXES = frozenset({".bio", ".conll", ".iob", ".iob2", ".bmes", ".bioes"})
_TAG = re.compile(r"O|(?:(?P<prefix>[BIESULM])-)?(?P<label>[^\W\d][\w./:-]*)")
_CONTINUING = frozenset({"I", "M", "E", "L", ""})  # of BIO, BMES, BIOES, BILOU, and tags without a prefix
_NO_SPACE_BEFORE = frozenset(".,;:!?)]}%”’»")
_NO_SPACE_AFTER = frozenset("([{“‘«")


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A mention as the annotator marked it.

    entity is None where the text leaves open who is meant: then candidates names the possible (ambiguous)
    or all meant (group) entities. alternatives are further spans that count as exact. unsure: neither
    required nor punished. compound: the name is a part of a longer word. typo: the name is misspelt here.
    """

    span: Span
    entity: str | None = field(default=None, repr=False)
    candidates: tuple[str, ...] = field(default=(), repr=False)
    alternatives: tuple[Span, ...] = ()
    unsure: bool = False
    ambiguous: bool = False
    group: bool = False
    compound: bool = False
    typo: bool = False

    @property
    def accepted(self) -> tuple[Span, ...]:
        """Every span that counts as exact, the main one first."""
        return (self.span, *self.alternatives)


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A document with its true mentions, sorted by span."""

    document: Document
    mentions: tuple[GoldMention, ...]

    def __post_init__(self) -> None:
        length = len(self.document.text)
        for mention in self.mentions:
            if mention.span.end > length:
                raise GoldFormatError(
                    f"a gold mention, {mention.span}, ends after the text of {length} code points; offsets "
                    "are Python string indexes"
                )
        entity_at: dict[Span, str] = {}
        for mention in self.mentions:
            if mention.entity is not None and entity_at.setdefault(mention.span, mention.entity) != (
                mention.entity
            ):
                raise GoldFormatError(
                    f"the gold mention at {mention.span} is there twice, for two people; for a name that "
                    'means several, or may mean several, give "candidates" with "group" or "ambiguous"'
                )


def gold_mentions(gold: GoldDocument) -> tuple[tuple[Mention, ...], dict[MentionId, str]]:
    """What linkage gets of a gold document: its mentions, and the entities of those that count in scores.

    Ambiguous, group and unsure mentions take part in linking but not in the scores. Of mentions that overlap
    the first is taken.
    """
    mentions: list[Mention] = []
    entities: dict[MentionId, str] = {}
    for item in sorted(gold.mentions, key=lambda m: m.span):
        if mentions and mentions[-1].span.overlaps(item.span):
            continue
        mention = Mention.at(gold.document, item.span, detector=Detector.NER, confidence=1.0)
        mentions.append(mention)
        if item.entity is not None and not (item.ambiguous or item.group or item.unsure):
            entities[mention.mention_id] = item.entity
    return tuple(mentions), entities


def count_overlapping(gold: Iterable[GoldDocument]) -> int:
    """How many mentions gold_mentions leaves out because they overlap an earlier one."""
    return sum(len(document.mentions) - len(gold_mentions(document)[0]) for document in gold)


def read_gold(path: Path, *, person_labels: Collection[str] = PERSON_LABELS) -> tuple[GoldDocument, ...]:
    """Read a gold file or a brat folder; the format follows from the file's ending.

    Raises:
        GoldFormatError: for an unknown ending or content that breaks the format; the message holds line
            numbers, never text.
    """
    if path.is_dir():
        pairs = sorted(path.glob("*.ann"))
        if not pairs:
            raise GoldFormatError("the gold folder holds no .ann file; expected brat's .txt + .ann pairs")
        # Numbered, because a file's name may hold the name of a person.
        ids = (DocumentId(f"{number:06d}") for number in range(len(pairs)))
        return tuple(_read_brat(pair, doc_id, person_labels) for pair, doc_id in zip(pairs, ids, strict=True))
    suffix = path.suffix.lower()
    if suffix == ".jsonl":
        return tuple(_from_json_lines(_read_text(path).split("\n")))
    if suffix in _COLUMN_SUFFIXES:
        return tuple(_from_columns(_read_text(path).splitlines(), person_labels))
    if suffix == ".ann":
        return (_read_brat(path, DocumentId("000000"), person_labels),)
    raise GoldFormatError(
        f"unknown gold format {suffix!r}; known: .jsonl, {', '.join(sorted(_COLUMN_SUFFIXES))}, .ann, "
        "a brat folder"
    )


def _read_text(path: Path) -> str:
    try:
        # Bytes first: text mode would turn \r\n into \n and move every offset after it.
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise GoldFormatError(f"the gold file cannot be read: {type(error).__name__}") from None
    except UnicodeDecodeError as error:
        raise GoldFormatError(f"the gold file is not UTF-8 at byte {error.start}") from None


def _from_json_lines(lines: Iterable[str]) -> Iterator[GoldDocument]:
    seen: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            doc_id, text = str(row["doc_id"]), row["text"]
            mentions = tuple(
                sorted((_from_row(entry, text) for entry in row["mentions"]), key=lambda m: m.span)
            )
            document = GoldDocument(Document(DocumentId(doc_id), text), mentions)
        except GoldFormatError as error:
            raise GoldFormatError(f"gold line {number}: {error}") from None
        except (KeyError, TypeError, ValueError, InvalidRecordError) as error:
            raise GoldFormatError(
                f"gold line {number}: {type(error).__name__}; expected doc_id, text and mentions, each with "
                "start, end and text"
            ) from None
        if doc_id in seen:
            raise GoldFormatError(f"gold line {number}: its doc_id occurs twice")
        seen.add(doc_id)
        yield document


def _from_row(row: Mapping[str, Any], text: str) -> GoldMention:
    span = Span(row["start"], row["end"])
    if "text" in row and span.cut(text) != row["text"]:
        raise ValueError("the span does not cut out the mention's text")
    entity = row.get("entity", row.get("person"))
    return GoldMention(
        span,
        None if entity is None else str(entity),
        tuple(str(candidate) for candidate in row.get("candidates", ())),
        tuple(Span(other["start"], other["end"]) for other in row.get("alt", ())),
        unsure=bool(row.get("unsure")),
        ambiguous=bool(row.get("ambiguous")),
        group=bool(row.get("group")),
        compound=bool(row.get("compound")),
        typo=bool(row.get("typo")),
    )


def _from_columns(lines: Iterable[str], person_labels: Collection[str]) -> Iterator[GoldDocument]:
    """One document a sentence, or one a -DOCSTART- part where the file has such lines."""
    lines = list(lines)
    has_parts = any(line.startswith("-DOCSTART-") for line in lines)
    sentences: list[list[_TaggedToken]] = []
    sentence: list[_TaggedToken] = []
    count = 0
    for number, line in enumerate((*lines, ""), start=1):
        if line.startswith("-DOCSTART-") or not line.strip():
            if sentence:
                sentences.append(sentence)
                sentence = []
            if sentences and (line.startswith("-DOCSTART-") or not has_parts):
                yield _from_sentences(DocumentId(f"{count:06d}"), sentences, person_labels)
                count += 1
                sentences = []
        elif (token := _tagged_token(line, number)) is not None:
            sentence.append(token)
    if sentences:
        yield _from_sentences(DocumentId(f"{count:06d}"), sentences, person_labels)


_TaggedToken: TypeAlias = tuple[
    str, str, str
]  # token, prefix ("O" outside, "" where the scheme has none), label


def _tagged_token(line: str, number: int) -> _TaggedToken | None:
    """The first and the last column; None for a comment, such as "# sent_id = 3".

    Raises:
        GoldFormatError: there is no second column, or the last one is no tag.
    """
    fields = line.split("\t") if "\t" in line else line.split()
    tag = fields[-1].strip()
    found = _TAG.fullmatch(tag) if len(fields) > 1 and fields[0] else None
    if line.startswith("#") and tag != "O" and (found is None or not found["prefix"]):
        return None
    if found is None:
        raise GoldFormatError(
            f"gold line {number}: expected a token and a tag such as B-PER, I-PER, PER or O, in the first "
            "and the last column, separated by tabs or blanks"
        )
    if tag == "O":
        return fields[0], "O", ""
    return fields[0], found["prefix"] or "", found["label"]


def _from_sentences(
    doc_id: DocumentId, sentences: Iterable[list[_TaggedToken]], person_labels: Collection[str]
) -> GoldDocument:
    pieces: list[str] = []
    position = 0
    spans: list[Span] = []
    for sentence in sentences:
        if pieces:
            pieces.append("\n")
            position += 1
        open_label, start, end = "", 0, 0
        previous = ""
        for token, prefix, label in sentence:
            if previous and token[0] not in _NO_SPACE_BEFORE and previous[-1] not in _NO_SPACE_AFTER:
                pieces.append(" ")
                position += 1
            if open_label and not (prefix in _CONTINUING and label == open_label):
                if open_label.upper() in person_labels:
                    spans.append(Span(start, end))
                open_label = ""
            if not open_label and label:
                open_label, start = label, position
            pieces.append(token)
            position += len(token)
            end, previous = position, token
        if open_label and open_label.upper() in person_labels:
            spans.append(Span(start, end))
    return GoldDocument(Document(doc_id, "".join(pieces)), tuple(GoldMention(span) for span in spans))


def _read_brat(annotation: Path, doc_id: DocumentId, person_labels: Collection[str]) -> GoldDocument:
    """One pair. A span in several pieces is taken from its first to its last code point."""
    text = _read_text(annotation.with_suffix(".txt"))
    mentions: list[GoldMention] = []
    for number, line in enumerate(_read_text(annotation).splitlines(), start=1):
        if not line.startswith("T"):
            continue
        try:
            place = line.split("\t")[1]
            label, _, offsets = place.partition(" ")
            numbers = [int(offset) for piece in offsets.split(";") for offset in piece.split()]
            span = Span(min(numbers), max(numbers))
        except (IndexError, ValueError) as error:
            raise GoldFormatError(
                f"brat line {number}: {type(error).__name__}; expected 'T1<TAB>Label 0 5'"
            ) from None
        if label.upper() in person_labels:
            mentions.append(GoldMention(span))
    return GoldDocument(Document(doc_id, text), tuple(sorted(mentions, key=lambda m: m.span)))
