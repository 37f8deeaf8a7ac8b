"""What data protection officers do: erase people, set how a project is kept, give roles and take them. The
vault decides who may, and puts it on record.
"""

from dataclasses import replace

import msgspec

from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.steward_answered import (
    Erased,
    ErasurePlanned,
    RoleShown,
    RolesShown,
    SettingsShown,
)
from pseudonymizer.desk.steward_asked import ChangeProject, ChangeRole, Erase, ListRoles, PlanErasure
from pseudonymizer.errors import PseudonymizerError, SettingsError, UnknownProjectError
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.values import ToErase
from pseudonymizer.vault.api import VaultApi
from pseudonymizer.vault.folders import WORKSPACE_LEFT


def plan_erasure(vault: VaultApi, project: str, asked: PlanErasure) -> ErasurePlanned:
    """What erasing these people would destroy. Nothing is changed.

    Raises:
        AccessRefusedError: the actor may not erase; on record.
        UnknownPseudonymError: a pseudonym is not of this project, or was erased.
        SettingsError: the project keeps people for good, and no pseudonym is named.
    """
    days = None if asked.pseudonyms else _retention(vault, project)
    what = ToErase(pseudonyms=asked.pseudonyms, days=days)
    plan = vault.planned_erasure(project, what, purpose=asked.purpose, ticket=asked.ticket)
    vault.rollback()
    return ErasurePlanned(plan.people, plan.pseudonyms, plan.documents, plan.paths)


def erase(vault: VaultApi, project: str, asked: Erase) -> Erased:
    """The receipt: what the vault knew of these people is destroyed. Raises as plan_erasure does."""
    if asked.pseudonyms:
        receipt = vault.erase(
            project=project, pseudonyms=asked.pseudonyms, purpose=asked.purpose, ticket=asked.ticket
        )
    else:
        found = vault.erase_unseen_since(
            project=project, days=_retention(vault, project), purpose=asked.purpose, ticket=asked.ticket
        )
        if found is None:
            return Erased(project, (), "", {}, (), 0)
        receipt = found
    return Erased(
        receipt.project, receipt.pseudonyms, receipt.erased_at.isoformat(), dict(receipt.rows),
        receipt.remains, receipt.audit_sequence,
    )  # fmt: skip


def with_workspaces(erased: Erased, count: int) -> Erased:
    """The receipt with the number of workspaces that were destroyed, since they could name the erased."""
    left = tuple(line for line in erased.remains if not line.startswith(WORKSPACE_LEFT))
    return msgspec.structs.replace(erased, rows={**erased.rows, "workspace": count}, remains=left)


def settings(vault: VaultApi, project: str, asked: OfProject) -> SettingsShown:
    """How a project is kept."""
    del asked
    found = vault.project_settings(project) if project in vault.projects() else None
    vault.rollback()
    return _shown(project, found or ProjectSettings.of_new_project())


def change_project(vault: VaultApi, project: str, asked: ChangeProject) -> SettingsShown:
    """How a project is kept by now.

    Raises:
        AccessRefusedError: the actor may not; on record.
        UnknownProjectError: nothing was written for the project yet.
    """
    if project not in vault.projects():
        vault.rollback()
        raise UnknownProjectError("the vault has no such project yet; it begins with the first text")
    new = replace(
        vault.project_settings(project), single_approval=asked.single_approval,
        approvals_needed=asked.approvals_needed, extra_approval_above=asked.extra_approval_above,
        grant_minutes=asked.grant_minutes, limit_capacity=asked.limit_capacity,
        limit_per_hour=asked.limit_per_hour, retention_days=asked.retention_days,
    )  # fmt: skip
    vault.change_settings(project, new)
    vault.commit()
    return _shown(project, new)


def roles(vault: VaultApi, only: str | None, asked: ListRoles) -> RolesShown:
    """Who has which role. only: the one project of the caller; roles are of the whole vault.

    Raises:
        UnknownProjectError: the caller may work for one project alone.
    """
    del asked
    _refuse_of_one_project(only)
    found = vault.stored_roles()
    vault.rollback()
    return RolesShown(tuple(RoleShown(account, str(role)) for account, role in found))


def change_role(vault: VaultApi, only: str | None, asked: ChangeRole) -> RolesShown:
    """Who has which role by now. Raises as roles does, and AccessRefusedError, on record."""
    _refuse_of_one_project(only)
    change = vault.give_role if asked.is_given else vault.take_role
    try:
        change(asked.account, asked.role)
    except PseudonymizerError:
        vault.rollback()
        raise
    vault.commit()
    return roles(vault, only, ListRoles())


def _refuse_of_one_project(only: str | None) -> None:
    if only is not None:
        raise UnknownProjectError("roles are of the whole vault, and the caller is let into one project")


def _retention(vault: VaultApi, project: str) -> int:
    days = vault.project_settings(project).retention_days
    vault.rollback()
    if days is None:
        raise SettingsError("the project has no retention time; set one before, or name pseudonyms")
    return days


def _shown(project: str, one: ProjectSettings) -> SettingsShown:
    return SettingsShown(
        project, str(one.style), one.profile, one.single_approval, one.approvals_needed,
        one.extra_approval_above, one.grant_minutes, one.limit_capacity, one.limit_per_hour,
        one.retention_days,
    )  # fmt: skip
