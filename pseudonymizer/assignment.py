"""Identities -> pseudonyms: known people, new people, and mentions that may mean several.

In bulk: what the vault knows of a whole result is read first, then everything new is written with one
executemany a table. The same result given twice gives the same pseudonyms; a mention seen before keeps the
one it has.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from linkage.records import (
    Identity,
    IdentityId,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
    ScoredLink,
)
from pseudonymizer.crypto import Sealer
from pseudonymizer.errors import SettingsError, UnknownPseudonymError
from pseudonymizer.policy import Verb
from pseudonymizer.records import EntityKind, LinkKind, Pseudonym, Scope
from pseudonymizer.surrogates import LabelRequest, LabelSource, TokenLabels
from pseudonymizer.vault import Vault, entities
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.forms import (
    NORMAL_FORM_VERSION,
    encode_attribute,
    encode_form,
    encode_mark,
    normal_form,
)
from pseudonymizer.vault.identifiers import entity_number, entity_text, is_vault_id
from pseudonymizer.vault.indexing import (
    LITERAL_LABEL,
    NAME_LABEL,
    REGISTRY_LABEL,
    registry_mark,
    tag_of,
    tags_of,
)
from pseudonymizer.vault.projectkeys import ProjectKeys

_UNSCORED: Final = -1.0


@dataclass(slots=True)
class _Person:
    """One identity on its way to an entity."""

    identity: Identity
    members: list[NormalizedMention] = field(repr=False)
    names: dict[PersonName, None] = field(repr=False)
    full_names: tuple[str, ...] = field(repr=False)
    entity_id: int = 0
    kind: EntityKind = EntityKind.PERSON
    namesakes: tuple[int, ...] = ()  # entities of the same full name, when it is unclear which one this is


def assign(
    result: LinkageResult,
    vault: Vault,
    *,
    project: str,
    scope: Scope = Scope.PROJECT,
    deterministic: bool = False,
    run: str = "",
    labels: LabelSource | None = None,
) -> Mapping[MentionId, Pseudonym]:
    """A pseudonym for every mention; new people are stored. The caller commits before any text carries a
    label.

    deterministic: labels are derived from the full name under the project's token key and `run`, so that
    workers which share nothing agree; namesakes then are one person. labels: another style than tokens.

    Raises:
        SurrogatesExhaustedError: no unique label can be formed.
    """
    if deterministic and labels is not None:
        raise SettingsError("deterministic pseudonyms are tokens; leave out the other style")
    with vault.lock:
        authorize(vault, Verb.PSEUDONYMIZE, project_name=project)
        keys = vault.ensure_project(project)
        vault.begin_keys()
        source = labels or TokenLabels(keys.token, run=run, entropy=vault.entropy)
        work = _Assignment(vault, keys, result, scope, source, deterministic=deterministic)
        return work.run()


class _Assignment:
    def __init__(
        self,
        vault: Vault,
        keys: ProjectKeys,
        result: LinkageResult,
        scope: Scope,
        labels: LabelSource,
        *,
        deterministic: bool,
    ) -> None:
        self.vault, self.keys, self.result, self.scope, self.labels = vault, keys, result, scope, labels
        self.deterministic = deterministic
        mention_tag = keys.binder("mention-id").tag
        self.tags = {
            m.mention.mention_id: mention_tag(
                f"{m.mention.mention_id}\0{m.mention.surface}".encode("utf-8", "surrogatepass")
            )
            for m in result.mentions
        }
        self.sealers: dict[int, Sealer] = {}
        self.new_entities: set[int] = set()

    def run(self) -> dict[MentionId, Pseudonym]:
        stored = self._stored_mentions()
        people = self._people()
        self._find_entities(people, stored)
        self._make_entities(people)
        entity_of = {}
        for person in people:
            for member in person.members:
                mention_id = member.mention.mention_id
                entity_of[mention_id] = stored.get(self.tags[mention_id], person.entity_id)
        forms = self._store_forms(people, entity_of)
        self._store_index(people)
        self._store_mentions(entity_of, stored)
        links = self._store_links(people, entity_of)
        pseudonyms = self._pseudonyms(people, entity_of)
        self._touch(entity_of)
        self.vault.record(
            "assign",
            project=self.keys.name,
            counts={
                "mentions": len(entity_of),
                "entities": len(set(entity_of.values())),
                "new_entities": len(self.new_entities),
                "forms": forms,
                "links": links,
            },
        )
        return pseudonyms

    # -- who is who ------------------------------------------------------------------------------------------

    def _stored_mentions(self) -> dict[bytes, int]:
        if not self.vault.seen_any(self.keys):
            return {}
        return entities.find_mentions(self.vault, self.keys, self.tags.values())

    def _people(self) -> list[_Person]:
        by_id = {m.mention.mention_id: m for m in self.result.mentions}
        people = []
        for identity in sorted(self.result.identities, key=lambda i: min(i.mention_ids)):
            members = [by_id[mention_id] for mention_id in sorted(identity.mention_ids)]
            names = dict.fromkeys([m.name for m in members])
            full = tuple(sorted({form for name in names if (form := normal_form(name)) is not None}))
            person = _Person(identity, members, names, full)
            if identity.candidates:
                person.kind = EntityKind.AMBIGUOUS
            people.append(person)
        return people

    def _find_entities(self, people: list[_Person], stored: Mapping[bytes, int]) -> None:
        external = self._registry_entities(people)
        unknown: list[_Person] = []
        for person in people:
            given = person.identity.entity_id
            if given is not None:
                person.entity_id = entity_number(given) if is_vault_id(given) else external.get(given, 0)
            else:
                before = Counter(
                    stored[t] for m in person.members if (t := self.tags[m.mention_id]) in stored
                )
                if before:
                    person.entity_id = min(before, key=lambda e: (-before[e], e))
            if person.entity_id == 0 and person.kind is EntityKind.PERSON and given is None:
                unknown.append(person)
        self._find_unseen(unknown)
        if self.deterministic:
            self._find_namesakes(people)
        self._check_given(people)

    def _check_given(self, people: Iterable[_Person]) -> None:
        given = {person.entity_id for person in people if person.entity_id > 0}
        for also in (e for p in people for e in p.identity.also_known_as if is_vault_id(e)):
            given.add(entity_number(also))
        if missing := given - set(entities.entity_kinds(self.vault, self.keys, given)):
            raise UnknownPseudonymError(
                f"{len(missing)} identities name an entity that the project does not have (any more)"
            )

    def _registry_entities(self, people: Iterable[_Person]) -> dict[str, int]:
        """Entities that were stored under a registry's id of the person."""
        wanted = {str(e) for p in people if (e := p.identity.entity_id) is not None and not is_vault_id(e)}
        by_tag = {
            tag: given for given in wanted for tag in tags_of(self.keys, REGISTRY_LABEL, given).values()
        }
        found = entities.find_index(self.vault, self.keys, by_tag) if by_tag else {}
        return {by_tag[tag]: owners[0] for tag, owners in found.items()}

    def _find_unseen(self, people: list[_Person]) -> None:
        """People stored since the linker looked: another process may have been quicker with the same name.

        Those that the linker did see it judged itself, and its judgement stands.
        """
        seen = 0 if self.deterministic else self.vault.seen_through.get(self.keys.name, 0)
        if not self.vault.seen_any(self.keys, after=seen):
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
        claims: dict[int, list[_Person]] = defaultdict(list)
        for person in people:
            found = sorted({owner for form in person.full_names for owner in by_form.get(form, ())})
            if len(found) == 1 or (found and self.deterministic):
                claims[found[0]].append(person)
            elif found:
                person.kind, person.namesakes = EntityKind.AMBIGUOUS, tuple(found)
        for owner, claimants in claims.items():
            if len(claimants) == 1 or self.deterministic:
                for person in claimants:
                    person.entity_id = owner
            else:  # two people of one name here, one there: which is which cannot be known
                for person in claimants:
                    person.kind, person.namesakes = EntityKind.AMBIGUOUS, (owner,)

    def _find_namesakes(self, people: list[_Person]) -> None:
        """Deterministic mode: people of one full name are one person, known by the first of its names."""
        first: dict[str, _Person] = {}
        for person in people:
            if person.entity_id == 0 and person.kind is EntityKind.PERSON and person.full_names:
                leader = first.setdefault(person.full_names[0], person)
                if leader is not person:
                    leader.members += person.members
                    leader.names |= person.names
                    leader.full_names = tuple(sorted({*leader.full_names, *person.full_names}))
                    person.members, person.entity_id = [], -1
        people[:] = [person for person in people if person.entity_id >= 0]

    # -- writing ---------------------------------------------------------------------------------------------

    def _make_entities(self, people: list[_Person]) -> None:
        shared: dict[str, _Person] = {}  # one registry id given to two identities is still one person
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

    def _store_forms(self, people: Iterable[_Person], entity_of: Mapping[MentionId, int]) -> int:
        tag = self.keys.binder("form-id").tag
        plain: dict[tuple[int, bytes], bytes] = {}
        for person in people:
            seen: dict[tuple[int, str], PersonName] = {}
            for member in person.members:
                mention = member.mention
                entity_id, surface = entity_of[mention.mention_id], mention.surface
                before = seen.get((entity_id, surface))
                if before is not member.name and before != member.name:
                    seen[entity_id, surface] = member.name
                    fact = encode_form(surface, member.name)
                    plain[entity_id, tag(entity_id.to_bytes(8, "big") + fact)] = fact
                for kind, value in member.context.attributes:
                    fact = encode_attribute(kind, value)
                    plain[person.entity_id, tag(person.entity_id.to_bytes(8, "big") + fact)] = fact
            if (given := person.identity.entity_id) is not None and not is_vault_id(given):
                fact = encode_mark(registry_mark(given))
                plain[person.entity_id, tag(person.entity_id.to_bytes(8, "big") + fact)] = fact
        return self._store_facts(plain)

    def _store_facts(self, plain: Mapping[tuple[int, bytes], bytes]) -> int:
        old = {entity_id for entity_id, _ in plain} - self.new_entities
        stored = entities.form_tags_of(self.vault, old) if old else set()
        wanted = [key for key in plain if key not in stored]
        need = {entity_id for entity_id, _ in wanted} - set(self.sealers)
        self.sealers.update(entities.sealers_of(self.vault, self.keys, need))
        sealers = self.sealers
        entities.add_forms(self.vault, self.keys, [(e, t, plain[e, t], sealers[e]) for e, t in wanted])
        return len(wanted)

    def _store_index(self, people: Iterable[_Person]) -> None:
        tags: set[tuple[int, int, bytes]] = set()
        for version, index in self.keys.indexes.items():
            tags.update(
                (version, person.entity_id, tag_of(index, NAME_LABEL, form))
                for person in people
                if person.kind is EntityKind.PERSON
                for form in person.full_names
            )
        for person in people:
            if (given := person.identity.entity_id) is not None and not is_vault_id(given):
                tags.update(
                    (n, person.entity_id, t) for n, t in tags_of(self.keys, REGISTRY_LABEL, given).items()
                )
        self._add_index(tags)

    def _add_index(self, tags: Collection[tuple[int, int, bytes]]) -> None:
        if any(entity_id not in self.new_entities for _, entity_id, _ in tags):
            found = entities.find_index(self.vault, self.keys, {tag for _, _, tag in tags})
            tags = [row for row in tags if row[1] not in found.get(row[2], ())]
        entities.add_index(self.vault, self.keys, tags)

    def _store_mentions(self, entity_of: Mapping[MentionId, int], stored: Mapping[bytes, int]) -> None:
        new = {t: entity_of[m] for m, t in self.tags.items() if t not in stored}
        entities.add_mentions(self.vault, self.keys, new)

    def _store_links(self, people: Iterable[_Person], entity_of: Mapping[MentionId, int]) -> int:
        by_identity: dict[IdentityId, int] = {p.identity.identity_id: p.entity_id for p in people}
        rows: dict[tuple[int, int, LinkKind], entities.LinkRow] = {}

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
            own = {entity_of[m.mention_id] for m in person.members}
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
            for also in person.identity.also_known_as:
                if is_vault_id(also):
                    add(person.entity_id, entity_number(also), LinkKind.ALSO_KNOWN_AS, None)
                    merges += 1
            for other in own - {person.entity_id}:
                add(person.entity_id, other, LinkKind.SAME_MENTION, None)
        count = entities.add_links(self.vault, self.keys, rows.values())
        if merges:
            self.vault.record("merge", project=self.keys.name, counts={"links": merges})
        return count

    def _touch(self, entity_of: Mapping[MentionId, int]) -> None:
        entities.touch(self.vault, self.keys, set(entity_of.values()) - self.new_entities)

    # -- labels ----------------------------------------------------------------------------------------------

    def _pseudonyms(
        self, people: Iterable[_Person], entity_of: Mapping[MentionId, int]
    ) -> dict[MentionId, Pseudonym]:
        doc_tag = self.keys.binder("doc").tag
        place: dict[MentionId, tuple[int, bytes]] = {}
        owners: dict[tuple[int, bytes], _Person] = {}
        for person in people:
            for member in person.members:
                mention_id = member.mention.mention_id
                if self.scope is Scope.PROJECT:
                    scope_tag = b""
                elif self.scope is Scope.DOCUMENT:
                    scope_tag = doc_tag(member.mention.doc_id.encode("utf-8", "surrogatepass"))
                else:
                    scope_tag = self.tags[mention_id]
                key = (entity_of[mention_id], scope_tag)
                place[mention_id] = key
                owners.setdefault(key, person)
        label_of = self._stored_labels(owners)
        missing = [key for key in owners if key not in label_of]
        requests = [self._request(owners[key], key) for key in missing]
        drawn = self.labels.draw(requests, taken=self._taken) if missing else []
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

    def _stored_labels(self, owners: Mapping[tuple[int, bytes], _Person]) -> dict[tuple[int, bytes], str]:
        old = sorted({entity_id for entity_id, _ in owners} - self.new_entities)
        found: dict[tuple[int, bytes], str] = {}
        for _, label, entity_id, scope, scope_tag, style in entities.pseudonym_rows(
            self.vault, self.keys, "entity_id", old
        ):
            if scope is self.scope and style is self.labels.style:
                found[entity_id, scope_tag] = label
        return found

    def _taken(self, labels: Collection[str]) -> Collection[str]:
        if not self.vault.seen_any(self.keys):
            return ()
        return {row[1] for row in entities.pseudonym_rows(self.vault, self.keys, "label", sorted(labels))}

    def _request(self, person: _Person, key: tuple[int, bytes]) -> LabelRequest:
        material = None
        if self.deterministic:
            whole = person.full_names[0] if person.full_names else f"\0{person.members[0].mention_id}"
            version = NORMAL_FORM_VERSION.to_bytes(2, "big")
            material = (
                version + len(key[1]).to_bytes(1, "big") + key[1] + whole.encode("utf-8", "surrogatepass")
            )
        gender = next((m.gender for m in person.members if m.gender is not None), None)
        surfaces = tuple(dict.fromkeys(m.mention.surface for m in person.members))
        return LabelRequest(tuple(person.names), surfaces, gender, material)


