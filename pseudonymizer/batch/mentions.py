"""Which mentions of a text count: given ones, those the format marks, none inside a look of a token."""

from collections.abc import Iterable, Sequence
from typing import Final

from linkage.errors import DocumentError
from linkage.records import Detector, Document, DocumentId, Mention, MentionId, Span
from linkage.spans import SpanCover
from pseudonymizer.batch.tasks import AnalyzeTask, GivenMention, PartFound
from pseudonymizer.formats import ParsedFile, PartRole, TextPart
from pseudonymizer.professionals import acts_professionally

_GIVEN_BY_FORMAT: Final = 0.99  # confidence of a name that the format itself says is one


def part_document_id(doc_id: DocumentId, part_id: str) -> DocumentId:
    return DocumentId(f"{doc_id}#{part_id}") if part_id else doc_id


def given_for(task: AnalyzeTask, part: TextPart) -> tuple[GivenMention, ...] | None:
    return None if task.given is None else task.given.of(part.part_id, part.document_key)


def as_mentions(document: Document, given: Iterable[GivenMention]) -> list[Mention]:
    """Raises DocumentError where the text is not what the mention says."""
    mentions: list[Mention] = []
    read_to = 0
    for item in sorted(given, key=lambda g: g.span):
        if item.span.start < read_to or item.span.cut(document.text) != item.text:
            raise DocumentError(
                f"the given mention at {item.span.start} overlaps another one, or its text is not there; "
                "mentions must come from `nymlink detect` on the same file"
            )
        read_to = item.span.end
        mentions.append(
            Mention.at(
                document, item.span, detector=item.detector, confidence=item.confidence, typo_of=item.typo_of
            )
        )
    return mentions


def with_names_of_format(
    document: Document, found: Sequence[Mention], names: Iterable[Span]
) -> Sequence[Mention]:
    """Names that the format marks as such, where detection found nothing, or something longer around one."""
    marked = list(names)
    kept = [
        mention
        for mention in found
        if not any(mention.span.contains(span) and mention.span != span for span in marked)
    ]
    cover = SpanCover(mention.span for mention in kept)
    added = [
        Mention.at(document, span, detector=Detector.LIST, confidence=_GIVEN_BY_FORMAT)
        for span in marked
        if not cover.overlaps(span)
    ]
    return sorted([*kept, *added], key=lambda m: m.span) if added else found


def professionals_in(parsed: ParsedFile, found: Sequence[PartFound]) -> tuple[MentionId, ...]:
    texts = {part.part_id: part.text for part in parsed.parts if part.role is PartRole.PROSE}
    return tuple(
        one.mention_id
        for part in found
        if part.part_id in texts
        for one in part.mentions
        if acts_professionally(texts[part.part_id], one.mention.span)
    )


def outside_tokens(document: Document, mentions: Sequence[Mention], taken: Sequence[Span]) -> list[Mention]:
    """The mentions, with text that looks like a token cut out of them: a pseudonym is no name."""
    if not taken:
        return list(mentions)
    kept: list[Mention] = []
    for mention in mentions:
        first, last = mention.span.start, mention.span.end
        inside = [span for span in taken if span.overlaps(mention.span)]
        if not inside:
            kept.append(mention)
            continue
        bounds = [first, *(min(max(b, first), last) for s in inside for b in (s.start, s.end)), last]
        for start, end in zip(bounds[::2], bounds[1::2], strict=True):
            text = document.text[start:end]
            start, end = start + len(text) - len(text.lstrip()), end - (len(text) - len(text.rstrip()))
            if start < end and any(map(str.isalpha, document.text[start:end])):
                kept.append(
                    Mention.at(
                        document, Span(start, end), detector=mention.detector, confidence=mention.confidence
                    )
                )
    return kept
