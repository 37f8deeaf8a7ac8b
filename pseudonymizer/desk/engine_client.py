"""The engine as the front sees it: calls with a time limit, and no more of them at once than it may hold."""

import asyncio
from typing import Any, Final, TypeVar

import msgspec

from pseudonymizer.desk import frames
from pseudonymizer.desk.asked import Asked
from pseudonymizer.desk.correction_asked import CorrectionAsked
from pseudonymizer.desk.frames import Answer, Call, Caller
from pseudonymizer.desk.presidio_asked import PresidioAsked
from pseudonymizer.desk.steward_asked import StewardAsked
from pseudonymizer.desk.workspace_asked import WorkspaceAsked
from pseudonymizer.errors import EngineBusyError, EngineGoneError, EngineSlowError, InvalidRecordError

_Given = TypeVar("_Given")
_CONNECT_SECONDS: Final = 2.0


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
        if self._open >= self._most_open:
            raise EngineBusyError(f"{self._open} requests are waiting, which is the most; ask again later")
        try:
            raw = frames.encode(Call(verb, caller, msgspec.Raw(frames.encode(asked))))
        except OverflowError:  # a number that no field can have
            raise EngineFailedError((InvalidRecordError.__name__,), "") from None
        if len(raw) > frames.LARGEST_FRAME:
            raise EngineGoneError("the request is larger than a frame may be")
        self._open += 1
        try:
            async with asyncio.timeout(self._seconds):
                answered = await frames.exchange(self._place, raw)
        except TimeoutError:
            raise EngineSlowError(f"the request took longer than {self._seconds:g} seconds") from None
        finally:
            self._open -= 1
        answer = msgspec.msgpack.decode(answered, type=Answer)
        if answer.errors:
            raise EngineFailedError(answer.errors, answer.field)
        result: _Given = _decoded(answer.result, given)
        return result

    async def is_ready(self) -> bool:
        """Whether the models are loaded and the engine takes calls."""
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                _, writer = await asyncio.open_unix_connection(self._place)
        except (OSError, TimeoutError):
            return False
        writer.close()
        return True


def _decoded(raw: msgspec.Raw, kind: Any) -> Any:
    return msgspec.msgpack.decode(raw, type=kind)
