"""The vault as a process of its own: the only one with keys, behind a Unix socket."""

from pseudonymizer.service.server import VaultService as VaultService
