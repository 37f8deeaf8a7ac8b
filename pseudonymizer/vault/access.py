"""Authorization inside the vault: stored roles, refusals on record, limits, requests and grants as bound
rows.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import func, select

from pseudonymizer.audit import Entry
from pseudonymizer.crypto import equal_in_constant_time
from pseudonymizer.errors import AccessRefusedError, GrantInvalidError, LimitExceededError, SettingsError
from pseudonymizer.policy import MATRIX, Role, Verb, allowing_role, refill
from pseudonymizer.records import AccessRequest
from pseudonymizer.schema import access_request, actor_role, approval, project, rate_bucket
from pseudonymizer.vault.store.contexts import joined
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys

# Characters. What people write fits; a trail that anybody fills without end is read by nobody.
MOST_PURPOSE: Final = 2_000
MOST_TICKET: Final = 500
MOST_ACTOR: Final = 200
EVERY_ROLE: Final = "all"  # what the audit shows while no roles were given out


def check_length(what: str, text: str, most: int) -> None:
    """Raises SettingsError for a text of more characters."""
    if len(text) > most:
        raise SettingsError(f"{what} has at most {most:,} characters; this one has {len(text):,}")


def check_actor(actor: str) -> None:
    """Raises SettingsError for a name that nobody could type again."""
    check_length("the name of an actor", actor, MOST_ACTOR)
    if not actor.strip() or not actor.isprintable():
        raise SettingsError("an actor has a name, of characters that can be seen")


def roles_of(vault: VaultCore, actor: str) -> frozenset[Role]:
    """The actor's roles. While nobody has any, everyone has all: the embedded default, with one user."""
    vault.own.check_whole(actor_role)  # roles that someone deleted must not bring that default back
    rows = vault.store.rows("SELECT actor, role FROM actor_role")
    if not rows:
        return frozenset(Role)
    return frozenset(Role(role) for owner, role in rows if owner == actor)


def give_role(vault: VaultCore, actor: str, role: Role) -> None:
    """Give a role; commit makes it durable. The first one ends the embedded default, and whoever gives it
    becomes
    dpo, so that someone can give the next.

    Raises:
        AccessRefusedError: roles were given out already, and the giver may not manage them.
        SettingsError: nobody could type the name of this actor again.
    """
    check_actor(actor)
    vault.begin()
    authorize(vault, Verb.MANAGE)
    if not vault.store.scalar("SELECT count(*) FROM actor_role"):
        _write_role(vault, vault.actor, Role.DPO)
    _write_role(vault, actor, role)


def _write_role(vault: VaultCore, actor: str, role: Role) -> None:
    now = vault.clock().isoformat()
    vault.own.take_out(actor_role, actor=actor, role=str(role))
    vault.own.insert(actor_role, (actor, str(role), vault.actor, now))
    vault.record(Entry("role.give", subjects=(f"{actor}={role}",)))


def take_role(vault: VaultCore, actor: str, role: Role) -> None:
    """Take a role away; the last one who manages roles cannot take that from himself.

    Raises:
        AccessRefusedError: the taker may not manage roles, or would leave nobody who may.
    """
    vault.begin()
    authorize(vault, Verb.MANAGE)
    managers = vault.store.rows("SELECT actor FROM actor_role WHERE role = ?", (str(Role.DPO),))
    if role is Role.DPO and managers == [(actor,)]:
        raise AccessRefusedError(
            "this is the last actor who may manage roles; give another one the role dpo first"
        )
    vault.own.take_out(actor_role, actor=actor, role=str(role))
    vault.record(Entry("role.take", subjects=(f"{actor}={role}",)))


def stored_roles(vault: VaultCore) -> tuple[tuple[str, Role], ...]:
    """Who has which role; empty while everyone has all."""
    rows = vault.store.rows("SELECT actor, role FROM actor_role ORDER BY actor, role")
    return tuple((actor, Role(role)) for actor, role in rows)


