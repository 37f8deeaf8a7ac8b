"""Splitting: a part of what was taken for one person becomes a person of its own.

Published texts keep the pseudonym they carry, and that pseudonym stays with the first person; the new person
gets a new one, for whatever is pseudonymized from now on. A link keeps the two together in the record.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from linkage.records import Mention, Sighting
from linkage.sightings import mention_of
from linkage.told import Verdict
from pseudonymizer.document_ids import source_of
from pseudonymizer.errors import SettingsError, UnknownPseudonymError
from pseudonymizer.policy import Verb
from pseudonymizer.records import EntityKind, LinkKind
from pseudonymizer.splits import Part as Part
from pseudonymizer.splits import Split as Split
from pseudonymizer.vault.assigning.single_label import label_of_one
from pseudonymizer.vault.care.handover import Handover, forms_in
from pseudonymizer.vault.care.judged_pairs import judged_anew
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import documents, entities, person_documents
from pseudonymizer.vault.rows.fact_rows import stored_facts
from pseudonymizer.vault.rows.forms import Fact, Mark, SurfaceForm
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.ways_back.gate import Gate, gate

_UNSCORED = -1.0


def split(
    vault: OpenVault, *, project: str, pseudonym: str, part: Part, purpose: str, ticket: str = ""
) -> Split:
    """Take a new person out of the one behind this pseudonym; commits. A way of writing that occurs in both
    parts stays with both.

    Raises:
        AccessRefusedError, PurposeRequiredError, UnknownPseudonymError: on record; nothing is changed.
        SettingsError: nothing would go over, or nothing would stay.
    """
    with gate(vault, Verb.SEE_NAMES, project=project, purpose=purpose, ticket=ticket) as opened:
        label, entity_id = _person_behind(opened, pseudonym)
        work = _Split(vault, opened.keys, entity_id, part)
        made = work.run()
        counts = {"forms": made.forms, "mentions": made.mentions, "edits": made.edits}
        opened.commit("split", (label, made.label), counts=counts)
        return made


def _person_behind(opened: Gate, pseudonym: str) -> tuple[str, int]:
    """(the label as it is stored, whose it is)"""
    ((label, entity_id),) = opened.owners([pseudonym]).items()
    if entities.entity_kinds(opened.vault, opened.keys, [entity_id])[entity_id][0] is not EntityKind.PERSON:
        opened.refuse("unknown pseudonym")
        raise UnknownPseudonymError("no person of this project has this pseudonym; nothing was split")
    return label, entity_id


class _Split:
    def __init__(
        self,
        vault: OpenVault,
        keys: ProjectKeys,
        entity_id: int,
        part: Part,
    ) -> None:
        self.vault, self.keys, self.old = vault, keys, entity_id
        self.surfaces, self.doc_ids = frozenset(part.surfaces), frozenset(part.doc_ids)
        self.found = tuple(part.found)
        self.old_sealer = entities.sealers_of(vault, keys, [entity_id])[entity_id]

    def run(self) -> Split:
        vault, keys = self.vault, self.keys
        facts = stored_facts(vault, keys, {self.old: self.old_sealer})[self.old]
        edits = person_documents.edits_of(vault, keys, self.old, self.old_sealer)
        taken = set(documents.document_numbers(vault, keys, self.doc_ids))
        chosen = {
            place: surface
            for place, surface in edits.items()
            if place[0] in taken or surface in self.surfaces
        }
        going, staying = self._parted(facts, chosen, edits)
        over = Handover.to_somebody_new(vault, keys, self.old)
        new = over.new[0]
        over.give_facts(going, staying, facts)
        over.give_edits(chosen)
        sighted = [mention_of(fact).mention for fact in going if isinstance(fact, Sighting)]
        moved = over.give_mentions([*self.found, *sighted], self.doc_ids)
        over.give_open_links(sighted)
        label = label_of_one(vault, keys, new)
        row = (self.old, new, LinkKind.SPLIT, "", "", _UNSCORED, _UNSCORED)
        entities.add_links(vault, keys, [row])
        return Split(label, new, len(forms_in(going)), moved, len(chosen))

    def _parted(
        self, facts: Sequence[Fact], chosen: Mapping[Any, str], edits: Mapping[Any, str]
    ) -> tuple[list[Fact], list[Fact]]:
        """The facts of the new person and those of the old; what occurs in both parts is with both. What was
        accepted of a mention of the one and one of the other is rejected from now on.
        """
        if Mark("decoy") in facts:
            raise SettingsError("this pseudonym cannot be split")
        met = {mention.surface for mention in self.found} | set(chosen.values())
        met |= {f.surface for f in facts if isinstance(f, Sighting) and self._goes(mention_of(f).mention)}
        left = {surface for place, surface in edits.items() if place not in chosen}
        going: list[Fact] = []
        staying: list[Fact] = []
        names_left = False
        for fact in facts:
            if isinstance(fact, Sighting):
                (going if self._goes(mention_of(fact).mention) else staying).append(fact)
                continue
            if not isinstance(fact, SurfaceForm):
                staying.append(fact)
                continue
            if fact.surface in self.surfaces or fact.surface in met:
                going.append(fact)
            if fact.surface not in self.surfaces and (fact.surface not in met or self._stays(fact, left)):
                staying.append(fact)
                names_left = True
        if not forms_in(going):
            raise SettingsError("nothing of this person is written like that; nothing was split")
        if not names_left:
            raise SettingsError("every name of this person would go over; a split must leave both a name")
        return judged_anew(going, staying, Verdict.REJECT, self.vault.clock())

    def _goes(self, mention: Mention) -> bool:
        """Whether a mention of the person is one of the new person's."""
        return (
            mention.surface in self.surfaces
            or mention.doc_id in self.doc_ids
            or source_of(mention.doc_id) in self.doc_ids
            or any(m.mention_id == mention.mention_id and m.surface == mention.surface for m in self.found)
        )

    def _stays(self, told: SurfaceForm, left: set[str]) -> bool:
        """Without stored edits it cannot be told where else a form was met, so it stays with both."""
        return told.surface in left or not left
