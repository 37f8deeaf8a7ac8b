"""Who may connect to a vault service: a share for each user, and idle connections make room for others."""

import socket
import threading
from collections import Counter
from dataclasses import dataclass
from typing import Final

_LEAST_IDLE_SECONDS: Final = 5.0  # a connection of which a client is in the middle of its work is left


@dataclass(frozen=True, slots=True)
class Shares:
    """How many connections there may be at a time.

    most: of all. most_a_user: of one user. kept_free: of all of them, those that only users without any
    connection get, so that a few users with many cannot shut the others out. front: the user that speaks for
    many accounts, who has most_of_front of his own.
    """

    most: int
    most_a_user: int
    kept_free: int
    front: int | None = None
    most_of_front: int = 0

    def of(self, user: int) -> int:
        """The most that a user may have."""
        if self.front is not None and user == self.front:
            return max(self.most_a_user, self.most_of_front)
        return self.most_a_user


@dataclass(slots=True)
class _Caller:
    """user: the id of the user. since: when the connection was last used; None while a verb runs."""

    user: int
    since: float | None


class Connections:
    """The connections that are open, whose they are, and which of them are idle. For many threads."""

    def __init__(self, shares: Shares) -> None:
        self._shares = shares
        self._lock = threading.Lock()
        self._open: dict[socket.socket, _Caller] = {}

    def __len__(self) -> int:
        with self._lock:
            return len(self._open)

    def admit(self, connection: socket.socket, user: int, now: float) -> tuple[bool, socket.socket | None]:
        """(whether it may stay, the idle connection that has to go for it).

        A user whose share is used up gives up his own longest idle one. Where all are taken, a user without
        any gets the longest idle one of a user with several.
        """
        with self._lock:
            of_users = Counter(caller.user for caller in self._open.values())
            gone: socket.socket | None = None
            mine = of_users[user]
            if mine >= self._shares.of(user):
                gone = self._longest_idle({user}, now)
            elif len(self._open) >= self._shares.most - (self._shares.kept_free if mine else 0):
                richer = {one for one, count in of_users.items() if count > max(mine, 1)}
                gone = self._longest_idle(richer, now)
            else:
                self._open[connection] = _Caller(user, now)
                return True, None
            if gone is None:
                return False, None
            del self._open[gone]
            self._open[connection] = _Caller(user, now)
            return True, gone

    def begin(self, connection: socket.socket) -> None:
        """A verb runs for it."""
        self._used(connection, None)

    def end(self, connection: socket.socket, now: float) -> None:
        """The verb has ended."""
        self._used(connection, now)

    def leave(self, connection: socket.socket) -> None:
        """It is closed."""
        with self._lock:
            self._open.pop(connection, None)

    def idle(self) -> list[socket.socket]:
        """Those for which no verb runs."""
        with self._lock:
            return [connection for connection, caller in self._open.items() if caller.since is not None]

    def _used(self, connection: socket.socket, since: float | None) -> None:
        with self._lock:
            if (caller := self._open.get(connection)) is not None:
                caller.since = since

    def _longest_idle(self, users: set[int], now: float) -> socket.socket | None:
        idle = [
            (caller.since, number, connection)
            for number, (connection, caller) in enumerate(self._open.items())
            if caller.user in users and caller.since is not None and now - caller.since >= _LEAST_IDLE_SECONDS
        ]
        return min(idle, key=lambda one: one[:2])[2] if idle else None
