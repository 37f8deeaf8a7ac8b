"""The pseudonyms of one style in a project: what a style must know before it draws more."""

from collections.abc import Collection, Iterator
from typing import Final

from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.records import EntityKind, Style
from pseudonymizer.vault.rows.documents import document_rows
from pseudonymizer.vault.rows.entities import DAMAGED_ROW, checked_pseudonyms, entity_kinds
from pseudonymizer.vault.rows.table_rows import PSEUDONYM_COLUMNS
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys

_OF_STYLE: Final = (
    f"SELECT {PSEUDONYM_COLUMNS} FROM pseudonym WHERE project_id = ? AND style = ? "  # noqa: S608  our own columns
    "ORDER BY pseudonym_id"
)


def labels_of_style(vault: VaultCore, keys: ProjectKeys, style: Style) -> Iterator[tuple[str, int]]:
    """(label, entity) of all pseudonyms of a style."""
    for one in checked_pseudonyms(keys, vault.store.rows(_OF_STYLE, (keys.project_id, str(style)))):
        yield one.label, one.entity_id


def labels_of_people(vault: VaultCore, keys: ProjectKeys, style: Style) -> list[tuple[str, int]]:
    """(label, entity) of those pseudonyms of a style that stand for no value of another kind."""
    return _by_kind(vault, keys, style)[0]


def labels_of_values(vault: VaultCore, keys: ProjectKeys, style: Style) -> list[tuple[str, int]]:
    """(label, entity) of those pseudonyms of a style that stand for values of other kinds than persons."""
    return _by_kind(vault, keys, style)[1]


def styles_of_people(vault: VaultCore, keys: ProjectKeys) -> tuple[Style, ...]:
    """The styles in which people of a project have pseudonyms, in the order of Style."""
    rows = vault.store.rows(
        "SELECT DISTINCT p.style FROM pseudonym p JOIN entity e ON e.entity_id = p.entity_id "
        "WHERE p.project_id = ? AND e.kind IN (?, ?)",
        (keys.project_id, int(EntityKind.PERSON), int(EntityKind.AMBIGUOUS)),
    )
    found = {str(name) for (name,) in rows}
    return tuple(style for style in Style if str(style) in found)


def _by_kind(
    vault: VaultCore, keys: ProjectKeys, style: Style
) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    found = list(labels_of_style(vault, keys, style))
    kinds = entity_kinds(vault, keys, {entity_id for _, entity_id in found})
    parted: tuple[list[tuple[str, int]], list[tuple[str, int]]] = ([], [])
    for label, entity_id in found:
        if entity_id not in kinds:
            raise VaultDamagedError(DAMAGED_ROW.format(table="entity"))
        parted[kinds[entity_id][0] is EntityKind.VALUE].append((label, entity_id))
    return parted


def outputs_among(vault: VaultCore, project: str, digests: Collection[bytes]) -> set[bytes]:
    """The digests (crypto.digest_sha256 of a file's bytes) that belong to outputs of the project."""
    keys = vault.keys_of(project)
    tag = keys.binder("output").tag
    by_tag = {tag(digest): digest for digest in digests}
    found = document_rows(vault, keys, "output_tag", sorted(by_tag))
    return {by_tag[bytes(row.output_tag)] for row in found}
