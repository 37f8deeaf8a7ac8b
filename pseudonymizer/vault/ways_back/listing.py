"""The people of a project with their pseudonyms and counts, for those who may see names; on record."""

from collections.abc import Collection
from typing import Final

from pseudonymizer.policy import Verb
from pseudonymizer.records import EntityKind, ListedPerson
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities, people, person_documents
from pseudonymizer.vault.rows.forms import LITERAL_MARK, Mark, SurfaceForm, fullest
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks
from pseudonymizer.vault.ways_back.gate import gate

_HIDDEN: Final = (Mark(LITERAL_MARK), Mark("decoy"))  # of texts that look like labels, and of nobody


def listed_people(
    vault: OpenVault, project: str, *, purpose: str, ticket: str = "", most: int | None = None
) -> tuple[ListedPerson, ...]:
    """The people of a project, those with most labels in outputs first. most: how many at most.

    Raises:
        AccessRefusedError and its children: the actor may not see names, or no more of them now; on record.
    """
    with gate(vault, Verb.SEE_NAMES, project=project, purpose=purpose, ticket=ticket) as opened:
        numbers = _shown(vault, opened.keys)
        counts = person_documents.counts_of_entities(vault, numbers)
        numbers.sort(key=lambda number: (-counts.get(number, (0, 0))[1], number))
        told = numbers if most is None else numbers[:most]
        labels: dict[int, list[str]] = {number: [] for number in told}
        for row in entities.pseudonym_rows(vault, opened.keys, "entity_id", sorted(told)):
            labels[row.entity_id].append(row.label)
        every_label = tuple(sorted(label for some in labels.values() for label in some))
        opened.open(
            every_label, None, names=max(1, len(told)), needs_grant=False, counts={"people": len(told)}
        )
        found: dict[int, ListedPerson] = {}
        for chunk in in_chunks(sorted(told), 5_000):
            for number, facts in people.facts_of(vault, opened.keys, chunk).items():
                forms = [fact for fact in facts if isinstance(fact, SurfaceForm)]
                best = fullest(forms)
                if best is not None:
                    documents, places = counts.get(number, (0, 0))
                    spellings = len({" ".join(form.surface.split()) for form in forms})
                    name = " ".join(best.surface.split())
                    found[number] = ListedPerson(
                        tuple(sorted(labels[number])), name, spellings, documents, places
                    )
        return tuple(found[number] for number in told if number in found)


def _shown(vault: OpenVault, keys: ProjectKeys) -> list[int]:
    """The numbers of all people but decoys and texts that only look like labels."""
    rows = vault.store.rows(
        "SELECT entity_id FROM entity WHERE project_id = ? AND kind = ? ORDER BY entity_id",
        (keys.project_id, int(EntityKind.PERSON)),
    )
    numbers = [number for (number,) in rows]
    return [
        number
        for chunk in in_chunks(numbers, 5_000)
        for number, facts in people.facts_of(vault, keys, chunk).items()
        if not _is_hidden(facts)
    ]


def _is_hidden(facts: Collection[object]) -> bool:
    return any(mark in facts for mark in _HIDDEN)
