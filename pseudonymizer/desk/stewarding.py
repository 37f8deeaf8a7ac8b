"""What stewards ask: requests, approvals, grants, reveals, look-ups and the trail, each by the vault's verbs.

The vault decides who may, and puts it on record. Here only the project is checked: a request of another one
is not there for the caller.
"""

from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from pseudonymizer.desk.steward_answered import (
    EventsFound,
    EventShown,
    EventsShown,
    GrantGiven,
    LikelyShown,
    LookedUp,
    NameShown,
    NamesShown,
    PersonSplit,
    RequestShown,
    RequestsShown,
    TrailVerified,
)
from pseudonymizer.desk.steward_asked import (
    AskForNames,
    AuditPage,
    AuditSearch,
    DenyRequest,
    LookUp,
    OfRequest,
    RevealNames,
    RevealRequested,
    SplitPerson,
)
from pseudonymizer.errors import AuditTamperedError, UnknownProjectError, UnknownRequestError
from pseudonymizer.project import Project
from pseudonymizer.records import AccessRequest, AuditEvent, RevealedName
from pseudonymizer.splits import Part
from pseudonymizer.vault.api import VaultApi

_REFUSED: Final = "refused"  # how outcomes of refusals begin


def ask_for_names(vault: VaultApi, project: str, asked: AskForNames) -> RequestShown:
    """The new request."""
    return _shown(
        vault.request(
            project=project, pseudonyms=asked.pseudonyms, purpose=asked.purpose,
            legal_basis=asked.legal_basis, ticket=asked.ticket,
        )
    )  # fmt: skip


def requests(vault: VaultApi, project: str | None) -> RequestsShown:
    """The requests of a project, or of all, that the actor may see."""
    return RequestsShown(tuple(map(_shown, _seen(vault, project))))


def request(vault: VaultApi, project: str | None, asked: OfRequest) -> RequestShown:
    """One of them.

    Raises:
        UnknownRequestError: the actor may see none of this number.
    """
    return _shown(_of_number(vault, project, asked.number))


def decide(
    vault: VaultApi, project: str | None, asked: OfRequest, how: Callable[[int], AccessRequest]
) -> RequestShown:
    """The request after a decision about it. how: a verb of the vault, such as vault.approve."""
    request(vault, project, asked)
    return _shown(how(asked.number))


def deny(vault: VaultApi, project: str | None, asked: DenyRequest) -> RequestShown:
    """The request after it was denied. Raises as request does."""
    _of_number(vault, project, asked.number)
    return _shown(vault.deny(asked.number, reason=asked.reason))


def grant(vault: VaultApi, project: str | None, asked: OfRequest) -> GrantGiven:
    """The grant of an approved request of the actor's own."""
    request(vault, project, asked)
    return GrantGiven(vault.grant(asked.number))


def reveal(vault: VaultApi, project: str, asked: RevealNames) -> NamesShown:
    """The names behind pseudonyms."""
    found = vault.reveal(
        project=project, pseudonyms=asked.pseudonyms, purpose=asked.purpose, ticket=asked.ticket,
        grant=asked.grant,
    )  # fmt: skip
    return _names(vault, found)


def reveal_requested(vault: VaultApi, project: str | None, asked: RevealRequested) -> NamesShown:
    """The names behind the pseudonyms of a request of the actor's own. The vault checks the grant.

    Raises:
        UnknownRequestError: the actor may see none of this number.
    """
    one = _of_number(vault, project, asked.number)
    found = vault.reveal(
        project=one.project, pseudonyms=one.labels, purpose=one.purpose, ticket=one.ticket, grant=asked.grant
    )
    return _names(vault, found)


def look_up(project: Project, asked: LookUp) -> LookedUp:
    """What the vault knows under a name."""
    found = project.lookup(asked.name, purpose=asked.purpose, ticket=asked.ticket, kind=asked.kind)
    likely = tuple(LikelyShown(one.pseudonyms, one.probability, one.documents) for one in found.likely)
    return LookedUp(found.pseudonyms, found.documents, found.paths, likely, project.vault.last_event)


