"""Identities -> pseudonyms: known people, new people, and mentions that may mean several.

In bulk: what the vault knows of a whole result is read first, then everything new is written with one
executemany a table. The same result given twice gives the same pseudonyms; a mention seen before keeps the
one it has.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from linkage.collector import without_collector
from linkage.records import (
    Identity,
    IdentityId,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
    ScoredLink,
)
from linkage.sightings import sighting_of
from pseudonymizer.audit import Entry
from pseudonymizer.crypto import Sealer
from pseudonymizer.errors import SettingsError
from pseudonymizer.policy import Verb
from pseudonymizer.records import EntityKind, LinkKind, Pseudonym, Scope, Style
from pseudonymizer.styles.code import CodeLabels
from pseudonymizer.styles.labels import LabelRequest, LabelSource, TokenLabels
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities, mentions, published
from pseudonymizer.vault.rows.fact_rows import add_facts, facts_known_of
from pseudonymizer.vault.rows.forms import (
    LITERAL_MARK,
    NORMAL_FORM_VERSION,
    Fact,
    Mark,
    SurfaceForm,
    deterministic_material,
)
from pseudonymizer.vault.rows.identifiers import entity_number, entity_text, is_vault_id
from pseudonymizer.vault.rows.indexing import LITERAL_LABEL, NAME_LABEL, REGISTRY_LABEL, tags_of
from pseudonymizer.vault.rows.persons import PeopleFinder, Person, people_of, refuse_values
from pseudonymizer.vault.store.projectkeys import ProjectKeys

_UNSCORED: Final = -1.0
_NO_REQUEST: Final = LabelRequest()


@dataclass(frozen=True, slots=True)
class HowToAssign:
    """Options of an assignment.

    seen_through: the highest number of a person that the linker has seen. deterministic: tokens are derived
    from the full name under the project's token key and `run`, so that workers which share nothing agree;
    namesakes then are one person.
    """

    scope: Scope = Scope.PROJECT
    seen_through: int = 0
    deterministic: bool = False
    run: str = ""


def assign(
    result: LinkageResult,
    vault: OpenVault,
    how: HowToAssign,
    *,
    project: str,
    labels: LabelSource | None = None,
) -> Mapping[MentionId, Pseudonym]:
    """A pseudonym for every mention; new people are stored. The caller commits before any text carries a
    label. labels: another style than tokens.

    Raises:
        LinkageOutdatedError: a person of the result was erased since.
        SurrogatesExhaustedError: no unique label can be formed.
    """
    if how.deterministic and labels is not None and labels.style is not Style.SURROGATE:
        raise SettingsError(f"pseudonyms of the style {labels.style} cannot be deterministic")
    refuse_values(result.mentions)
    with vault.lock:
        authorize(vault, Verb.PSEUDONYMIZE, project_name=project)
        keys = vault.begin_in(project)
        source = labels or TokenLabels(keys.token, run=how.run, entropy=vault.entropy)
        work = _Assignment(vault, keys, result, how, source)
        with without_collector():
            return work.run()


class _Assignment:
    def __init__(
        self,
        vault: OpenVault,
        keys: ProjectKeys,
        result: LinkageResult,
        how: HowToAssign,
        labels: LabelSource,
    ) -> None:
        self.vault, self.keys, self.result, self.how, self.labels = vault, keys, result, how, labels
        self.scope, self.deterministic = how.scope, how.deterministic
        found = [m.mention for m in result.mentions]
        ids = [mention.mention_id for mention in found]
        self.tags = dict(zip(ids, mentions.mention_tags(keys, found), strict=True))
        self.documents = mentions.document_tags(keys, {mention.doc_id for mention in found})
        self.is_first = not vault.seen_any(keys)  # nothing to look up in a project without people
        self.sealers: dict[int, Sealer] = {}
        self.new_entities: set[int] = set()

    def run(self) -> dict[MentionId, Pseudonym]:
        found = self._stored_mentions()
        stored = found.entity_of
        people = people_of(self.result)
        seen = 0 if self.deterministic else self.how.seen_through
        finder = PeopleFinder(self.vault, self.keys, self.tags, stored, seen)
        finder.find(people, deterministic=self.deterministic)
        self._make_entities(people)
        entity_of = self._entities_of(people, stored)
        facts = self._store_facts(people, entity_of if stored else {})
        self._store_index(people)
        self._store_mentions(entity_of, found)
        links = self._store_links(people, entity_of)
        pseudonyms = self._pseudonyms(people, entity_of)
        met = set(entity_of.values())
        entities.touch(self.vault, self.keys, met - self.new_entities)
        self.vault.record(
            Entry(
                "assign",
                project=self.keys.name,
                counts={
                    "mentions": len(entity_of),
                    "entities": len(met),
                    "new_entities": len(self.new_entities),
                    "forms": facts,
                    "links": links,
                },
            )
        )
        return pseudonyms

    def _stored_mentions(self) -> mentions.StoredMentions:
        if self.is_first:
            return mentions.StoredMentions()
        documents = self.documents.values()
        return mentions.find_mentions(self.vault, self.keys, documents, self.tags.values())

    def _entities_of(self, people: Iterable[Person], stored: Mapping[bytes, int]) -> dict[MentionId, int]:
        """The person of each mention: the one that the vault has for it, or else the one of this result."""
        entity_of = {m.mention.mention_id: person.entity_id for person in people for m in person.members}
        if stored:
            tags = self.tags
            entity_of = {m: stored.get(tags[m], entity_id) for m, entity_id in entity_of.items()}
        return entity_of

    # -- writing ---------------------------------------------------------------------------------------------

    def _make_entities(self, people: list[Person]) -> None:
        shared: dict[str, Person] = {}  # one registry id given to two identities is still one person
        new = []
        for person in people:
            if person.entity_id:
                continue
            given = person.identity.entity_id
            if given is None or shared.setdefault(given, person) is person:
                new.append(person)
        if new:
            ids, sealers = entities.add_entities(self.vault, self.keys, [person.kind for person in new])
            for person, entity_id in zip(new, ids, strict=True):
                person.entity_id = entity_id
            self.sealers.update(zip(ids, sealers, strict=True))
            self.new_entities.update(ids)
        for person in people:
            if not person.entity_id:
                person.entity_id = shared[str(person.identity.entity_id)].entity_id

    def _store_facts(self, people: Collection[Person], entity_of: Mapping[MentionId, int]) -> int:
        wanted: dict[int, dict[Fact, None]] = {}
        for person in people:
            own = wanted.setdefault(person.entity_id, {})
            own.update(dict.fromkeys(person.told))
            if all(entity_of.get(m.mention_id, person.entity_id) == person.entity_id for m in person.members):
                own.update(dict.fromkeys(person.facts))
                continue
            for member in person.members:  # some were given to somebody else before: so are their forms
                owner = entity_of.get(member.mention_id, person.entity_id)
                wanted.setdefault(owner, {})[SurfaceForm(member.mention.surface, member.name)] = None
        for person in people:
            for member in person.members:
                owner = entity_of.get(member.mention_id, person.entity_id)
                wanted[owner][sighting_of(member)] = None
        old = [entity_id for entity_id in wanted if entity_id not in self.new_entities]
        need = [entity_id for entity_id in old if entity_id not in self.sealers]
        self.sealers.update(entities.sealers_of(self.vault, self.keys, need))
        sealers = self.sealers
        stored = facts_known_of(
            self.vault, self.keys, {e: sealers[e] for e in old}, wanted, anew=bool(entity_of)
        )
        new = []
        for entity_id, facts in wanted.items():
            known = stored.get(entity_id, set())
            if fresh := [fact for fact in facts if fact not in known]:
                new.append((entity_id, fresh, sealers[entity_id]))
        add_facts(self.vault, self.keys, new)
        return sum(len(facts) for _, facts, _ in new)

    def _store_index(self, people: Iterable[Person]) -> None:
        owners: list[int] = []
        forms: list[str] = []
        tags: list[tuple[int, int, bytes]] = []
        for person in people:
            if person.kind is EntityKind.PERSON:
                forms += person.full_names
                owners += [person.entity_id] * len(person.full_names)
            if (given := person.identity.entity_id) is not None and not is_vault_id(given):
                tags += [
                    (n, person.entity_id, t) for n, t in tags_of(self.keys, REGISTRY_LABEL, given).items()
                ]
        for version, index in self.keys.indexes.items():
            made = index.tags(NAME_LABEL, forms, normal_form_version=NORMAL_FORM_VERSION)
            tags += zip([version] * len(made), owners, made, strict=True)
        self._add_index(tags)

    def _add_index(self, tags: Collection[tuple[int, int, bytes]]) -> None:
        if any(entity_id not in self.new_entities for _, entity_id, _ in tags):
            found = entities.find_index(self.vault, self.keys, {tag for _, _, tag in tags})
            tags = [(version, owner, tag) for version, owner, tag in tags if owner not in found.get(tag, ())]
        entities.add_index(self.vault, self.keys, tags)

    def _store_mentions(self, entity_of: Mapping[MentionId, int], stored: mentions.StoredMentions) -> None:
        tags, documents, known = self.tags, self.documents, stored.entity_of
        new = [
            (documents[m.mention.doc_id], tag, entity_of[mention_id])
            for m in self.result.mentions
            if (tag := tags[mention_id := m.mention.mention_id]) not in known
        ]
        mentions.add_mentions(self.vault, self.keys, new, stored.parts)

    def _store_links(self, people: Iterable[Person], entity_of: Mapping[MentionId, int]) -> int:
        by_identity: dict[IdentityId, int] = {p.identity.identity_id: p.entity_id for p in people}
        rows: dict[tuple[int, int, LinkKind], entities.NewLink] = {}

        def add(left: int, right: int, kind: LinkKind, link: ScoredLink | None) -> None:
            if left == right:
                return
            probability = link.match_probability if link else _UNSCORED
            ratio = link.partial_ratio if link and link.partial_ratio == link.partial_ratio else _UNSCORED
            row = (
                left,
                right,
                kind,
                str(link.decision) if link else "",
                (link and link.variant) or "",
                probability,
                ratio,
            )
            if (left, right, kind) not in rows or rows[left, right, kind][5] < probability:
                rows[left, right, kind] = row

        merges = 0
        for person in people:
            scored: dict[int, ScoredLink] = {}
            own = {entity_of[m.mention.mention_id] for m in person.members}
            for link in person.identity.open_links:
                left, right = entity_of.get(link.pair.left, 0), entity_of.get(link.pair.right, 0)
                if left and right:
                    add(min(left, right), max(left, right), LinkKind.OPEN, link)
                    other = right if left in own else left
                    if other not in scored or scored[other].match_probability < link.match_probability:
                        scored[other] = link
            for candidate in person.identity.candidates:
                if (other := by_identity.get(candidate, 0)) != 0:
                    add(person.entity_id, other, LinkKind.CANDIDATE, scored.get(other))
            for other in person.namesakes:
                add(person.entity_id, other, LinkKind.CANDIDATE, None)
            for known in person.identity.may_be:
                if is_vault_id(known):
                    add(person.entity_id, entity_number(known), LinkKind.CANDIDATE, None)
            for also in person.identity.also_known_as:
                if is_vault_id(also):
                    add(person.entity_id, entity_number(also), LinkKind.ALSO_KNOWN_AS, None)
                    merges += 1
            for other in own - {person.entity_id}:
                add(person.entity_id, other, LinkKind.SAME_MENTION, None)
        count = entities.add_links(self.vault, self.keys, rows.values())
        if merges:
            self.vault.record(Entry("merge", project=self.keys.name, counts={"links": merges}))
        return count

    # -- labels ----------------------------------------------------------------------------------------------

    def _pseudonyms(
        self, people: Iterable[Person], entity_of: Mapping[MentionId, int]
    ) -> dict[MentionId, Pseudonym]:
        place, owners = self._places(people, entity_of)
        label_of = self._stored_labels(owners)
        missing = [key for key in owners if key not in label_of]
        requests = [self._request(owners[key], key) for key in missing]
        drawn = self.labels.draw(requests, taken=self._taken) if missing else []
        published.note(self.vault, self.keys, self.labels.style, drawn)
        wanted = [(entity_id, self.scope, scope_tag) for entity_id, scope_tag in missing]
        entities.add_pseudonyms(self.vault, self.keys, self.labels.style, wanted, drawn)
        label_of.update(zip(missing, drawn, strict=True))
        name = self.keys.name
        made = {
            key: Pseudonym(label, entity_text(key[0]), name, self.scope)
            for key, label in label_of.items()
            if key in owners
        }
        return {mention_id: made[key] for mention_id, key in place.items()}

    def _places(
        self, people: Iterable[Person], entity_of: Mapping[MentionId, int]
    ) -> tuple[dict[MentionId, tuple[int, bytes]], dict[tuple[int, bytes], Person]]:
        """By mention, the entity and scope tag of its label; by entity and scope tag, one of its people."""
        place: dict[MentionId, tuple[int, bytes]] = {}
        owners: dict[tuple[int, bytes], Person] = {}
        for person in people:
            key = (person.entity_id, b"")
            for member in person.members:
                mention_id = member.mention.mention_id
                entity_id = entity_of[mention_id]
                if self.scope is Scope.DOCUMENT:
                    key = (entity_id, self.documents[member.mention.doc_id])
                elif self.scope is Scope.OCCURRENCE:
                    key = (entity_id, self.tags[mention_id])
                elif entity_id != key[0]:
                    key = (entity_id, b"")
                place[mention_id] = key
                if key not in owners:
                    owners[key] = person
        return place, owners

    def _stored_labels(self, owners: Mapping[tuple[int, bytes], Person]) -> dict[tuple[int, bytes], str]:
        old = sorted({entity_id for entity_id, _ in owners} - self.new_entities)
        found: dict[tuple[int, bytes], str] = {}
        for _, label, entity_id, scope, scope_tag, style in entities.pseudonym_rows(
            self.vault, self.keys, "entity_id", old
        ):
            if scope is self.scope and style is self.labels.style:
                found[entity_id, scope_tag] = label
        return found

    def _taken(self, labels: Collection[str]) -> Collection[str]:
        if self.is_first and self.labels.style is Style.TOKEN:
            return ()
        return published.given_among(self.vault, self.keys, labels)

    def _request(self, person: Person, key: tuple[int, bytes]) -> LabelRequest:
        if not self.deterministic and isinstance(self.labels, TokenLabels | CodeLabels):
            return _NO_REQUEST  # random letters need to know nothing of the person
        material = None
        if self.deterministic:
            whole = person.full_names[0] if person.full_names else f"\0{person.members[0].mention_id}"
            material = deterministic_material(whole, key[1])
        gender = next((m.gender for m in person.members if m.gender is not None), None)
        names = tuple(dict.fromkeys(m.name for m in person.members))
        surfaces = tuple(dict.fromkeys(m.mention.surface for m in person.members))
        return LabelRequest(names, surfaces, gender, material)


def literal_label(vault: OpenVault, project: str, text: str) -> Pseudonym:
    """A token of the project that stands for text which only looks like one: so it comes back unchanged."""
    with vault.lock:
        keys = vault.begin_in(project)
        tags = tags_of(keys, LITERAL_LABEL, text)
        found = entities.find_index(vault, keys, tags.values())
        if found:
            entity_id = next(iter(found.values()))[0]
            for _, label, _, scope, _, _ in entities.pseudonym_rows(vault, keys, "entity_id", [entity_id]):
                return Pseudonym(label, entity_text(entity_id), project, scope)
        (entity_id,), (sealer,) = entities.add_entities(vault, keys, [EntityKind.LITERAL])
        facts: list[Fact] = [SurfaceForm(text, PersonName()), Mark(LITERAL_MARK)]
        add_facts(vault, keys, [(entity_id, facts, sealer)])
        entities.add_index(vault, keys, [(n, entity_id, t) for n, t in tags.items()])
        label = TokenLabels(keys.token, entropy=vault.entropy).draw([LabelRequest()], taken=lambda _: ())[0]
        entities.add_pseudonyms(
            vault, keys, TokenLabels(keys.token).style, [(entity_id, Scope.PROJECT, b"")], [label]
        )
        vault.record(Entry("literal", project=project, subjects=(label,)))
        return Pseudonym(label, entity_text(entity_id), project, Scope.PROJECT)


def one_person_a_key(
    mentions: Iterable[NormalizedMention], key_of: Callable[[NormalizedMention], Hashable]
) -> LinkageResult:
    """A result for assign without any linking: mentions with one key are one person."""
    groups: dict[Hashable, list[NormalizedMention]] = {}
    for mention in mentions:
        groups.setdefault(key_of(mention), []).append(mention)
    people = tuple(
        Identity(IdentityId(f"p{number:06d}"), frozenset(m.mention_id for m in members))
        for number, members in enumerate(groups.values(), start=1)
    )
    return LinkageResult(tuple(m for members in groups.values() for m in members), people)