def authorize(
    vault: VaultCore, verb: Verb, *, project_name: str = "", purpose: str = "", ticket: str = ""
) -> str:
    """The role that allows it.

    Raises:
        AccessRefusedError: and the refusal is on record; what the caller had not committed is rolled back.
    """
    return authorize_one_of(vault, (verb,), project_name=project_name, purpose=purpose, ticket=ticket)


def authorize_one_of(
    vault: VaultCore, verbs: Sequence[Verb], *, project_name: str = "", purpose: str = "", ticket: str = ""
) -> str:
    """The role that allows one of several verbs; a refusal is recorded under the first of them.

    Raises:
        SettingsError: purpose or ticket are too long; what was not committed is rolled back.
    """
    try:
        check_length("a purpose", purpose, MOST_PURPOSE)
        check_length("a ticket", ticket, MOST_TICKET)
    except SettingsError:
        vault.rollback()
        raise
    roles = roles_of(vault, vault.actor)
    if len(roles) == len(Role):
        return EVERY_ROLE
    verb = verbs[0]
    role = next((role for one in verbs if (role := allowing_role(roles, one)) is not None), None)
    if role is None:
        refuse(vault, verb, project_name=project_name, purpose=purpose, ticket=ticket, reason="role")
        able = [one for one in Role if not MATRIX[one].isdisjoint(verbs)]
        raise AccessRefusedError(
            f"this actor has no role that allows {verb}, which takes {' or '.join(able)}; the refusal is on "
            f"record. An actor of the role {Role.DPO} gives it: `nymlink vault roles give ACTOR {able[0]}`"
        )
    return str(role)


def refuse(
    vault: VaultCore,
    verb: Verb,
    *,
    project_name: str,
    purpose: str,
    ticket: str,
    reason: str,
    subjects: Sequence[str] = (),
) -> None:
    """Put a refusal on record at once. subjects are pseudonyms that the vault knows, never what was typed."""
    vault.rollback()
    vault.record(Entry(
        str(verb), project=project_name, purpose=purpose, ticket=ticket, outcome=f"refused:{reason}",
        subjects=tuple(subjects),
    ))  # fmt: skip
    vault.commit()


def take_from_bucket(
    vault: VaultCore, keys: ProjectKeys, amount: int, *, capacity: int, per_hour: int
) -> None:
    """Count names against the actor's limit in this project, in the caller's unit of work.

    Raises:
        LimitExceededError: if fewer than amount are left; nothing is taken.
    """
    now = vault.clock().timestamp()
    stored = vault.store.rows(
        "SELECT project_id, actor, tokens, updated_at, binding FROM rate_bucket "
        "WHERE project_id = ? AND actor = ?",
        (keys.project_id, vault.actor),
    )
    tokens = float(capacity)
    if not stored:
        vault.own.check_whole(rate_bucket)  # or was the row deleted, to have a full bucket again?
    for row in stored:
        vault.own.check(rate_bucket, row)
        _, _, before, updated_at, _ = row
        tokens = refill(before, seconds=now - updated_at, capacity=capacity, per_hour=per_hour)
    if tokens < amount:
        raise LimitExceededError(
            f"{amount} names asked for, {int(tokens)} left of this actor's {per_hour} an hour in this project"
        )
    tokens -= amount
    vault.own.take_out(rate_bucket, project_id=keys.project_id, actor=vault.actor)
    vault.own.insert(rate_bucket, (keys.project_id, vault.actor, tokens, now))


# -- requests and grants
# -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks to do with exactly these pseudonyms, and why."""

    action: Verb
    labels: tuple[str, ...]
    purpose: str
    legal_basis: str = ""
    ticket: str = ""


def add_request(
    vault: VaultCore, keys: ProjectKeys, wish: Wish, *, needed: int, minutes: int
) -> AccessRequest:
    """The stored request for a wish: it takes so many approvals, within so many minutes."""
    vault.begin()
    number = (vault.store.execute(select(func.max(access_request.c.request_id))).scalar() or 0) + 1
    expires = vault.clock() + timedelta(minutes=minutes)
    row = (
        number, keys.project_id, vault.actor, str(wish.action), json.dumps(sorted(set(wish.labels))),
        wish.purpose, wish.legal_basis, wish.ticket, "open", needed, expires.isoformat(),
    )  # fmt: skip
    vault.own.insert(access_request, row)
    return read_request(vault, number)


