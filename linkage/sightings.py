"""Earlier mentions beside those of a run: people met before are linked anew, as in one go over all."""

import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from linkage.collector import without_collector
from linkage.records import (
    CandidatePair,
    Detector,
    DocumentId,
    EntityId,
    Identity,
    IdentityId,
    JudgedSide,
    KnownIdentity,
    LinkageResult,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    ScoredLink,
    Sighting,
    Span,
    form_key,
    mention_id_at,
)
from linkage.review import Judgement, Verdict
from linkage.sighting_text import SightingReader, with_typed_fields
from linkage.told import kept_set

log = logging.getLogger(__name__)

MOST_SIGHTINGS: Final = 1_000_000  # mentions of earlier documents that are linked again; each takes 2.6 kB


def sighting_of(mention: NormalizedMention) -> Sighting:
    """What is kept of a mention with the person whose it is."""
    found, context = mention.mention, mention.context
    return Sighting(
        found.doc_id, found.span.start, found.surface, mention.name, mention.gender, found.person_id or None,
        tuple(sorted(context.attributes)), tuple(sorted(context.joined_with)),
        tuple(sorted(context.same_as)), tuple(sorted(context.roles)), tuple(sorted(context.marks)),
        tuple(sorted(context.judged)),
    )  # fmt: skip


def mention_of(sighting: Sighting, name: PersonName | None = None) -> NormalizedMention:
    """The mention that a sighting is of: what linking looks at, as it was. name: an equal name to take.

    Raises:
        InvalidRecordError: if its start is negative or its surface empty.
    """
    span = Span(sighting.start, sighting.start + len(sighting.surface))
    return NormalizedMention(
        Mention(
            mention_id_at(sighting.doc_id, span), sighting.doc_id, span, sighting.surface,
            detector=Detector.REGISTRY, person_id=sighting.person_id,
        ),
        name or sighting.name,
        gender=sighting.gender,
        context=MentionContext(
            joined_with=kept_set(sighting.joined_with),
            attributes=kept_set(sighting.attributes),
            same_as=kept_set(sighting.same_as),
            roles=kept_set(sighting.roles),
            marks=kept_set(sighting.marks),
            judged=kept_set(sighting.judged),
        ),
    )  # fmt: skip


def known_people(
    result: LinkageResult, entity_of: Mapping[IdentityId, EntityId] | None = None
) -> tuple[KnownIdentity, ...]:
    """The people of a result as the next one may know them, for whoever keeps no vault.

    entity_of: the lasting id of each identity; by default the entity it has, or else its own id.
    """
    documents: dict[DocumentId, set[EntityId]] = defaultdict(set)
    entities: list[EntityId] = []
    for identity in result.identities:
        own = identity.entity_id or EntityId(identity.identity_id)
        entities.append(own if entity_of is None else entity_of[identity.identity_id])
        for mention_id in identity.mention_ids:
            documents[result.mention(mention_id).mention.doc_id].add(entities[-1])
    company: dict[EntityId, set[EntityId]] = defaultdict(set)
    for together in documents.values():
        for entity in together:
            company[entity] |= together
    known = []
    for identity, entity in zip(result.identities, entities, strict=True):
        mentions = [result.mention(mention_id) for mention_id in sorted(identity.mention_ids)]
        known.append(
            KnownIdentity(
                entity,
                tuple(dict.fromkeys(m.name for m in mentions)),
                frozenset().union(*[m.context.attributes for m in mentions]),
                frozenset(company[entity] - {entity}),
                tuple(sighting_of(m) for m in mentions),
                roles=frozenset().union(*[m.context.roles for m in mentions]),
                marks=frozenset().union(*[m.context.marks for m in mentions]),
            )
        )
    return tuple(known)


