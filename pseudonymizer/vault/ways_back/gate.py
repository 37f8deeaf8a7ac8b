"""The one frame of every verb that leads to names: what must hold, and be on record, before one leaves."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from pseudonymizer.audit import Entry
from pseudonymizer.errors import (
    GrantInvalidError,
    LimitExceededError,
    PurposeRequiredError,
    UnknownPseudonymError,
    VaultClosedError,
)
from pseudonymizer.policy import Verb, allowing_role, approvals_needed
from pseudonymizer.records import AccessRequest
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault.access import (
    EVERY_ROLE,
    MOST_PURPOSE,
    Wish,
    add_request,
    authorize,
    check_length,
    read_request,
    refuse,
    roles_of,
    take_from_bucket,
    use_grant,
)
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities
from pseudonymizer.vault.rows.read_labels import typed_labels
from pseudonymizer.vault.store.projectkeys import ProjectKeys

log = logging.getLogger(__name__)


@contextmanager
def gate(
    vault: OpenVault,
    verb: Verb,
    *,
    project: str,
    purpose: str,
    ticket: str = "",
    needs_purpose: bool = True,
) -> Iterator["Gate"]:
    """A unit of work of its own for one verb. An error after the intent was committed is put on record, an
    earlier one leaves nothing but the refusal. needs_purpose: whether a purpose has to be stated.

    Raises:
        VaultClosedError: there is uncommitted work.
        AccessRefusedError, PurposeRequiredError: on record.
    """
    with vault.lock:
        _no_open_work(vault)
        opened = None
        try:
            opened = Gate(vault, verb, project, purpose, ticket, needs_purpose=needs_purpose)
            yield opened
        except BaseException:
            vault.rollback()
            if opened is not None and opened.is_open:
                opened.record(str(verb), outcome="failed")
                vault.commit()
            raise


@contextmanager
def request_gate(vault: OpenVault, verb: Verb, request_id: int) -> Iterator[tuple["Gate", AccessRequest]]:
    """A unit of work for what is done to a stored request, with the request."""
    with vault.lock:
        _no_open_work(vault)
        vault.begin()
        try:
            asked = read_request(vault, request_id)
        finally:
            vault.rollback()
        with gate(vault, verb, project=asked.project, purpose=asked.purpose, ticket=asked.ticket) as opened:
            # Read again: as the only writer now, nobody can approve or use it in between.
            yield opened, read_request(vault, request_id)


class Gate:
    """One verb of one actor in one project, on its way to names."""

    def __init__(
        self,
        vault: OpenVault,
        verb: Verb,
        project: str,
        purpose: str,
        ticket: str,
        *,
        needs_purpose: bool = True,
    ) -> None:
        self.vault, self.verb, self.project = vault, verb, project
        self.purpose, self.ticket = purpose.strip(), ticket
        self.is_open = False
        vault.begin()
        self.keys: ProjectKeys = vault.keys_of(project)  # after our wait: others may rotate
        self.settings: ProjectSettings = vault.project_settings(project)
        self.role = authorize(vault, verb, project_name=project, purpose=self.purpose, ticket=ticket)
        if needs_purpose and not self.purpose:
            self.refuse("no purpose")
            raise PurposeRequiredError("say what the names are needed for: --purpose TEXT")

    def owners(self, typed: Sequence[str]) -> dict[str, int]:
        """Entity by stored label. Raises UnknownPseudonymError, on record, if one is not the project's."""
        try:
            labels = typed_labels(self.vault, self.keys, typed)
        except UnknownPseudonymError:
            self.refuse("unknown pseudonym")
            raise
        rows = entities.pseudonym_rows(self.vault, self.keys, "label", sorted(set(labels)))
        found = {label: entity_id for _, label, entity_id, _, _, _ in rows}
        if missing := len(set(labels) - set(found)):
            erased = entities.erased_labels(self.vault, self.keys, sorted(set(labels) - set(found)))
            self.refuse("unknown pseudonym")
            what = (
                "belongs to a person who was erased"
                if erased
                else "is not of this project; check how it is spelt, and which --project it is of "
                "(`nymlink vault projects`)"
            )
            raise UnknownPseudonymError(f"{missing} of {len(set(labels))} pseudonyms: at least one {what}")
        return found

    def open(
        self,
        labels: Sequence[str],
        grant: str | None,
        *,
        names: int,
        needs_grant: bool = True,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """Check grant and limit, write the intent, make it durable. After this names may leave."""
        noted = dict(counts or {})
        try:
            if grant is not None:
                used = use_grant(
                    self.vault, grant, action=self.verb, project_name=self.project, labels=labels,
                    purpose=self.purpose,
                )  # fmt: skip
                noted["request"] = used.request_id
            elif needs_grant:
                self._approve_oneself()
                noted["self_approved"] = 1
            take_from_bucket(
                self.vault, self.keys, names, capacity=self.settings.limit_capacity,
                per_hour=self.settings.limit_per_hour,
            )  # fmt: skip
        except GrantInvalidError:
            self.refuse("grant", labels)
            raise
        except LimitExceededError:
            self.refuse("limit", labels)
            raise
        self.commit(str(self.verb), labels, counts=noted, outcome="allowed")
        self.is_open = True

    def ask(self, action: Verb, labels: Sequence[str], legal_basis: str) -> AccessRequest:
        """Store a request for exactly these labels; durable and on record."""
        check_length("a legal basis", legal_basis, MOST_PURPOSE)
        needed = approvals_needed(
            len(labels), base=self.settings.approvals_needed, extra_above=self.settings.extra_approval_above
        )
        wish = Wish(action, tuple(labels), self.purpose, legal_basis, self.ticket)
        minutes = self.settings.grant_minutes * 24
        made = add_request(self.vault, self.keys, wish, needed=needed, minutes=minutes)
        self.commit("request", labels, counts={"request": made.request_id, "approvals_needed": needed})
        return made

    def record(
        self,
        action: str,
        subjects: Sequence[str] = (),
        *,
        counts: Mapping[str, int] | None = None,
        outcome: str = "done",
    ) -> None:
        """An event with this actor's role, project, purpose and ticket."""
        self.vault.record(Entry(
            action, project=self.project, role=self.role, subjects=tuple(subjects), purpose=self.purpose,
            ticket=self.ticket, outcome=outcome, counts=counts or {},
        ))  # fmt: skip

    def commit(
        self,
        action: str,
        subjects: Sequence[str] = (),
        *,
        counts: Mapping[str, int] | None = None,
        outcome: str = "done",
    ) -> None:
        """The event, durable together with what was written."""
        self.record(action, subjects, counts=counts, outcome=outcome)
        self.vault.commit()

    def alarm(self, labels: Sequence[str]) -> None:
        """Someone asked for a person who does not exist."""
        if labels:
            log.warning("alarm: %d decoys were revealed; see the audit", len(labels))
            self.commit("alarm", labels, outcome="decoy revealed")

    def refuse(self, reason: str, labels: Sequence[str] = ()) -> None:
        """Put a refusal on record; the caller raises."""
        refuse(
            self.vault, self.verb, project_name=self.project, purpose=self.purpose, ticket=self.ticket,
            reason=reason, subjects=labels,
        )  # fmt: skip

    def _approve_oneself(self) -> None:
        roles = roles_of(self.vault, self.vault.actor)
        may = self.role == EVERY_ROLE or allowing_role(roles, Verb.APPROVE) is not None
        if not (self.settings.single_approval and may):
            raise GrantInvalidError(
                "this project gives names for a grant only: request, have it approved, then reveal"
            )


def _no_open_work(vault: OpenVault) -> None:
    if vault.has_open_work():
        raise VaultClosedError("commit or roll back first: re-identification is a unit of work of its own")
