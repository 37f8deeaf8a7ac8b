"""Value mentions of documents: found in the readable view of a text, placed in the text as read."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from linkage.detection.finder import ValueFinder, shipped_finder
from linkage.detection.name_kinds import typed_kind
from linkage.detection.patterns import LISTED, FoundValue, folded
from linkage.detection.recognized_values import with_recognized
from linkage.detection.text_view import TextView
from linkage.kinds import PERSON, Fold
from linkage.language import Language
from linkage.records import Detector, Document, Mention, ValueMention, mention_id_at
from linkage.spans import SpanIndex
from linkage.texts import KindId, Span


def value_mentions(
    document: Document,
    kinds: Collection[KindId] | None = None,
    *,
    column: KindId | None = None,
    persons: Iterable[Span] | None = None,
    finder: ValueFinder | None = None,
    recognized: Iterable[Mention] = (),
) -> tuple[ValueMention, ...]:
    """The values in a document, in the order of its text and without overlap.

    kinds: those that are looked for; None: all that have patterns. column: the kind of the column of a table
    in which the text stands. persons: where its persons are mentioned, as ValueFinder.find takes them.
    finder: of the kinds in use; None: of the shipped kinds. recognized: mentions of other kinds than persons
    that the network tells, which are added to what patterns find.
    """
    kinds_in_use = finder or shipped_finder()
    language = Language.load(document.language)
    view = TextView.of(document.text, language)
    seen = (
        None
        if persons is None
        else [Span(*place) for place in map(view.locate, persons) if place[0] < place[1]]
    )
    found = kinds_in_use.find(view.text, language, kinds=kinds, column=column, persons=seen)
    by_pattern = tuple(
        ValueMention(
            Mention.at(
                document,
                view.span(value.span.start, value.span.end),
                detector=Detector.LIST if value.pattern == LISTED else Detector.PATTERN,
                confidence=value.confidence,
                kind=value.kind,
            ),
            value.normal,
            value.country,
        )
        for value in found
    )
    typed = (_of_kind(seen, typed_kind(seen.kind, seen.surface, language)) for seen in recognized)
    wanted = [seen for seen in typed if kinds is None or seen.kind in kinds]
    if not wanted:
        return by_pattern

    def normal(kind: KindId, text: str) -> str:
        return normal_form(kind, text, document.language, finder=kinds_in_use)

    return with_recognized(by_pattern, wanted, normal)


def _of_kind(mention: Mention, kind: KindId) -> Mention:
    if mention.kind == kind:
        return mention
    return replace(mention, mention_id=mention_id_at(mention.doc_id, mention.span, kind), kind=kind)


def normal_form(kind: KindId, text: str, language: str = "nl", *, finder: ValueFinder | None = None) -> str:
    """The normal form of a value that is known to be of a kind: values with equal ones are the same.

    It is that of the pattern which matches the whole text; where none does, small letters with single blanks,
    or what a user's kind has in place of that. finder: of the kinds in use; None: of the shipped kinds.
    """
    in_use = finder or shipped_finder()
    found = whole_value(kind, text, language, finder=in_use)
    if found is not None:
        return found.normal
    row = in_use.kinds.get(kind)
    return folded(text.strip(), Fold.WORDS if row is None else row.fold)


def whole_value(
    kind: KindId, text: str, language: str = "nl", *, finder: ValueFinder | None = None
) -> FoundValue | None:
    """The value that a pattern of the kind reads in the whole of a text which is known to be of the kind."""
    in_use = finder or shipped_finder()
    stripped = text.strip()
    found = in_use.find(stripped, Language.load(language), kinds={kind}, column=kind)
    return found[0] if len(found) == 1 and len(found[0].span) == len(stripped) else None


def nested(persons: Iterable[Mention], values: Sequence[ValueMention]) -> tuple[Mention, ...]:
    """The mentions of persons in their order, each with the value that holds it, such as an e-mail address.

    values: of the same document. A person is never lost to a value that only overlaps it.
    """
    around = SpanIndex([value.mention.span for value in values])
    told = []
    for person in persons:
        holders = (
            values[number].mention
            for number in around.overlapping(person.span)
            if values[number].mention.span.contains(person.span)
        )
        holder = next(holders, None)
        told.append(person if holder is None else replace(person, inside=holder.mention_id))
    return tuple(told)


def clear_of_persons(
    persons: Iterable[Mention], values: Iterable[ValueMention], *, finder: ValueFinder | None = None
) -> tuple[ValueMention, ...]:
    """The values that hold each mention of a person whole that they overlap: no person is lost to a value.

    A value that is nothing but the name of a person counts where its kind may hold one: "Mei" is a person,
    and no month, where it is mentioned as one. finder: of the kinds in use; None: of the shipped kinds.
    """
    spans = [person.span for person in persons]
    around = SpanIndex(spans)
    kinds = (finder or shipped_finder()).kinds

    def is_clear(value: ValueMention) -> bool:
        own = value.mention.span
        overlapping = [spans[number] for number in around.overlapping(own)]
        holds = value.kind not in kinds or PERSON in kinds[value.kind].holds
        return all(own.contains(span) and (holds or span != own) for span in overlapping)

    return tuple(value for value in values if is_clear(value))


def people_and_others(mentions: Iterable[Mention]) -> tuple[list[Mention], list[Mention]]:
    """The mentions of persons, and those of other kinds, each in their order."""
    people: list[Mention] = []
    others: list[Mention] = []
    for mention in mentions:
        (people if mention.kind == PERSON else others).append(mention)
    return people, others
