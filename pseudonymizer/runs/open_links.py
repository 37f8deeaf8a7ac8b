"""What a linkage result leaves for review, with the sources of its mentions."""

from collections.abc import Collection, Mapping

from linkage.records import DocumentId, LinkageResult
from pseudonymizer.document_ids import source_of
from pseudonymizer.open_links import LinkedSource, OpenEnd, OpenLinks


def open_links_of(
    result: LinkageResult, sources: Mapping[DocumentId, LinkedSource], in_parts: Collection[DocumentId]
) -> OpenLinks:
    """sources: everything that was linked, by the id in the run. in_parts: those that have several documents,
    or are units.
    """
    links = tuple(result.open_links())
    number_of = {identity.identity_id: n for n, identity in enumerate(result.identities)}
    ends = []
    for mention_id in sorted({end for link in links for end in (link.pair.left, link.pair.right)}):
        mention = result.mention(mention_id).mention
        source = source_of(mention.doc_id)
        identity = number_of[result.identity_of(mention_id).identity_id]
        ends.append(OpenEnd(mention, sources[source], identity, source in in_parts))
    return OpenLinks(tuple(sources.values()), tuple(ends), links)
