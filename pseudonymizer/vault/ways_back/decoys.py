"""People who do not exist: whoever reveals one raises an alarm. Nothing in the database tells them from
others."""

from linkage.records import PersonName
from pseudonymizer.audit import Entry
from pseudonymizer.policy import Verb
from pseudonymizer.records import EntityKind, Scope
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.assigning.single_label import new_label
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities
from pseudonymizer.vault.rows.fact_rows import add_facts
from pseudonymizer.vault.rows.forms import Fact, Mark, SurfaceForm, normal_form
from pseudonymizer.vault.rows.indexing import NAME_LABEL, tags_of


def add_decoy(vault: OpenVault, *, project: str, name: PersonName, surface: str) -> str:
    """The pseudonym of a new decoy; commit makes it durable. The audit does not say which it is."""
    with vault.lock:
        keys = vault.begin_in(project)
        role = authorize(vault, Verb.MANAGE, project_name=project)
        (entity_id,), (sealer,) = entities.add_entities(vault, keys, [EntityKind.PERSON])
        facts: list[Fact] = [SurfaceForm(surface, name), Mark("decoy")]
        add_facts(vault, keys, [(entity_id, facts, sealer)])
        if (form := normal_form(name)) is not None:
            found = tags_of(keys, NAME_LABEL, form)
            entities.add_index(vault, keys, [(version, entity_id, t) for version, t in found.items()])
        style, label = new_label(vault, keys)
        entities.add_pseudonyms(vault, keys, style, [(entity_id, Scope.PROJECT, b"")], [label])
        vault.record(Entry("decoy", project=project, role=role))
        return label
