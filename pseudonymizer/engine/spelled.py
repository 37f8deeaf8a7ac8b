"""People whose name stands nowhere but in an address, a user name, a path: they get pseudonyms as well."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from linkage.records import (
    Detector,
    Document,
    EntityId,
    Mention,
    MentionId,
    NormalizedMention,
    PersonName,
    Span,
)
from linkage.spans import SpanCover
from pseudonymizer.formats import TextPart
from pseudonymizer.path_names import WordLists, path_names
from pseudonymizer.spelled_names import FoundName, NameLists, new_names

PATH_PART: Final = "/path"  # part id of the names in the path of a file; no format has a part of this name
_CONFIDENCE: Final = 0.9
_ENDING: Final = ".txt"  # so that folders, and files of any ending, count as file names
TECHNICAL: Final = "technical"  # end of the part id of the technical fields of a document

SpelledNames = Mapping[MentionId, PersonName]


def spelled_mentions(
    document: Document,
    lists: NameLists,
    *,
    taken: Collection[Span] = (),
    technical: bool = False,
) -> tuple[list[Mention], dict[MentionId, PersonName]]:
    """Mentions of names that identifiers of document spell out, clear of taken, and the name of each."""
    found = new_names(document.text, lists, technical=technical)
    return _as_mentions(document, found, SpanCover(taken))


def path_mentions(
    document: Document, lists: WordLists, *, taken: Collection[Span] = ()
) -> tuple[list[Mention], dict[MentionId, PersonName]]:
    """The same of a path, whose parts are the lines of the document."""
    text = _joined(document.text)
    found = new_names(text, lists, technical=True)
    cover = SpanCover([*taken, *(one.span for one in found)])
    return _as_mentions(document, [*found, *path_names(text, lists, cover)], SpanCover(taken))


def _as_mentions(
    document: Document, names_found: Iterable[FoundName], cover: SpanCover
) -> tuple[list[Mention], dict[MentionId, PersonName]]:
    mentions: list[Mention] = []
    names: dict[MentionId, PersonName] = {}
    for found in sorted(names_found, key=lambda one: one.span):
        if not cover.overlaps(found.span):
            mention = Mention.at(document, found.span, detector=Detector.LIST, confidence=_CONFIDENCE)
            mentions.append(mention)
            names[mention.mention_id] = found.name
    return mentions, names


def with_spelled_names(mentions: Iterable[NormalizedMention], names: SpelledNames) -> list[NormalizedMention]:
    """The mentions, those in identifiers with the name read there: "els.wiersma" is no running text."""
    return [
        replace(one, name=names[one.mention_id], corrections=()) if one.mention_id in names else one
        for one in mentions
    ]


def owner_part(part: TextPart) -> str:
    """Id of the prose that a technical part belongs to ("3/technical": "3")."""
    return part.part_id.removesuffix(TECHNICAL).removesuffix("/")


def path_text(relative: str) -> str:
    """The parts of a path, one a line, each with an ending of files."""
    return "\n".join(re.sub(r"\s", " ", part) + _ENDING for part in PurePosixPath(relative).parts)


def _joined(text: str) -> str:
    """The same text with signs for blanks, which join words as dots do in an address."""
    return re.sub(r"[^\S\n]", "_", text)


def path_parts(
    named: Iterable[tuple[Span, EntityId]], relative: str
) -> dict[int, list[tuple[Span, EntityId]]]:
    """People named at places in path_text(relative), with their places in the parts of the path, by number of
    the part.
    """
    ordered = sorted(named)
    found: dict[int, list[tuple[Span, EntityId]]] = {}
    start = 0
    for number, part in enumerate(PurePosixPath(relative).parts):
        stop = start + len(part)
        for span, entity_id in ordered:
            if start <= span.start and span.end <= stop:
                here = Span(span.start - start, span.end - start)
                found.setdefault(number, []).append((here, entity_id))
        start = stop + len(_ENDING) + 1
    return found


def in_document(document: Document, mentions: Sequence[NormalizedMention]) -> list[NormalizedMention]:
    """The mentions as ones of document: what a header says is said in the same message."""
    return [replace(one, mention=replace(one.mention, doc_id=document.doc_id)) for one in mentions]
