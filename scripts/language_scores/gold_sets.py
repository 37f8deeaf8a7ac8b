"""Gold sets of each language, and the documents of each that measure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ner_training.kind_marks import read_kind_marks, record_of

from linkage.errors import GoldFormatError
from linkage.evaluation.gold import read_marked_gold
from linkage.evaluation.marked import GoldDocument, GoldMention, Labels
from linkage.records import Document, DocumentId, Span
from linkage.training.windows import is_tuning

HOLD_OUT: Final = 5  # one document in so many measures, where a set trains, too
# By set, whether it never trains: then all its documents measure. {} stands for its code.
SETS: Final[Mapping[str, bool]] = {
    "ntrex-dev-{}.persons.jsonl": True,
    "office-{}.identifiers.jsonl": False,
    "codealltag-{}.persons.jsonl": False,
    "uner-ewt-{}.dev.bio": True,
    "grascco-{}.dev.jsonl": True,
}
# Labels of the clinical letters (GraSCCo) that are names of people; titles are spans of their own there.
_PEOPLE: Final = frozenset({"NAME_PATIENT", "NAME_DOCTOR", "NAME_RELATIVE", "NAME_EXT"})


@dataclass(frozen=True, slots=True)
class GoldSet:
    """Documents that measure. domains: by document, what it is about, where the file says so."""

    name: str
    documents: tuple[GoldDocument, ...] = field(repr=False)
    domains: Mapping[DocumentId, str] = field(default_factory=dict, repr=False)

    @property
    def has_kinds(self) -> bool:
        """Whether more than people is marked."""
        return any(document.identifiers is not None for document in self.documents)

    def parts(self) -> list["GoldSet"]:
        """The set, then the documents of each domain as a set of its own."""
        domains = sorted(set(self.domains.values()))
        return [
            self,
            *(
                replace(
                    self,
                    name=f"{self.name} {domain}",
                    documents=tuple(
                        d for d in self.documents if self.domains.get(d.document.doc_id) == domain
                    ),
                    domains={},
                )
                for domain in domains
            ),
        ]


def is_held_out(doc_id: str) -> bool:
    """Whether a document of a set that trains is kept out of training: one in HOLD_OUT, by SHA-256."""
    return is_tuning(doc_id, share=HOLD_OUT)


def sets_of(language: str, folder: Path) -> list[Path]:
    """The gold files of a language that are there, by its ISO 639-1 code."""
    return [path for name in SETS if (path := folder / name.format(language)).exists()]


def read_set(path: Path, language: str, labels: Labels, *, part: str = "") -> GoldSet:
    """The documents of a gold file that measure, as texts of the language.

    part: "held", "train" or "all"; "" is "all" of files that never train and of files not in SETS, else
    "held".

    Raises:
        GoldFormatError: the file cannot be used.
    """
    only_measures = {name.format(language): never for name, never in SETS.items()}.get(path.name, True)
    chosen = part or ("all" if only_measures else "held")
    documents = read_spans(path) if _has_spans(path) else read_marked_gold(path, labels).documents
    kept = [d for d in documents if chosen == "all" or is_held_out(d.document.doc_id) == (chosen == "held")]
    name = path.name.partition(".")[0] + ("" if chosen == "all" else f" ({chosen})")
    return GoldSet(
        name,
        tuple(replace(one, document=replace(one.document, language=language)) for one in kept),
        _domains(path),
    )


def write_measuring_texts(texts: Path, language: str, folder: Path) -> Path | None:
    """A gold file, in the folder, of our marked texts that only measure; None where a language has none.

    texts: a folder of marked texts, whose names begin with the code of their language.
    """
    documents = [one for path in sorted(texts.glob(f"{language}_*.txt")) for one in read_kind_marks(path)]
    if not documents:
        return None
    path = folder / f"{texts.name}-{language}.identifiers.jsonl"
    lines = [json.dumps(record_of(one), ensure_ascii=False) + "\n" for one in documents]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def read_spans(path: Path) -> Sequence[GoldDocument]:
    """The people of a file whose lines have `spans` with kinds of their own (the GraSCCo letters).

    Raises:
        GoldFormatError: a span has no place or no kind.
    """
    documents = []
    for number, row in enumerate(_rows(path), 1):
        try:
            people = [
                GoldMention(Span(span["start"], span["end"]))
                for span in row["spans"]
                if span["kind"] in _PEOPLE
            ]
            document = Document(DocumentId(row["doc_id"]), row["text"])
        except (KeyError, TypeError):
            raise GoldFormatError(f"gold line {number} lacks start, end or kind of a span") from None
        documents.append(GoldDocument(document, tuple(people)))
    return documents


def _has_spans(path: Path) -> bool:
    return path.suffix == ".jsonl" and any("spans" in row for row in _rows(path)[:1])


def _domains(path: Path) -> dict[DocumentId, str]:
    if path.suffix != ".jsonl":
        return {}
    return {DocumentId(row["doc_id"]): row["domain"] for row in _rows(path) if "domain" in row}


def _rows(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]
