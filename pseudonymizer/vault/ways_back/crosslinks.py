"""Pairs of pseudonyms of two projects that are one person: the only verb that crosses projects.

It is on record, and needs a grant unless both projects do with a single approval. Without it the pseudonyms
of two projects say nothing about each other: each project has keys of its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from pseudonymizer.audit import Entry
from pseudonymizer.errors import GrantInvalidError, SettingsError
from pseudonymizer.policy import Verb
from pseudonymizer.records import AccessRequest, CrossLink, EntityKind, Scope
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities, people
from pseudonymizer.vault.rows.forms import Mark, SurfaceForm, normal_form
from pseudonymizer.vault.rows.indexing import registry_id_of
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.ways_back.gate import gate


def request_link(
    vault: OpenVault, *, project: str, other: str, purpose: str, legal_basis: str = "", ticket: str = ""
) -> AccessRequest:
    """Ask for the links between two projects; approved and granted like every other request."""
    with gate(vault, Verb.REQUEST, project=project, purpose=purpose, ticket=ticket) as opened:
        vault.keys_of(other)
        return opened.ask(Verb.LINK_PROJECTS, (_subject(other),), legal_basis)


def link_projects(
    vault: OpenVault, *, project: str, other: str, purpose: str, ticket: str = "", grant: str | None = None
) -> tuple[CrossLink, ...]:
    """Pairs of pseudonyms, one of each project, that stand for one person, in the order of the first.

    Two people are one where a registry gave them the same id, or where one full name is borne by exactly one
    person in each project. Nothing is stored; both projects' trails say that it was asked and how much was
    found. Only labels of project scope take part: others would undo their scope.

    Raises:
        GrantInvalidError: one of the projects wants a grant, and there is none; on record.
    """
    with gate(vault, Verb.LINK_PROJECTS, project=project, purpose=purpose, ticket=ticket) as opened:
        if project == other:
            raise SettingsError("give two projects: within one, pseudonyms are linked already")
        others = vault.keys_of(other)
        if grant is None and not vault.project_settings(other).single_approval:
            opened.refuse("grant", (_subject(other),))
            raise GrantInvalidError(
                "the other project gives nothing without a grant: request, have it approved"
            )
        found = _pairs(vault, opened.keys, others)
        opened.open((_subject(other),), grant, names=max(1, len(found)), counts={"links": len(found)})
        vault.record(Entry(
            str(Verb.LINK_PROJECTS), project=other, role=opened.role, subjects=(_subject(project),),
            purpose=opened.purpose, ticket=ticket, outcome="allowed", counts={"links": len(found)},
        ))  # fmt: skip
        vault.commit()
        return found


def _subject(project: str) -> str:
    return f"project:{project}"


def _pairs(vault: OpenVault, left: ProjectKeys, right: ProjectKeys) -> tuple[CrossLink, ...]:
    one, two = _people(vault, left), _people(vault, right)
    evidence: dict[tuple[int, int], str] = {}
    for key in one.keys() & two.keys():
        (kind, _), mine, theirs = key, one[key], two[key]
        if len(mine) == len(theirs) == 1:
            pair = (next(iter(mine)), next(iter(theirs)))
            if evidence.get(pair) != "registry":
                evidence[pair] = kind
    first, second = (
        _labels(vault, left, (a for a, _ in evidence)),
        _labels(vault, right, (b for _, b in evidence)),
    )
    return tuple(
        sorted(
            CrossLink(first[a], second[b], kind)
            for (a, b), kind in evidence.items()
            if a in first and b in second
        )
    )


def _people(vault: OpenVault, keys: ProjectKeys) -> Mapping[tuple[str, str], set[int]]:
    """People by what tells them: a registry's id, or a full name. Decoys and unclear mentions are nobody."""
    found: dict[tuple[str, str], set[int]] = defaultdict(set)
    for entity_id, facts in people.facts_in_project(vault, keys):
        if any(isinstance(fact, Mark) and fact.kind == "decoy" for fact in facts):
            continue
        for fact in facts:
            if isinstance(fact, SurfaceForm) and (form := normal_form(fact.name)) is not None:
                found["full name", form].add(entity_id)
            elif isinstance(fact, Mark) and (given := registry_id_of(fact)) is not None:
                found["registry", given].add(entity_id)
    kinds = entities.entity_kinds(vault, keys, set().union(*found.values()))
    return {
        key: people_of
        for key, owners in found.items()
        if (people_of := {owner for owner in owners if kinds[owner][0] is EntityKind.PERSON})
    }


def _labels(vault: OpenVault, keys: ProjectKeys, entity_ids: Iterable[int]) -> dict[int, str]:
    return {
        entity_id: label
        for _, label, entity_id, scope, scope_tag, _ in entities.pseudonym_rows(
            vault, keys, "entity_id", sorted(set(entity_ids))
        )
        if scope is Scope.PROJECT and not scope_tag  # not the label of one run
    }
