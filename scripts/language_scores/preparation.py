"""Files that a training reads, made from those of the shared folder by what a recipe says of each.

Gold loses what measures; sentences go, where a source has them too often or marks them badly; lists of names
lose their rare rows, and those that may never be given out.
"""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ner_training.kind_marks import read_kind_marks, record_of

from language_scores.gold_sets import is_held_out
from linkage.training.gold import SENTENCES
from linkage.training.tokens import tokenize

OWN_TEXTS: Final = "kinds/"  # a file that begins so is a folder of our marked texts
_NEVER_GIVEN_OUT: Final = frozenset({"istat"})  # sources of names: those that rest on them alone are left out
_SMALL: Final = frozenset({"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to"})
_LABELS: Final = {"PERSON": "PER", "GPE": "LOC", "ORGANIZATION": "ORG"}  # of made sentences

Sentence = list[tuple[str, str]]  # tokens with their BIO2 tags


@dataclass(frozen=True, slots=True)
class GoldSource:
    """A gold file, and what of it trains.

    file: in the shared folder, or a folder of our marked texts ("kinds/it"). times: how often it is given.
    every: of blocks of SENTENCES sentences of BIO, the first of so many. person_at_most: sentences with a
    person who was in so many before go; 0 for none. only_people: sentences without a person go. recased:
    names and beginnings of sentences get their capitals back. without_handles: names of users behind "@" go.
    """

    file: str
    times: int = 1
    every: int = 1
    person_at_most: int = 0
    only_people: bool = False
    recased: bool = False
    without_handles: bool = False

    @classmethod
    def read(cls, told: str | dict[str, Any]) -> "GoldSource":
        """A source as a recipe tells it: the name of a file, or a table of the fields."""
        return cls(told) if isinstance(told, str) else cls(**told)

    def write(self, shared: Path, texts: Path, ready: Path) -> tuple[Path, ...]:
        """The file that trains, `times` times; made in ready, where it is not the shared file itself.

        texts: the folder that has the folders of our marked texts.
        """
        if self.file.startswith(OWN_TEXTS):
            path = ready / f"{self.file.replace('/', '-')}.identifiers.jsonl"
            own = (one for file in sorted((texts / self.file).glob("*.txt")) for one in read_kind_marks(file))
            path.write_text(_json_lines(map(record_of, own)), encoding="utf-8")
        elif (source := shared / "data" / "ner" / self.file).suffix == ".jsonl":
            path = self._documents(source, ready)
        elif self == GoldSource(self.file, self.times):
            path = source
        else:
            path = ready / self.file
            path.write_text(as_bio(self._kept(read_sentences(source))), encoding="utf-8")
        return (path,) * self.times

    def _documents(self, source: Path, ready: Path) -> Path:
        rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines() if line.strip()]
        if rows and "spans" in rows[0]:
            path = ready / f"{source.stem}.bio"
            path.write_text(as_bio(self._kept([made_sentence(row) for row in rows])), encoding="utf-8")
            return path
        path = ready / source.name
        path.write_text(_json_lines(row for row in rows if not is_held_out(row["doc_id"])), encoding="utf-8")
        return path

    def _kept(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        seen: Counter[str] = Counter()
        for number, told in enumerate(sentences):
            if number // SENTENCES % self.every:
                continue
            sentence = without_handles(told) if self.without_handles else told
            people = [token.lower().lstrip("#") for token in last_words(sentence)]
            if not sentence or (self.only_people and not people):
                continue
            if self.person_at_most and any(seen[person] >= self.person_at_most for person in people):
                continue
            seen.update(people)
            yield recased(sentence) if self.recased else sentence


@dataclass(frozen=True, slots=True)
class NameSource:
    """A list of names of names/free, and how many of its rows are read.

    origin: whose names they are, where they are not of the language of the recipe.
    """

    file: str
    rows: int
    origin: str = ""

    def write(self, shared: Path, ready: Path) -> Path:
        """A list of the first rows in ready, without names that may not be given out."""
        with (shared / "data" / "names" / "free" / self.file).open(encoding="utf-8", newline="") as handle:
            table = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
            column = "name" if "name" in (table.fieldnames or ()) else "surname"
            kept = [row for row in table if set((row.get("sources") or "-").split("|")) - _NEVER_GIVEN_OUT]
        lines = [f"{row[column]}\t{row.get('count') or 1}\t{self.origin}\n" for row in kept[: self.rows]]
        path = ready / self.file
        path.write_text("".join((f"{column}\tcount\torigin\n", *lines)), encoding="utf-8")
        return path


@dataclass(frozen=True, slots=True)
class TextSource:
    """A plain text, one sentence a line. without: a BIO file whose sentences measure, and are left out."""

    file: str
    without: str = field(default="")

    def write(self, shared: Path, ready: Path) -> Path:
        """The text itself, or one in ready without the sentences that measure."""
        source = shared / "data" / "text" / self.file
        if not self.without:
            return source
        measuring = {
            "".join(token for token, _ in sentence)
            for sentence in read_sentences(shared / "data" / "ner" / self.without)
        }
        lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
        path = ready / self.file
        path.write_text(
            "".join(line for line in lines if "".join(line.split()) not in measuring), encoding="utf-8"
        )
        return path


def write_origins(table: Path, ready: Path) -> tuple[Path, Path]:
    """Lists of the given names and surnames of a table with `origin`, `part` and `names` parted by "|"."""
    with table.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    paths = ready / f"{table.stem}-given.tsv", ready / f"{table.stem}-surnames.tsv"
    for path, part, column in zip(paths, ("given", "surname"), ("name", "surname"), strict=True):
        lines = [
            f"{name}\t1\t{row['origin']}\n"
            for row in rows
            if row["part"] == part
            for name in row["names"].split("|")
        ]
        path.write_text("".join((f"{column}\tcount\torigin\n", *lines)), encoding="utf-8")
    return paths


def read_sentences(path: Path) -> list[Sentence]:
    """The sentences of a BIO file."""
    sentences: list[Sentence] = [[]]
    for line in path.read_text(encoding="utf-8").split("\n"):
        token, tab, tag = line.rstrip("\r").partition("\t")
        if tab:
            sentences[-1].append((token, tag))
        elif sentences[-1]:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def as_bio(sentences: Iterator[Sentence] | Sequence[Sentence]) -> str:
    """The sentences as a BIO file has them."""
    return "".join("".join(f"{token}\t{tag}\n" for token, tag in one) + "\n" for one in sentences)


def last_words(sentence: Sentence) -> list[str]:
    """The last token of each person of a sentence."""
    tags = [*(tag for _, tag in sentence), "O"]
    return [
        token
        for at, (token, tag) in enumerate(sentence)
        if tag.endswith("-PER") and not tags[at + 1].startswith("I-")
    ]


def without_handles(sentence: Sentence) -> Sentence:
    """The sentence without each token "@" and the one behind it; a name that loses its start begins later."""
    kept: Sentence = []
    lost = False
    for at, (token, tag) in enumerate(sentence):
        if "@" in {token, sentence[at - 1][0] if at else ""}:
            lost = True
            continue
        begins = lost and tag.startswith("I-")
        kept.append((token, f"B-{tag[2:]}" if begins else tag))
        lost = False
    return kept


def recased(sentence: Sentence) -> Sentence:
    """The sentence with a capital at its start and at each word of a name but short words inside it."""
    return [
        (token[:1].upper() + token[1:] if not at or _has_capital(token, tag) else token, tag)
        for at, (token, tag) in enumerate(sentence)
    ]


def _has_capital(token: str, tag: str) -> bool:
    return tag != "O" and (tag.startswith("B-") or token not in _SMALL)


def made_sentence(row: dict[str, Any]) -> Sentence:
    """The tokens of a text with spans, by rule; labels that are not known stay what they are."""
    sentence: Sentence = []
    before = None
    for start, end in tokenize(row["text"]):
        span = next((s for s in row["spans"] if s["start"] < end and start < s["end"]), None)
        label = "" if span is None else _LABELS.get(span["kind"], span["kind"])
        part = "I" if span is not None and span is before else "B"
        sentence.append((row["text"][start:end], f"{part}-{label}" if label else "O"))
        before = span
    return sentence


def _json_lines(rows: Any) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
