"""Requests whose line and headers come too slowly end: each holds a connection."""

import asyncio
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class HeadsInTime(H11Protocol):
    """HTTP of uvicorn, with a bound on the time from a connection, or from the first byte of a further
    request, to the end of its headers. A pause between two requests has the bound of uvicorn's own.
    """

    head_seconds: ClassVar[float] = 15.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._bound: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._bound is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._bound = self.loop.call_later(self.head_seconds, self._end)

    def _stop_waiting(self) -> None:
        if self._bound is not None:
            self._bound.cancel()
            self._bound = None

    def _end(self) -> None:
        self._bound = None
        if not self.transport.is_closing():
            self.transport.close()
