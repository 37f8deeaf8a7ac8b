"""The first message of a client: the protocol that it speaks, so that a refusal says which side is older."""

from importlib.metadata import PackageNotFoundError, version
from typing import Final

import msgspec

from pseudonymizer.vault import wire

BARE_NUMBER: Final = 1  # the last protocol whose clients greet with nothing but its number


class Greeting(msgspec.Struct, frozen=True):
    """program: the version of nymlink; empty where it is not known. acting_for: the account for which the web
    front speaks; empty for a user who speaks for himself. Later versions may add fields.
    """

    protocol: int
    program: str = ""
    acting_for: str = ""


def own_greeting(acting_for: str = "") -> Greeting:
    """The greeting of this program. acting_for: see Greeting."""
    try:
        return Greeting(wire.PROTOCOL, version("nymlink"), acting_for)
    except PackageNotFoundError:
        return Greeting(wire.PROTOCOL, acting_for=acting_for)


def read_greeting(raw: bytes) -> Greeting:
    """Raises FrameRefusedError for bytes that no version of this program sends."""
    found: int | Greeting = wire.decode(raw, int | Greeting)
    if isinstance(found, Greeting):
        return found
    if found != BARE_NUMBER:
        raise wire.FrameRefusedError("not the greeting of a vault client")
    return Greeting(found)


def refusal(client: Greeting, service: Greeting) -> str:
    """The refusal of a client: which side is older, and what to install where; "" for equal protocols."""
    if client.protocol == service.protocol:
        return ""
    spoken = f"the program speaks protocol {client.protocol}, the vault service protocol {service.protocol}"
    if client.protocol < service.protocol:
        return (
            f"this program is older than the vault service: {spoken}; install {_named(service)} where the "
            "program runs"
        )
    return (
        f"the vault service is older than this program: {spoken}; install {_named(client)} where the service "
        "runs, and start it again"
    )


def _named(newer: Greeting) -> str:
    return f"nymlink {newer.program}" if newer.program else "the version of nymlink that the other side has"
