"""The pseudonyms of one style in a project: what a style must know before it draws more."""

from collections.abc import Collection, Iterator
from typing import Final

from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.records import Style
from pseudonymizer.vault.rows.documents import document_rows
from pseudonymizer.vault.rows.entities import DAMAGED_ROW, pseudonym_fields
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys

_OF_STYLE: Final = (
    "SELECT pseudonym_id, project_id, label, entity_id, scope, scope_tag, style, created_on, binding "
    "FROM pseudonym WHERE project_id = ? AND style = ? ORDER BY pseudonym_id"
)


def labels_of_style(vault: VaultCore, keys: ProjectKeys, style: Style) -> Iterator[tuple[str, int]]:
    """(label, entity) of all pseudonyms of a style."""
    tag = keys.binder("pseudonym").tag
    for row in vault.store.rows(_OF_STYLE, (keys.project_id, str(style))):
        if tag(pseudonym_fields(row)) != bytes(row[8]):
            raise VaultDamagedError(DAMAGED_ROW.format(table="pseudonym"))
        label, entity_id = row[2:4]
        yield label, entity_id


def outputs_among(vault: VaultCore, project: str, digests: Collection[bytes]) -> set[bytes]:
    """The digests (crypto.digest_sha256 of a file's bytes) that belong to outputs of the project."""
    keys = vault.keys_of(project)
    tag = keys.binder("output").tag
    by_tag = {tag(digest): digest for digest in digests}
    found = document_rows(vault, keys, "output_tag", sorted(by_tag))
    return {by_tag[bytes(row[3])] for row in found}