@dataclass(frozen=True, slots=True)
class EarlierMentions:
    """What known people were met as, beside the mentions of a run.

    mentions: those of documents that are not in the run. owners: whom a mention, of these or of the run, was
    given to. known: people of whom names are known that no sighting has; they stay as they are. rejections:
    what holds people apart whom people judged to be two. unclear: ids that ambiguous mentions were given.
    further: of one mention of a person, in how many documents the person was met that are not here. judged:
    what was judged of mentions of the run when they were met before.
    """

    mentions: tuple[NormalizedMention, ...] = field(default=(), repr=False)
    owners: Mapping[MentionId, EntityId] = field(default_factory=dict, repr=False)
    known: tuple[KnownIdentity, ...] = field(default=(), repr=False)
    rejections: tuple[Judgement, ...] = field(default=(), repr=False)
    unclear: frozenset[EntityId] = frozenset()
    further: Mapping[MentionId, int] = field(default_factory=dict, repr=False)
    judged: Mapping[MentionId, frozenset[JudgedSide]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        known: Sequence[KnownIdentity],
        run: Iterable[NormalizedMention],
        *,
        most: int = MOST_SIGHTINGS,
    ) -> "EarlierMentions":
        """Of more than most sightings none is taken: people are then known by their names and attributes."""
        with without_collector():
            return cls._of(known, run, most)

    @classmethod
    def _of(
        cls, known: Sequence[KnownIdentity], run: Iterable[NormalizedMention], most: int
    ) -> "EarlierMentions":
        reader = SightingReader()
        people: list[KnownIdentity] = []
        sightings: list[tuple[Sighting, EntityId]] = []
        count = 0
        for one in known:  # all that is asked of one person together: a vault remembers whom it read last
            person = with_typed_fields(one, reader) if one.attributes else one
            people.append(person)
            count += person.sighting_count + len(person.unclear)
            if count <= most and person.sighting_count:
                owner = person.entity_id
                sightings += [(sighting, owner) for sighting in person.sightings]
        if count > most:
            log.warning(
                "%d mentions of earlier runs are known, more than %d: their people are known by names alone",
                count,
                most,
            )
        if not count or count > most:
            return cls(known=tuple(people))
        met = _Met(run)
        for sighting, owner in sorted(sightings, key=_in_order):
            met.add(sighting, owner)
        # After the others: of a mention that was given to two the ambiguous one holds.
        unclear = [(one.sighting, one.entity_id) for k in people for one in k.unclear]
        for sighting, given in sorted(unclear, key=_in_order):
            met.add_unclear(sighting, given)
        return cls(
            tuple(met.mentions.values()),
            met.owners,
            tuple([k for k in people if met.has_other_names(k)]),
            tuple(met.rejections(people)),
            frozenset(given for _, given in unclear),
            dict(met.further(people)),
            met.judged,
        )

    def without(
        self, result: LinkageResult, told_apart: Iterable[tuple[MentionId, MentionId]] = ()
    ) -> LinkageResult:
        """The result of linking these mentions with those of a run, as a result of the run alone.

        An identity is the known person to whom most of its earlier mentions were given; of a known person
        whose mentions fall apart the greatest part stays. Whom it unites is also known as the others.
        told_apart: mentions that people said are two. Whom one of them was given to the other never becomes.
        """
        if not self.mentions and not self.owners:
            return result
        earlier = {mention.mention_id for mention in self.mentions}
        entities = self._entities_of(result, told_apart)
        stands_for = _Stand(result, earlier)
        known_as = {
            i.identity_id: self._known_as(entities.get(i.identity_id, ()), i) for i in result.identities
        }
        shown = [i for i in result.identities if not i.mention_ids <= earlier]
        shown.sort(key=lambda i: min(i.mention_ids - earlier))
        new_id = {i.identity_id: IdentityId(f"p{n:06d}") for n, i in enumerate(shown, start=1)}
        return LinkageResult(
            tuple(m for m in result.mentions if m.mention_id not in earlier),
            tuple(
                replace(
                    identity,
                    identity_id=new_id[identity.identity_id],
                    mention_ids=identity.mention_ids - earlier,
                    links=stands_for.links(identity.links),
                    open_links=stands_for.links(identity.open_links),
                    candidates=tuple(sorted(new_id[c] for c in identity.candidates if c in new_id)),
                    entity_id=known_as[identity.identity_id][0],
                    also_known_as=known_as[identity.identity_id][1],
                    may_be=_people_among(known_as[c][0] for c in identity.candidates if c not in new_id),
                )
                for identity in shown
            ),
            result.form_links,
        )

    def _known_as(
        self, entities: Iterable[EntityId], identity: Identity
    ) -> tuple[EntityId | None, tuple[EntityId, ...]]:
        """Who the identity is: one of a registry that it was linked to first, then those it was before; and
        as what else it is known. What an ambiguous mention was given is nobody's id by itself.
        """
        own = [] if identity.entity_id is None else [identity.entity_id, *identity.also_known_as]
        people = list(dict.fromkeys([*own, *sorted(e for e in entities if e not in self.unclear)]))
        others = sorted(e for e in entities if e in self.unclear)
        return (people[0] if people else None), (*people[1:], *others)

    def _entities_of(
        self, result: LinkageResult, told_apart: Iterable[tuple[MentionId, MentionId]]
    ) -> dict[IdentityId, list[EntityId]]:
        """The known people that each identity is; each of them is one identity."""
        barred = {
            (entity, result.identity_of(other).identity_id)
            for pair in told_apart
            for one, other in (pair, pair[::-1])
            if (entity := self.owners.get(one)) is not None and self.owners.get(other) != entity
        }
        parts: dict[EntityId, Counter[IdentityId]] = defaultdict(Counter)
        first: dict[tuple[EntityId, IdentityId], tuple[str, Span]] = {}  # whatever documents are called
        for identity in result.identities:
            for mention_id in identity.mention_ids:
                if (entity := self.owners.get(mention_id)) is None:
                    continue
                parts[entity][identity.identity_id] += 1
                mention = result.mention(mention_id).mention
                key, place = (entity, identity.identity_id), (mention.surface, mention.span)
                first[key] = min(first.get(key, place), place)
        found: dict[IdentityId, list[EntityId]] = defaultdict(list)
        for entity, all_counts in parts.items():
            counts = {i: count for i, count in all_counts.items() if (entity, i) not in barred}
            if not counts:
                continue
            mine = min(counts, key=lambda i: (-counts[i], first[entity, i]))
            found[mine].append(entity)
        return found


