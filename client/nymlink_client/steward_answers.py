"""Answers to stewards. Those of reveals have names, since that is what was asked for; no repr has any."""

from collections.abc import Iterator, Mapping

import msgspec


class AccessRequest(msgspec.Struct, frozen=True):
    """A request for names as it stands. state: open, approved, denied, used and so on. expires_at: ISO 8601,
    UTC. denied_for: the reason of a denial, or "".
    """

    number: int
    requester: str
    project: str
    action: str
    pseudonyms: int
    purpose: str
    state: str
    legal_basis: str = ""
    ticket: str = ""
    approvals_needed: int = 0
    approvers: tuple[str, ...] = ()
    expires_at: str = ""
    denied_for: str = ""


class RequestsShown(msgspec.Struct, frozen=True):
    """The requests that the account may see, the first one first."""

    requests: tuple[AccessRequest, ...]


class GrantGiven(msgspec.Struct, frozen=True):
    """The grant of an approved request. It works once."""

    grant: str

    def __repr__(self) -> str:
        return "GrantGiven()"


class RevealedName(msgspec.Struct, frozen=True):
    """A name behind a pseudonym: the fullest form, and every form that was seen."""

    pseudonym: str
    kind: str
    name: str
    forms: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"RevealedName({self.pseudonym})"


class RevealedNames(msgspec.Struct, frozen=True):
    """The names behind all pseudonyms that were asked for. audit_sequence: the number of the event in the
    trail that says so.
    """

    names: tuple[RevealedName, ...]
    audit_sequence: int = 0

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[RevealedName]:
        return iter(self.names)


class LikelyShown(msgspec.Struct, frozen=True):
    """Somebody of another name who may be meant. probability: from 0 to 1."""

    pseudonyms: tuple[str, ...]
    probability: float
    documents: int


class LookedUp(msgspec.Struct, frozen=True):
    """What the vault knows under a name. paths: of documents, which may hold names."""

    pseudonyms: tuple[str, ...]
    documents: int
    paths: tuple[str, ...] = ()
    likely: tuple[LikelyShown, ...] = ()
    audit_sequence: int = 0

    def __repr__(self) -> str:
        return f"LookedUp({len(self.pseudonyms)} pseudonyms)"


class PersonSplit(msgspec.Struct, frozen=True):
    """The pseudonym of the person who was taken out, and how many forms, mentions and places of outputs went
    along.
    """

    pseudonym: str
    forms: int
    mentions: int
    edits: int
    audit_sequence: int = 0


class AuditEvent(msgspec.Struct, frozen=True):
    """An event of the trail. subjects: pseudonyms or ids, never names. at: ISO 8601, UTC."""

    sequence: int
    at: str
    actor: str
    action: str
    outcome: str
    role: str = ""
    project: str = ""
    purpose: str = ""
    ticket: str = ""
    counts: Mapping[str, int] = {}
    subjects: tuple[str, ...] = ()


class EventsShown(msgspec.Struct, frozen=True):
    """A page of the trail. last: the number of its last event, behind which the next page begins."""

    events: tuple[AuditEvent, ...]
    last: int
