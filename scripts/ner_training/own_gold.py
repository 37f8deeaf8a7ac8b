"""Our invented texts as gold: the tuning tenth, the rest, and the held-out sets that no training sees."""

import re
from pathlib import Path

from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.records import Document, DocumentId, Span
from linkage.training.labels import PERSON
from ner_training.marked_text import read_marks
from ner_training.material import read_own_text

HELD_OUT_TEXT = Path(__file__).parent / "held_out"  # never for training: it only chooses and measures


def own_golds(*, tuning: bool) -> list[GoldDocument]:
    """The tuning tenth of our own invented texts, or the other nine."""
    return [
        GoldDocument(
            Document(DocumentId(text.doc_id), text.text),
            tuple(GoldMention(Span(start, end)) for start, end, label in text.spans if label == PERSON),
        )
        for text in read_own_text(tuning=tuning)
    ]


def own_tuning_golds(name: str) -> list[GoldDocument]:
    """The tuning tenth of one of our texts: "news", "office2", "office3"."""
    pattern = re.compile({"news": r"nieuws-", "office2": r"o2-", "office3": r"o3-"}[name])
    return [gold for gold in own_golds(tuning=True) if pattern.match(gold.document.doc_id)]


def held_out_golds(name: str, folder: Path = HELD_OUT_TEXT) -> list[GoldDocument]:
    """A held-out set ("office4"). A mark with a right form ("[P:Jasn|Jans]") is a misspelt mention."""
    return [
        GoldDocument(
            Document(DocumentId(doc_id), text),
            tuple(
                GoldMention(Span(mark.start, mark.end), typo=mark.note is not None)
                for mark in marks
                if mark.label == PERSON
            ),
        )
        for path in sorted((folder / name).glob("*.txt"))
        for doc_id, text, marks in read_marks(path)
    ]
