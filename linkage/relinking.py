"""Everybody a project knows, linked anew in one go, beside what the project has of them by now."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from linkage.collector import without_collector
from linkage.errors import TooManyMentionsError
from linkage.records import (
    EntityId,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
    ScoredLink,
)
from linkage.sighting_text import SightingReader, with_typed_fields
from linkage.sightings import MOST_SIGHTINGS, mention_of

_NO_MENTIONS: Mapping[EntityId, tuple[MentionId, ...]] = {}


class LinksEverybody(Protocol):
    """Decides which mentions are one person, such as linkage.linker.Linker."""

    def link(
        self, mentions: Iterable[NormalizedMention], *, known: Sequence[KnownIdentity] = ()
    ) -> LinkageResult: ...


@dataclass(frozen=True, slots=True)
class KeptMentions:
    """The mentions of a project as they are kept. owners: whom each was given to."""

    mentions: tuple[NormalizedMention, ...] = field(default=(), repr=False)
    owners: Mapping[MentionId, EntityId] = field(default_factory=dict, repr=False)
    unclear: frozenset[EntityId] = frozenset()

    @classmethod
    def of(cls, known: Iterable[KnownIdentity]) -> "KeptMentions":
        """Those of known people. Of a mention that was given to two, the ambiguous one holds."""
        reader = SightingReader()
        mentions: dict[MentionId, NormalizedMention] = {}
        owners: dict[MentionId, EntityId] = {}
        later: list[tuple[NormalizedMention, EntityId]] = []
        with without_collector():
            for one in known:
                person = with_typed_fields(one, reader) if one.attributes else one
                for sighting in person.sightings:
                    mention = mention_of(sighting)
                    mentions[mention.mention_id] = mention
                    owners[mention.mention_id] = person.entity_id
                later += [(mention_of(met.sighting), met.entity_id) for met in person.unclear]
            for mention, given in later:
                mentions[mention.mention_id] = mention
                owners[mention.mention_id] = given
        return cls(tuple(mentions.values()), owners, frozenset(given for _, given in later))


@dataclass(frozen=True, slots=True)
class PersonAnew:
    """One person as one go over everything finds it.

    entities: the known entities that are this person, first the one that stays. parts: by another known
    entity, those of its mentions that are this person's, though the entity itself is somebody else. told: all
    mentions of the person. is_unclear: a mention that may mean several people.
    """

    entities: tuple[EntityId, ...]
    parts: Mapping[EntityId, tuple[MentionId, ...]] = field(default_factory=dict)
    told: tuple[MentionId, ...] = ()
    is_unclear: bool = False


@dataclass(frozen=True, slots=True)
class OpenAnew:
    """A question between two people, by their places among the people. link: None where nothing was scored.

    may_be: left is a mention that may mean right.
    """

    left: int
    right: int
    link: ScoredLink | None = None
    may_be: bool = False


@dataclass(frozen=True, slots=True)
class FoundAnew:
    """What one go over everything that is kept finds. mention_of: the kept mentions by their ids."""

    people: tuple[PersonAnew, ...] = ()
    questions: tuple[OpenAnew, ...] = ()
    mention_of: Mapping[MentionId, NormalizedMention] = field(default_factory=dict, repr=False)
    owners: Mapping[MentionId, EntityId] = field(default_factory=dict, repr=False)


def found_anew(known: Sequence[KnownIdentity], linker: LinksEverybody) -> FoundAnew:
    """The people of one go over all mentions that are kept of known people.

    What people judged is kept with the mentions and holds. People of whom no mention is kept stay as they
    are.

    Raises:
        TooManyMentionsError: they are more than are linked in one go.
    """
    kept = KeptMentions.of(known)
    if not kept.mentions:
        return FoundAnew()
    if len(kept.mentions) > MOST_SIGHTINGS:
        raise TooManyMentionsError(
            f"{len(kept.mentions):,} mentions are kept, and at most {MOST_SIGHTINGS:,} are linked in one go"
        )
    result = linker.link(kept.mentions, known=known)
    mine = set(kept.owners.values())
    entities_of = {i.identity_id: _entities(i, mine) for i in result.identities}
    placed = {entity for entities in entities_of.values() for entity in entities}
    number_of = {identity.identity_id: n for n, identity in enumerate(result.identities)}
    return FoundAnew(
        tuple(
            PersonAnew(
                entities_of[identity.identity_id],
                _parts(identity, kept.owners, entities_of[identity.identity_id], placed),
                tuple(sorted(identity.mention_ids)),
                bool(identity.candidates),
            )
            for identity in result.identities
        ),
        _questions(result, number_of),
        {mention.mention_id: mention for mention in kept.mentions},
        kept.owners,
    )


def _entities(identity: Identity, known: set[EntityId]) -> tuple[EntityId, ...]:
    """The known entities that an identity is; not those of a registry."""
    every = (identity.entity_id, *identity.also_known_as)
    return tuple([entity for entity in every if entity is not None and entity in known])


def _parts(
    identity: Identity, owners: Mapping[MentionId, EntityId], own: Sequence[EntityId], placed: set[EntityId]
) -> Mapping[EntityId, tuple[MentionId, ...]]:
    """The mentions of an identity that were given to others, who are not its own and are placed elsewhere."""
    parts: defaultdict[EntityId, list[MentionId]] = defaultdict(list)
    for mention_id in sorted(identity.mention_ids):
        if (owner := owners[mention_id]) in placed and owner not in own:
            parts[owner].append(mention_id)
    return {owner: tuple(mentions) for owner, mentions in parts.items()} or _NO_MENTIONS


def _questions(result: LinkageResult, number_of: Mapping[IdentityId, int]) -> tuple[OpenAnew, ...]:
    """Every pair of people of whom it is open whether they are one, once: by the most probable link."""
    found: dict[tuple[int, int], OpenAnew] = {}
    for identity in result.identities:
        mine = number_of[identity.identity_id]
        for link in identity.open_links:
            sides = sorted(
                number_of[result.identity_of(side).identity_id] for side in (link.pair.left, link.pair.right)
            )
            left, right = sides
            if left != right:
                before = found.get((left, right))
                if before is None or before.link is None or _is_more(link, before.link):
                    found[left, right] = OpenAnew(left, right, link)
        for candidate in identity.candidates:
            other = number_of[candidate]
            pair = (min(mine, other), max(mine, other))
            before = found.get(pair)
            if before is None or not before.may_be:
                found[pair] = OpenAnew(mine, other, None if before is None else before.link, may_be=True)
    return tuple(found[pair] for pair in sorted(found))


def _is_more(link: ScoredLink, before: ScoredLink) -> bool:
    return link.match_probability > before.match_probability