def _in_order(owned: tuple[Sighting, EntityId]) -> tuple[object, ...]:
    """An order of sightings with their owners that does not depend on how they were stored."""
    sighting, owner = owned
    return (
        sighting.surface, tuple([part or "" for part in sighting.name.parts()]), sighting.doc_id,
        sighting.start, sighting.gender or "", sighting.person_id or "", sighting.attributes,
        sighting.joined_with, sighting.same_as, sighting.roles, sighting.marks, sighting.judged, owner,
    )  # fmt: skip


class _Met:
    """Earlier mentions beside those of a run, while sightings are gone through."""

    def __init__(self, run: Iterable[NormalizedMention]) -> None:
        self.mentions: dict[MentionId, NormalizedMention] = {}
        self.owners: dict[MentionId, EntityId] = {}
        self.judged: dict[MentionId, frozenset[JudgedSide]] = {}
        self._surface_in_run: dict[MentionId, str] = {}
        self._documents: set[DocumentId] = set()  # of the run
        for mention in run:
            self._documents.add(mention.mention.doc_id)
            self._surface_in_run[mention.mention_id] = mention.mention.surface
        self._forms: defaultdict[EntityId, set[tuple[str, ...]]] = defaultdict(set)
        self._first: defaultdict[EntityId, dict[tuple[object, ...], NormalizedMention]] = defaultdict(dict)
        self._names: dict[tuple[str | None, ...], tuple[PersonName, tuple[str, ...]]] = {}

    def add(self, sighting: Sighting, owner: EntityId) -> None:
        """A sighting of a known person."""
        name, form = self._name(sighting.name)
        self._forms[owner].add(form)
        mention = self._noted(mention_of(sighting, name), owner)
        if mention is not None:
            self._first[owner].setdefault((sighting.doc_id, form), mention)

    def add_unclear(self, sighting: Sighting, given: EntityId) -> None:
        """A sighting of an ambiguous mention, with the id that it was given."""
        name, _ = self._name(sighting.name)
        self._noted(mention_of(sighting, name), given)

    def has_other_names(self, known: KnownIdentity) -> bool:
        """Whether a known person has a name under which no sighting of the person was."""
        met: Collection[tuple[str, ...]] = self._forms.get(known.entity_id, ())
        return any(self._name(name)[1] not in met for name in known.names)

    def rejections(self, people: Iterable[KnownIdentity]) -> Iterator[Judgement]:
        """Judgements that hold people apart whom people judged to be two: one for each form in a document."""
        for known in people:
            for other_id in sorted(known.apart):
                for one in self._first.get(known.entity_id, {}).values():
                    for other in self._first.get(other_id, {}).values():
                        yield Judgement(
                            one.mention.surface, other.mention.surface, Verdict.REJECT, one.mention_id,
                            other.mention_id,
                        )  # fmt: skip

    def further(self, people: Iterable[KnownIdentity]) -> Iterator[tuple[MentionId, int]]:
        """A mention of each person who was met in further documents, with their number: the first one by the
        form in most of the documents that are here.
        """
        for known in people:
            if known.further_documents and (met := self._first.get(known.entity_id)):
                documents = Counter(form for _, form in met)
                often = max(documents.values())
                for (_, form), mention in met.items():
                    if documents[form] == often:
                        yield mention.mention_id, known.further_documents
                        break

    def _noted(self, mention: NormalizedMention, owner: EntityId) -> NormalizedMention | None:
        """The mention; None where its document, which is in the run, says something else by now."""
        if mention.mention.doc_id not in self._documents:
            self.mentions[mention.mention_id] = mention
        elif self._surface_in_run.get(mention.mention_id) != mention.mention.surface:
            return None
        elif mention.context.judged:
            judged = self.judged.get(mention.mention_id, frozenset())
            self.judged[mention.mention_id] = judged | mention.context.judged
        self.owners[mention.mention_id] = owner
        return mention

    def _name(self, name: PersonName) -> tuple[PersonName, tuple[str, ...]]:
        """One object for all equal names, and its folded parts."""
        parts = name.parts()
        found = self._names.get(parts)
        if found is None:
            found = self._names[parts] = name, form_key(name)
        return found


