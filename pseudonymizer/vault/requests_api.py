"""What a VaultApi has for requests of names that wait for somebody, and for the list of people; a part of
pseudonymizer.vault.api.
"""

from typing import Protocol

from pseudonymizer.records import AccessRequest, ListedPerson


class RequestsApi(Protocol):
    """Requests as they stand. Who approves or audits sees all, who requests the own ones."""

    def requests(self, project: str | None = None) -> tuple[AccessRequest, ...]:
        """The requests of a project, or of all, that the actor may see, the first one first."""
        ...

    def listed_people(
        self, project: str, *, purpose: str, ticket: str = "", most: int | None = None
    ) -> tuple[ListedPerson, ...]:
        """The people of a project, those with most labels in outputs first; at most so many. On record;
        commits.
        """
        ...

    def deny(self, request_id: int, *, reason: str = "") -> AccessRequest:
        """Deny a request that has not been used, whether it is approved or not. reason: for who asked. On
        record; commits.
        """
        ...

    def withdraw(self, request_id: int) -> AccessRequest:
        """Take back a request of one's own that has not been used. On record; commits."""
        ...
