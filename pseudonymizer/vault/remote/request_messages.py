"""The verbs of the vault service for requests and the list of people; as those of
pseudonymizer.vault.remote.messages.
"""

from typing import Final

from pseudonymizer.records import AccessRequest, ListedPerson
from pseudonymizer.vault.remote.messages import Message, OfRequest, WireVerb


class OfRequests(Message, frozen=True, kw_only=True):
    project: str | None = None


class ListedPeople(Message, frozen=True, kw_only=True):
    project: str
    purpose: str
    ticket: str = ""
    most: int | None = None


class Deny(OfRequest, frozen=True, kw_only=True):
    reason: str = ""


REQUESTS: Final = WireVerb("requests", OfRequests, tuple[AccessRequest, ...])
LISTED_PEOPLE: Final = WireVerb("listed_people", ListedPeople, tuple[ListedPerson, ...])
DENY: Final = WireVerb("deny", Deny, AccessRequest)
WITHDRAW: Final = WireVerb("withdraw", OfRequest, AccessRequest)
