"""Pseudonyms by workers that share nothing: an expiring key for one run, and sealed parcels to the vault.

RunWorker needs no vault. hand_out and accept are functions of a vault that is open here, or of the client of
a service; see pseudonymizer.vault.ways_back.runkeys.
"""

from collections.abc import Sequence

from pseudonymizer.records import Accepted, RunKey
from pseudonymizer.vault.api import VaultApi
from pseudonymizer.vault.ways_back.runkeys import MOST_HOURS, RunWorker

__all__ = ["MOST_HOURS", "Accepted", "RunKey", "RunWorker", "accept", "hand_out"]


def hand_out(
    vault: VaultApi, *, project: str, run: str, hours: int, purpose: str, ticket: str = ""
) -> RunKey:
    """A run key; on record before it leaves. The run's full name holds its end, so that no one can extend it.

    Raises:
        AccessRefusedError, PurposeRequiredError: on record.
        SettingsError: hours is not in 1..168, or the run has no name.
    """
    return vault.hand_out(project=project, run=run, hours=hours, purpose=purpose, ticket=ticket)


def accept(vault: VaultApi, *, project: str, run: str, parcels: Sequence[bytes]) -> Accepted:
    """Store what workers of a run found, so that their labels lead back; commits. May be repeated.

    Raises:
        GrantInvalidError: the run has expired, or run is not a run's full name.
        UnsealError: a parcel is of another run, project or vault, or was altered; nothing is stored.
    """
    return vault.accept(project=project, run=run, parcels=parcels)
