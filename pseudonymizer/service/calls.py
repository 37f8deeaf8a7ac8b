"""Calls of a vault service: who may make them, and how each is answered."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import msgspec

from pseudonymizer.errors import ServiceError
from pseudonymizer.policy import Verb
from pseudonymizer.styles.name_pool import InventedNames, ShippedLists
from pseudonymizer.vault import Vault, access, wire
from pseudonymizer.vault.api import MentionLinker
from pseudonymizer.vault.remote.messages import WireVerb

ANY_ROLE: Final = tuple(Verb)  # whoever may do anything at all
_Asked = TypeVar("_Asked", bound=msgspec.Struct)
_Given = TypeVar("_Given")


def _no_lists() -> ShippedLists:
    raise ServiceError("this vault service was started without lists of names: it makes no surrogates")


@dataclass(slots=True)
class Session:
    """One caller: the vault opened in the caller's name, the service's linker, and its lists of names."""

    vault: Vault
    linker: MentionLinker | None = field(default=None, repr=False)
    invented: InventedNames = field(default_factory=lambda: InventedNames(_no_lists), repr=False)


@dataclass(frozen=True, slots=True)
class Served:
    """needs: the caller must be allowed at least one of these."""

    needs: tuple[Verb, ...]
    asked: type[msgspec.Struct]
    run: Callable[[Session, Any], Any] = field(repr=False)


VERBS: dict[str, Served] = {}


def run_verb(session: Session, call: wire.Call) -> bytes:
    """The encoded result of a call, which is durable. Leaves nothing uncommitted behind.

    Raises:
        AccessRefusedError: on record, before the arguments are looked at.
        ServiceError: there is no such verb, or the arguments are not what it declares.
    """
    served = VERBS.get(call.verb)
    if served is None:
        raise wire.FrameRefusedError("the vault service has no such verb")
    vault = session.vault
    try:
        access.authorize_one_of(vault, served.needs)
        given = served.run(session, wire.decode(call.arguments, served.asked))
        vault.commit()
        return wire.encode(given)
    finally:
        vault.rollback()


def serve(
    verb: WireVerb[_Asked, _Given], *needs: Verb
) -> Callable[[Callable[[Session, _Asked], _Given]], Callable[[Session, _Asked], _Given]]:
    """Serve a verb by a function."""

    def add(function: Callable[[Session, _Asked], _Given]) -> Callable[[Session, _Asked], _Given]:
        VERBS[verb.name] = Served(needs, verb.asked, function)
        return function

    return add
