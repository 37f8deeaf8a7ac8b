"""What is known of one person goes over to another: facts, full names, edits, mentions, open links.

Pseudonyms stay where they are: published texts are read as before.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from linkage.records import DocumentId, Mention
from pseudonymizer.crypto import Sealer
from pseudonymizer.records import EntityKind
from pseudonymizer.schema import name_index
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities, mentions, person_documents, run_results
from pseudonymizer.vault.rows.fact_rows import add_facts, replace_facts, stored_facts
from pseudonymizer.vault.rows.forms import Fact, SurfaceForm, normal_form
from pseudonymizer.vault.rows.indexing import NAME_LABEL, tags_of
from pseudonymizer.vault.store.projectkeys import ProjectKeys


@dataclass(frozen=True, slots=True)
class Handover:
    """From one person to another, by their numbers and sealers; as the only writer of an open vault."""

    vault: OpenVault
    keys: ProjectKeys
    old: tuple[int, Sealer] = field(repr=False)
    new: tuple[int, Sealer] = field(repr=False)

    @classmethod
    def between(cls, vault: OpenVault, keys: ProjectKeys, old: int, new: int) -> "Handover":
        """From one person of the project to another one that is there."""
        sealers = entities.sealers_of(vault, keys, [old, new])
        return cls(vault, keys, (old, sealers[old]), (new, sealers[new]))

    @classmethod
    def to_somebody_new(
        cls, vault: OpenVault, keys: ProjectKeys, old: int, kind: EntityKind = EntityKind.PERSON
    ) -> "Handover":
        """From one person to an entity that is made for it."""
        sealer = entities.sealers_of(vault, keys, [old])[old]
        (number,), (fresh,) = entities.add_entities(vault, keys, [kind])
        return cls(vault, keys, (old, sealer), (number, fresh))

    def give_facts(self, going: Sequence[Fact], staying: Sequence[Fact], facts: Sequence[Fact]) -> None:
        """Facts of the old person, all of which are `facts`: what goes over, and what stays."""
        (old, old_sealer), (new, new_sealer) = self.old, self.new
        there = set(stored_facts(self.vault, self.keys, {new: new_sealer})[new])
        fresh = [fact for fact in going if fact not in there]
        if fresh:
            add_facts(self.vault, self.keys, [(new, fresh, new_sealer)])
        if list(staying) != list(facts):
            replace_facts(self.vault, self.keys, old, old_sealer, staying)
        self._give_index(going, staying, there)

    def _give_index(self, going: Iterable[Fact], staying: Iterable[Fact], there: Iterable[Fact]) -> None:
        """The full names in facts that go over, in the blind index."""
        vault, keys, old = self.vault, self.keys, self.old[0]
        new, kept = self._index_rows(going, self.new[0]), self._index_rows(staying, old)
        gone = []
        for version, _, tag in new:
            if (version, old, tag) in kept:
                continue
            for (binding,) in vault.store.rows(
                "SELECT binding FROM name_index WHERE project_id = ? AND index_version = ? AND tag = ? "
                "AND entity_id = ?",
                (keys.project_id, version, tag, old),
            ):
                gone.append((version, tag, binding))
        _, total = keys.binder(name_index.name).bind_all(
            [entities.index_fields(keys.project_id, version, old, tag) for version, tag, _ in gone]
        )
        vault.checkpoints.counted(keys.project_id, name_index.name, -len(gone), -total)
        vault.store.run_many(
            "DELETE FROM name_index WHERE project_id = ? AND index_version = ? AND tag = ? AND entity_id = ?",
            [(keys.project_id, version, tag, old) for version, tag, _ in gone],
        )
        entities.add_index(vault, keys, new - self._index_rows(there, self.new[0]))

    def _index_rows(self, facts: Iterable[Fact], entity_id: int) -> set[tuple[int, int, bytes]]:
        names = {full for told in forms_in(facts) if (full := normal_form(told.name)) is not None}
        return {
            (version, entity_id, tag)
            for full in names
            for version, tag in tags_of(self.keys, NAME_LABEL, full).items()
        }

    def give_edits(self, places: Collection[person_documents.EditPlace]) -> None:
        """Edits of rewritten documents."""
        person_documents.give_edits(self.vault, self.keys, places, self.old, self.new)

    def give_mentions(self, found: Sequence[Mention], doc_ids: Collection[DocumentId] = ()) -> int:
        """These mentions, and all of the old person in these documents; returns how many went over."""
        keys, old, new = self.keys, self.old[0], self.new[0]
        tags = set(mentions.mention_tags(keys, found))
        whole = set(mentions.document_tags(keys, doc_ids).values())
        documents_of = whole | set(mentions.document_tags(keys, {m.doc_id for m in found}).values())
        if not documents_of:
            return 0
        return mentions.move_mentions(
            self.vault,
            keys,
            lambda doc, tag, owner: new if owner == old and (doc in whole or tag in tags) else owner,
            documents_of,
        )

    def give_open_links(self, met: Sequence[Mention]) -> None:
        """Open links of mentions that go over; none is left between the two people."""
        tags = mentions.mention_tags(self.keys, met)
        run_results.give(self.vault, self.keys, tags, self.old[0], self.new[0])
        run_results.settle(self.vault, self.keys, (self.old[0], self.new[0]))


def forms_in(facts: Iterable[Fact]) -> list[SurfaceForm]:
    """The ways of writing a name among facts."""
    return [fact for fact in facts if isinstance(fact, SurfaceForm)]
