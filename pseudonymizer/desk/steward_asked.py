"""Requests of stewards: names to be asked for, approved, revealed and looked up, and the trail."""

from datetime import date
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from pseudonymizer.desk.asked import Name
from pseudonymizer.policy import Role

_MOST_PSEUDONYMS: Final = 10_000
_MOST_EVENTS: Final = 1_000
_MOST_FORMS: Final = 1_000
LONGEST_REASON: Final = 2_000  # characters, as of a purpose

Purpose = Annotated[str, Meta(min_length=1, max_length=2_000, description="What it is done for; on record.")]
Form = Annotated[str, Meta(min_length=1, max_length=500)]
Ticket = Annotated[str, Meta(max_length=500)]
Pseudonyms = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=_MOST_PSEUDONYMS)]


class AskForNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ask for the names behind pseudonyms; others approve."""

    pseudonyms: Pseudonyms
    purpose: Purpose
    project: Name | None = None
    legal_basis: Annotated[str, Meta(max_length=500)] = ""
    ticket: Ticket = ""


class RevealNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Give the names behind pseudonyms, all or none. grant: of an approved request, where the project wants
    one.
    """

    pseudonyms: Pseudonyms
    purpose: Purpose
    project: Name | None = None
    ticket: Ticket = ""
    grant: Annotated[str, Meta(max_length=200)] | None = None


class LookUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Find the pseudonyms and documents of a name, or of a value of a kind. The name is not on record."""

    name: Annotated[str, Meta(min_length=1, max_length=500)]
    purpose: Purpose
    project: Name | None = None
    kind: Name | None = None
    ticket: Ticket = ""

    def __repr__(self) -> str:
        return "LookUp()"


class SplitPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Take two people apart who have one pseudonym. forms: ways of writing the name that are the other
    person's, who gets a pseudonym of his own.
    """

    pseudonym: Name
    forms: Annotated[tuple[Form, ...], Meta(min_length=1, max_length=_MOST_FORMS)]
    purpose: Purpose
    project: Name | None = None
    ticket: Ticket = ""

    def __repr__(self) -> str:
        return "SplitPerson()"


class OfRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One request by its number."""

    number: int


class DenyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request that is denied. reason: for who asked."""

    number: int
    reason: Annotated[str, Meta(max_length=LONGEST_REASON)] = ""

    def __repr__(self) -> str:
        return "DenyRequest()"


class AuditPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Events of the trail with a higher number than after, the first ones first."""

    after: Annotated[int, Meta(ge=0)] = 0
    limit: Annotated[int, Meta(ge=1, le=_MOST_EVENTS)] = 500
    project: Name | None = None


class RevealRequested(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Give the names behind exactly the pseudonyms of a request, for its purpose. grant: of that request."""

    number: int
    grant: Annotated[str, Meta(min_length=1, max_length=200)]

    def __repr__(self) -> str:
        return f"RevealRequested({self.number})"


class AuditSearch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The last events of the trail that fit, the latest one first. before: only events of a lower number.
    account, action, project: only these; "" is any. since: ISO 8601, a day in UTC. refused: refusals alone.
    """

    before: Annotated[int, Meta(ge=1)] | None = None
    limit: Annotated[int, Meta(ge=1, le=_MOST_EVENTS)] = 50
    account: Annotated[str, Meta(max_length=200)] = ""
    action: Annotated[str, Meta(max_length=100)] = ""
    project: Annotated[str, Meta(max_length=200)] = ""
    since: date | None = None
    refused: bool = False

    def __repr__(self) -> str:
        return "AuditSearch()"


class VerifyTrail(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Check that the trail is as the vault wrote it."""


class PlanErasure(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What erasing the people behind these pseudonyms would destroy. None of them: those of the project whom
    no run has met for its retention time.
    """

    pseudonyms: Annotated[tuple[Name, ...], Meta(max_length=_MOST_PSEUDONYMS)] = ()
    purpose: Purpose
    project: Name | None = None
    ticket: Ticket = ""


class Erase(PlanErasure, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Destroy for good what the vault knows of them."""


class ChangeProject(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How names of a project are had back, and how long people are kept; see ProjectSettings."""

    project: Name
    single_approval: bool
    approvals_needed: Annotated[int, Meta(ge=1, le=100)]
    extra_approval_above: Annotated[int, Meta(ge=0, le=10**9)]
    grant_minutes: Annotated[int, Meta(ge=1, le=10**6)]
    limit_capacity: Annotated[int, Meta(ge=1, le=10**9)]
    limit_per_hour: Annotated[int, Meta(ge=1, le=10**9)]
    retention_days: Annotated[int, Meta(ge=0, le=10**6)] | None = None


class ListRoles(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who has which role."""


class ChangeRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Give a role to an account, or take it away. account: as the trail names it."""

    account: Annotated[str, Meta(min_length=1, max_length=200)]
    role: Role
    is_given: bool


StewardAsked = (
    AskForNames | RevealNames | RevealRequested | LookUp | SplitPerson | DenyRequest | OfRequest | AuditPage
    | AuditSearch | VerifyTrail | PlanErasure | Erase | ChangeProject | ListRoles | ChangeRole
)  # fmt: skip
