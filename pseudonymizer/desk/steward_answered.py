"""Answers to stewards. Those of reveals have names, since that is what was asked for."""

from collections.abc import Mapping

import msgspec


class RequestShown(msgspec.Struct, frozen=True):
    """A request as it stands now. expires_at: ISO 8601, UTC. denied_for: the reason of a denial, or ""."""

    number: int
    requester: str
    project: str
    action: str
    pseudonyms: int
    purpose: str
    legal_basis: str
    ticket: str
    state: str
    approvals_needed: int
    approvers: tuple[str, ...]
    expires_at: str
    denied_for: str = ""


class RequestsShown(msgspec.Struct, frozen=True):
    """The requests that the caller may see, the first one first."""

    requests: tuple[RequestShown, ...]


class GrantGiven(msgspec.Struct, frozen=True):
    """The grant of an approved request. It works once."""

    grant: str

    def __repr__(self) -> str:
        return "GrantGiven()"


class NameShown(msgspec.Struct, frozen=True):
    """What stands behind a pseudonym: the fullest form, and every form that was seen."""

    pseudonym: str
    kind: str
    name: str
    forms: tuple[str, ...]

    def __repr__(self) -> str:
        return f"NameShown({self.pseudonym})"


class NamesShown(msgspec.Struct, frozen=True):
    """What stands behind all pseudonyms that were asked for. audit_sequence: the number of the event in the
    trail that says so.
    """

    names: tuple[NameShown, ...]
    audit_sequence: int = 0


class LikelyShown(msgspec.Struct, frozen=True):
    """Somebody of another name who may be meant. probability: from 0 to 1."""

    pseudonyms: tuple[str, ...]
    probability: float
    documents: int


class LookedUp(msgspec.Struct, frozen=True):
    """What the vault knows under a name. paths: of documents, which may hold names. audit_sequence: the
    number of the event in the trail that says so.
    """

    pseudonyms: tuple[str, ...]
    documents: int
    paths: tuple[str, ...]
    likely: tuple[LikelyShown, ...]
    audit_sequence: int = 0

    def __repr__(self) -> str:
        return f"LookedUp({len(self.pseudonyms)} pseudonyms)"


class PersonSplit(msgspec.Struct, frozen=True):
    """The pseudonym of the person who was taken out, and how many forms, mentions and places of outputs went
    along. audit_sequence: see LookedUp.
    """

    pseudonym: str
    forms: int
    mentions: int
    edits: int
    audit_sequence: int = 0


class EventShown(msgspec.Struct, frozen=True):
    """An event of the trail. subjects: pseudonyms or ids, never names. at: ISO 8601, UTC."""

    sequence: int
    at: str
    actor: str
    role: str
    project: str
    action: str
    outcome: str
    purpose: str
    ticket: str
    counts: Mapping[str, int]
    subjects: tuple[str, ...]


class EventsShown(msgspec.Struct, frozen=True):
    """A page of the trail. last: the number of its last event, with which the next page begins."""

    events: tuple[EventShown, ...]
    last: int


class EventsFound(msgspec.Struct, frozen=True):
    """Events of the trail that fit, the latest one first. has_more: older ones fit too."""

    events: tuple[EventShown, ...]
    has_more: bool


class TrailVerified(msgspec.Struct, frozen=True):
    """What a check of the trail says. events: how many there are, all as they were written; 0 where one is
    not.
    """

    is_whole: bool
    events: int


class ErasurePlanned(msgspec.Struct, frozen=True):
    """What an erasure would destroy. documents: in whose outputs the pseudonyms stand. paths: of their
    originals, which may hold names.
    """

    people: int
    pseudonyms: tuple[str, ...]
    documents: int
    paths: tuple[str, ...]

    def __repr__(self) -> str:
        return f"ErasurePlanned({self.people})"


class Erased(msgspec.Struct, frozen=True):
    """The receipt of an erasure. rows: destroyed, by table. remains: what it cannot reach. at: ISO 8601, UTC.
    audit_sequence: the number of the event in the trail that says so; 0 where there was nobody to erase.
    """

    project: str
    pseudonyms: tuple[str, ...]
    at: str
    rows: Mapping[str, int]
    remains: tuple[str, ...]
    audit_sequence: int


class SettingsShown(msgspec.Struct, frozen=True):
    """How names of a project are had back, and how long people are kept. See ProjectSettings."""

    project: str
    style: str
    profile: str
    single_approval: bool
    approvals_needed: int
    extra_approval_above: int
    grant_minutes: int
    limit_capacity: int
    limit_per_hour: int
    retention_days: int | None


class RoleShown(msgspec.Struct, frozen=True):
    """A role of an account."""

    account: str
    role: str


class RolesShown(msgspec.Struct, frozen=True):
    """Who has which role; none: nobody was given one, and everybody may everything."""

    roles: tuple[RoleShown, ...]
