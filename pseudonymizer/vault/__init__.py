"""The vault: assigns nothing and reveals nothing by itself; it stores, seals, proves and finds again."""

from pseudonymizer.vault.vault import Vault

__all__ = ["Vault"]
