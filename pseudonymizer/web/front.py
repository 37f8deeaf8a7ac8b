"""The process of the front: `python -m pseudonymizer.web.front`, with its settings on standard input."""

import asyncio
import logging
import os
import random
import signal
import socket
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import uvicorn

from pseudonymizer.desk.engine_client import EngineClient
from pseudonymizer.desk.records import Principal
from pseudonymizer.desk.store import DeskStore
from pseudonymizer.desk.tokens import Tokens
from pseudonymizer.web.app import make_app
from pseudonymizer.web.door import Door
from pseudonymizer.web.guards import origins_of
from pseudonymizer.web.heads import HeadsInTime
from pseudonymizer.web.parts import Front
from pseudonymizer.web.rates import Rates
from pseudonymizer.web.sessions import OneTimeCode
from pseudonymizer.web.settings import FrontSettings

if TYPE_CHECKING:
    from pseudonymizer.web.logins import Logins

_CANNOT_LISTEN: Final = 3
_END_SECONDS: Final = 5
_HEADER_BYTES: Final = 16 << 10
_KEEP_ALIVE_SECONDS: Final = 15


def own_version() -> str:
    """The version of nymlink."""
    try:
        return version("nymlink")
    except PackageNotFoundError:
        return "0"


def listening(host: str, port: int) -> socket.socket:
    """A socket at this address.

    Raises:
        OSError: nothing can listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except BaseException:
        made.close()
        raise
    return made


def loopback_host() -> str:
    """An address of this machine alone. On Linux one of 127/8 by chance: browsers keep cookies of one address
    together whatever the port is.
    """
    if not sys.platform.startswith("linux"):
        return "127.0.0.1"
    drawn = random.SystemRandom()
    return f"127.{drawn.randint(1, 254)}.{drawn.randint(0, 254)}.{drawn.randint(1, 254)}"


def make_front(settings: FrontSettings, url: str) -> Front:
    """The parts of a front that is reached at a URL."""
    limits = settings.limits
    code = None
    if settings.local_actor is not None:
        code = OneTimeCode(Principal("local", settings.local_actor, is_session=True))
    origins = frozenset(origins_of(url))
    store = DeskStore(Path(settings.desk))
    return Front(
        EngineClient(settings.engine, most_open=limits.most_waiting, seconds=limits.request_seconds),
        Tokens(store), limits, Rates(limits.a_minute),
        frozenset(origin.partition("://")[2] for origin in origins), origins, own_version(), code,
        settings.presidio, None if settings.accounts is None else _logins(store, settings, url),
    )  # fmt: skip


def _logins(store: DeskStore, settings: FrontSettings, url: str) -> "Logins":
    from pseudonymizer.desk.accounts import Accounts
    from pseudonymizer.web.logins import Logins
    from pseudonymizer.web.oidc import OidcLogin

    roles = settings.accounts
    assert roles is not None  # noqa: S101  for the type checker: the caller looked
    oidc = None if roles.oidc is None else OidcLogin(roles.oidc, f"{url}/login/back", settings.client_secret)
    return Logins(Accounts(store), roles, oidc)


def server_config(app: Door) -> uvicorn.Config:
    """How a server runs an application: nothing of a request in its own log, bounds on time and headers."""
    return uvicorn.Config(
        app, access_log=False, log_config=None, lifespan="off", server_header=False, ws="none",
        timeout_keep_alive=_KEEP_ALIVE_SECONDS, timeout_graceful_shutdown=_END_SECONDS, http=HeadsInTime,
        h11_max_incomplete_event_size=_HEADER_BYTES, proxy_headers=False,
    )  # fmt: skip


class _Server(uvicorn.Server):
    """A server that says its address once it answers."""

    def __init__(self, config: uvicorn.Config, line: str) -> None:
        super().__init__(config)
        self._line = line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and write the line."""
        await super().startup(sockets)
        sys.stdout.write(f"{self._line}\n")
        sys.stdout.flush()


async def _serve(server: _Server, listener: socket.socket, life: int | None) -> None:
    if life is not None:
        loop = asyncio.get_running_loop()

        def end() -> None:
            loop.remove_reader(life)
            server.should_exit = True

        loop.add_reader(life, end)
    await server.serve([listener])


def main() -> int:
    """The exit status: 0 after the end, 3 where the address cannot be had."""
    settings = msgspec.json.decode(sys.stdin.buffer.read(), type=FrontSettings)
    logging.basicConfig(
        level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )
    for name in ("uvicorn", "uvicorn.error", "asyncio", "litestar"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # their lines may hold paths and traces
    if settings.life is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal: the engine's process says when to end
    else:
        # uvicorn ends its work first, and gives the signal on then.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: sys.exit(0))
    host = settings.host or loopback_host()
    try:
        listener = listening(host, settings.port)
    except OSError as error:
        sys.stderr.write(f"nymlink: the address cannot be had: {os.strerror(error.errno or 0)}\n")
        return _CANNOT_LISTEN
    shown = f"[{host}]" if ":" in host else host
    url = settings.public_url or f"http://{shown}:{listener.getsockname()[1]}"
    front = make_front(settings, url.rstrip("/"))
    line = url if front.code is None else f"{url.rstrip('/')}/#{front.code.code}"
    config = server_config(make_app(front))
    asyncio.run(_serve(_Server(config, line), listener, settings.life))
    return 0


if __name__ == "__main__":
    sys.exit(main())