def read_request(vault: VaultCore, number: int) -> AccessRequest:
    """Raises GrantInvalidError if there is no such request, VaultDamagedError if it was altered."""
    row = vault.store.execute(
        select(access_request).where(access_request.c.request_id == number)
    ).one_or_none()
    if row is None:
        raise GrantInvalidError(
            f"there is no request {number}; `nymlink requests list` shows those that you may see"
        )
    vault.own.check(access_request, tuple(row))
    approvers = []
    for given in vault.store.execute(select(approval).where(approval.c.request_id == number)):
        vault.own.check(approval, tuple(given))
        approvers.append(given.approver)
    name = vault.store.execute(
        select(project.c.name).where(project.c.project_id == row.project_id)
    ).scalar_one()
    return AccessRequest(
        number, row.actor, name, row.action, tuple(json.loads(row.labels)), row.purpose, row.legal_basis,
        row.ticket, row.state, row.approvals_needed, tuple(sorted(approvers)),
        datetime.fromisoformat(row.expires_at),
    )  # fmt: skip


def add_approval(vault: VaultCore, number: int) -> AccessRequest:
    now = vault.clock().isoformat()
    vault.own.take_out(approval, request_id=number, approver=vault.actor)
    vault.own.insert(approval, (number, vault.actor, now))
    return read_request(vault, number)


def set_request_state(vault: VaultCore, number: int, state: str, *, minutes: int | None = None) -> None:
    names = [column.name for column in access_request.columns if column.name != "binding"]
    *values, _ = vault.own.take_out(access_request, request_id=number)[0]
    row = dict(zip(names, values, strict=True)) | {"state": state}
    if minutes is not None:
        row["expires_at"] = (vault.clock() + timedelta(minutes=minutes)).isoformat()
    vault.own.insert(access_request, tuple(row.values()))


def grant_text(vault: VaultCore, request: AccessRequest) -> str:
    """The grant as its requester gets it: number and MAC over whom, what and until when."""
    fields = joined(
        str(request.request_id), request.actor, request.project, request.action, json.dumps(request.labels),
        request.expires_at.isoformat(),
    )  # fmt: skip
    return f"G{request.request_id}-{vault.binding('grant', fields).hex()}"


def use_grant(
    vault: VaultCore, grant: str, *, action: Verb, project_name: str, labels: Sequence[str], purpose: str
) -> AccessRequest:
    """Check a grant and mark it used, in the caller's unit of work.

    Raises:
        GrantInvalidError: forged, used, expired, or for another actor, project, verb, purpose or set of
            pseudonyms.
    """
    number, _, _ = grant.removeprefix("G").partition("-")
    if not (number.isdecimal() and len(number) < 18):
        raise GrantInvalidError("this is no grant; `nymlink grant REQUEST` gives one")
    request = read_request(vault, int(number))
    expected = grant_text(vault, request)
    if not equal_in_constant_time(expected.encode(), grant.encode()):
        raise GrantInvalidError("the grant is mistyped or forged")
    vault.own.check_whole(access_request)  # or was the row put back as it was before the grant was used?
    if request.state != "granted":
        raise GrantInvalidError(
            f"the grant of request {request.request_id} is {request.state}; it works once"
        )
    if vault.clock() > request.expires_at:
        raise GrantInvalidError(f"the grant of request {request.request_id} has expired; ask again")
    if (request.actor, request.project, request.action) != (vault.actor, project_name, str(action)):
        raise GrantInvalidError("the grant is for another actor, project or verb")
    if request.purpose.strip() != purpose.strip():
        raise GrantInvalidError("the grant is for another purpose: give the one that the request names")
    if set(labels) != set(request.labels):
        raise GrantInvalidError("the grant is for another set of pseudonyms")
    set_request_state(vault, request.request_id, "used")
    return request
