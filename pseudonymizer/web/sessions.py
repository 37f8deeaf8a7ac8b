"""Sessions of browsers, in memory; the one-time code that opens the first one."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from pseudonymizer.desk.records import Principal

COOKIE: Final = "__Host-nymlink"
CODE_SECONDS: Final = 300.0  # long enough to copy a line from a terminal; it works once
IDLE_SECONDS: Final = 30 * 60.0
LONGEST_SECONDS: Final = 10 * 3600.0
_BYTES: Final = 32
_MOST_SESSIONS: Final = 1_000
_MOST_TRIES: Final = 10  # wrong codes, after which the code is void


@dataclass(slots=True)
class _Session:
    principal: Principal
    began: float
    used: float


@dataclass(slots=True)
class Sessions:
    """Sessions by the hash of their id: who reads this memory cannot use one."""

    now: Callable[[], float] = time.monotonic
    _kept: dict[bytes, _Session] = field(default_factory=dict, repr=False)

    def begin(self, principal: Principal) -> str:
        """The id of a new session."""
        session_id = secrets.token_urlsafe(_BYTES)
        if len(self._kept) >= _MOST_SESSIONS:
            del self._kept[min(self._kept, key=lambda one: self._kept[one].used)]
        moment = self.now()
        self._kept[_hash(session_id)] = _Session(principal, moment, moment)
        return session_id

    def of(self, session_id: str) -> Principal | None:
        """Whose session it is; None where it has ended, or never was."""
        key = _hash(session_id)
        found, moment = self._kept.get(key), self.now()
        if found is None:
            return None
        if moment - found.used > IDLE_SECONDS or moment - found.began > LONGEST_SECONDS:
            del self._kept[key]
            return None
        found.used = moment
        return found.principal

    def end(self, session_id: str) -> None:
        """End a session."""
        self._kept.pop(_hash(session_id), None)


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
