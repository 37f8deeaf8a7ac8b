"""Which pseudonyms of two projects are one person; see pseudonymizer.vault.crosslinks."""

from pseudonymizer.vault.crosslinks import link_projects, request_link

__all__ = ["link_projects", "request_link"]
