"""What every request passes first: its host, its length, the time of its body; headers and a line in the log.

The log has the template of the route, never the path: a path may hold what somebody typed.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from typing import Any, Final

from litestar import Request
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from pseudonymizer.web import problems
from pseudonymizer.web.parts import Front
from pseudonymizer.web.problems import Problem, ProblemError

log = logging.getLogger("pseudonymizer.web")

_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
_METHODS: Final = _WITH_BODY | {"GET", "HEAD", "DELETE", "OPTIONS"}
_OF_FILES: Final = "PUT"  # brings a file of a workspace, and nothing else
STREAM: Final = "application/x-ndjson"
_NO_ROUTE: Final = "-"
_MOST_DROPPED: Final = 64 << 20  # bytes of a body that is refused
_DROP_SECONDS: Final = 5.0
_REFUSALS: Final = 400  # statuses from here on tell that a request was refused
HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}  # fmt: skip
_RAW_HEADERS: Final = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Door:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, front: Front) -> None:
        self._app = app
        self._front = front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if str(scope["type"]) != "http":
            await self._app(scope, receive, send)
            return
        front = self._front
        request_id = secrets.token_hex(8)
        scope["nymlink_request"] = request_id  # type: ignore[typeddict-unknown-key]
        began, sent = time.monotonic(), _Sent()
        body = _Body(receive, scope, front)

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                await body.drop()
                sent.status = message["status"]
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((name, value) for name, value in _RAW_HEADERS if name not in given),
                    (b"nymlink-version", front.version.encode()),
                    (b"nymlink-request", request_id.encode()),
                ]
            elif message["type"] == "http.response.body":
                sent.bytes += len(message.get("body", b""))
                if sent.status >= _REFUSALS and body.is_stream and not message.get("more_body", False):
                    # The caller has the whole answer now and may still send: a connection that ended before
                    # the last byte of the body would take the answer away again.
                    await send({**message, "more_body": True})
                    await body.drop(of_stream=True)
                    message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        try:
            if (problem := _refused(scope, front)) is not None:
                await _answer(problem, scope, body.receive, noting)
                return
            await self._app(scope, body.receive, noting)
        finally:
            log.info(
                "%s %s %d %d bytes %d ms account %s request %s",
                _method(scope),
                scope.get("path_template") or _NO_ROUTE,
                sent.status, sent.bytes, round((time.monotonic() - began) * 1000),
                scope.get("nymlink_account", _NO_ROUTE), request_id,
            )  # fmt: skip


def _has_body(scope: Any) -> bool:
    names = {bytes(name).lower() for name, _ in scope["headers"]}
    return b"content-length" in names or b"transfer-encoding" in names


def _method(scope: Any) -> str:
    method = str(scope["method"])
    return method if method in _METHODS else _NO_ROUTE


class _Sent:
    status = 0
    bytes = 0


def _refused(scope: Any, front: Front) -> Problem | None:
    """Why a request is refused before anything of it is looked at; None: it is not."""
    headers = {bytes(name).lower(): bytes(value) for name, value in scope["headers"]}
    if headers.get(b"host", b"").decode("latin-1").lower() not in front.hosts:
        return problems.WRONG_HOST
    if scope["method"] not in _WITH_BODY:
        return None
    length = headers.get(b"content-length")
    if length is None and is_stream(headers.get(b"content-type", b"")) and b"transfer-encoding" in headers:
        return None  # its bytes are counted as they come
    if length is None:
        return problems.NO_LENGTH
    limits = front.limits
    largest = limits.largest_file if scope["method"] == _OF_FILES else limits.largest_body
    if not length.isdigit() or int(length) > largest:
        return problems.TOO_LARGE
    return None


def _seconds(scope: Any, front: Front) -> float:
    limits = front.limits
    return limits.file_seconds if scope["method"] == _OF_FILES else limits.body_seconds


def is_stream(content_type: bytes) -> bool:
    """Whether a body comes in pieces, to which the answer comes in pieces meanwhile."""
    return content_type.partition(b";")[0].strip().lower() == STREAM.encode()


class _Body:
    """The body of a request as it comes: in time, or not at all. That of a stream may take long, but not
    pause for long.
    """

    def __init__(self, receive: Receive, scope: Any, front: Front) -> None:
        self._receive = receive
        headers = {bytes(name).lower(): bytes(value) for name, value in scope["headers"]}
        self.is_stream = is_stream(headers.get(b"content-type", b""))
        self._pause = front.limits.stream_pause_seconds
        seconds = front.limits.stream_seconds if self.is_stream else _seconds(scope, front)
        self._ends_at = time.monotonic() + seconds
        self._is_whole = not _has_body(scope)

    async def receive(self) -> Any:
        """The next part.

        Raises:
            ProblemError: the whole body takes too long.
        """
        if self._is_whole:  # what comes now is that the caller has gone
            return await self._receive()
        try:
            left = max(0.0, self._ends_at - time.monotonic())
            async with asyncio.timeout(min(left, self._pause) if self.is_stream else left):
                return self._noted(await self._receive())
        except TimeoutError:
            self._is_whole = True  # no more of it is waited for
            raise ProblemError(problems.TOO_SLOW, headers={"Connection": "close"}) from None

    async def drop(self, *, of_stream: bool = False) -> None:
        """Read what nobody wants, up to a bound: an answer before the end of a body would be lost on the way
        to a caller who is still sending. That of a stream is left to its reader, unless `of_stream`.
        """
        if self.is_stream and not of_stream:
            return
        dropped = 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DROP_SECONDS):
                while not self._is_whole and dropped < _MOST_DROPPED:
                    dropped += len(self._noted(await self._receive()).get("body", b""))
        self._is_whole = True

    def _noted(self, message: Any) -> Any:
        self._is_whole = message["type"] != "http.request" or not message.get("more_body", False)
        return message


async def _answer(problem: Problem, scope: Any, receive: Receive, send: Send) -> None:
    request: Request[Any, Any, Any] = Request(scope, receive, send)
    response = problems.answer(request, ProblemError(problem, headers={"Connection": "close"}))
    await response.to_asgi_response(app=None, request=request)(scope, receive, send)
