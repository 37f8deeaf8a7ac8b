"""/api/v1/text/restore/stream: names back in one text while it is written, such as a language model's answer.

The body has a JSON object a line: first the options, then the pieces. Each piece is answered at once by a
line; the end of the body is answered by the rest and by what was restored. What may be the beginning of a
label is held back, and nothing else. Before the first piece with a name leaves, that it does is on record.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar import Request, Router, post
from litestar.exceptions import ClientException, InternalServerException
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Receive, Send

from pseudonymizer.desk.asked import RestoreStream
from pseudonymizer.desk.engine_client import EngineFailedError, EngineStream
from pseudonymizer.errors import EngineError
from pseudonymizer.policy import Verb
from pseudonymizer.web import problems
from pseudonymizer.web.door import STREAM, is_stream
from pseudonymizer.web.guards import needs
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]
_Value = TypeVar("_Value")
_EVENTS: Final = "text/event-stream"
_LONGEST_LINE: Final = 16 << 20  # bytes; a receipt has at most 4 million characters
_ANSWER: Final = {
    200: ResponseSpec(
        data_container=bytes, media_type=STREAM, description="A line for each piece, and a last one."
    )
}


class _Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(max_length=1_000_000)]


class _Lines:
    """The lines of a body as they come; empty ones are passed over."""

    def __init__(self, request: _Request) -> None:
        self._chunks = request.stream()
        self._waiting = bytearray()
        self._seen = 0

    async def next(self) -> bytes | None:
        """The next line; None at the end.

        Raises:
            ProblemError: it is longer than a line may be, or comes too slowly.
            ConnectionError: the caller has gone.
        """
        while True:
            end = self._waiting.find(b"\n", self._seen)
            if end >= 0:
                line = bytes(self._waiting[:end]).strip()
                del self._waiting[: end + 1]
                self._seen = 0
                if line:
                    return line
                continue
            self._seen = len(self._waiting)
            if self._seen > _LONGEST_LINE:
                raise ProblemError(problems.TOO_LARGE)
            try:
                self._waiting += await anext(self._chunks)
            except StopAsyncIteration:
                line = bytes(self._waiting).strip()
                self._waiting.clear()
                return line or None
            except InternalServerException:
                raise ConnectionError from None


class _TwoWay(Stream):
    """An answer that is written while its request is read."""

    def to_asgi_response(self, app: Any, request: Any, **told: Any) -> ASGIResponse:
        """An answer without the listener for the end of the connection, which would take the body."""
        made = super().to_asgi_response(app, request, **told)
        made.__class__ = _AnswerWhileRead  # it has the same fields
        return made


class _AnswerWhileRead(ASGIStreamingResponse):
    __slots__ = ()

    async def send_body(self, send: Send, receive: Receive) -> None:
        del receive
        await self._stream(send)


@post("/restore/stream", status_code=200, opt=needs(Verb.RESTORE, Verb.GIVE_BACK), responses=_ANSWER)
async def restore_stream(request: _Request) -> Stream:
    """Give names back in one text that comes in pieces: a JSON object a line, the options first."""
    if not is_stream(request.headers.get("content-type", "").encode("latin-1")):
        raise ProblemError(problems.WRONG_STREAM)
    lines = _Lines(request)
    asked = _decoded(await lines.next(), RestoreStream)
    if (Verb.RESTORE if asked.receipt is None else Verb.GIVE_BACK) not in request.user.verbs:
        raise ProblemError(problems.NOT_ALLOWED)
    front = front_of(request)
    async with AsyncExitStack() as opening:
        opening.enter_context(front.streams.one_more(request.user.key))
        text = await opening.enter_async_context(
            front.engine.streaming("restore-stream", caller_of(request), asked)
        )
        held = opening.pop_all()
    as_events = request.headers.get("accept", "").partition(";")[0].strip() == _EVENTS
    return _TwoWay(
        _answers(request, lines, text, held, as_events=as_events),
        media_type=_EVENTS if as_events else STREAM, headers={"X-Accel-Buffering": "no"},
    )  # fmt: skip


async def _answers(
    request: _Request, lines: _Lines, text: EngineStream, held: AsyncExitStack, *, as_events: bool
) -> AsyncIterator[bytes]:
    def written(answer: Any) -> bytes:
        raw = msgspec.json.encode(answer)
        return b"data: " + raw + b"\n\n" if as_events else raw + b"\n"

    async with held:
        try:
            while (line := await lines.next()) is not None:
                piece = _decoded(line, _Piece)
                yield written(await text.feed(piece.text))
            yield written(await text.end())
        except ConnectionError:  # nobody reads any more; what was given is on record
            return
        except (ProblemError, EngineFailedError, EngineError, ClientException) as error:
            yield written({"problem": problems.told_within(request, error), "is_last": True})


def _decoded(line: bytes | None, kind: type[_Value]) -> _Value:
    """A line as a record.

    Raises:
        ProblemError: it is no JSON, or has other fields.
    """
    try:
        return msgspec.json.decode(line or b"", type=kind)
    except msgspec.ValidationError:
        raise ProblemError(problems.WRONG_VALUE) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ProblemError(problems.MALFORMED) from None


router = Router("/api/v1/text", route_handlers=[restore_stream])
