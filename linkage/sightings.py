"""Where a known person was met: kept beside its names, so that later documents are linked as in one go.

A sighting is a mention without its text: what linking looks at, as one attribute of the person, in the kind
that no text gives. Whoever keeps known people keeps them like any other attribute.
"""

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from linkage.errors import InvalidRecordError
from linkage.records import (
    CandidatePair,
    Detector,
    DocumentId,
    EntityId,
    Gender,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    ScoredLink,
    Span,
    fold,
    mention_id_at,
)
from linkage.review import Judgement, Verdict

log = logging.getLogger(__name__)

SIGHTING_KIND = "sighting"
# The same of a mention that was ambiguous, kept with one of those whom it might mean: the id that it was
# given, a space, and the value of its sighting.
UNCLEAR_KIND = "unclear_sighting"
APART_KIND = "apart_from"  # its value is the id of a known person whom people judged to be another one
_MOST_SIGHTINGS = 1_000_000  # mentions of earlier documents that are linked again; each takes 2.6 kB


def sighting_of(mention: NormalizedMention) -> tuple[str, str]:
    """The attribute (kind, value) that a mention leaves with the person it is of. It holds names."""
    return SIGHTING_KIND, with_form(written_form(mention.mention.surface, mention.name), place_of(mention))


def written_form(surface: str, name: PersonName) -> str:
    """What a value says of the name: for those who keep it once a form, and the places beside it."""
    return _written([surface, _without_end([part or "" for part in name.parts()])])


def place_of(mention: NormalizedMention) -> str:
    """What a value says besides the name: where it stands and what is told of it there."""
    found, context = mention.mention, mention.context
    prefix = f"{found.doc_id}@"
    told = [
        found.span.start,
        mention.gender.value if mention.gender else "",
        found.person_id or "",
        sorted(context.attributes),
        sorted(other.removeprefix(prefix) for other in context.joined_with),
        sorted(other.removeprefix(prefix) for other in context.same_as),
    ]
    return _written([found.doc_id, *_without_end(told)])


def with_form(form: str, place: str) -> str:
    """The value of a sighting, of its two parts."""
    return f"{form[:-1]},{place[1:]}"


_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode  # made once: asked for millions


def _without_end(parts: Iterable[object]) -> list[object]:
    kept = list(parts)
    while kept and not kept[-1]:
        kept.pop()
    return kept


def mention_of(value: str, names: dict[tuple[str, ...], PersonName] | None = None) -> NormalizedMention:
    """The mention that left this value: what linking looks at, as it was. Equal names become one where they
    are kept in names.

    Raises:
        InvalidRecordError: if the value is no sighting.
    """
    try:
        surface, parts, doc, start, gender, person_id, attributes, joined, same = _filled(json.loads(value))
        doc_id, span = DocumentId(doc), Span(start, start + len(surface))
        key = tuple(parts)
        name = None if names is None else names.get(key)
        if name is None:
            name = PersonName(*(part or None for part in parts))
            if names is not None:
                names[key] = name
        return NormalizedMention(
            Mention(
                mention_id_at(doc_id, span), doc_id, span, surface, detector=Detector.REGISTRY,
                person_id=person_id or None,
            ),
            name,
            gender=Gender(gender) if gender else None,
            context=MentionContext(
                joined_with=frozenset(MentionId(f"{doc}@{place}") for place in joined),
                attributes=frozenset((kind, told) for kind, told in attributes),
                same_as=frozenset(MentionId(f"{doc}@{place}") for place in same),
            ),
        )  # fmt: skip
    except (ValueError, TypeError, RecursionError):
        # Without the value, which holds a name.
        raise InvalidRecordError("an attribute of the kind sighting is none; leave it out") from None


_EMPTY: Final = (0, "", "", (), (), ())


def _filled(row: Any) -> tuple[Any, ...]:
    surface, parts, doc_id, *told = row
    return (surface, parts, doc_id, *told, *_EMPTY[len(told) :])


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
        told = {a for m in mentions for a in m.context.attributes}
        known.append(
            KnownIdentity(
                entity,
                tuple(dict.fromkeys(m.name for m in mentions)),
                frozenset(told | {sighting_of(m) for m in mentions}),
                frozenset(company[entity] - {entity}),
            )
        )
    return tuple(known)


