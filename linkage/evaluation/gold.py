"""Gold files: documents with the mentions that are really there.

Three formats are read and written: lines of JSON (`.persons.jsonl`, `.identifiers.jsonl`), columns (`.bio`,
`.conll`, `.iob`) and brat (a folder of `.txt` + `.ann` pairs; of one document also its `.ann` alone).
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from linkage.errors import GoldFormatError, why_unread
from linkage.evaluation.brat import from_brat, write_brat
from linkage.evaluation.columns import column_lines, from_columns
from linkage.evaluation.json_lines import json_lines, read_json_lines
from linkage.evaluation.marked import PERSON, Labels, MarkedText
from linkage.evaluation.marked import PERSON_LABELS as PERSON_LABELS
from linkage.evaluation.marked import GoldDocument as GoldDocument
from linkage.evaluation.marked import GoldMention as GoldMention
from linkage.private_file import write_private
from linkage.records import Detector, Document, DocumentId, Mention, MentionId

_COLUMN_SUFFIXES = frozenset({".bio", ".conll", ".iob", ".iob2", ".bmes", ".bioes"})
_WRITTEN_SUFFIXES = frozenset({".bio", ".conll", ".iob2"})


@dataclass(frozen=True, slots=True)
class MarkedGold:
    """Gold documents, and which kinds they mark.

    kinds: those that occur, where the format does not say that all are marked; None where it says so.
    left_out: number of marks whose label stands for no kind.
    """

    documents: tuple[GoldDocument, ...]
    kinds: frozenset[str] | None
    left_out: int = 0


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
    """The people of a gold file or a brat folder; the format follows from the file's ending.

    Raises:
        GoldFormatError: for an unknown ending or content that breaks the format; the message holds line
            numbers, never text.
    """
    labels = Labels.of_people(person_labels)
    return tuple(_gold_document(text, kinds=False) for text in read_marked(path, labels, role="gold"))


def read_marked_gold(path: Path, labels: Labels) -> MarkedGold:
    """The mentions of all kinds of a gold file or a brat folder.

    A line of JSON without identifiers marks people alone.

    Raises:
        GoldFormatError: as read_gold.
    """
    texts = tuple(read_marked(path, labels, role="gold"))
    occurring = frozenset(mark.kind for text in texts for mark in text.marks)
    is_json = path.suffix.lower() == ".jsonl"
    has_kinds = bool(occurring - {PERSON})
    documents = tuple(_gold_document(text, kinds=text.all_kinds if is_json else has_kinds) for text in texts)
    says_all = is_json and any(text.all_kinds for text in texts)
    return MarkedGold(documents, None if says_all else occurring | {PERSON}, sum(t.left_out for t in texts))


def read_marked(path: Path, labels: Labels, *, role: str, with_text: bool = True) -> Iterator[MarkedText]:
    """The marked texts of a file or a brat folder; the format follows from the file's ending.

    role: what an error calls the file. with_text: each line of JSON must hold its text.

    Raises:
        GoldFormatError: as read_gold.
    """
    if path.is_dir():
        pairs = sorted(path.glob("*.ann"))
        if not pairs:
            raise GoldFormatError(f"the {role} folder holds no .ann file; expected brat's .txt + .ann pairs")
        # Numbered, because a file's name may hold the name of a person.
        for number, pair in enumerate(pairs):
            place = f"{role} .ann file {number + 1} of {len(pairs)} in the order of their names"
            yield _read_pair(pair, DocumentId(f"{number:06d}"), labels, role=place)
        return
    suffix = path.suffix.lower()
    if suffix == ".jsonl":
        yield from read_json_lines(_read_text(path, f"{role} file"), labels, role=role, with_text=with_text)
    elif suffix in _COLUMN_SUFFIXES:
        yield from from_columns(_read_text(path, f"{role} file"), labels, role=role)
    elif suffix == ".ann":
        yield _read_pair(path, DocumentId("000000"), labels, role=f"{role} .ann")
    else:
        raise GoldFormatError(
            f"unknown {role} format {suffix!r}; known: .jsonl, {', '.join(sorted(_COLUMN_SUFFIXES))}, .ann, "
            "a brat folder"
        )


def write_marked(path: Path, texts: Sequence[MarkedText]) -> None:
    """Write marked texts, readable by the owner only: `.jsonl`, `.conll`, `.bio`, `.iob2`, or a brat folder.

    A brat folder has no ending. It is new, or empty.

    Raises:
        GoldFormatError: an unknown ending, or marks that the format cannot hold.
    """
    suffix = path.suffix.lower()
    if suffix == ".jsonl":
        write_private(path, list(json_lines(texts)))
    elif suffix in _WRITTEN_SUFFIXES:
        write_private(path, list(column_lines(texts)))
    elif not suffix or path.is_dir():
        write_brat(path, texts)
    else:
        raise GoldFormatError(
            f"unknown format to write {suffix!r}; known: .jsonl, {', '.join(sorted(_WRITTEN_SUFFIXES))}, "
            "a folder without an ending for brat"
        )


def _gold_document(marked: MarkedText, *, kinds: bool) -> GoldDocument:
    """kinds: whether other kinds than people are marked."""
    people = tuple(mark for mark in marked.marks if mark.kind == PERSON)
    others = tuple(mark for mark in marked.marks if mark.kind != PERSON)
    try:
        return GoldDocument(Document(marked.doc_id, marked.text or ""), people, others if kinds else None)
    except GoldFormatError as error:
        raise GoldFormatError(f"{marked.place}: {error}") from None


def _read_pair(annotation: Path, doc_id: DocumentId, labels: Labels, *, role: str) -> MarkedText:
    text = _read_text(annotation.with_suffix(".txt"), f"text beside {role}")
    return from_brat(text, _read_text(annotation, role), labels, doc_id=doc_id, role=role)


def _read_text(path: Path, name: str) -> str:
    try:
        # Bytes first: text mode would turn \r\n into \n and move every offset after it.
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise GoldFormatError(f"the {name} cannot be read: {why_unread(error)}; check the path") from None
    except UnicodeDecodeError as error:
        raise GoldFormatError(f"the {name} is not UTF-8 at byte {error.start}") from None
