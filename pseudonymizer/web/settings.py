"""What a front is started with; it comes over standard input, so that no argument of a process tells it."""

import msgspec

from pseudonymizer.desk.role_map import RoleMap
from pseudonymizer.desk.workspace_asked import LARGEST_FILE


class Limits(msgspec.Struct, frozen=True):
    """Bounds of a front.

    largest_body: bytes; largest_file: of a file of a workspace. body_seconds, file_seconds: the longest that
    they may take to come. stream_seconds: the longest that a text in pieces may take; stream_pause_seconds:
    between two of them. request_seconds: the longest that the engine may take. most_waiting: requests at the
    engine at once. a_minute: requests of one account.
    """

    largest_body: int = 20 << 20
    largest_file: int = LARGEST_FILE
    body_seconds: float = 30.0
    file_seconds: float = 600.0
    stream_seconds: float = 1_800.0
    stream_pause_seconds: float = 60.0
    request_seconds: float = 60.0
    most_waiting: int = 16
    a_minute: int = 120


class FrontSettings(msgspec.Struct, frozen=True):
    """engine: path of its socket. desk: path of desk.db. life: a file that can be read when the process that
    started this one has ended; None: it runs by itself.

    host, port: where it listens; port 0 takes one that is free. public_url: the address that browsers and
    programs use, where it is another one. local_actor: the name in the vault's trail of who opens the start
    page of a local front; None: nobody can. presidio: the routes of Presidio's services are there. accounts:
    what accounts may, who then log in; None: there are none. client_secret: of this service at their
    provider.
    """

    engine: str
    desk: str
    host: str
    port: int
    life: int | None = None
    public_url: str | None = None
    local_actor: str | None = None
    presidio: bool = False
    accounts: RoleMap | None = None
    client_secret: str | None = None
    limits: Limits = Limits()
    log_level: str = "INFO"

    def __repr__(self) -> str:
        return "FrontSettings()"
