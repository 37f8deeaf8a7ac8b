"""Requests through a vault service; a part of pseudonymizer.vault.remote.client."""

from pseudonymizer.records import AccessRequest
from pseudonymizer.vault.remote import request_messages as m
from pseudonymizer.vault.remote.connection import VaultConnection
from pseudonymizer.vault.remote.messages import OfRequest


class RequestsClient(VaultConnection):
    """A vault service as a RequestsApi."""

    def requests(self, project: str | None = None) -> tuple[AccessRequest, ...]:
        return self.ask(m.REQUESTS, m.OfRequests(project=project))

    def deny(self, request_id: int) -> AccessRequest:
        return self.ask(m.DENY, OfRequest(request_id=request_id))

    def withdraw(self, request_id: int) -> AccessRequest:
        return self.ask(m.WITHDRAW, OfRequest(request_id=request_id))