def _people_among(entities: Iterable[EntityId | None]) -> tuple[EntityId, ...]:
    return tuple(sorted({entity for entity in entities if entity is not None}))


class _Stand:
    """Which mention of the run stands for a form of an identity in place of an earlier one."""

    def __init__(self, result: LinkageResult, earlier: set[MentionId]) -> None:
        self._result = result
        self._earlier = earlier
        self._of: dict[tuple[IdentityId, tuple[str, ...]], MentionId] = {}
        for identity in result.identities:
            if identity.mention_ids.isdisjoint(earlier):
                continue
            for mention_id in sorted(identity.mention_ids - earlier):
                key = (identity.identity_id, form_key(result.mention(mention_id).name))
                self._of.setdefault(key, mention_id)

    def _one(self, mention_id: MentionId) -> MentionId | None:
        if mention_id not in self._earlier:
            return mention_id
        identity = self._result.identity_of(mention_id).identity_id
        return self._of.get((identity, form_key(self._result.mention(mention_id).name)))

    def links(self, links: Sequence[ScoredLink]) -> tuple[ScoredLink, ...]:
        """The links between mentions of the run; those with a form that the run does not have fall."""
        return tuple(sorted(self._moved(links), key=lambda link: link.pair))

    def _moved(self, links: Sequence[ScoredLink]) -> Iterator[ScoredLink]:
        for link in links:
            left, right = self._one(link.pair.left), self._one(link.pair.right)
            if left is not None and right is not None:
                yield replace(link, pair=CandidatePair(min(left, right), max(left, right)))
