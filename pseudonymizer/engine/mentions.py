"""Which mentions of a text count: given ones, those the format marks, none inside a look of a token."""

from collections.abc import Iterable, Sequence, Set
from typing import Final

from linkage.errors import DocumentError
from linkage.records import Detector, Document, DocumentId, Mention, MentionId, Span
from linkage.spans import SpanCover
from pseudonymizer.engine.records import AnalyzeTask, GivenMention, PartFound
from pseudonymizer.formats import ParsedFile, PartRole, TextPart
from pseudonymizer.professionals import acts_professionally

_GIVEN_BY_FORMAT: Final = 0.99  # confidence of a name that the format itself says is one


def part_document_id(doc_id: DocumentId, part_id: str) -> DocumentId:
    return DocumentId(f"{doc_id}#{part_id}") if part_id else doc_id


def given_for(task: AnalyzeTask, prose: Sequence[TextPart]) -> list[tuple[GivenMention, ...] | None]:
    """What is given for each text of a file, in their order; None: names are looked for.

    Raises:
        DocumentError: mentions are given for a text that the file, as it is read now, does not have. Names
            would be looked for anew, and what a person added or left out be lost in silence.
    """
    if task.given is None:
        return [None for _ in prose]
    ids = [part.part_id for part in prose]
    parts = task.given.parts
    if len(ids) == 1 and task.unit is None and "" in parts and ids[0] not in parts:
        return [parts[""]]  # the only text of a file has the name of the file
    own = set(ids)
    unplaced = [part_id for part_id in parts if part_id not in own and _is_of(task, part_id, own)]
    if unplaced:
        raise DocumentError(
            f"mentions are given for {len(unplaced)} texts that this file, as it is read now, lacks; "
            "mentions from `nymlink detect`, which reads tables whole, do not go with --column"
        )
    return [task.given.of(part.part_id, part.document_key) for part in prose]


def _is_of(task: AnalyzeTask, part_id: str, own: Set[str]) -> bool:
    """Whether what is given for this part of a file is for what the task treats. Those of all units come with
    each of them; rows or lines together are one text, named after the first of them.
    """
    if task.unit is None or not part_id:
        return True
    if part_id.isdigit():
        return not all(one.isdigit() for one in own)
    return part_id.rpartition("-")[2] == str(task.unit.first)


def as_mentions(document: Document, given: Iterable[GivenMention]) -> list[Mention]:
    """Raises DocumentError where the text is not what the mention says."""
    mentions: list[Mention] = []
    read_to = 0
    for item in sorted(given, key=lambda g: g.span):
        is_there = item.span.end <= len(document.text) and item.span.cut(document.text) == item.text
        if item.span.start < read_to or not is_there:
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
