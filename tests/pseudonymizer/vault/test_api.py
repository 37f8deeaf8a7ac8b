"""The vault in this process and the client of a service are the same to a caller, method for method."""

import inspect
from typing import get_type_hints

import pytest

from pseudonymizer.vault import Vault
from pseudonymizer.vault.api import VaultApi
from pseudonymizer.vault.folders_api import FoldersApi
from pseudonymizer.vault.remote.client import VaultClient
from pseudonymizer.vault.review_api import ReviewApi
from pseudonymizer.vault.values_api import ValuesApi

METHODS = sorted(
    name
    for base in VaultApi.__mro__
    if base.__module__ in {c.__module__ for c in (VaultApi, FoldersApi, ReviewApi, ValuesApi)}
    for name, member in vars(base).items()
    if inspect.isfunction(member) and (not name.startswith("_") or name in {"__enter__", "__exit__"})
)


def test_what_a_caller_asks_of_a_vault_is_all_there() -> None:
    assert {
        "assign",
        "linked",
        "known_identities",
        "restore",
        "erase",
        "verify",
        "commit",
        "kept_links",
        "assign_values",
    } < set(METHODS)
    assert len(METHODS) == len(set(METHODS))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [Vault, VaultClient])
def test_each_method_takes_what_the_protocol_says(kind: type, method: str) -> None:
    wanted = inspect.signature(getattr(VaultApi, method)).parameters
    found = inspect.signature(getattr(kind, method)).parameters
    if method == "__exit__":
        assert len(found) == len(wanted) or "_" in found  # never called by name
        return
    assert list(found) == list(wanted)
    for name, parameter in wanted.items():
        assert found[name].kind is parameter.kind, name
        if parameter.default is not inspect.Parameter.empty:
            assert found[name].default == parameter.default, name
    types = get_type_hints(getattr(VaultApi, method))
    hints = get_type_hints(getattr(kind, method))
    for name in wanted.keys() - {"self", "linker", "invented"}:  # those two a client can do without
        assert hints[name] == types[name], name


def test_both_are_a_vault_api_to_the_type_checker() -> None:
    def take(_: type[VaultApi]) -> None: ...

    take(Vault)
    take(VaultClient)
