"""Words that the pages of a login share with the provider's part; this loads nothing of cryptography."""

from dataclasses import dataclass
from typing import Final

COOKIE: Final = "__Host-nymlink-login"  # binds a login to the browser that began it
LOGIN_SECONDS: Final = 600.0  # that a login at the provider may take


class ProviderError(Exception):
    """The provider cannot be reached, or what it answered is not what the protocol asks. It says no value."""


class LoginFailedError(Exception):
    """A login cannot be believed: another state, browser, key, nonce or audience, or it is over."""


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody whom a provider names. subject: his id there. name: the claim that names the account."""

    subject: str
    name: str
    groups: frozenset[str]

    def __repr__(self) -> str:
        return "Known()"
