"""What an erasure would destroy, before anybody says that it shall."""

from collections.abc import Collection

from pseudonymizer.errors import InvalidTokenError, PurposeRequiredError, UnknownPseudonymError
from pseudonymizer.policy import Verb
from pseudonymizer.values import ErasurePlan, ToErase
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.rows import entities, person_documents
from pseudonymizer.vault.rows import values as value_rows
from pseudonymizer.vault.rows.read_labels import typed_labels
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys


def planned_erasure(
    vault: VaultCore, project: str, what: ToErase, *, purpose: str, ticket: str = ""
) -> ErasurePlan:
    """What erasing these people would destroy. Nothing is changed, and nothing is on record but a refusal.

    Raises:
        AccessRefusedError: the actor may not erase.
        UnknownPseudonymError: a pseudonym or value is not of this project, or was erased.
    """
    with vault.lock:
        vault.begin()
        try:
            keys = vault.keys_of(project)
            authorize(vault, Verb.ERASE, project_name=project, purpose=purpose, ticket=ticket)
            if not purpose.strip():
                raise PurposeRequiredError("say why these people are erased: --purpose TEXT")
            numbers = _numbers(vault, keys, what)
            rows = entities.pseudonym_rows(vault, keys, "entity_id", sorted(numbers))
            labels = tuple(sorted({row.label for row in rows}))
            paths, documents = person_documents.paths_of_entities(vault, keys, numbers)
            return ErasurePlan(len(numbers), labels, documents, paths)
        finally:
            vault.rollback()


def _numbers(vault: VaultCore, keys: ProjectKeys, what: ToErase) -> Collection[int]:
    if what.days is not None:
        return {
            row[0]
            for row in vault.store.rows(
                "SELECT entity_id FROM entity WHERE project_id = ? AND last_seen_on < ?",
                (keys.project_id, vault.today() - what.days),
            )
        }
    if what.values:
        found = (value_rows.owners_of(vault, keys, value) for value in what.values)
        if (owners := next(filter(None, found), None)) is None:
            raise UnknownPseudonymError("this value is not of this project; nothing would be erased")
        return owners
    try:
        labels = set(typed_labels(vault, keys, what.pseudonyms))
    except InvalidTokenError:
        labels = set(what.pseudonyms)  # told below, with those that nobody has
    rows = list(entities.pseudonym_rows(vault, keys, "label", sorted(labels)))
    if missing := labels - {row.label for row in rows}:
        erased = len(entities.erased_labels(vault, keys, sorted(missing)))
        raise UnknownPseudonymError(missing_labels(len(missing), erased))
    return {row.entity_id for row in rows}


def missing_labels(missing: int, erased: int) -> str:
    """Words about pseudonyms that the vault does not have. erased: how many of them were erased before."""
    if erased == missing:
        return f"{missing} of these pseudonyms were erased before, so nothing was erased now; leave them out"
    before = f", and {erased} were erased before" if erased else ""
    return f"{missing - erased} of these pseudonyms are not of this project{before}; nothing was erased"
