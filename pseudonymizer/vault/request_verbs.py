"""The verbs of an open vault for requests and the list of people; a part of pseudonymizer.vault.vault."""

from pseudonymizer.records import AccessRequest, ListedPerson
from pseudonymizer.vault.value_verbs import ValuesVault
from pseudonymizer.vault.ways_back import listing, requests


class RequestsVault(ValuesVault):
    """An open vault as a RequestsApi."""

    def requests(self, project: str | None = None) -> tuple[AccessRequest, ...]:
        """The requests of a project, or of all, that the actor may see, the first one first."""
        return requests.requests(self, project)

    def listed_people(
        self, project: str, *, purpose: str, ticket: str = "", most: int | None = None
    ) -> tuple[ListedPerson, ...]:
        """The people of a project, those with most labels in outputs first."""
        return listing.listed_people(self, project, purpose=purpose, ticket=ticket, most=most)

    def deny(self, request_id: int, *, reason: str = "") -> AccessRequest:
        """Deny a request that has not been used."""
        return requests.deny(self, request_id, reason)

    def withdraw(self, request_id: int) -> AccessRequest:
        """Take back a request of one's own that has not been used."""
        return requests.withdraw(self, request_id)
