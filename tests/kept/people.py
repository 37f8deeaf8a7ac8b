"""The invented people of the kept hashes and parcels."""

from linkage.records import Detector, Document, DocumentId, Mention, NormalizedMention, PersonName, Span


def mention(text: str) -> Mention:
    """A mention that is the whole text of its document."""
    document = Document(DocumentId("kept-document"), text)
    return Mention.at(document, Span(0, len(text)), detector=Detector.REGISTRY, confidence=1.0)


def person(text: str) -> NormalizedMention:
    """The same with its name, "given family"."""
    given, _, family = text.partition(" ")
    return NormalizedMention(mention(text), PersonName(given=given, family=family or None))
