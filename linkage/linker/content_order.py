"""The order in which mentions are treated: by what the documents say, whatever they are called.

Ties of the clustering go to whom comes first. If that were told by the ids of documents, the same texts under
other file names would give other people.
"""

from collections import defaultdict
from collections.abc import Sequence

from linkage.records import DocumentId, NormalizedMention

_Place = tuple[int, int]


def content_order(mentions: Sequence[NormalizedMention], form_of: Sequence[int]) -> list[int]:
    """Indexes of mentions, document after document, in the order of their places in it.

    Documents come in the order of their names and of the places of these; of equal ones what else is known of
    the mentions counts, and the id only between documents that are equal in all of it.
    """
    by_document: dict[DocumentId, list[int]] = defaultdict(list)
    for index, mention in enumerate(mentions):
        by_document[mention.mention.doc_id].append(index)
    alike: dict[tuple[tuple[int, int, int], ...], list[DocumentId]] = defaultdict(list)
    for doc_id, found in by_document.items():
        found.sort(key=lambda index: (_place(mentions[index]), mentions[index].mention_id))
        places = [mentions[index].mention.span for index in found]
        key = tuple([(form_of[i], s.start, s.end) for i, s in zip(found, places, strict=True)])
        alike[key].append(doc_id)
    ordered: list[int] = []
    for _, doc_ids in sorted(alike.items()):
        if len(doc_ids) > 1:
            doc_ids.sort(key=lambda doc_id: (_told([mentions[i] for i in by_document[doc_id]]), doc_id))
        for doc_id in doc_ids:
            ordered += by_document[doc_id]
    return ordered


def _place(mention: NormalizedMention) -> _Place:
    return mention.mention.span.start, mention.mention.span.end


def _told(mentions: Sequence[NormalizedMention]) -> tuple[object, ...]:
    """What is known of the mentions of a document besides their names, without any id of it."""
    place_of = {mention.mention_id: _place(mention) for mention in mentions}
    return tuple(
        (
            [part or "" for part in mention.name.parts()],
            mention.gender.value if mention.gender else "",
            mention.mention.person_id or "",
            sorted(mention.context.attributes),
            sorted(mention.context.roles),
            sorted(mention.context.marks),
            sorted(mention.context.judged),
            sorted(place_of[m] for m in mention.context.joined_with if m in place_of),
            sorted(place_of[m] for m in mention.context.same_as if m in place_of),
            mention.mention.surface,
        )
        for mention in mentions
    )
