"""Who is who: the identities of a linkage result as people of the vault, known, new, or unclear."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from linkage.records import EntityId, Identity, LinkageResult, MentionId, NormalizedMention
from linkage.texts import PERSON
from linkage.told import as_pairs
from pseudonymizer.errors import LinkageOutdatedError, SettingsError
from pseudonymizer.records import EntityKind
from pseudonymizer.vault.rows import entities
from pseudonymizer.vault.rows.forms import Attribute, Fact, Mark, SurfaceForm, normal_form
from pseudonymizer.vault.rows.identifiers import entity_number, is_vault_id
from pseudonymizer.vault.rows.indexing import NAME_LABEL, REGISTRY_LABEL, registry_mark, tags_of
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys


@dataclass(slots=True)
class Person:
    """One identity on its way to an entity."""

    identity: Identity
    members: list[NormalizedMention] = field(repr=False)
    facts: list[Fact] = field(repr=False)  # every way of writing the name, each once, in mention order
    told: list[Fact] = field(repr=False)  # what else was told of the person
    full_names: tuple[str, ...] = field(repr=False)
    entity_id: int = 0
    kind: EntityKind = EntityKind.PERSON
    namesakes: tuple[int, ...] = ()  # entities of the same full name, when it is unclear which one this is


def refuse_values(mentions: Iterable[NormalizedMention]) -> None:
    """Raises SettingsError if a mention is of another kind than persons.

    Values have a verb of their own: they are not linked, and under the key of a run they could all be tried.
    """
    if wrong := next((m.mention.kind for m in mentions if m.mention.kind != PERSON), None):
        raise SettingsError(
            f"a mention of the kind {wrong} is no person's; assign_values takes values, and no run key does"
        )


def people_of(result: LinkageResult) -> list[Person]:
    """The people of a result, in the order of their first mentions."""
    by_id = {m.mention.mention_id: m for m in result.mentions}
    ordered = sorted([(sorted(identity.mention_ids), identity) for identity in result.identities], key=_first)
    return [_person(identity, [by_id[mention_id] for mention_id in ids]) for ids, identity in ordered]


def _first(ordered: tuple[Sequence[MentionId], Identity]) -> MentionId:
    return ordered[0][0]


def _person(identity: Identity, members: list[NormalizedMention]) -> Person:
    facts: dict[Fact, None] = {}
    full_names: set[str] = set()
    surfaces: dict[str, object] = {}
    for member in members:
        surface, name = member.mention.surface, member.name
        before = surfaces.get(surface)
        if before is not None and (before is name or before == name):
            continue
        surfaces[surface] = name
        facts[SurfaceForm(surface, name)] = None
        if (form := normal_form(name)) is not None:
            full_names.add(form)
    # A judgement is about a mention, and kept with where it was met.
    told: dict[Fact, None] = dict.fromkeys(
        [
            Attribute(kind, value)
            for context in [m.context for m in members]
            for kind, value in as_pairs(context.attributes, context.roles, context.marks)
        ]
    )
    if (given := identity.entity_id) is not None and not is_vault_id(given):
        told[Mark(registry_mark(given))] = None
    person = Person(identity, members, list(facts), list(told), tuple(sorted(full_names)))
    if identity.candidates:
        person.kind = EntityKind.AMBIGUOUS
    return person


def _other_ids(identity: Identity) -> tuple[EntityId, ...]:
    return (*identity.also_known_as, *identity.may_be)


class PeopleFinder:
    """Finds who of these people the vault has already."""

    def __init__(
        self,
        vault: VaultCore,
        keys: ProjectKeys,
        tags: Mapping[MentionId, bytes],
        stored: Mapping[bytes, int],
        seen_through: int,
    ) -> None:
        self.vault, self.keys, self.tags, self.stored = vault, keys, tags, stored
        self.seen_through = seen_through

    def find(self, people: list[Person], *, deterministic: bool) -> None:
        """Set entity_id, kind and namesakes of each; in deterministic mode namesakes become one.

        Raises:
            LinkageOutdatedError: an identity names an entity that the project does not have.
        """
        external = self._registry_entities(people)
        unknown: list[Person] = []
        for person in people:
            given = person.identity.entity_id
            if given is not None:
                person.entity_id = entity_number(given) if is_vault_id(given) else external.get(given, 0)
            elif self.stored:
                before = Counter(
                    self.stored[t] for m in person.members if (t := self.tags[m.mention_id]) in self.stored
                )
                if before:
                    person.entity_id = min(before, key=lambda e: (-before[e], e))
            if person.entity_id == 0 and person.kind is EntityKind.PERSON and given is None:
                unknown.append(person)
        self._find_unseen(unknown, deterministic=deterministic)
        if deterministic:
            self._join_namesakes(people)
        self._check_given(people)

    def _check_given(self, people: Iterable[Person]) -> None:
        given = {person.entity_id for person in people if person.entity_id > 0}
        for also in (e for p in people for e in _other_ids(p.identity) if is_vault_id(e)):
            given.add(entity_number(also))
        if given and (missing := given - set(entities.entity_kinds(self.vault, self.keys, given))):
            raise LinkageOutdatedError(
                f"{len(missing)} identities name a person whom the project does not have (any more): erased "
                "since they were linked; link again"
            )

    def _registry_entities(self, people: Iterable[Person]) -> dict[str, int]:
        """Entities that were stored under a registry's id of the person."""
        wanted = {str(e) for p in people if (e := p.identity.entity_id) is not None and not is_vault_id(e)}
        by_tag = {
            tag: given for given in wanted for tag in tags_of(self.keys, REGISTRY_LABEL, given).values()
        }
        found = entities.find_index(self.vault, self.keys, by_tag) if by_tag else {}
        return {by_tag[tag]: owners[0] for tag, owners in found.items()}

    def _find_unseen(self, people: list[Person], *, deterministic: bool) -> None:
        """People stored since the linker looked: another process may have been quicker with the same name.

        Those that the linker did see it judged itself, and its judgement stands.
        """
        seen = self.seen_through
        if not people or not self.vault.seen_any(self.keys, after=seen):
            return
        tags = {
            tag: form
            for p in people
            for form in p.full_names
            for tag in tags_of(self.keys, NAME_LABEL, form).values()
        }
        by_form: dict[str, set[int]] = defaultdict(set)
        for tag, owners in entities.find_index(self.vault, self.keys, tags).items():
            by_form[tags[tag]].update(owner for owner in owners if owner > seen)
        claims: dict[int, list[Person]] = defaultdict(list)
        for person in people:
            found = sorted({owner for form in person.full_names for owner in by_form.get(form, ())})
            if len(found) == 1 or (found and deterministic):
                claims[found[0]].append(person)
            elif found:
                person.kind, person.namesakes = EntityKind.AMBIGUOUS, tuple(found)
        for owner, claimants in claims.items():
            if len(claimants) == 1 or deterministic:
                for person in claimants:
                    person.entity_id = owner
            else:  # two people of one name here, one there: which is which cannot be known
                for person in claimants:
                    person.kind, person.namesakes = EntityKind.AMBIGUOUS, (owner,)

    def _join_namesakes(self, people: list[Person]) -> None:
        """Deterministic mode: people of one full name are one person, known by the first of its names."""
        first: dict[str, Person] = {}
        for person in people:
            if person.entity_id == 0 and person.kind is EntityKind.PERSON and person.full_names:
                leader = first.setdefault(person.full_names[0], person)
                if leader is not person:
                    leader.members += person.members
                    leader.facts = list(dict.fromkeys([*leader.facts, *person.facts]))
                    leader.told = list(dict.fromkeys([*leader.told, *person.told]))
                    leader.full_names = tuple(sorted({*leader.full_names, *person.full_names}))
                    person.members, person.entity_id = [], -1
        people[:] = [person for person in people if person.entity_id >= 0]
