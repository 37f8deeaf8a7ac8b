"""Rows for tests of work files. All names are invented."""

from linkage.codec import MentionRow
from linkage.records import DocumentId, Mention, NormalizedMention, PersonName, Span, mention_id_at
from pseudonymizer.runs.codec import ANALYSIS, Analysis, FoundRow, PartRow, SourceLabels
from pseudonymizer.runs.work_counts import SourceCounts

ONE_MENTION = SourceCounts(mentions=1)
NO_LABELS = SourceLabels(b"", ())


def mention(doc_id: DocumentId, start: int, surface: str, name: PersonName) -> NormalizedMention:
    span = Span(start, start + len(surface))
    return NormalizedMention(Mention(mention_id_at(doc_id, span), doc_id, span, surface), name)


def analysis(doc_id: DocumentId, *surfaces: str, digest: bytes = b"") -> Analysis:
    """Of a file of one text, in which these surnames stand at 0, 100, 200 ..."""
    rows = [
        MentionRow.of(mention(doc_id, number * 100, surface, PersonName(family=surface)))
        for number, surface in enumerate(surfaces)
    ]
    return Analysis(digest, (PartRow("", None, tuple(rows), ()),) if rows else ())


def found(doc_id: DocumentId, *surfaces: str) -> FoundRow:
    return FoundRow(doc_id, ONE_MENTION, ANALYSIS.encode(analysis(doc_id, *surfaces)))
