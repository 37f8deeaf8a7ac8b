"""A connection to a vault service: its address, the greeting, calls and answers."""

import os
import select
import socket
import threading
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import msgspec

from pseudonymizer.errors import ServiceError
from pseudonymizer.records import ServiceStatus
from pseudonymizer.vault import wire
from pseudonymizer.vault.remote.greeting import BARE_NUMBER, Greeting, own_greeting, refusal
from pseudonymizer.vault.remote.messages import WireVerb

SCHEME: Final = "unix:"
_Asked = TypeVar("_Asked")
_Given = TypeVar("_Given")


def is_service(url: str | Path) -> bool:
    """Whether a vault's address is that of a service, such as unix:/run/nymlink/vault.sock."""
    return isinstance(url, str) and url.startswith(SCHEME)


def socket_path(address: str | Path) -> Path:
    """The socket of unix:PATH, unix://PATH or a bare path."""
    text = str(address).removeprefix(SCHEME)
    return Path("/" + text.lstrip("/") if text.startswith("//") else text)


class VaultConnection:
    """Not for two threads at once: each makes its own.

    A service ends connections that are idle for long. What a verb did is durable when it returns, so the next
    one connects again.
    """

    _address: str | Path | None = None  # where to connect again

    def __init__(self, connection: socket.socket, *, acting_for: str = "") -> None:
        """acting_for: see connect."""
        self._connection = connection
        self._acting_for = acting_for
        self._largest = wire.LARGEST_FRAME
        self._last_event = 0
        self.lock = threading.RLock()
        self.status = self._greeted(own_greeting(acting_for))
        self._largest = self.status.largest_message

    @classmethod
    def connect(cls, address: str | Path, *, acting_for: str = "") -> Self:
        """Connect to the service that listens at unix:PATH.

        acting_for: the account, as web:NAME, for which the user of the web front speaks. Its roles count.

        Raises:
            ServiceError: nothing listens there, this user may not reach it, or it speaks another protocol;
            then the message says which side is older.
            AccessRefusedError: this user may not speak for accounts; on record.
        """
        connection = _connected(address)
        try:
            made = cls(connection, acting_for=acting_for)
        except wire.ConnectionEndedError:
            connection.close()
            if _greets_with_a_number(address):
                raise ServiceError(refusal(own_greeting(), Greeting(BARE_NUMBER))) from None
            raise ServiceError(
                "the vault service ended the connection at once: too many are open, or no vault service "
                "listens there"
            ) from None
        except BaseException:
            connection.close()
            raise
        made._address = address
        return made

    def close(self) -> None:
        self._connection.close()

    @property
    def last_event(self) -> int:
        """The number, in the trail, of the last event that was put on record for this client; 0 before."""
        return self._last_event

    def _greeted(self, greeting: Greeting) -> ServiceStatus:
        wire.send_frame(self._connection, wire.encode(greeting), largest=wire.LARGEST_GREETING)
        status: ServiceStatus = self._answer(ServiceStatus)
        return status

    def ask(self, verb: WireVerb[_Asked, _Given], asked: _Asked) -> _Given:
        """The answer to a verb.

        Raises:
            PseudonymizerError: whatever the verb raised there, as the same class.
            ServiceError: the service is gone, or a message is too large.
        """
        with self.lock:
            if self._address is not None and _is_ended(self._connection):
                self._connect_again(self._address)
            call = wire.Call(verb.name, msgspec.Raw(wire.encode(asked)))
            wire.send_frame(self._connection, wire.encode(call), largest=self._largest)
            given: _Given = self._answer(verb.given)
            return given

    def _connect_again(self, address: str | Path) -> None:
        # While the service is away the ended connection stays, and the next call tries again.
        made = _connected(address)
        self._connection.close()
        self._connection = made
        status = self._greeted(own_greeting(self._acting_for))
        if (status.vault_id, status.actor) != (self.status.vault_id, self.status.actor):
            raise ServiceError(
                "the vault service at this socket has another vault now, or knows you by another name; begin "
                "again"
            )
        self.status = status

    def _answer(self, kind: Any) -> Any:
        raw = wire.receive_frame(self._connection, largest=max(self._largest, wire.LARGEST_FRAME))
        answer: wire.Answer = wire.decode(raw, wire.Answer)
        self._last_event = max(self._last_event, answer.event)
        if answer.error:
            raise wire.raised(answer)
        return wire.decode(answer.result, kind)


def _is_ended(connection: socket.socket) -> bool:
    """Whether the other side has closed the connection while nobody asked it anything."""
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):  # closed here; the next step says so
        return False


def _connected(address: str | Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(os.fspath(socket_path(address)))
    except OSError as error:
        connection.close()
        raise ServiceError(
            f"no vault service can be reached at this socket ({os.strerror(error.errno or 0)}); start it "
            "with `nymlink vault serve`, or ask for access to its folder"
        ) from None
    return connection


def _greets_with_a_number(address: str | Path) -> bool:
    """Whether the service answers the greeting of the first protocol; one that speaks it leaves others
    unanswered.
    """
    try:
        with _connected(address) as connection:
            wire.send_frame(connection, wire.encode(BARE_NUMBER), largest=wire.LARGEST_GREETING)
            raw = wire.receive_frame(connection, largest=wire.LARGEST_FRAME, idle_seconds=wire.FRAME_SECONDS)
            answer: wire.Answer = wire.decode(raw, wire.Answer)
    except ServiceError:
        return False
    return not answer.error
