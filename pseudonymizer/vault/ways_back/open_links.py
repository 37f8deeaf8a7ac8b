"""The verbs of what runs leave for review: keep it, go through it, forget it. See vault/run_results.py."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from linkage.records import (
    CandidatePair,
    DocumentId,
    Identity,
    IdentityId,
    LinkageResult,
    MentionId,
    NormalizedMention,
    ScoredLink,
    Sighting,
    mention_id_at,
)
from linkage.sightings import mention_of
from pseudonymizer.audit import Entry
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.open_links import KeptDocument, KeptLinks, OpenLinks, RunOutput
from pseudonymizer.policy import Verb
from pseudonymizer.records import Rewrite, text_ids_of
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import documents, entities, mentions, run_results
from pseudonymizer.vault.rows.fact_rows import stored_facts
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.rows.run_results import KeptLink, ResultRow, Side
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.ways_back.gate import gate

_PURPOSE: Final = "review of open links"


def keep_open_links(vault: OpenVault, *, project: str, found: OpenLinks) -> None:
    """Keep what a linkage result leaves for review, in place of what was kept of its sources before. The
    caller commits.

    Raises:
        AccessRefusedError: on record.
    """
    with vault.lock:
        authorize(vault, Verb.PSEUDONYMIZE, project_name=project)
        keys = vault.ensure_keys(project)
        links = run_results.keep(vault, keys, found)
        counts = {"documents": len(found.sources), "links": links}
        vault.record(Entry("review.keep", project=project, counts=counts))


def kept_links(vault: OpenVault, *, project: str, outputs: Sequence[RunOutput]) -> KeptLinks:
    """The open links that runs left for review, between mentions of the originals of these outputs; commits.

    Raises:
        AccessRefusedError: the actor may not see names; on record.
    """
    with gate(vault, Verb.SEE_NAMES, project=project, purpose=_PURPOSE) as opened:
        found = _Reading(vault, opened.keys, outputs).kept_links()
        links = sum(1 for _ in found.result.open_links())
        opened.commit("review", counts={"documents": found.known, "links": links})
        return found


def forget_open_links(vault: OpenVault, *, project: str, outputs: Sequence[RunOutput]) -> int:
    """Keep for review no more what runs left of the originals of these outputs; returns of how many originals
    something was kept. Commits. Nothing else goes: not people, their links, or the ways back.

    Raises:
        AccessRefusedError: the actor may not review; on record.
    """
    with gate(vault, Verb.SEE_NAMES, project=project, purpose=_PURPOSE) as opened:
        originals = _originals(vault, opened.keys, outputs)
        tags = {documents.doc_tag(opened.keys, one.source) for one in originals if one.source}
        forgotten = run_results.forget(vault, opened.keys, tags)
        opened.commit("review.forget", counts={"documents": forgotten})
        return forgotten


def reviewed_rewrites(
    vault: OpenVault, *, project: str, outputs: Sequence[bytes], doc_ids: Sequence[DocumentId | None] = ()
) -> tuple[Rewrite | None, ...]:
    """What undoes these outputs, for the words around an open link; commits. As reidentification.restore, but
    for who reviews, and in this process only: whoever may call it here holds the keys.

    Raises:
        AccessRefusedError: the actor may not see names; on record.
    """
    with gate(vault, Verb.SEE_NAMES, project=project, purpose=_PURPOSE) as opened:
        opened.commit("review", counts={"texts": len(outputs)})
        found = documents.read_rewrites(vault, opened.keys, outputs, doc_ids)
        return tuple(one[0] if one else None for one in found)


@dataclass(frozen=True, slots=True)
class _Original:
    """Of an output: its original. source None: nothing can be kept of it. path None: it is gone."""

    source: DocumentId | None
    path: str | None = field(repr=False)
    is_known: bool


def _originals(vault: OpenVault, keys: ProjectKeys, outputs: Sequence[RunOutput]) -> list[_Original]:
    """The original of each output, in their order; what the vault does not know stands for itself."""
    tags = [documents.output_tag(keys, OutputDigest(one.digest)) for one in outputs]
    own = [documents.doc_tag(keys, one.doc_id) for one in outputs]
    by_id = {
        bytes(row.doc_tag): row for row in documents.document_rows(vault, keys, "doc_tag", sorted(set(own)))
    }
    by_output = {
        bytes(row.output_tag): row
        for row in documents.document_rows(vault, keys, "output_tag", sorted(set(tags)))
    }
    rows = [by_id.get(mine) or by_output.get(tag) for mine, tag in zip(own, tags, strict=True)]
    sealers = documents.document_sealers(vault, keys, [row for row in rows if row is not None])
    found: list[_Original] = []
    for one, row in zip(outputs, rows, strict=True):
        if row is None:
            found.append(_Original(one.source, one.relative, is_known=False))
            continue
        label = documents.label_of(keys, sealers[row.document_id], row)
        found.append(_Original(label.source, label.path, is_known=True))
    return found


class _Reading:
    """The kept results of some outputs, put together to one linkage result."""

    def __init__(self, vault: OpenVault, keys: ProjectKeys, outputs: Sequence[RunOutput]) -> None:
        self.vault, self.keys = vault, keys
        self.originals = _originals(vault, keys, outputs)
        self.number_of: dict[bytes, int] = {}  # of the output, by the tag of its source
        for number, one in enumerate(self.originals):
            if one.source is not None:
                self.number_of.setdefault(documents.doc_tag(keys, one.source), number)
        self.rows = list(run_results.read(vault, keys, self.number_of))

    def kept_links(self) -> KeptLinks:
        have_rows = {self.number_of[row.place[0]] for row in self.rows}
        is_known = [one.is_known or n in have_rows for n, one in enumerate(self.originals)]
        not_kept = sum(
            one.is_known and (one.source is None or self._number_of(one.source) not in have_rows)
            for one in self.originals
        )
        valid = list(self._valid())
        placed = [(row, entry) for row, entry in valid if self._is_placed(row, entry)]
        result, kept = self._result(placed)
        return KeptLinks(result, kept, sum(is_known), not_kept, len(valid) - len(placed))

    def _number_of(self, source: DocumentId) -> int:
        return self.number_of[documents.doc_tag(self.keys, source)]

    def _valid(self) -> Iterable[tuple[ResultRow, KeptLink]]:
        """Links of which both sources were last linked together, and are among the outputs."""
        linking_of = {row.place: row.linking for row in self.rows}
        for row in self.rows:
            for entry in row.entries:
                if linking_of.get(entry.right_place) == row.linking:
                    yield row, entry

    def _is_placed(self, row: ResultRow, entry: KeptLink) -> bool:
        numbers = (self.number_of[row.place[0]], self.number_of[entry.right_place[0]])
        return all(self.originals[number].path is not None for number in numbers)

    def _result(
        self, found: Sequence[tuple[ResultRow, KeptLink]]
    ) -> tuple[LinkageResult, tuple[KeptDocument, ...]]:
        met = self._mentions({side for _, e in found for side in (e.left, e.right)})
        mention_of_side: dict[MentionId, NormalizedMention] = {}
        members: dict[IdentityId, set[MentionId]] = {}
        links: dict[IdentityId, list[ScoredLink]] = {}
        owner: dict[IdentityId, int] = {}
        documents_of: dict[DocumentId, KeptDocument] = {}
        for row, entry in found:
            sides = [(entry.left, row.place[0]), (entry.right, entry.right_place[0])]
            both = [met.get((side.entity_id, side.tag)) for side, _ in sides]
            if None in both:
                continue
            left, right = sorted(m.mention_id for m in both if m is not None)
            link = ScoredLink(
                CandidatePair(left, right), entry.match_probability, entry.decision, entry.variant or None,
                entry.partial_ratio,
            )  # fmt: skip
            for (side, tag), mention in zip(sides, both, strict=True):
                assert mention is not None  # noqa: S101  looked at above
                identity = IdentityId(f"p{row.linking:06d}-{side.identity:06d}")
                mention_of_side[mention.mention_id] = mention
                members.setdefault(identity, set()).add(mention.mention_id)
                links.setdefault(identity, []).append(link)
                owner[identity] = min(owner.get(identity, side.entity_id), side.entity_id)
                number = self.number_of[tag]
                path = self.originals[number].path
                doc_id = mention.mention.doc_id
                documents_of[doc_id] = KeptDocument(doc_id, path or "", number, side.is_part)
        identities = tuple(
            Identity(
                identity, frozenset(ids), open_links=tuple(sorted(links[identity], key=lambda k: k.pair)),
                entity_id=entity_text(owner[identity]),
            )
            for identity, ids in sorted(members.items())
        )  # fmt: skip
        in_order = tuple(mention_of_side[m] for m in sorted(mention_of_side))
        return LinkageResult(in_order, identities), tuple(documents_of[d] for d in sorted(documents_of))

    def _mentions(self, sides: Collection[Side]) -> Mapping[tuple[int, bytes], NormalizedMention]:
        """The mentions of these sides, by person and tag, from where their people were met."""
        wanted = {(side.entity_id, side.tag) for side in sides}
        people = {side.entity_id for side in sides}
        sealers = entities.sealers_of(self.vault, self.keys, sorted(people))
        found: dict[tuple[int, bytes], NormalizedMention] = {}
        for entity_id, facts in stored_facts(self.vault, self.keys, sealers).items():
            seen = [mention_of(fact) for fact in facts if isinstance(fact, Sighting)]
            placed = [at for one in seen for at in _placed(one)]
            tags = mentions.mention_tags(self.keys, [one.mention for one in placed])
            for tag, one in zip(tags, placed, strict=True):
                if (key := (entity_id, tag)) in wanted:
                    found[key] = _with_judgements_of(one, found.get(key))
        return found


def _placed(mention: NormalizedMention) -> Iterator[NormalizedMention]:
    """The mention with each id that it may have had in its run. A sighting tells the document, and the id of
    a mention in a technical field or in a path tells that text of the document.
    """
    seen = mention.mention
    for text_id in text_ids_of(seen.doc_id):
        yield replace(mention, mention=replace(seen, mention_id=mention_id_at(text_id, seen.span)))


def _with_judgements_of(mention: NormalizedMention, other: NormalizedMention | None) -> NormalizedMention:
    """A mention with what was judged of it at another time, too."""
    if other is None:
        return mention
    judged = mention.context.judged | other.context.judged
    return replace(mention, context=replace(mention.context, judged=judged))
