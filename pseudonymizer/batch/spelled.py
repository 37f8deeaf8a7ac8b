"""People whose name stands nowhere but in an address, a user name, a path: they get pseudonyms as well."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from linkage.records import Detector, Document, Mention, MentionId, NormalizedMention, PersonName, Span
from linkage.spans import SpanCover
from pseudonymizer.formats import TextPart
from pseudonymizer.spelled_names import NameLists, new_names

PATH_PART: Final = "/path"  # part id of the names in the path of a file; no format has a part of this name
_CONFIDENCE: Final = 0.9
_ENDING: Final = ".txt"  # so that folders, and files of any ending, count as file names
_TECHNICAL: Final = "technical"

SpelledNames = Mapping[MentionId, PersonName]


def spelled_mentions(
    document: Document,
    lists: NameLists,
    *,
    taken: Collection[Span] = (),
    technical: bool = False,
) -> tuple[list[Mention], dict[MentionId, PersonName]]:
    """Mentions of names that identifiers of document spell out, clear of taken, and the name of each."""
    mentions: list[Mention] = []
    names: dict[MentionId, PersonName] = {}
    cover = SpanCover(taken)
    for found in new_names(document.text, lists, technical=technical):
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
    return part.part_id.removesuffix(_TECHNICAL).removesuffix("/")


def path_text(relative: str) -> str:
    """The parts of a path, one a line, written so that blanks join words as dots do in an address."""
    parts = PurePosixPath(relative).parts
    return "\n".join(re.sub(r"\s+", "_", part) + _ENDING for part in parts)


def in_document(document: Document, mentions: Sequence[NormalizedMention]) -> list[NormalizedMention]:
    """The mentions as ones of document: what a header says is said in the same message."""
    return [replace(one, mention=replace(one.mention, doc_id=document.doc_id)) for one in mentions]