def audit_page(vault: VaultApi, project: str | None, asked: AuditPage) -> EventsShown:
    """A page of the trail. A look that the vault refuses is on record."""
    later = (one for one in vault.audit_events(project=project) if one.sequence > asked.after)
    events = tuple(map(_event, islice(later, asked.limit)))
    vault.commit()
    return EventsShown(events, events[-1].sequence if events else asked.after)


def audit_search(vault: VaultApi, project: str | None, asked: AuditSearch) -> EventsFound:
    """The latest events that fit. A look that the vault refuses is on record.

    Raises:
        UnknownProjectError: another project is asked for than the caller's.
    """
    if project is not None and asked.project not in ("", project):
        raise UnknownProjectError("there is no project of this name")
    only = project or asked.project or None
    fitting = (one for one in vault.audit_events(project=only) if _fits(one, asked))
    last = deque(fitting, maxlen=asked.limit + 1)
    vault.commit()
    shown = list(map(_event, reversed(last)))
    return EventsFound(tuple(shown[: asked.limit]), len(shown) > asked.limit)


def verify_trail(vault: VaultApi) -> TrailVerified:
    """Whether the trail is as the vault wrote it."""
    try:
        count = vault.verify_audit()
        vault.commit()
    except AuditTamperedError:
        vault.rollback()
        return TrailVerified(is_whole=False, events=0)
    return TrailVerified(is_whole=True, events=count)


def _fits(event: AuditEvent, asked: AuditSearch) -> bool:
    return (
        (asked.before is None or event.sequence < asked.before)
        and asked.account in ("", event.actor)
        and asked.action in ("", event.action)
        and (asked.since is None or event.occurred_at.astimezone(UTC).date() >= asked.since)
        and (not asked.refused or event.outcome.startswith(_REFUSED))
    )


def split(vault: VaultApi, project: str, asked: SplitPerson) -> PersonSplit:
    """The person who was taken out of another one, with a pseudonym of his own. It is on record.

    Raises:
        AccessRefusedError, UnknownPseudonymError: on record; nothing is changed.
        SettingsError: nothing would go over, or nothing would stay.
    """
    try:
        made = vault.split(
            project=project, pseudonym=asked.pseudonym, part=Part(asked.forms), purpose=asked.purpose,
            ticket=asked.ticket,
        )  # fmt: skip
    finally:
        vault.rollback()
    return PersonSplit(made.label, made.forms, made.mentions, made.edits, vault.last_event)


def _names(vault: VaultApi, found: Mapping[str, RevealedName]) -> NamesShown:
    names = tuple(NameShown(label, one.kind, one.name, one.forms) for label, one in found.items())
    return NamesShown(names, vault.last_event)


def _of_number(vault: VaultApi, project: str | None, number: int) -> AccessRequest:
    for one in _seen(vault, project):
        if one.request_id == number:
            return one
    raise UnknownRequestError("there is no request of this number that this actor may see")


def _seen(vault: VaultApi, project: str | None) -> tuple[AccessRequest, ...]:
    found = vault.requests(project)
    vault.rollback()
    return found


def _shown(one: AccessRequest) -> RequestShown:
    return RequestShown(
        one.request_id, one.actor, one.project, one.action, len(one.labels), one.purpose, one.legal_basis,
        one.ticket, str(one.standing(datetime.now(UTC))), one.approvals_needed, one.approvers,
        one.expires_at.isoformat(), one.denied_for,
    )  # fmt: skip


def _event(one: AuditEvent) -> EventShown:
    return EventShown(
        one.sequence, one.occurred_at.isoformat(), one.actor, one.role, one.project, one.action, one.outcome,
        one.purpose, one.ticket, dict(one.counts), one.subjects,
    )  # fmt: skip
