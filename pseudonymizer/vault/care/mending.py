"""Roles begun anew where they were altered or put back, and older copies of the vault accepted: on record."""

from typing import Final

from pseudonymizer.audit import Entry
from pseudonymizer.errors import AccessRefusedError, PurposeRequiredError
from pseudonymizer.policy import Role, Verb
from pseudonymizer.schema import access_request, actor_role, approval, rate_bucket
from pseudonymizer.vault.access import authorize, check_actor
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.heads import ACCEPTED
from pseudonymizer.vault.store.ownrows import MENDED

# Nothing tells which of these rows are those that the vault wrote last.
_BEGUN_ANEW: Final = (actor_role, access_request, approval, rate_bucket)


def mend_roles(vault: VaultCore, dpo: str) -> int:
    """Drop all roles, requests, approvals and limits, and let one actor be dpo, who gives roles again.

    Returns how many rows were dropped. Commits.

    Raises:
        AccessRefusedError: the vault is not open by its recovery key.
        SettingsError: nobody could type the name of this actor again.
        VaultDamagedError: a project or an unfinished erasure was altered too; only a backup helps.
    """
    check_actor(dpo)
    with vault.lock:
        if not vault.opened_for_recovery:
            raise AccessRefusedError("roles are mended with the recovery key alone: --recovery-file FILE")
        vault.begin()
        try:
            dropped = vault.own.begin_anew(_BEGUN_ANEW)
            now = vault.clock().isoformat()
            vault.own.insert(actor_role, (dpo, str(Role.DPO), vault.actor, now))
            subjects, counts = (f"{dpo}={Role.DPO}",), {"dropped": dropped}
            vault.record(Entry(MENDED, role="recovery", subjects=subjects, counts=counts))
            vault.commit()
        except BaseException:
            vault.rollback()
            raise
        return dropped


def accept_put_back(vault: VaultCore, *, purpose: str) -> None:
    """Put on record that an older copy of vault or key store was put back rightly; `verify` finds it no more.

    The rows of the key store are counted as they stand from then on. Commits.

    Raises:
        AccessRefusedError: on record.
        PurposeRequiredError: nobody says why.
    """
    with vault.lock:
        vault.begin()
        role = authorize(vault, Verb.MANAGE, purpose=purpose)
        if not purpose.strip():
            vault.rollback()
            raise PurposeRequiredError("say why an older copy was put back: --purpose TEXT")
        vault.begin_keys(accepted=True)
        vault.record(Entry(ACCEPTED, role=role, purpose=purpose))
        vault.commit()
