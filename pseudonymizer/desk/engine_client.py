"""The engine as the front sees it: calls with a time limit, and no more of them at once than it may hold."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec

from pseudonymizer.desk import frames
from pseudonymizer.desk.answered import StreamBegun, StreamedPiece, StreamEnded
from pseudonymizer.desk.asked import Asked, OfProject, StreamPiece
from pseudonymizer.desk.correction_asked import CorrectionAsked
from pseudonymizer.desk.frames import Answer, Call, Caller
from pseudonymizer.desk.presidio_asked import PresidioAsked
from pseudonymizer.desk.steward_asked import StewardAsked
from pseudonymizer.desk.workspace_answered import Done
from pseudonymizer.desk.workspace_asked import WorkspaceAsked
from pseudonymizer.errors import EngineBusyError, EngineGoneError, EngineSlowError, InvalidRecordError

_Given = TypeVar("_Given")
_CONNECT_SECONDS: Final = 2.0
_VAULT_SECONDS: Final = 2.0  # that the vault may take to open, and that it counts as there after it did
_ITSELF: Final = Caller("readiness")  # the engine's own user at a vault service


class EngineFailedError(Exception):
    """The engine answered with an error. names: of its class and of those above. field: see frames.Answer."""

    def __init__(self, names: tuple[str, ...], field: str) -> None:
        super().__init__(names[0] if names else "")
        self.names = names
        self.field = field


class EngineClient:
    """Calls of one front. Further calls wait in the socket of the engine, up to a bound."""

    def __init__(self, place: str, *, most_open: int, seconds: float) -> None:
        """place: path of the socket. most_open: calls at once. seconds: the longest that a call may take."""
        self._place = place
        self._most_open = most_open
        self._seconds = seconds
        self._open = 0
        self._vault_until = 0.0  # by the clock of the loop

    async def ask(
        self,
        verb: str,
        caller: Caller,
        asked: Asked | StewardAsked | WorkspaceAsked | CorrectionAsked | PresidioAsked,
        given: type[_Given],
    ) -> _Given:
        """The answer to a verb.

        Raises:
            EngineBusyError: as many calls are open as may be.
            EngineSlowError: it took too long.
            EngineGoneError: the engine is not there, or ended meanwhile.
            EngineFailedError: what the verb raised.
        """
        raw = _call(verb, caller, asked)
        return _result(await self._exchanged(lambda: frames.exchange(self._place, raw)), given)

    @contextlib.asynccontextmanager
    async def streaming(self, verb: str, caller: Caller, asked: Asked) -> AsyncIterator["EngineStream"]:
        """A text that comes in pieces, until the block ends. Raises as ask."""
        raw = _call(verb, caller, asked)
        line = await frames.Line.to(self._place)
        try:
            _result(await self._exchanged(lambda: line.exchange(raw)), StreamBegun)
            yield EngineStream(lambda piece: self._exchanged(lambda: line.exchange(piece)))
        finally:
            line.close()

    async def _exchanged(self, exchange: Callable[[], Awaitable[bytes]]) -> bytes:
        if self._open >= self._most_open:
            raise EngineBusyError(f"{self._open} requests are waiting, and no more can; ask again later")
        self._open += 1
        try:
            async with asyncio.timeout(self._seconds):
                return await exchange()
        except TimeoutError:
            raise EngineSlowError(f"the request took longer than {self._seconds:g} seconds") from None
        finally:
            self._open -= 1

    async def is_ready(self) -> bool:
        """Whether the models are loaded and the engine takes calls."""
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                _, writer = await asyncio.open_unix_connection(self._place)
        except (OSError, TimeoutError):
            return False
        writer.close()
        return True

    async def check_vault(self) -> None:
        """Nothing, where the engine can open the vault, or could two seconds ago. An engine that is busy with
        texts does not say so in time, and counts: they need the vault themselves.

        Raises:
            EngineGoneError, EngineFailedError: see ask.
        """
        clock = asyncio.get_running_loop().time
        if clock() < self._vault_until:
            return
        raw = _call("vault-ready", _ITSELF, OfProject())
        try:
            async with asyncio.timeout(_VAULT_SECONDS):
                _result(await frames.exchange(self._place, raw), Done)
        except TimeoutError:
            return
        self._vault_until = clock() + _VAULT_SECONDS


class EngineStream:
    """A text that is given to the engine in pieces."""

    def __init__(self, exchange: Callable[[bytes], Awaitable[bytes]]) -> None:
        self._exchange = exchange

    async def feed(self, text: str) -> StreamedPiece:
        """The text that can be given out after this piece. Raises as EngineClient.ask."""
        return _result(await self._exchange(frames.encode(StreamPiece(text=text))), StreamedPiece)

    async def end(self) -> StreamEnded:
        """The rest, and what was restored. Raises as EngineClient.ask."""
        raw = frames.encode(StreamPiece(text="", is_last=True))
        return _result(await self._exchange(raw), StreamEnded)


def _call(verb: str, caller: Caller, asked: Any) -> bytes:
    """A call as a frame.

    Raises:
        EngineFailedError, EngineGoneError: see EngineClient.ask.
    """
    try:
        raw = frames.encode(Call(verb, caller, msgspec.Raw(frames.encode(asked))))
    except OverflowError:  # a number that no field can have
        raise EngineFailedError((InvalidRecordError.__name__,), "") from None
    if len(raw) > frames.LARGEST_FRAME:
        raise EngineGoneError("the request is larger than a frame may be")
    return raw


def _result(answered: bytes, given: type[_Given]) -> _Given:
    answer = msgspec.msgpack.decode(answered, type=Answer)
    if answer.errors:
        raise EngineFailedError(answer.errors, answer.field)
    result: _Given = _decoded(answer.result, given)
    return result


def _decoded(raw: msgspec.Raw, kind: Any) -> Any:
    return msgspec.msgpack.decode(raw, type=kind)
