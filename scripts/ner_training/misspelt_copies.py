"""Copies of gold documents in which some names have one typing error more."""

import random
import re
from dataclasses import replace

from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.records import Document, DocumentId, Span
from linkage.training.variation import misspell

COPY_MARK = "~"  # between a document's id and its copy's number
_SHARE = 0.23  # of the mentions, as many as in office text that people really type
_WORD = re.compile(r"[^\W\d_]{4,}")


def misspelt_copy(gold: GoldDocument, *, seed: int, share: float = _SHARE) -> GoldDocument:
    """The document with a typing error in a word of share of its mentions; the others stay as they are."""
    generator = random.Random(f"{seed} {gold.document.doc_id}")
    text = gold.document.text
    pieces: list[str] = []
    mentions: list[GoldMention] = []
    read_to = length = 0
    for mention in sorted(gold.mentions, key=lambda m: m.span):
        if mention.span.start < read_to:
            continue
        surface, typo = mention.span.cut(text), mention.typo
        if not typo and not mention.unsure and generator.random() < share:
            words = list(_WORD.finditer(surface))
            if words:
                word = generator.choice(words)
                changed = misspell(word.group(), generator)
                typo = changed != word.group()
                surface = surface[: word.start()] + changed + surface[word.end() :]
        before = text[read_to : mention.span.start]
        pieces += [before, surface]
        length += len(before)
        span = Span(length, length + len(surface))
        mentions.append(replace(mention, span=span, typo=typo, alternatives=()))
        length += len(surface)
        read_to = mention.span.end
    document = Document(
        DocumentId(f"{gold.document.doc_id}{COPY_MARK}{seed}"), "".join(pieces) + text[read_to:]
    )
    return GoldDocument(document, tuple(mentions))
