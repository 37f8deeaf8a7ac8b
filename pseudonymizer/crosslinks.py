"""Which pseudonyms of two projects are one person: the one verb that crosses projects. Granted and on record.

Functions of a vault that is open here, or of the client of a service; see vault.ways_back.crosslinks.
"""

from pseudonymizer.records import AccessRequest, CrossLink
from pseudonymizer.vault.api import VaultApi


def request_link(
    vault: VaultApi, *, project: str, other: str, purpose: str, legal_basis: str = "", ticket: str = ""
) -> AccessRequest:
    """Ask for the links between two projects; approved and granted like every other request."""
    return vault.request_link(
        project=project, other=other, purpose=purpose, legal_basis=legal_basis, ticket=ticket
    )


def link_projects(
    vault: VaultApi, *, project: str, other: str, purpose: str, ticket: str = "", grant: str | None = None
) -> tuple[CrossLink, ...]:
    """Pairs of pseudonyms, one of each project, that stand for one person, in the order of the first.

    Raises:
        GrantInvalidError: one of the projects wants a grant, and there is none; on record.
    """
    return vault.link_projects(project=project, other=other, purpose=purpose, ticket=ticket, grant=grant)
