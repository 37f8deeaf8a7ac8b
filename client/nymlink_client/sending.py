"""Sends calls over a connection that stays open, and sends them again where the service is busy."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import httpx

from nymlink_client import calls
from nymlink_client.calls import Call
from nymlink_client.errors import NymlinkError, UnreachableError
from nymlink_client.files import PIECE, Outgoing
from nymlink_client.streams import RestoringStream

_T = TypeVar("_T")
SECONDS: Final = 90.0  # a service gives up after 60
RETRIES: Final = 2
_READY: Final = "/ready"


class Settings:
    """Address, token and habits of a client. name: of the project; None: that of the token."""

    def __init__(self, url: str, token: str, name: str | None, retries: int, timeout: float) -> None:
        """Raises InsecureAddressError and WrongRequestError for an address that cannot be used."""
        self.url = calls.base_url(url)
        self.name = name
        self.retries = retries
        self.timeout = timeout
        self.headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}

    def stream(self, told: dict[str, Any]) -> RestoringStream:
        """A text in pieces. told: its options."""
        return RestoringStream(self.url, self.headers, self.timeout, told)

    def client_options(self) -> dict[str, Any]:
        """Arguments of both clients of httpx."""
        return {
            "base_url": self.url, "headers": self.headers, "timeout": self.timeout, "trust_env": False,
        }  # fmt: skip

    @staticmethod
    def request(call: Call[Any]) -> dict[str, Any]:
        """Arguments of a request of httpx, where content may be Outgoing. Raises WrongRequestError for half a
        character.
        """
        return {
            "method": call.method, "url": call.path, "content": calls.encoded(call),
            "headers": calls.sent_headers(call), "params": dict(call.asked) or None,
        }  # fmt: skip

    def wait_after(self, error: NymlinkError, response: httpx.Response, attempt: int) -> float:
        """How many seconds to wait before the same is asked again. attempt: from 0.

        Raises:
            NymlinkError: the error, where it is not worth it.
        """
        wait = calls.seconds_to_wait(error, response, attempt)
        if wait is None or attempt >= self.retries:
            raise error
        return wait


class Sender:
    """Sends calls, one at a time."""

    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None) -> None:
        self.settings = settings
        self._client = httpx.Client(transport=transport, **settings.client_options())

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def ask(self, call: Call[_T]) -> _T:
        """The answer to a call. Raises NymlinkError in one of its children."""
        request = self.settings.request(call)
        attempt = 0
        while True:
            response = self._sent(request)
            try:
                return calls.answered(call, response)
            except NymlinkError as error:
                wait = self.settings.wait_after(error, response, attempt)
            time.sleep(wait)
            attempt += 1

    def pieces(self, call: Call[bytes]) -> Iterator[bytes]:
        """The bytes of an answer as they come, at most PIECE at once. Raises as ask; UnreachableError where
        the answer ends too early.
        """
        request = self.settings.request(call)
        attempt = 0
        while True:
            with _told(), self._client.stream(**request) as response:
                if response.is_success:
                    yield from response.iter_bytes(PIECE)
                    return
                response.read()
            wait = self.settings.wait_after(calls.failure(response), response, attempt)
            time.sleep(wait)
            attempt += 1

    def is_ready(self) -> bool:
        """Whether the service can treat texts."""
        return self._sent({"method": "GET", "url": _READY}).status_code == 200

    def _sent(self, request: dict[str, Any]) -> httpx.Response:
        content = request.get("content")
        with _told():
            given = content.pieces() if isinstance(content, Outgoing) else content
            return self._client.request(**{**request, "content": given})


class AsyncSender:
    """Sends calls of async code."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None) -> None:
        self.settings = settings
        self._client = httpx.AsyncClient(transport=transport, **settings.client_options())

    async def close(self) -> None:
        """Close the connection."""
        await self._client.aclose()

    async def ask(self, call: Call[_T]) -> _T:
        """The answer to a call; see Sender.ask."""
        request = self.settings.request(call)
        attempt = 0
        while True:
            response = await self._sent(request)
            try:
                return calls.answered(call, response)
            except NymlinkError as error:
                wait = self.settings.wait_after(error, response, attempt)
            await asyncio.sleep(wait)
            attempt += 1

    async def pieces(self, call: Call[bytes]) -> AsyncIterator[bytes]:
        """The bytes of an answer as they come; see Sender.pieces."""
        request = self.settings.request(call)
        attempt = 0
        while True:
            with _told():
                async with self._client.stream(**request) as response:
                    if response.is_success:
                        async for piece in response.aiter_bytes(PIECE):
                            yield piece
                        return
                    await response.aread()
            wait = self.settings.wait_after(calls.failure(response), response, attempt)
            await asyncio.sleep(wait)
            attempt += 1

    async def is_ready(self) -> bool:
        """Whether the service can treat texts."""
        return (await self._sent({"method": "GET", "url": _READY})).status_code == 200

    async def _sent(self, request: dict[str, Any]) -> httpx.Response:
        content = request.get("content")
        with _told():
            given = content.pieces_async() if isinstance(content, Outgoing) else content
            return await self._client.request(**{**request, "content": given})


@contextmanager
def _told() -> Iterator[None]:
    """Raises UnreachableError for what goes wrong on the way."""
    try:
        yield
    except httpx.HTTPError as error:
        raise UnreachableError(detail=f"the service does not answer ({type(error).__name__})") from None
