"""Parts of gold: what trains, what chooses among checkpoints, what is held out."""

import hashlib
from dataclasses import dataclass
from typing import Final

from linkage.errors import GoldFormatError
from linkage.training.gold import Gold, GoldDocument
from linkage.training.labels import PERSON
from linkage.training.windows import is_tuning

_TUNING: Final = 10  # one document in so many chooses among checkpoints


def is_held_out(doc_id: str, hold_out: int) -> bool:
    """Whether a document is kept out of training, which keeps one in hold_out; 0 keeps none."""
    return bool(hold_out) and is_tuning(doc_id, share=hold_out)


@dataclass(frozen=True, slots=True)
class Parts:
    """Documents that train, that choose among checkpoints, and that are held out."""

    training: list[GoldDocument]
    tuning: list[GoldDocument]
    held: list[GoldDocument]


def divided(gold: Gold, hold_out: int) -> Parts:
    """The parts of the gold; a document that is given several times counts once where it does not train."""
    parts = Parts([], [], [])
    apart: set[str] = set()
    for document in gold.documents:
        doc_id = document.marked.doc_id
        held = is_held_out(doc_id, hold_out)
        if not held and hashlib.sha256(doc_id.encode()).digest()[1] % _TUNING:
            parts.training.append(document)
        elif doc_id not in apart:
            apart.add(doc_id)
            (parts.held if held else parts.tuning).append(document)
    for documents, use in ((parts.training, "training"), (parts.tuning, "choosing among checkpoints")):
        if not any(label == PERSON for one in documents for _, _, label in one.marked.spans):
            raise GoldFormatError(
                f"the gold is too small: of {len(gold.documents)} documents none with a person is left "
                f"for {use}"
            )
    return parts
