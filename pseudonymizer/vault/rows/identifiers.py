"""Entity ids as others see them: `vault:42`, so that a registry's own ids are never taken for ours."""

from typing import Final

from linkage.records import EntityId
from pseudonymizer.errors import InvalidRecordError

_PREFIX: Final = "vault:"


def entity_text(number: int) -> EntityId:
    return EntityId(f"{_PREFIX}{number}")


def is_vault_id(entity_id: EntityId) -> bool:
    return entity_id.startswith(_PREFIX) and entity_id[len(_PREFIX) :].isdecimal()


def entity_number(entity_id: EntityId) -> int:
    """Raises InvalidRecordError for an id that the vault did not give."""
    if not is_vault_id(entity_id):
        raise InvalidRecordError("an entity id here must be one that the vault gave, such as vault:42")
    return int(entity_id[len(_PREFIX) :])
