"""Functions that take a vault, for a vault in this process and for the client of a service alike."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from types import GenericAlias
from typing import Any, Concatenate, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from linkage.records import LinkageResult
from pseudonymizer.crypto import OutputDigest, digest_sha256
from pseudonymizer.records import Rewrite
from pseudonymizer.vault.client import SentRewrite, VaultClient

_First = TypeVar("_First")
_Local = TypeVar("_Local")
_Rest = ParamSpec("_Rest")
_Result = TypeVar("_Result")


def also_remote(
    function: Callable[Concatenate[_Local, _Rest], _Result],
) -> Callable[Concatenate[_Local | VaultClient, _Rest], _Result]:
    """The same function for a vault in this process and for the client of a service, which serves it under
    the function's name.
    """
    forward = _forwarder(function)

    @wraps(function)
    def chosen(vault: _Local | VaultClient, /, *given: _Rest.args, **named: _Rest.kwargs) -> _Result:
        if isinstance(vault, VaultClient):
            result: _Result = forward(vault, (vault, *given), named)
            return result
        return function(vault, *given, **named)

    return chosen


def also_remote_second(
    function: Callable[Concatenate[_First, _Local, _Rest], _Result],
) -> Callable[Concatenate[_First, _Local | VaultClient, _Rest], _Result]:
    """The same where the vault is the second argument, as in assign(result, vault, ...)."""
    forward = _forwarder(function)

    @wraps(function)
    def chosen(
        first: _First, vault: _Local | VaultClient, /, *given: _Rest.args, **named: _Rest.kwargs
    ) -> _Result:
        if isinstance(vault, VaultClient):
            result: _Result = forward(vault, (first, vault, *given), named)
            return result
        return function(first, vault, *given, **named)

    return chosen


def result_type(function: Callable[..., Any]) -> Any:
    """What travels back: an iterator's items as a tuple."""
    kind = get_type_hints(function)["return"]
    if kind == tuple[Rewrite | None, ...]:
        return tuple[SentRewrite | None, ...]
    if get_origin(kind) is Iterator:
        (item,) = get_args(kind)
        return GenericAlias(tuple, (item, ...))
    return kind


def _forwarder(function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    def forward(client: VaultClient, given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        arguments = dict(signature.bind(*given, **named).arguments)
        del arguments["vault"]
        if "outputs" in arguments:  # whole files stay here: the vault finds them by digest
            arguments["outputs"] = [
                output if isinstance(output, OutputDigest) else digest_sha256((output,))
                for output in arguments["outputs"]
            ]
        if isinstance(result := arguments.get("result"), LinkageResult):
            project = str(arguments["project"])
            arguments["result"] = LinkageResult(result.mentions, result.identities)
            arguments["seen_through"] = client.seen_through.get(project, 0)
        kind = result_type(function)
        found = client.call(function.__name__, kind, **arguments)
        if kind == tuple[SentRewrite | None, ...]:
            return tuple(sent and sent.rewrite() for sent in found)
        return iter(found) if get_origin(get_type_hints(function)["return"]) is Iterator else found

    return forward
