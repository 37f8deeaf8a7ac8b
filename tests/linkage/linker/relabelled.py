"""The same mentions in documents of other ids, and results to compare whatever the ids are."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from linkage.records import DocumentId, LinkageResult, MentionId, NormalizedMention

Place = tuple[str, str]  # document as it was called at first, span
_Links = frozenset[tuple[frozenset[Place], float, str | None]]


def relabelled(
    mentions: Iterable[NormalizedMention], new_id: Callable[[str], str]
) -> list[NormalizedMention]:
    def renamed(mention_id: MentionId) -> MentionId:
        document, place = mention_id.rsplit("@", 1)
        return MentionId(f"{new_id(document)}@{place}")

    return [
        replace(
            normalized,
            mention=replace(
                normalized.mention,
                mention_id=renamed(normalized.mention_id),
                doc_id=DocumentId(new_id(normalized.mention.doc_id)),
            ),
            context=replace(
                normalized.context,
                joined_with=frozenset(map(renamed, normalized.context.joined_with)),
                same_as=frozenset(map(renamed, normalized.context.same_as)),
            ),
        )
        for normalized in mentions
    ]


def told(
    result: LinkageResult, first_id: Callable[[str], str] = str
) -> tuple[frozenset[frozenset[Place]], _Links, _Links, frozenset[tuple[frozenset[Place], frozenset[Place]]]]:
    """Partition, links inside and between identities, and candidates, under the first ids of documents."""

    def place(mention_id: MentionId) -> Place:
        document, where = mention_id.rsplit("@", 1)
        return first_id(document), where

    members = {i.identity_id: frozenset(map(place, i.mention_ids)) for i in result.identities}
    inside, between = (
        frozenset(
            (frozenset((place(link.pair.left), place(link.pair.right))), link.match_probability, link.variant)
            for links in found
            for link in links
        )
        for found in ([i.links for i in result.identities], [i.open_links for i in result.identities])
    )
    candidates = {(members[i.identity_id], members[c]) for i in result.identities for c in i.candidates}
    return frozenset(members.values()), inside, between, frozenset(candidates)
