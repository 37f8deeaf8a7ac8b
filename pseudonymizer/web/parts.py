"""What the routes of a front share: the engine's client, tokens, sessions, rates, and its own addresses."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from litestar import Request

from pseudonymizer.desk.engine_client import EngineClient
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.records import Principal
from pseudonymizer.desk.tokens import Tokens
from pseudonymizer.web.kept_answers import KeptAnswers
from pseudonymizer.web.rates import AtOnce, Rates
from pseudonymizer.web.sessions import OneTimeCode, Sessions
from pseudonymizer.web.settings import Limits

if TYPE_CHECKING:
    from pseudonymizer.web.logins import Logins

UPLOADS_AT_ONCE: Final = 4  # of one account
STREAMS_AT_ONCE: Final = 8  # texts in pieces of one account
REVEALS_A_MINUTE: Final = 10  # of one account: names behind pseudonyms, and look-ups


@dataclass(slots=True)
class Front:
    """hosts: values of Host that are this service. origins: those of its own pages. code: None where nobody
    can log in by the start page. presidio: the routes of Presidio's services are there. logins: of accounts;
    None where there are none.
    """

    engine: EngineClient
    tokens: Tokens
    limits: Limits
    rates: Rates
    hosts: frozenset[str]
    origins: frozenset[str]
    version: str
    code: OneTimeCode | None = None
    presidio: bool = False
    logins: "Logins | None" = None
    reveals: Rates = field(default_factory=lambda: Rates(REVEALS_A_MINUTE))
    uploads: AtOnce = field(default_factory=lambda: AtOnce(UPLOADS_AT_ONCE))
    streams: AtOnce = field(default_factory=lambda: AtOnce(STREAMS_AT_ONCE))
    answers: KeptAnswers = field(default_factory=KeptAnswers)
    sessions: Sessions = field(default_factory=Sessions)


def front_of(request: Request[Any, Any, Any]) -> Front:
    """The parts of the front that a request came to."""
    front: Front = request.app.state.front
    return front


def caller_of(request: Request[Any, Any, Any]) -> Caller:
    """The caller as the engine knows him. The guard of the route has found him."""
    principal: Principal = request.user
    return Caller(principal.actor, principal.project)
