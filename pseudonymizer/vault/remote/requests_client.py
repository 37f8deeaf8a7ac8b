"""Requests and the list of people through a vault service; a part of pseudonymizer.vault.remote.client."""

from pseudonymizer.records import AccessRequest, ListedPerson
from pseudonymizer.vault.remote import request_messages as m
from pseudonymizer.vault.remote.connection import VaultConnection
from pseudonymizer.vault.remote.messages import OfRequest


class RequestsClient(VaultConnection):
    """A vault service as a RequestsApi."""

    def requests(self, project: str | None = None) -> tuple[AccessRequest, ...]:
        return self.ask(m.REQUESTS, m.OfRequests(project=project))

    def listed_people(
        self, project: str, *, purpose: str, ticket: str = "", most: int | None = None
    ) -> tuple[ListedPerson, ...]:
        asked = m.ListedPeople(project=project, purpose=purpose, ticket=ticket, most=most)
        return self.ask(m.LISTED_PEOPLE, asked)

    def deny(self, request_id: int, *, reason: str = "") -> AccessRequest:
        return self.ask(m.DENY, m.Deny(request_id=request_id, reason=reason))

    def withdraw(self, request_id: int) -> AccessRequest:
        return self.ask(m.WITHDRAW, OfRequest(request_id=request_id))
