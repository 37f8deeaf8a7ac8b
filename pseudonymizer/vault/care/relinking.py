"""Linking a whole project anew, in one go: what it finds otherwise is listed, or made so.

Texts that came one by one were linked with what the project knew by then. Published pseudonyms stay whatever
comes of it: who is found to be one person is also known as the other, and who is found to be two gets a new
pseudonym for whatever is pseudonymized from now on.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from linkage.records import DocumentId, KnownIdentity, MentionId, NormalizedMention, Sighting
from linkage.relinking import FoundAnew, found_anew
from linkage.sightings import mention_of
from linkage.told import as_pairs
from pseudonymizer.errors import LinkageOutdatedError
from pseudonymizer.policy import Verb
from pseudonymizer.records import EntityKind, LinkKind
from pseudonymizer.relinks import ChangeKind, HowToRelink, RelinkChange, Relinked, RelinkedPerson
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.api import MentionLinker
from pseudonymizer.vault.assigning.single_label import label_of_one
from pseudonymizer.vault.care.handover import Handover, forms_in
from pseudonymizer.vault.care.relink_plan import Pair, Planned, StoredLinks, of_pairs, planned
from pseudonymizer.vault.known import revision_of
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import documents, entities, people, person_documents
from pseudonymizer.vault.rows.fact_rows import stored_facts
from pseudonymizer.vault.rows.forms import Attribute, Fact, SurfaceForm, fullest
from pseudonymizer.vault.rows.identifiers import entity_number
from pseudonymizer.vault.rows.table_rows import LINK_COLUMNS, LinkRow
from pseudonymizer.vault.ways_back.gate import Gate, gate

_UNSCORED: Final = -1.0
_TRIES: Final = 3  # where other processes write meanwhile


def relink(
    vault: OpenVault,
    project: str,
    how: HowToRelink,
    *,
    linker: Callable[[], MentionLinker],
    registered: Sequence[KnownIdentity] = (),
    purpose: str,
    ticket: str = "",
) -> Relinked:
    """What one go over all mentions that a project keeps finds otherwise; on record. Commits.

    Raises:
        AccessRefusedError and its children, PurposeRequiredError: on record; nothing is changed.
        LinkageOutdatedError: the project was changed each time before it was linked.
        TooManyMentionsError: more mentions are kept than are linked in one go.
    """
    for _ in range(_TRIES):
        with gate(vault, Verb.RELINK, project=project, purpose=purpose, ticket=ticket):
            if how.names:
                authorize(vault, Verb.SEE_NAMES, project_name=project)
            vault.rollback()  # linking takes long, and nobody has to wait for it
        known = vault.known(project)
        vault.rollback()
        found = found_anew((*known.people, *registered), linker())
        with gate(vault, Verb.RELINK, project=project, purpose=purpose, ticket=ticket) as opened:
            if revision_of(vault, opened.keys) == known.revision:
                return _Relinking(opened, found).run(how, people_count=len(known.people))
            vault.rollback()
    raise LinkageOutdatedError("the project is being changed by others; link it anew when they are done")


class _Relinking:
    """The only writer, by what was found."""

    def __init__(self, opened: Gate, found: FoundAnew) -> None:
        self.opened, self.vault, self.keys, self.found = opened, opened.vault, opened.keys, found
        self.rows = self._link_rows()
        self.plan = planned(found, self._stored_links())
        self.made: dict[int, int] = {}  # by place of a person found anew, the entity made for it

    def run(self, how: HowToRelink, *, people_count: int) -> Relinked:
        if how.apply:
            for change in self.plan:
                _APPLY[change.kind](self, change)
        changes = self._told(names=how.names)
        relinked = Relinked(changes, people_count, len(self.found.mention_of), is_applied=how.apply)
        counts = {f"{kind}_changes": number for kind, number in relinked.counts.items()}
        labels = sorted({label for c in changes for person in c.people for label in person.pseudonyms})
        outcome = "done" if how.apply else "listed"
        if how.names:
            named = max(1, sum(person.name is not None for c in changes for person in c.people))
            self.opened.record("relink", labels, counts=counts, outcome=outcome)
            self.opened.open(labels, None, names=named, needs_grant=False, counts=counts)
        else:
            self.opened.commit("relink", labels, counts=counts, outcome=outcome)
        return relinked

    # -- what is stored --------------------------------------------------------------------------------------

    def _link_rows(self) -> dict[LinkKind, list[LinkRow]]:
        rows = self.vault.store.rows(
            f"SELECT {LINK_COLUMNS} FROM link WHERE project_id = ?",  # noqa: S608  our own columns
            (self.keys.project_id,),
        )
        found: dict[LinkKind, list[LinkRow]] = defaultdict(list)
        for row in entities.checked_links(self.keys, rows):
            found[LinkKind(row.kind)].append(row)
        return found

    def _stored_links(self) -> StoredLinks:
        pairs = {kind: of_pairs(map(_sides, rows)) for kind, rows in self.rows.items()}
        one = pairs.get(LinkKind.ALSO_KNOWN_AS, frozenset())
        return StoredLinks(
            one,
            self._said_to_be_one(one),
            pairs.get(LinkKind.SPLIT, frozenset()) - one,
            pairs.get(LinkKind.OPEN, frozenset()) | pairs.get(LinkKind.CANDIDATE, frozenset()),
        )

    def _said_to_be_one(self, pairs: frozenset[Pair]) -> frozenset[Pair]:
        """Those of pairs that somebody said are one person: the trail has it with their pseudonyms."""
        if not pairs:
            return frozenset()
        told = [
            event.subjects
            for event in self.vault.trail.events()
            if event.project == self.keys.name and event.action == "merge" and event.subjects
        ]
        labels = sorted({label for subjects in told for label in subjects})
        owner_of = {
            row.label: row.entity_id
            for row in entities.pseudonym_rows(self.vault, self.keys, "label", labels)
        }
        merged = [{owner_of[label] for label in subjects if label in owner_of} for subjects in told]
        return frozenset(pair for pair in pairs if any(pair <= group for group in merged))

    # -- applying --------------------------------------------------------------------------------------------

    def unmerge(self, change: Planned) -> None:
        """The links that say that two are one go."""
        both, keys = frozenset(change.entities), self.keys
        gone = [row for row in self.rows[LinkKind.ALSO_KNOWN_AS] if frozenset(_sides(row)) == both]
        bind = keys.binder("link").bind
        self.vault.store.run_many(
            "DELETE FROM link WHERE project_id = ? AND left_entity = ? AND right_entity = ? AND kind = ?",
            [(row.project_id, row.left_entity, row.right_entity, row.kind) for row in gone],
        )
        self.vault.checkpoints.removed(
            keys.project_id, "link", [bind(entities.link_fields(row))[16:] for row in gone]
        )

    def merge(self, change: Planned) -> None:
        first, *others = change.entities
        self._add_links((first, other, LinkKind.ALSO_KNOWN_AS) for other in others)

    def split(self, change: Planned) -> None:
        """Mentions of one entity go over to another, which is made if there is none."""
        old, (place,) = change.entities[0], change.places
        target = change.entities[1] if len(change.entities) > 1 else self.made.get(place)
        if target is None:
            kind = EntityKind.AMBIGUOUS if self.found.people[place].is_unclear else EntityKind.PERSON
            over = Handover.to_somebody_new(self.vault, self.keys, old, kind)
            self.made[place] = over.new[0]
            label_of_one(self.vault, self.keys, over.new[0])
        else:
            over = Handover.between(self.vault, self.keys, old, target)
        facts = stored_facts(self.vault, self.keys, {old: over.old[1]})[old]
        going, staying = parted(facts, set(change.found))
        moved = [self.found.mention_of[mention_id].mention for mention_id in change.found]
        over.give_facts(going, staying, facts)
        over.give_edits(self._edits_of(over, going, staying))
        over.give_mentions(moved)
        over.give_open_links(moved)
        self._add_links([(old, over.new[0], LinkKind.SAME_MENTION)])

    def ask(self, change: Planned) -> None:
        left, right = (self._entity_at(place) for place in change.places)
        if left is None or right is None or left == right:
            return
        kinds = entities.entity_kinds(self.vault, self.keys, [left])
        link = change.link
        if change.may_be and kinds[left][0] is EntityKind.AMBIGUOUS:
            row = (left, right, LinkKind.CANDIDATE)
        else:
            row = (min(left, right), max(left, right), LinkKind.OPEN)
        if link is None:
            self._add_links([row])
            return
        ratio = link.partial_ratio if link.partial_ratio == link.partial_ratio else _UNSCORED
        scored = (str(link.decision), link.variant or "", link.match_probability, ratio)
        entities.add_links(self.vault, self.keys, [(*row, *scored)])

    def _entity_at(self, place: int) -> int | None:
        own = self.found.people[place].entities
        return entity_number(own[0]) if own else self.made.get(place)

    def _add_links(self, links: Iterable[tuple[int, int, LinkKind]]) -> None:
        entities.add_links(self.vault, self.keys, [(*link, "", "", _UNSCORED, _UNSCORED) for link in links])

    def _edits_of(
        self, over: Handover, going: Iterable[Fact], staying: Iterable[Fact]
    ) -> set[person_documents.EditPlace]:
        """The edits of ways of writing that, in their document, are the new person's alone."""
        gone, stay = _written(going), _written(staying)
        edits = person_documents.edits_of(self.vault, self.keys, *over.old) if gone else {}
        chosen: set[person_documents.EditPlace] = set()
        for doc_id, surfaces in gone.items():
            numbers = set(documents.document_numbers(self.vault, self.keys, [doc_id]))
            alone = surfaces - stay.get(doc_id, set())
            chosen.update(place for place, text in edits.items() if place[0] in numbers and text in alone)
        return chosen

    # -- telling ---------------------------------------------------------------------------------------------

    def _told(self, *, names: bool) -> tuple[RelinkChange, ...]:
        concerned = [self._concerned(change) for change in self.plan]
        numbers = sorted({number for some in concerned for number in some if number is not None})
        labels: dict[int, list[str]] = {number: [] for number in numbers}
        for row in entities.pseudonym_rows(self.vault, self.keys, "entity_id", numbers):
            labels[row.entity_id].append(row.label)
        name_of = self._names(numbers) if names else {}

        def person(number: int | None) -> RelinkedPerson:
            if number is None:
                return RelinkedPerson(())
            return RelinkedPerson(tuple(sorted(labels[number])), name_of.get(number))

        return tuple(
            RelinkChange(
                change.kind, tuple(map(person, some)), len(change.found),
                None if change.link is None else change.link.match_probability,
            )
            for change, some in zip(self.plan, concerned, strict=True)
        )  # fmt: skip

    def _concerned(self, change: Planned) -> list[int | None]:
        if change.kind is ChangeKind.OPEN:
            return [self._entity_at(place) for place in change.places]
        if change.kind is ChangeKind.SPLIT and len(change.entities) == 1:
            return [change.entities[0], self.made.get(change.places[0])]
        return [*change.entities]

    def _names(self, numbers: Collection[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        for number, facts in people.facts_of(self.vault, self.keys, numbers).items():
            if (best := fullest(forms_in(facts))) is not None:
                found[number] = " ".join(best.surface.split())
        return found


_APPLY: Final[Mapping[ChangeKind, Callable[[_Relinking, Planned], None]]] = {
    ChangeKind.UNMERGE: _Relinking.unmerge,
    ChangeKind.MERGE: _Relinking.merge,
    ChangeKind.SPLIT: _Relinking.split,
    ChangeKind.OPEN: _Relinking.ask,
}


def parted(facts: Sequence[Fact], moved: Collection[MentionId]) -> tuple[list[Fact], list[Fact]]:
    """The facts of a person that go over with these mentions, and those that stay.

    A way of writing, and what a text tells of a person, stays where a mention that stays has it, or where no
    mention that goes over has it.
    """
    met = {fact: mention_of(fact) for fact in facts if isinstance(fact, Sighting)}
    gone = {fact for fact, mention in met.items() if mention.mention_id in moved}
    going = _told_by(met[fact] for fact in met if fact in gone)
    stays = _told_by(met[fact] for fact in met if fact not in gone)
    staying = [
        fact
        for fact in facts
        if fact not in gone and (isinstance(fact, Sighting) or fact not in going or fact in stays)
    ]
    return [*going, *(fact for fact in met if fact in gone)], staying


def _told_by(mentions: Iterable[NormalizedMention]) -> dict[Fact, None]:
    """What is kept of a person beside the mentions themselves, each once."""
    found: dict[Fact, None] = {}
    for mention in mentions:
        found[SurfaceForm(mention.mention.surface, mention.name)] = None
        context = mention.context
        for kind, value in as_pairs(context.attributes, context.roles, context.marks):
            found[Attribute(kind, value)] = None
    return found


def _written(facts: Iterable[Fact]) -> dict[DocumentId, set[str]]:
    """By document, how the names of sightings are written there."""
    found: dict[DocumentId, set[str]] = defaultdict(set)
    for fact in facts:
        if isinstance(fact, Sighting):
            found[fact.doc_id].add(fact.surface)
    return found


def _sides(row: LinkRow) -> tuple[int, int]:
    return row.left_entity, row.right_entity
