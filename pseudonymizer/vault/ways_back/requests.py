"""Requests that wait for somebody: which there are, and how they end without a grant being used."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import select

from pseudonymizer.errors import AccessRefusedError, GrantInvalidError
from pseudonymizer.policy import Verb, allowing_role
from pseudonymizer.records import AccessRequest, RequestState
from pseudonymizer.schema import access_request
from pseudonymizer.vault.access import (
    EVERY_ROLE,
    MOST_PURPOSE,
    authorize_one_of,
    check_length,
    read_request,
    roles_of,
    set_request_state,
)
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.ways_back.gate import Gate, request_gate

_SEES_ALL = (Verb.APPROVE, Verb.READ_AUDIT)
_SEES_OWN = Verb.REQUEST
_DENY: Final = "deny"  # the action of the event of a denial


def requests(vault: OpenVault, project: str | None = None) -> tuple[AccessRequest, ...]:
    """The requests of a project, or of all, that the actor may see, the first one first: who approves or
    audits sees all, who requests the own ones.

    Raises:
        AccessRefusedError: the actor may do none of these; on record.
    """
    with vault.lock:
        vault.begin()
        try:
            role = authorize_one_of(vault, (*_SEES_ALL, _SEES_OWN), project_name=project or "")
            roles = roles_of(vault, vault.actor)
            sees_all = role == EVERY_ROLE or any(allowing_role(roles, verb) is not None for verb in _SEES_ALL)
            if project is not None:
                vault.keys_of(project)  # says that there is no such project
            query = select(access_request.c.request_id).order_by(access_request.c.request_id)
            found = [read_request(vault, number) for (number,) in vault.store.execute(query).all()]
            return _with_reasons(vault, _of(found, project, None if sees_all else vault.actor))
        finally:
            vault.rollback()


def deny(vault: OpenVault, request_id: int, reason: str = "") -> AccessRequest:
    """Deny a request that has not been used; a grant of it is worth nothing then. reason: stands in the trail
    as the purpose of the denial, and with the request.

    Raises:
        SettingsError: the reason is too long.
    """
    check_length("a reason", reason, MOST_PURPOSE)
    with request_gate(vault, Verb.APPROVE, request_id) as (opened, asked):
        opened.purpose = reason.strip() or opened.purpose
        return replace(_end(opened, asked, _DENY, RequestState.DENIED), denied_for=reason.strip())


def withdraw(vault: OpenVault, request_id: int) -> AccessRequest:
    """Take back a request of one's own that has not been used."""
    with request_gate(vault, Verb.REQUEST, request_id) as (opened, asked):
        if asked.actor != vault.actor:
            opened.refuse("not own request", asked.labels)
            raise AccessRefusedError("only the actor who made a request withdraws it; an approver denies it")
        return _end(opened, asked, "withdraw", RequestState.WITHDRAWN)


def _of(found: Sequence[AccessRequest], project: str | None, actor: str | None) -> list[AccessRequest]:
    return [one for one in found if project in (None, one.project) and actor in (None, one.actor)]


def _with_reasons(vault: OpenVault, asked: Sequence[AccessRequest]) -> tuple[AccessRequest, ...]:
    """The requests, those that were denied with the reason of that, which is the purpose of its event. It is
    not checked here: verifying the trail finds an event that was edited.
    """
    if not any(one.state == str(RequestState.DENIED) for one in asked):
        return tuple(asked)
    reasons = {
        json.loads(str(counts)).get("request"): str(purpose)
        for counts, purpose in vault.store.rows(
            "SELECT counts, purpose FROM audit_event WHERE action = ? ORDER BY sequence", (_DENY,)
        )
    }
    return tuple(
        one
        if one.state != str(RequestState.DENIED) or reasons.get(one.request_id) in (None, one.purpose)
        else replace(one, denied_for=reasons[one.request_id])
        for one in asked
    )


def _end(opened: Gate, asked: AccessRequest, action: str, state: RequestState) -> AccessRequest:
    if asked.state not in (RequestState.OPEN, RequestState.GRANTED):
        raise GrantInvalidError(f"request {asked.request_id} is {asked.state}: nothing is left to {action}")
    set_request_state(opened.vault, asked.request_id, str(state))
    opened.commit(action, asked.labels, counts={"request": asked.request_id})
    return read_request(opened.vault, asked.request_id)
