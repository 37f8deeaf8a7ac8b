"""Names of folders and files that are somebody else's than the texts below tell of.

"Dossier Sanne Visser" may hold letters about Sanne Jansen. Read as a name in each of the letters, it would
take a lone "Sanne" there. Where a letter, or all of them together, never say the whole name, and do say a
whole name that shares a part of it, the name of the folder stands for itself there.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from linkage.records import DocumentId, NormalizedMention, PersonName
from pseudonymizer.engine.spelled import PATH_PART

_MARK: Final = f"#{PATH_PART}@"  # in the id of a mention in a path, between its document and its place
_Key = tuple[str, str, str, str]


def with_paths_apart(mentions: Iterable[NormalizedMention]) -> Sequence[NormalizedMention]:
    """The mentions in their order; those of paths that are somebody else's have a document of their own."""
    every = list(mentions)
    folders: dict[_Key, list[NormalizedMention]] = defaultdict(list)
    for one in every:
        if _MARK in one.mention.mention_id and one.name.family and (one.name.given or one.name.initials):
            folders[_key(one.name)].append(one)
    if not folders:
        return every
    wanted = {one.mention.doc_id for some in folders.values() for one in some}
    told: dict[DocumentId, list[PersonName]] = defaultdict(list)
    for one in every:
        if one.mention.doc_id in wanted and _MARK not in one.mention.mention_id:
            told[one.mention.doc_id].append(one.name)
    apart = {
        one.mention.mention_id
        for some in folders.values()
        for everywhere in [[name for one in some for name in told[one.mention.doc_id]]]
        for one in some
        if _is_somebody_else(one.name, everywhere) or _is_somebody_else(one.name, told[one.mention.doc_id])
    }
    return [_alone(one) if one.mention.mention_id in apart else one for one in every]


def _is_somebody_else(named: PersonName, told: Iterable[PersonName]) -> bool:
    """Whether the texts say a whole name that shares the first or the family name with this one, and never
    this one.
    """
    has_rival = False
    for name in told:
        if not name.family or not (name.given or name.initials):
            continue
        first, family = _may_share_first(named, name), bool(_families(named) & _families(name))
        if first and family:
            return False
        same_given = bool(named.given and name.given and _folded(named.given) == _folded(name.given))
        has_rival = has_rival or same_given or family
    return has_rival


def _may_share_first(left: PersonName, right: PersonName) -> bool:
    """Whether two first names may be one person's: the same, or initials of the same letter."""
    if left.given and right.given:
        return _folded(left.given) == _folded(right.given)
    first = [_folded(name.given or name.initials or "")[:1] for name in (left, right)]
    return first[0] == first[1]


def _families(name: PersonName) -> set[str]:
    return {_folded(part) for part in (name.family, name.partner_family) if part}


def _folded(text: str) -> str:
    return text.casefold()


def _key(name: PersonName) -> _Key:
    given, initials, family, partner = (
        _folded(part or "") for part in (name.given, name.initials, name.family, name.partner_family)
    )
    return given, initials, family, partner


def _alone(one: NormalizedMention) -> NormalizedMention:
    """The mention in a document of its own: that of its path."""
    doc_id = DocumentId(one.mention.mention_id.partition("@")[0])
    return replace(one, mention=replace(one.mention, doc_id=doc_id))
