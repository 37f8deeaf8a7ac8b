"""The verbs of the vault service for requests; as pseudonymizer.vault.remote.messages."""

from typing import Final

from pseudonymizer.records import AccessRequest
from pseudonymizer.vault.remote.messages import Message, OfRequest, WireVerb


class OfRequests(Message, frozen=True, kw_only=True):
    project: str | None = None


REQUESTS: Final = WireVerb("requests", OfRequests, tuple[AccessRequest, ...])
DENY: Final = WireVerb("deny", OfRequest, AccessRequest)
WITHDRAW: Final = WireVerb("withdraw", OfRequest, AccessRequest)
