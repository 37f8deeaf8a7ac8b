"""The way back from pseudonyms to names; see pseudonymizer.vault.reidentification."""

from pseudonymizer.vault.reidentification import (
    approve,
    grant,
    lookup,
    request,
    request_restore,
    restore,
    reveal,
    stored_addresses,
    stored_forms,
)

__all__ = [
    "approve",
    "grant",
    "lookup",
    "request",
    "request_restore",
    "restore",
    "reveal",
    "stored_addresses",
    "stored_forms",
]
