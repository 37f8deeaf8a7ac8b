"""Gold of any language, from BIO files and `.identifiers.jsonl` files."""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from linkage.errors import GoldFormatError
from linkage.training.labels import ANY, LABELS, NAME, PERSON, UNMARKED
from linkage.training.tokens import NO_WORDS, TokenRules
from linkage.training.windows import TextWithSpans, of_record

SENTENCES: Final = 20  # of a BIO file that make one document
_LABELS: Final = {
    **{label: label for label in LABELS}, "PERSON": PERSON, "PERS": PERSON, "LOC": "LOC", "GPE": "LOC",
    "FAC": "LOC", "ORG": "ORG", "MISC": NAME, "OTH": NAME,
}  # fmt: skip
_NO_NAMES: Final = ("deriv", "part")  # endings of labels that stand for words made from names
_CLOSING: Final = frozenset(".,;:!?)]}%…")
_OPENING: Final = frozenset("([{")
_CONTRACTED: Final = frozenset({"'s", "'re", "'ve", "'ll", "'d", "'m", "n't"})
"""What English treebanks cut from the word before it, in small letters and with a straight apostrophe."""


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A text with its marks. tokens: as the source cut it, or None where it gives none."""

    marked: TextWithSpans = field(repr=False)
    tokens: tuple[tuple[int, int], ...] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Gold:
    """Gold documents. has_kinds: kinds beside persons are marked one by one. unused: marks of other labels,
    which count neither as names nor as anything else."""

    documents: tuple[GoldDocument, ...] = field(repr=False)
    has_kinds: bool
    unused: int

    def persons(self) -> int:
        """How many persons are marked; those of a document that is given several times count once."""
        told = {one.marked.doc_id: one.marked for one in self.documents}
        return sum(label == PERSON for one in told.values() for _, _, label in one.spans)


def read_gold(paths: Sequence[Path], rules: TokenRules = NO_WORDS, *, tells_kinds: bool = False) -> Gold:
    """The gold of all files: lines of JSON, or BIO with a token, a tab and a tag a line.

    rules: say behind which tokens of BIO no space stood. tells_kinds: kinds beside persons are told apart,
    even if no line of these files does; a network learns them from other gold.

    Raises:
        GoldFormatError: a file cannot be read, a line breaks the format, or no person is marked. It names the
            file by its place in the list and the line, and nothing that stands there.
    """
    documents: list[GoldDocument] = []
    has_kinds = tells_kinds
    for number, path in enumerate(paths, 1):
        where = f"gold file {number}"
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise GoldFormatError(f"{where} is not UTF-8; save it as UTF-8 text") from None
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            raise GoldFormatError(f"{where} cannot be read ({reason}); check its path") from None
        if text.lstrip().startswith("{"):
            read, kinds = _read_lines(text, where)
            has_kinds |= kinds
            documents += read
        else:
            documents += _read_bio(text, where, rules)
    gold = _of_one_sort(documents, has_kinds=has_kinds)
    if not gold.persons():
        raise GoldFormatError("the gold marks no person: training needs persons, as B-PER in BIO or mentions")
    return gold


def _of_one_sort(documents: Sequence[GoldDocument], *, has_kinds: bool) -> Gold:
    unused = sum(label == ANY for one in documents if one.tokens for _, _, label in one.marked.spans)
    if not has_kinds:
        for document in documents:
            marked = document.marked
            marked.spans = [
                (start, end, label if label in {PERSON, ANY} else NAME) for start, end, label in marked.spans
            ]
            marked.unmarked &= {NAME}
    else:
        for document in documents:
            if document.tokens:
                document.marked.unmarked = UNMARKED
    return Gold(tuple(documents), has_kinds, unused)


def _read_lines(text: str, where: str) -> tuple[list[GoldDocument], bool]:
    documents, kinds = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        place = f"{where}, line {number}"
        try:
            row = json.loads(line)
        except ValueError:
            raise GoldFormatError(f"{place} is no JSON") from None
        _check(row, place)
        marked = of_record({**row, "identifiers": row.get("identifiers") or []})
        if "identifiers" not in row:
            marked.unmarked = frozenset(LABELS) - {PERSON}
        kinds |= bool(row.get("identifiers"))
        documents.append(GoldDocument(marked, None))
    return documents, kinds


def _check(row: Any, place: str) -> None:
    if (
        not isinstance(row, dict)
        or not isinstance(row.get("text"), str)
        or not isinstance(row.get("doc_id"), str)
        or not isinstance(row.get("mentions"), list)
        or not isinstance(row.get("identifiers") or [], list)
    ):
        raise GoldFormatError(f"{place} needs doc_id, text and mentions, and may have identifiers")
    for name in ("mentions", "identifiers"):
        for count, mark in enumerate(row.get(name) or [], 1):
            start, end = (mark.get("start"), mark.get("end")) if isinstance(mark, dict) else (None, None)
            if (
                not isinstance(start, int)
                or not isinstance(end, int)
                or not 0 <= start < end <= len(row["text"])
            ):
                raise GoldFormatError(
                    f"{place}: start and end of number {count} of {name} lie outside the text"
                )
            if "text" in mark and mark["text"] != row["text"][start:end]:
                raise GoldFormatError(f"{place}: number {count} of {name} has another text than its place")
            if name == "identifiers" and not isinstance(mark.get("kind"), str):
                raise GoldFormatError(f"{place}: number {count} of identifiers has no kind")


def _read_bio(text: str, where: str, rules: TokenRules) -> Iterator[GoldDocument]:
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    sentences = list(_sentences(text, where))
    if not sentences:
        raise GoldFormatError(f"{where} is empty; give a file with marked sentences")
    for first in range(0, len(sentences), SENTENCES):
        yield _joined(f"{digest}-{first // SENTENCES}", sentences[first : first + SENTENCES], rules)


def _sentences(text: str, where: str) -> Iterator[list[tuple[str, str]]]:
    rows: list[tuple[str, str]] = []
    before = "O"
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if not line.strip():
            if rows:
                yield rows
            rows, before = [], "O"
            continue
        token, tab, tag = line.rstrip("\r").partition("\t")
        part, _, label = tag.partition("-")
        if not tab or not token.strip() or (tag != "O" and (part not in {"B", "I"} or not label)):
            raise GoldFormatError(f"{where}, line {number} is no token, tab and BIO tag (O, B-PER, I-PER)")
        if part == "I" and before.partition("-")[2] != label:
            raise GoldFormatError(f"{where}, line {number}: an I- tag has no B- tag of its label before it")
        rows.append((token.strip(), tag))
        before = tag


def _joined(doc_id: str, sentences: Sequence[Sequence[tuple[str, str]]], rules: TokenRules) -> GoldDocument:
    text = ""
    tokens: list[tuple[int, int]] = []
    spans: list[tuple[int, int, str]] = []
    for sentence in sentences:
        for number, (token, tag) in enumerate(sentence):
            joined = number and (
                token in _CLOSING
                or text[-1:] in _OPENING
                or _is_contracted(token)
                or rules.elides(sentence[number - 1][0])
            )
            text += token if joined or not text else f" {token}"
            start = len(text) - len(token)
            tokens.append((start, len(text)))
            part, _, label = tag.partition("-")
            if label.endswith(_NO_NAMES):
                continue
            if part == "B":
                spans.append((start, len(text), _LABELS.get(label, ANY)))
            elif part == "I":
                spans[-1] = (spans[-1][0], len(text), spans[-1][2])
    return GoldDocument(TextWithSpans(doc_id, text, spans), tuple(tokens))


def _is_contracted(token: str) -> bool:
    return token.lower().replace("’", "'") in _CONTRACTED
