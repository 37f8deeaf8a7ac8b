"""Whether the project knows a person of a full name, by the blind index."""

from collections.abc import Sequence

from linkage.records import PersonName
from pseudonymizer.vault.rows import entities
from pseudonymizer.vault.rows.forms import NORMAL_FORM_VERSION, normal_form
from pseudonymizer.vault.rows.indexing import NAME_LABEL
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys


def are_known(vault: VaultCore, keys: ProjectKeys, names: Sequence[PersonName]) -> tuple[bool, ...]:
    """For each name whether it is in the index of full names; False for one that is not full.

    The tags of all key versions that live are looked up: a person stands under one of them at least.
    """
    forms = [normal_form(name) for name in names]
    wanted = sorted({form for form in forms if form is not None})
    known: set[str] = set()
    for index in keys.indexes.values():
        tags = index.tags(NAME_LABEL, wanted, normal_form_version=NORMAL_FORM_VERSION)
        found = entities.find_index(vault, keys, tags)
        known.update(form for form, tag in zip(wanted, tags, strict=True) if tag in found)
    return tuple(form in known for form in forms)
