"""Mentions of names that only an address, a link, a user name, a technical field or a path spells."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import PurePosixPath
from typing import Final, TypeVar

from linkage.detection.finder import ValueFinder
from linkage.detection.values import clear_of_persons, value_mentions
from linkage.records import (
    Detector,
    Document,
    KindId,
    Mention,
    MentionId,
    NormalizedMention,
    PersonName,
    Span,
    ValueMention,
)
from linkage.spans import SpanCover
from pseudonymizer.formats import TextPart
from pseudonymizer.full_names import FoundName
from pseudonymizer.path_names import WordLists, path_names
from pseudonymizer.records import PATH_PART as PATH_PART
from pseudonymizer.records import TECHNICAL as TECHNICAL
from pseudonymizer.spelled_names import NameLists, new_names

_CONFIDENCE: Final = 0.9  # of these mentions, 0 to 1; set, not measured
_FILE: Final = KindId("FILE")
_ENDING: Final = ".txt"  # put behind each part of a path, so that folders are read as file names too

SpelledNames = Mapping[MentionId, PersonName]
_Told = TypeVar("_Told", bound=str)


def spelled_mentions(
    document: Document,
    lists: NameLists,
    *,
    taken: Collection[Span] = (),
    technical: bool = False,
) -> tuple[list[Mention], dict[MentionId, PersonName]]:
    """The names that identifiers in document spell, as mentions clear of taken, and each mention's name.

    technical: the whole text counts as one identifier.
    """
    found = new_names(document.text, lists, technical=technical)
    return _as_mentions(document, found, SpanCover(taken))


def path_mentions(
    document: Document, lists: WordLists, *, taken: Collection[Span] = ()
) -> tuple[list[Mention], dict[MentionId, PersonName]]:
    """The names in a path, as mentions clear of taken, and each mention's name.

    document: its text is path_text of the path.
    """
    text = _joined(document.text)
    spelled = new_names(text, lists, technical=True)
    cover = SpanCover([*taken, *(name.span for name in spelled)])
    return _as_mentions(document, [*spelled, *path_names(text, lists, cover)], SpanCover(taken))


def _as_mentions(
    document: Document, names_found: Iterable[FoundName], cover: SpanCover
) -> tuple[list[Mention], dict[MentionId, PersonName]]:
    mentions: list[Mention] = []
    names: dict[MentionId, PersonName] = {}
    for found in sorted(names_found, key=lambda found: found.span):
        if not cover.overlaps(found.span):
            mention = Mention.at(document, found.span, detector=Detector.LIST, confidence=_CONFIDENCE)
            mentions.append(mention)
            names[mention.mention_id] = found.name
    return mentions, names


def with_spelled_names(mentions: Iterable[NormalizedMention], names: SpelledNames) -> list[NormalizedMention]:
    """The mentions, those of names with the name given there: normalizing cannot read "els.wiersma"."""
    return [
        replace(mention, name=names[mention.mention_id], corrections=())
        if mention.mention_id in names
        else mention
        for mention in mentions
    ]


def owner_part(part: TextPart) -> str:
    """The part id of the prose that a technical part belongs to: "3" for "3/technical"."""
    return owner_of(part.part_id)


def owner_of(part_id: str) -> str:
    """The part id of the prose that a text belongs to: "3" for "3/technical", and for "3"."""
    if part_id.rpartition("/")[2] != TECHNICAL:
        return part_id
    return part_id.removesuffix(TECHNICAL).removesuffix("/")


def path_text(relative: str) -> str:
    """A path as a text: one line for each folder and for the file, each with a file ending behind it."""
    return "\n".join(re.sub(r"\s", " ", part) + _ENDING for part in PurePosixPath(relative).parts)


def path_values(
    document: Document,
    persons: Iterable[Mention],
    *,
    taken: Collection[Span] = (),
    finder: ValueFinder | None = None,
) -> tuple[ValueMention, ...]:
    """The values in a path, clear of taken, that hold each of these persons whole which they overlap.

    document: its text is path_text of the path. Names of files are no values here: a path is nothing else.
    finder: of the kinds in use; None: of the shipped kinds.
    """
    lines = [line.removesuffix(_ENDING) for line in document.text.split("\n")]
    stem, dot, suffix = lines[-1].rpartition(".")
    lines[-1] = f"{stem} {suffix}" if dot else suffix
    apart = "\n".join(line.replace("_", " ") + " " * len(_ENDING) for line in lines)
    mentions = list(persons)
    told = [mention.span for mention in mentions]
    found = value_mentions(Document(document.doc_id, apart, document.language), persons=told, finder=finder)
    cover = SpanCover(taken)
    clear = [value for value in found if value.kind != _FILE and not cover.overlaps(value.mention.span)]
    return clear_of_persons(mentions, clear, finder=finder)


def _joined(text: str) -> str:
    """The text with "_" for each blank: it joins the words of a file name as dots do in an address."""
    return re.sub(r"[^\S\n]", "_", text)


def path_parts(named: Iterable[tuple[Span, _Told]], relative: str) -> dict[int, list[tuple[Span, _Told]]]:
    """By number of a part of the path, the places in that part which name somebody or hold a value, each with
    what is told of it.

    named: places in path_text(relative), with the person or the label.
    """
    ordered = sorted(named, key=itemgetter(0))
    found: dict[int, list[tuple[Span, _Told]]] = {}
    start = 0
    for number, part in enumerate(PurePosixPath(relative).parts):
        stop = start + len(part)
        for span, told in ordered:
            if start <= span.start and span.end <= stop:
                here = Span(span.start - start, span.end - start)
                found.setdefault(number, []).append((here, told))
        start = stop + len(_ENDING) + 1
    return found


def in_document(document: Document, mentions: Sequence[NormalizedMention]) -> list[NormalizedMention]:
    """The mentions as mentions of document: a header and the text below it are one message."""
    return [replace(m, mention=replace(m.mention, doc_id=document.doc_id)) for m in mentions]
