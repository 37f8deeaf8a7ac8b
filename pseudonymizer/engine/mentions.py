"""The mentions of a text that count: given ones, names that the format marks, and none inside a label."""

from collections.abc import Iterable, Sequence, Set
from typing import Final

from linkage.detection.finder import ValueFinder, shipped_finder
from linkage.detection.values import clear_of_persons, normal_form, value_mentions
from linkage.errors import DocumentError
from linkage.kinds import LITERAL
from linkage.records import PERSON, Detector, Document, Mention, MentionId, Span, ValueMention
from linkage.spans import SpanCover, SpanIndex
from pseudonymizer.engine.records import AnalyzeTask, GivenMention, PartFound
from pseudonymizer.engine.table_mentions import values_in_columns
from pseudonymizer.formats import Column, ParsedFile, PartRole, TextPart
from pseudonymizer.professionals import acts_professionally

_GIVEN_BY_FORMAT: Final = 0.99  # confidence, 0 to 1, of a name that the format marks; set, not measured


def given_for(task: AnalyzeTask, prose: Sequence[TextPart]) -> list[tuple[GivenMention, ...] | None]:
    """The given mentions of each text of a file, in the order of prose; None: the text is searched.

    Raises:
        DocumentError: mentions are given for a text that the file, as it is read now, does not have. The text
            would be searched, and the additions and deletions of a person be lost in silence.
    """
    if task.given is None:
        return [None for _ in prose]
    ids = [part.part_id for part in prose]
    parts = task.given.parts
    if len(ids) == 1 and task.unit is None and "" in parts and ids[0] not in parts:
        return [parts[""]]  # the only text of a file goes by the name of the file
    own = set(ids)
    unplaced = [part_id for part_id in parts if part_id not in own and _is_of(task, part_id, own)]
    if unplaced:
        raise DocumentError(
            f"mentions are given for {len(unplaced)} texts that this file, as it is read now, lacks; "
            "make them with `nymlink detect` of this version"
        )
    return [task.given.of(part.part_id, part.document_key) for part in prose]


def _is_of(task: AnalyzeTask, part_id: str, own: Set[str]) -> bool:
    """Whether a part with given mentions lies in the unit that the task treats.

    Each unit of a file gets the given mentions of the whole file. Rows or lines of a unit that are read as
    one text have one part id, "rows-7", with the number of the first of them.
    """
    if task.unit is None or not part_id:
        return True
    if part_id.isdigit():
        return not all(part.isdigit() for part in own)
    return part_id.rpartition("-")[2] == str(task.unit.first)


def as_mentions(document: Document, given: Iterable[GivenMention]) -> list[Mention]:
    """The given mentions of persons as mentions of the document, in the order of the text.

    Raises:
        DocumentError: two overlap, or another text stands at a place.
    """
    return _placed(document, [item for item in given if item.kind == PERSON])


def as_values(
    document: Document, given: Iterable[GivenMention], *, finder: ValueFinder | None = None
) -> list[ValueMention]:
    """The given values of other kinds than persons, in the order of the text.

    finder: of the kinds in use; None: of the shipped kinds.

    Raises:
        DocumentError: two overlap, or another text stands at a place; or a kind is unknown.
    """
    in_use = finder or shipped_finder()
    values = [item for item in given if item.kind != PERSON]
    if unknown := sorted({item.kind for item in values} - set(in_use.kinds)):
        raise DocumentError(f"a given mention is of the unknown kind {unknown[0]}")
    return [
        ValueMention(mention, normal_form(mention.kind, mention.surface, document.language, finder=in_use))
        for mention in _placed(document, values)
    ]


def _placed(document: Document, given: Iterable[GivenMention]) -> list[Mention]:
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
                document,
                item.span,
                detector=item.detector,
                confidence=item.confidence,
                typo_of=item.typo_of,
                kind=item.kind,
            )
        )
    return mentions


def with_names_of_format(
    document: Document, found: Sequence[Mention], names: Iterable[Span]
) -> Sequence[Mention]:
    """The found mentions, and names that the format marks where none was found.

    A found mention that reaches beyond a marked name gives way to it.
    """
    marked = list(names)
    around = SpanIndex(marked)
    kept = [
        mention
        for mention in found
        if not any(
            mention.span.contains(marked[number]) and mention.span != marked[number]
            for number in around.overlapping(mention.span)
        )
    ]
    cover = SpanCover(mention.span for mention in kept)
    added = [
        Mention.at(document, span, detector=Detector.LIST, confidence=_GIVEN_BY_FORMAT)
        for span in marked
        if not cover.overlaps(span)
    ]
    return sorted([*kept, *added], key=lambda m: m.span) if added else found


def professionals_in(parsed: ParsedFile, found: Sequence[PartFound]) -> tuple[MentionId, ...]:
    """Ids of the mentions in prose whose persons act by profession, such as judges and doctors."""
    texts = {part.part_id: part.text for part in parsed.parts if part.role is PartRole.PROSE}
    return tuple(
        found_mention.mention_id
        for part in found
        if part.part_id in texts
        for found_mention in part.mentions
        if acts_professionally(texts[part.part_id], found_mention.mention.span)
    )


def values_beside(
    document: Document,
    persons: Sequence[Mention],
    looks: Sequence[Span],
    given: Sequence[ValueMention] = (),
    codes: Sequence[Span] = (),
    columns: Sequence[Column] = (),
    finder: ValueFinder | None = None,
    recognized: Sequence[Mention] = (),
) -> tuple[ValueMention, ...]:
    """The values of a document beside its persons and its labels, in the order of the text.

    given: values that the user gives; they win where one that is found overlaps them. looks: where the text
    looks like a label: those are values of the kind LITERAL. codes: where it looks like a code: LITERAL as
    well, and a value that is found there counts until the vault tells whose it is. A value that cuts a label
    or a mention of a person in two does not count; one that holds a whole mention does. columns: those of the
    tables in the text. finder: of the kinds in use; None: of the shipped kinds. recognized: mentions of other
    kinds than persons that the network tells.
    """
    literals = [_literal(document, span) for span in (*looks, *codes)]
    labels = SpanCover(looks)
    own = [value for value in given if not labels.overlaps(value.mention.span)]
    taken = SpanCover([*looks, *(value.mention.span for value in own)])
    found: Sequence[ValueMention] = value_mentions(
        document, persons=[person.span for person in persons], finder=finder, recognized=recognized
    )
    if columns:
        found = values_in_columns(document, found, columns, finder=finder)
    found = clear_of_persons(persons, found, finder=finder)
    clear = [value for value in found if not taken.overlaps(value.mention.span)]
    return tuple(sorted([*literals, *own, *clear], key=lambda value: value.mention.span))


def _literal(document: Document, span: Span) -> ValueMention:
    mention = Mention.at(document, span, detector=Detector.PATTERN, confidence=1.0, kind=LITERAL)
    return ValueMention(mention, mention.surface)


def outside_tokens(document: Document, mentions: Sequence[Mention], taken: Sequence[Span]) -> list[Mention]:
    """The mentions without the text that lies in taken: a pseudonym is no name.

    taken: where the text looks like a label, in order and without overlap. A mention around such a place
    falls into the pieces beside it that hold a letter.
    """
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
