"""Sessions of browsers, in memory; the one-time code that opens the first one."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from pseudonymizer.desk.records import Principal

COOKIE: Final = "__Host-nymlink"
CODE_SECONDS: Final = 300.0  # long enough to copy a line from a terminal; it works once
IDLE_SECONDS: Final = 30 * 60.0
LONGEST_SECONDS: Final = 10 * 3600.0
RECENT_SECONDS: Final = 5 * 60.0  # after which to reveal, to erase and to give roles take a new login
_BYTES: Final = 32
_NAME_BYTES: Final = 8
_MOST_SESSIONS: Final = 1_000
_MOST_TRIES: Final = 10  # wrong codes, after which the code is void


@dataclass(slots=True)
class Session:
    """A session of a browser. began, used, proved: seconds of the clock; proved: when the reader last showed
    who he is. since: the same as began, for others. name: what a page calls it by; it opens nothing. groups:
    those that a provider told.
    """

    principal: Principal
    began: float
    used: float
    proved: float
    since: datetime
    groups: frozenset[str] = frozenset()
    name: str = field(default_factory=lambda: secrets.token_hex(_NAME_BYTES))


@dataclass(slots=True)
class Sessions:
    """Sessions by the hash of their id: who reads this memory cannot use one."""

    now: Callable[[], float] = time.monotonic
    _kept: dict[bytes, Session] = field(default_factory=dict, repr=False)

    def begin(self, principal: Principal, groups: Collection[str] = ()) -> str:
        """The id of a new session."""
        session_id = secrets.token_urlsafe(_BYTES)
        if len(self._kept) >= _MOST_SESSIONS:
            del self._kept[min(self._kept, key=lambda one: self._kept[one].used)]
        moment = self.now()
        made = Session(principal, moment, moment, moment, datetime.now(UTC), frozenset(groups))
        self._kept[_hash(session_id)] = made
        return session_id

    def of(self, session_id: str) -> Principal | None:
        """Whose session it is; None where it has ended, or never was."""
        found = self.session(session_id)
        if found is None:
            return None
        found.used = self.now()
        return found.principal

    def session(self, session_id: str) -> Session | None:
        """The session of an id, which is not used by that; None where it has ended, or never was."""
        key = _hash(session_id)
        found = self._kept.get(key)
        if found is not None and not self._lives(found):
            del self._kept[key]
            return None
        return found

    def is_proved(self, session_id: str) -> bool:
        """Whether the reader showed lately who he is."""
        found = self.session(session_id)
        return found is not None and self.now() - found.proved <= RECENT_SECONDS

    def all_of(self, key: str) -> tuple[Session, ...]:
        """The living sessions of a principal, by his key; the one used last first."""
        mine = (one for one in self._kept.values() if one.principal.key == key and self._lives(one))
        return tuple(sorted(mine, key=lambda one: one.used, reverse=True))

    def end(self, session_id: str) -> None:
        """End a session."""
        self._kept.pop(_hash(session_id), None)

    def end_of(self, key: str, name: str | None = None, *, but: str = "") -> int:
        """How many sessions of a principal were ended: the one of a name, or all of them. but: the id of one
        that stays.
        """
        stays = _hash(but)
        ended = [
            place for place, one in self._kept.items()
            if one.principal.key == key and place != stays and name in (None, one.name)
        ]  # fmt: skip
        for place in ended:
            del self._kept[place]
        return len(ended)

    def _lives(self, one: Session) -> bool:
        moment = self.now()
        return moment - one.used <= IDLE_SECONDS and moment - one.began <= LONGEST_SECONDS


@dataclass(slots=True)
class OneTimeCode:
    """The code that whoever started the front hands to the browser. principal: whose session it opens."""

    principal: Principal
    now: Callable[[], float] = time.monotonic
    code: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES), repr=False)
    _tries: int = 0
    _made: float = 0.0
    _is_used: bool = False

    def __post_init__(self) -> None:
        self._made = self.now()

    def use(self, code: str) -> Principal | None:
        """The principal, once, for the right code in time."""
        is_right = hmac.compare_digest(_hash(code), _hash(self.code))
        if self._is_used or self.now() - self._made > CODE_SECONDS or not is_right:
            self._tries += not is_right
            self._is_used = self._is_used or self._tries >= _MOST_TRIES
            return None
        self._is_used = True
        return self.principal


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
