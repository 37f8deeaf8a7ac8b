"""Idempotency-Key: a POST that comes again gets the answer of the first one, and nothing is done twice."""

import hashlib
from typing import Any, Final

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from pseudonymizer.desk.records import Principal
from pseudonymizer.web import problems
from pseudonymizer.web.door import is_stream
from pseudonymizer.web.kept_answers import LARGEST, KeptAnswers
from pseudonymizer.web.problems import ProblemError

_LONGEST_KEY: Final = 255
_HEADER: Final = b"idempotency-key"
_REPLAYED: Final = (b"idempotency-replayed", b"true")
_NOT_KEPT: Final = frozenset({401, 403, 408, 429})  # what may be another answer at the next try


class Idempotency(ASGIMiddleware):
    """Middleware behind the login."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Answer a request, from what is kept where it came before.

        Raises:
            ProblemError: see KeptAnswers.begin; or the key is too long or has characters that nobody sees.
        """
        told: Any = scope
        key = next((value for name, value in told["headers"] if name.lower() == _HEADER), None)
        principal: Principal | None = told.get("user")
        if told["method"] != "POST" or key is None or principal is None or _is_stream(told):
            await next_app(scope, receive, send)
            return
        if not 0 < len(key) <= _LONGEST_KEY or not all(32 < letter < 127 for letter in key):
            raise ProblemError(problems.WRONG_KEY)
        kept: KeptAnswers = told["litestar_app"].state.front.answers
        body = await _whole(receive)
        digest = hashlib.sha256(
            b"\0".join((told["raw_path"], told.get("query_string", b""), hashlib.sha256(body).digest()))
        ).digest()
        account, name = principal.key, key.decode("ascii")
        if (found := kept.begin(account, name, digest)) is not None and found.start is not None:
            start: Any = dict(found.start)
            start["headers"] = [*start["headers"], _REPLAYED]
            await send(start)
            await send({"type": "http.response.body", "body": found.body, "more_body": False})
            return
        answer = _Answer(send)
        is_whole = False
        try:
            await next_app(scope, _again(body, receive), answer.send)
            is_whole = True
        finally:
            kept.end(account, name, answer.kept() if is_whole else None, bytes(answer.body))


class _Answer:
    """An answer on its way, with a copy of it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Any = None
        self.body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = dict(message)
        elif message["type"] == "http.response.body" and len(self.body) <= LARGEST:
            self.body += message.get("body", b"")
        await self._send(message)

    def kept(self) -> Any:
        """The head of the answer, where it is to be kept."""
        status = 500 if self._start is None else self._start["status"]
        return None if status >= 500 or status in _NOT_KEPT else self._start


def _is_stream(scope: Any) -> bool:
    """Whether the body comes in pieces: nobody can wait for all of it."""
    types = [value for name, value in scope["headers"] if name.lower() == b"content-type"]
    return any(map(is_stream, types))


async def _whole(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message: Any = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or not message.get("more_body", False):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """What gives a body that was read once more."""
    is_given = False

    async def given() -> Any:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return given
