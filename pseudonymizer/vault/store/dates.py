"""The days on which people were last met, under a count of their own: retention destroys whom they tell of.

An entity's row is bound without this day, which moves whenever the person is met. The checkpoint of the name
below holds the number of entities and the sum of keyed values over entity and day. A vault that an earlier
program wrote gets it with the first write that finds none; what happened to the days before cannot be told.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import Any, Final

from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.vault.store import migration
from pseudonymizer.vault.store.checkpoints import Checkpoints, read_states, revision_of, sum_of
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import Store

DATES: Final = "last_seen_on"  # of the checkpoint, in place of the name of a table
WITH_DATES: Final = "vault_0006"  # the first revision whose programs keep the count
_DAY: Final = struct.Struct(">Qq")
_ROWS: Final = "SELECT entity_id, last_seen_on FROM entity WHERE project_id = ?"


def date_halves(keys: ProjectKeys, days: Iterable[tuple[Any, ...]]) -> list[bytes]:
    """The secret halves of entities with the days on which they were last met, as days since 1970-01-01."""
    bind = keys.binder(DATES).bind
    return [bind(_DAY.pack(entity_id, day))[16:] for entity_id, day in days]


def count_dates(store: Store, keys: ProjectKeys, checkpoints: Checkpoints) -> None:
    """Let the count be made, or left out, where the project has none yet. Before checkpoints are written."""
    if DATES in read_states(store, keys):
        return
    checkpoints.forget(keys.project_id, DATES)
    if migration.has_reached(store, WITH_DATES):
        checkpoints.added(keys.project_id, DATES, date_halves(keys, _days(store, keys)))


def counted_dates(store: Store, keys: ProjectKeys) -> tuple[int, int]:
    """The number of days that are stored, and the sum of their secret halves."""
    halves = date_halves(keys, _days(store, keys))
    return len(halves), sum_of(halves)


def check_dates(store: Store, keys: ProjectKeys, *, told: int) -> None:
    """Nothing, where the days are those that the vault wrote, or were never counted.

    told: the sum of the revisions of the project's checkpoints, as the trail has it.

    Raises:
        VaultDamagedError: a day was altered, or the count of the days.
    """
    states = read_states(store, keys)
    is_last = revision_of(states) == told
    if not is_last or (DATES in states and counted_dates(store, keys) != states[DATES][:2]):
        raise VaultDamagedError(
            f"the days on which people of project {keys.project_id} were last met were altered, so nobody is "
            "erased by them; run `nymlink vault verify`"
        )


def _days(store: Store, keys: ProjectKeys) -> Iterator[tuple[Any, ...]]:
    with store.streaming(_ROWS, (keys.project_id,)) as rows:
        yield from rows
