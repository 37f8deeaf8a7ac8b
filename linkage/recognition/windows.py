"""Large documents in windows: the memory of detection grows with a window, not with the document."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from linkage.recognition.combine import SURE_AGAIN
from linkage.records import PERSON, Detector, Document, Mention, Span
from linkage.spans import SpanCover, lie_inside

MOST_LETTERS: Final = 400_000  # of a window
_ENDS: Final = ("\n\n", "\n", " ")  # where a window may end, the best first
_LATEST: Final = 20_000  # letters before the bound in which an end is looked for
_WORD: Final = re.compile(r"\w+")


def batches(documents: Sequence[Document]) -> Iterator[Sequence[Document]]:
    """The documents in runs of at most MOST_LETTERS letters together, or of one larger document."""
    batch: list[Document] = []
    letters = 0
    for document in documents:
        if batch and letters + len(document.text) > MOST_LETTERS:
            yield batch
            batch, letters = [], 0
        batch.append(document)
        letters += len(document.text)
    if batch:
        yield batch


def windows(document: Document, most: int = MOST_LETTERS) -> Iterator[tuple[int, Document]]:
    """Pieces of a document of at most so many letters, each with the place where it begins in the text.

    A piece ends with a paragraph, a line or a word, if one ends near the bound.
    """
    text, start = document.text, 0
    while len(text) - start > most:
        bound = start + most
        earliest = max(start + 1, bound - _LATEST)
        end = next(
            (at + len(mark) for mark in _ENDS if (at := text.rfind(mark, earliest, bound)) >= 0), bound
        )
        yield start, replace(document, text=text[start:end])
        start = end
    yield start, replace(document, text=text[start:])


def joined(
    document: Document, parts: Sequence[tuple[int, Sequence[Mention]]], denied: Sequence[Span] = ()
) -> tuple[Mention, ...]:
    """The mentions of all windows in the document, sorted by span.

    A name of two words or more that one window is sure of is found wherever else it stands exactly. parts:
    where each window begins, and its mentions. denied: spans of the document in which no name is.
    """
    found = [
        Mention.at(
            document,
            Span(start + mention.span.start, start + mention.span.end),
            detector=mention.detector,
            confidence=mention.confidence,
            kind=mention.kind,
            typo_of=mention.typo_of,
            person_id=mention.person_id,
        )
        for start, mentions in parts
        for mention in mentions
    ]
    elsewhere = list(_elsewhere(document, [mention for mention in found if mention.kind == PERSON]))
    excluded = lie_inside([mention.span for mention in elsewhere], denied)
    found += [mention for mention, is_excluded in zip(elsewhere, excluded, strict=True) if not is_excluded]
    return tuple(sorted(found, key=lambda mention: mention.span))


def _elsewhere(document: Document, people: Sequence[Mention]) -> Iterator[Mention]:
    text = document.text
    by_words: dict[tuple[str, str], set[str]] = defaultdict(set)
    for mention in people:
        words = _WORD.findall(mention.surface)
        if mention.confidence >= SURE_AGAIN and len(words) > 1:
            by_words[words[0], words[1]].add(mention.surface)
    cover = SpanCover(mention.span for mention in people)
    previous: re.Match[str] | None = None
    free_from = 0
    for word in _WORD.finditer(text):
        first, previous = previous, word
        if first is None or first.start() < free_from:
            continue
        names = by_words.get((first[0], word[0]), ())
        standing = [name for name in names if _stands(text, first.start(), name)]
        if standing:
            span = Span(first.start(), first.start() + max(map(len, standing)))
            if not cover.overlaps(span):
                free_from = span.end
                yield Mention.at(document, span, detector=Detector.CONSISTENCY, confidence=SURE_AGAIN)


def _stands(text: str, start: int, name: str) -> bool:
    """Whether the name stands at text[start:] and no word goes on behind it."""
    return text.startswith(name, start) and not text[start + len(name) : start + len(name) + 1].isalnum()