@dataclass(frozen=True, slots=True)
class EarlierMentions:
    """What known people were met as, beside the mentions of a run.

    mentions: those of documents that are not in the run. owners: whom a mention, of these or of the run, was
    given to. known: people of whom names are known that no sighting has; they stay as they are. rejections:
    what holds people apart whom people judged to be two. unclear: ids that ambiguous mentions were given.
    """

    mentions: tuple[NormalizedMention, ...] = field(default=(), repr=False)
    owners: Mapping[MentionId, EntityId] = field(default_factory=dict, repr=False)
    known: tuple[KnownIdentity, ...] = field(default=(), repr=False)
    rejections: tuple[Judgement, ...] = field(default=(), repr=False)
    unclear: frozenset[EntityId] = frozenset()

    @classmethod
    def of(
        cls,
        known: Sequence[KnownIdentity],
        run: Iterable[NormalizedMention],
        *,
        most: int = _MOST_SIGHTINGS,
    ) -> "EarlierMentions":
        """Of more than most sightings none is taken: people are then known by their names and attributes."""
        values = [
            (value, kind, k.entity_id)
            for k in known
            for kind, value in k.attributes
            if kind in (SIGHTING_KIND, UNCLEAR_KIND)
        ]
        if len(values) > most:
            log.warning(
                "%d mentions of earlier runs are known, more than %d: their people are known by names alone",
                len(values),
                most,
            )
        if not values or len(values) > most:
            return cls(known=tuple(known))
        documents: set[DocumentId] = set()
        written: dict[MentionId, str] = {}
        for mention in run:
            documents.add(mention.mention.doc_id)
            written[mention.mention_id] = mention.mention.surface
        mentions: dict[MentionId, NormalizedMention] = {}
        owners: dict[MentionId, EntityId] = {}
        met: dict[EntityId, set[tuple[str, ...]]] = defaultdict(set)
        seen: dict[EntityId, dict[tuple[object, ...], NormalizedMention]] = defaultdict(dict)
        names: dict[tuple[str, ...], PersonName] = {}
        folded: dict[int, tuple[str, ...]] = {}  # by the id of a name, all of which are in names
        unclear: set[EntityId] = set()
        for kept, kind, holder in sorted(values):
            value, entity_id = kept, holder
            if kind == UNCLEAR_KIND:
                given, _, value = kept.partition(" ")
                entity_id = EntityId(given)
                unclear.add(entity_id)
            mention = mention_of(value, names)
            form = folded.get(id(mention.name))
            if form is None:
                form = folded[id(mention.name)] = _folded(mention.name)
            if kind == SIGHTING_KIND:
                met[entity_id].add(form)
            if mention.mention.doc_id not in documents:
                mentions[mention.mention_id] = mention
            elif written.get(mention.mention_id) != mention.mention.surface:
                continue  # its document says something else by now
            owners[mention.mention_id] = entity_id
            if kind == SIGHTING_KIND:
                seen[entity_id].setdefault((mention.mention.doc_id, form), mention)
        others = [k for k in known if any(_folded(name) not in met[k.entity_id] for name in k.names)]
        rejected = [
            Judgement(
                one.mention.surface, other.mention.surface, Verdict.REJECT, one.mention_id, other.mention_id
            )
            for k in known
            for kind, entity_id in k.attributes
            if kind == APART_KIND
            for one in seen.get(k.entity_id, {}).values()
            for other in seen.get(EntityId(entity_id), {}).values()
        ]
        return cls(tuple(mentions.values()), owners, tuple(others), tuple(rejected), frozenset(unclear))

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
        """Whom the identity is: one of a registry that it was linked to first, then those it was before; and
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


def _folded(name: PersonName) -> tuple[str, ...]:
    return tuple("" if part is None else fold(part) for part in name.parts())


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
                key = (identity.identity_id, _folded(result.mention(mention_id).name))
                self._of.setdefault(key, mention_id)

    def _one(self, mention_id: MentionId) -> MentionId | None:
        if mention_id not in self._earlier:
            return mention_id
        identity = self._result.identity_of(mention_id).identity_id
        return self._of.get((identity, _folded(self._result.mention(mention_id).name)))

    def links(self, links: Sequence[ScoredLink]) -> tuple[ScoredLink, ...]:
        """The same links between mentions of the run; those with a form that the run does not have fall."""
        return tuple(sorted(self._moved(links), key=lambda link: link.pair))

    def _moved(self, links: Sequence[ScoredLink]) -> Iterator[ScoredLink]:
        for link in links:
            left, right = self._one(link.pair.left), self._one(link.pair.right)
            if left is not None and right is not None:
                yield replace(link, pair=CandidatePair(min(left, right), max(left, right)))
