"""A text that is restored while it is written: pieces go, and what can be told comes back at once.

httpx sends a whole request before it reads the answer; here both go on together, over http.client.
"""

import asyncio
import http.client
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

import httpx
import msgspec

from nymlink_client.answers import LabelCounts, Problem
from nymlink_client.calls import API, error_of_problem, problem_error
from nymlink_client.errors import ServiceFailedError, UnreachableError, WrongRequestError

_PATH: Final = f"{API}/text/restore/stream"
_TYPE: Final = "application/x-ndjson"
_LONGEST_LINE: Final = 64 << 20  # bytes of an answer
_LONGEST_PIECE: Final = 250_000  # characters; what is longer goes in parts


class _Line(msgspec.Struct, frozen=True):
    text: str = ""
    held: int = 0
    restored: int = 0
    unknown: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    audit_sequence: int = 0
    is_last: bool = False
    problem: Problem | None = None


class RestoringStream:
    """Takes pieces of a text and gives pieces with names in place of labels, as pseudonymizer's stream of
    this name does. For one text and one thread; close it, or use it as a context manager.
    """

    def __init__(self, url: str, headers: Mapping[str, str], timeout: float, told: Mapping[str, Any]) -> None:
        """Nothing is sent before the first piece."""
        self._url, self._headers, self._timeout, self._told = url, dict(headers), timeout, told
        self._connection: http.client.HTTPConnection | None = None
        self._response: http.client.HTTPResponse | None = None
        self._last: _Line | None = None
        self._held = 0

    def __repr__(self) -> str:
        return f"RestoringStream({self._held} letters held)"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. What was given until then is on record."""
        if self._response is not None:
            self._response.close()
        if self._connection is not None:
            self._connection.close()

    @property
    def held(self) -> int:
        """How many characters are held back."""
        return self._held

    @property
    def labels(self) -> LabelCounts:
        """What was restored and left. Raises WrongRequestError before the end of the text."""
        last = self._ended()
        return LabelCounts(last.restored, last.unknown, last.malformed)

    @property
    def audit_sequence(self) -> int:
        """The number of the last event in the vault's trail that says what was given; 0 where nothing was.
        Raises WrongRequestError before the end of the text.
        """
        return self._ended().audit_sequence

    def feed(self, piece: str) -> str:
        """What can be given out, with names in it, after this piece of the text.

        Raises:
            NymlinkError: in one of its children; the text has ended by then.
        """
        if self._last is not None:
            raise WrongRequestError(detail="this text has ended; begin another one")
        given = []
        for start in range(0, len(piece), _LONGEST_PIECE):
            line = self._exchanged(_sent({"text": piece[start : start + _LONGEST_PIECE]}))
            self._held = line.held
            given.append(line.text)
        return "".join(given)

    def end(self) -> str:
        """The rest. Raises as feed."""
        if self._last is not None:
            raise WrongRequestError(detail="this text has ended; begin another one")
        self._last, self._held = self._exchanged(None), 0
        self.close()
        return self._last.text

    def restored(self, pieces: Iterable[str]) -> Iterator[str]:
        """The pieces with names in them, and the rest; none is empty. Raises as feed."""
        try:
            for piece in pieces:
                if given := self.feed(piece):
                    yield given
            if rest := self.end():
                yield rest
        finally:
            self.close()

    async def restored_async(self, pieces: AsyncIterable[str]) -> AsyncIterator[str]:
        """The same in async code: each exchange is done by another thread. Raises as feed."""
        try:
            async for piece in pieces:
                if given := await asyncio.to_thread(self.feed, piece):
                    yield given
            if rest := await asyncio.to_thread(self.end):
                yield rest
        finally:
            self.close()

    def _ended(self) -> _Line:
        if self._last is None:
            raise WrongRequestError(detail="the text has not ended; call end first")
        return self._last

    def _exchanged(self, chunk: bytes | None) -> _Line:
        """The answer to one more piece; to the end of the text where it is None."""
        try:
            response = self._response or self._begun()
            assert self._connection is not None  # noqa: S101  for the type checker
            self._connection.send(b"0\r\n\r\n" if chunk is None else _framed(chunk))
            raw = response.readline(_LONGEST_LINE)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise UnreachableError(detail=f"the connection broke off ({type(error).__name__})") from None
        try:
            line = msgspec.json.decode(raw, type=_Line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.close()
            raise ServiceFailedError(200, detail="the answer broke off in the middle of the text") from None
        if line.problem is not None:
            self.close()
            raise error_of_problem(line.problem, line.problem.status)
        return line

    def _begun(self) -> http.client.HTTPResponse:
        self._connection = _connection(self._url, self._timeout)
        self._connection.putrequest("POST", urlsplit(self._url).path.rstrip("/") + _PATH)
        for name, value in self._headers.items():
            self._connection.putheader(name, value)
        self._connection.putheader("Content-Type", _TYPE)
        self._connection.putheader("Transfer-Encoding", "chunked")
        self._connection.endheaders()
        self._connection.send(_framed(_sent(self._told)))
        response = self._connection.getresponse()
        if response.status != 200:
            raw = response.read()
            self.close()
            raise problem_error(raw, response.status)
        self._response = response
        return response


def stream_options(project: str | None, told: Mapping[str, Any], notation: str) -> dict[str, Any]:
    """The first line of a stream. told: see calls.restore; empty ones are left out."""
    body = {name: value for name, value in told.items() if value}
    return {**body, "notation": notation, **({} if project is None else {"project": project})}


def _connection(url: str, timeout: float) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme == "http":
        return http.client.HTTPConnection(host, parts.port, timeout=timeout)
    checked: ssl.SSLContext = httpx.create_ssl_context(trust_env=False)
    return http.client.HTTPSConnection(host, parts.port, timeout=timeout, context=checked)


def _sent(value: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(value) + b"\n"
    except UnicodeEncodeError:
        raise WrongRequestError(detail="a text holds half a character (a lone surrogate)") from None


def _framed(chunk: bytes) -> bytes:
    return f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n"
