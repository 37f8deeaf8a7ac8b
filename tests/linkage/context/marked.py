"""Mentions for the tests of this folder."""

from linkage.records import Detector, Document, DocumentId, Mention, Span


def mentions_of(text: str, *surfaces: str) -> list[Mention]:
    """A mention for each surface, in the order in which they stand in the text."""
    document = Document(DocumentId("d"), text)
    mentions: list[Mention] = []
    for surface in surfaces:
        start = text.index(surface, mentions[-1].span.end if mentions else 0)
        span = Span(start, start + len(surface))
        mentions.append(Mention.at(document, span, detector=Detector.NER, confidence=1.0))
    return mentions
