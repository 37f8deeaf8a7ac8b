"""Pseudonyms for people, with the way back in an encrypted vault. Names load on first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pseudonymizer.assignment import assign as assign
    from pseudonymizer.errors import PseudonymizerError as PseudonymizerError
    from pseudonymizer.keyring import EnvironmentKey as EnvironmentKey
    from pseudonymizer.keyring import FileKey as FileKey
    from pseudonymizer.keyring import FileKeyring as FileKeyring
    from pseudonymizer.keyring import MountedSecretKey as MountedSecretKey
    from pseudonymizer.keyring import PassphraseKey as PassphraseKey
    from pseudonymizer.keyring import RecoveryKey as RecoveryKey
    from pseudonymizer.project import Project as Project
    from pseudonymizer.project import ProjectOptions as ProjectOptions
    from pseudonymizer.records import Pseudonym as Pseudonym
    from pseudonymizer.records import Scope as Scope
    from pseudonymizer.rewriting import rewrite as rewrite
    from pseudonymizer.vault import Vault as Vault
    from pseudonymizer.vault_address import open_vault as open_vault

_HOME = {
    "EnvironmentKey": "keyring",
    "FileKey": "keyring",
    "FileKeyring": "keyring",
    "MountedSecretKey": "keyring",
    "PassphraseKey": "keyring",
    "Project": "project",
    "ProjectOptions": "project",
    "Pseudonym": "records",
    "PseudonymizerError": "errors",
    "RecoveryKey": "keyring",
    "Scope": "records",
    "Vault": "vault",
    "assign": "assignment",
    "open_vault": "vault_address",
    "rewrite": "rewriting",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if (module := _HOME.get(name)) is None:
        raise AttributeError(f"module 'pseudonymizer' has no attribute {name!r}")
    return getattr(import_module(f"pseudonymizer.{module}"), name)
