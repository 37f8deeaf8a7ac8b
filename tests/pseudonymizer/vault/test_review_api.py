"""The review of runs is a part of what a vault can do, in this process and behind a service alike."""

import inspect
from typing import get_type_hints

import pytest

from pseudonymizer.vault import Vault
from pseudonymizer.vault.api import VaultApi
from pseudonymizer.vault.remote.client import VaultClient
from pseudonymizer.vault.review_api import ReviewApi

METHODS = sorted(name for name, member in vars(ReviewApi).items() if inspect.isfunction(member))
METHODS = [name for name in METHODS if not name.startswith("_")]


def test_a_vault_api_has_the_review_of_runs() -> None:
    assert METHODS == ["forget_open_links", "keep_open_links", "kept_links", "reviewed_rewrites"]
    assert ReviewApi in VaultApi.__mro__


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [Vault, VaultClient])
def test_each_method_takes_and_gives_what_the_protocol_says(kind: type, method: str) -> None:
    wanted, found = getattr(ReviewApi, method), getattr(kind, method)
    assert inspect.signature(found).parameters.keys() == inspect.signature(wanted).parameters.keys()
    for name, parameter in inspect.signature(wanted).parameters.items():
        other = inspect.signature(found).parameters[name]
        assert (other.kind, other.default) == (parameter.kind, parameter.default), name
    assert get_type_hints(found) == get_type_hints(wanted)
