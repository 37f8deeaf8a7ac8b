"""Who asks: API tokens, and the caller that a token or a session stands for."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from pseudonymizer.policy import Verb

WEB: Final = "web:"  # how names of accounts begin in the vault's trail; no user of the system can have one
EVERY_VERB: Final = frozenset(Verb)


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token of a program, without its secret.

    account: the name in the vault's trail, with WEB before it. project: the only one that it is for. verbs:
    what it may be used for, beside what the roles of the account allow. last_used: the last day on which it
    was.
    """

    token_id: str
    account: str
    project: str
    verbs: frozenset[Verb]
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    last_used: date | None = None

    def is_alive(self, now: datetime) -> bool:
        """Whether it can be used."""
        return self.revoked_at is None and now < self.expires_at

    @property
    def actor(self) -> str:
        """The name in the vault's trail."""
        return f"{WEB}{self.account}"


@dataclass(frozen=True, slots=True)
class Principal:
    """Who sent a request. key: what tells him from others, in logs and counts of requests. actor: the name in
    the vault's trail. project: the only one; None: any. is_session: by a cookie of a browser. account: the id
    of an account of the desk; "" of a token, and of who started a local front.
    """

    key: str
    actor: str
    project: str | None = None
    verbs: frozenset[Verb] = field(default=EVERY_VERB)
    is_session: bool = False
    account: str = ""