def literal_label(vault: Vault, project: str, text: str) -> Pseudonym:
    """A token of the project that stands for text which only looks like one: so it comes back unchanged."""
    with vault.lock:
        keys = vault.ensure_project(project)
        vault.begin_keys()
        tags = tags_of(keys, LITERAL_LABEL, text)
        found = entities.find_index(vault, keys, tags.values())
        if found:
            entity_id = next(iter(found.values()))[0]
            for _, label, _, scope, _, _ in entities.pseudonym_rows(vault, keys, "entity_id", [entity_id]):
                return Pseudonym(label, entity_text(entity_id), project, scope)
        (entity_id,), (sealer,) = entities.add_entities(vault, keys, [EntityKind.LITERAL])
        facts = [encode_form(text, PersonName()), encode_mark("literal")]
        tag = keys.binder("form-id").tag
        entities.add_forms(
            vault, keys, [(entity_id, tag(entity_id.to_bytes(8, "big") + f), f, sealer) for f in facts]
        )
        entities.add_index(vault, keys, [(n, entity_id, t) for n, t in tags.items()])
        label = TokenLabels(keys.token, entropy=vault.entropy).draw([LabelRequest()], taken=lambda _: ())[0]
        entities.add_pseudonyms(
            vault, keys, TokenLabels(keys.token).style, [(entity_id, Scope.PROJECT, b"")], [label]
        )
        vault.record("literal", project=project, subjects=(label,))
        return Pseudonym(label, entity_text(entity_id), project, Scope.PROJECT)
