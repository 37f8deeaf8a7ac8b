"""Which documents must not be learned from and scored apart: those of one story share people and phrases."""

import hashlib
import re

from ner_training.misspelt_copies import COPY_MARK

_STORY = re.compile(r"o2-[a-z]+")  # o2-bel-01, o2-bel-02: the documents of one storyline of office2


def story_of(doc_id: str) -> str:
    """The story of a document and of its copies; a document without one is a story of its own."""
    original = doc_id.split(COPY_MARK)[0]
    story = _STORY.match(original)
    return story.group() if story else original


def fold_of(doc_id: str, *, folds: int) -> int:
    """A number from 0 to folds - 1, the same for all documents of a story and for their copies."""
    return hashlib.sha256(story_of(doc_id).encode()).digest()[1] % folds
