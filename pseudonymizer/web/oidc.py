"""Login by a provider of OpenID Connect: authorization code with PKCE (RFC 7636), state and nonce.

What a provider says is believed after the signature of its ID token, its issuer, audience, nonce and times
were checked. Nothing of a token is kept or logged.
"""

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

import httpx
import msgspec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from pseudonymizer.desk.role_map import Provider, is_safe_address
from pseudonymizer.web.login_state import LOGIN_SECONDS, Known, LoginFailedError, ProviderError

_ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "Ed25519",
)
_LEEWAY_SECONDS: Final = 60  # between the clocks of two machines
_MOST_BEGUN: Final = 1_000
_MOST_BYTES: Final = 1 << 20  # of an answer of the provider
_TIMEOUT: Final = 10.0
_KEYS_SECONDS: Final = 3600.0  # after which keys are fetched again
_REFETCH_SECONDS: Final = 60.0  # between two fetches for a key that is not among them


@dataclass(frozen=True, slots=True)
class _Begun:
    nonce: str
    verifier: str
    back: str
    began: float
    is_again: bool

    def __repr__(self) -> str:
        return "_Begun()"


class _Places(msgspec.Struct, frozen=True):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class _Given(msgspec.Struct, frozen=True):
    id_token: str


@dataclass(slots=True)
class OidcLogin:
    """Logins at one provider. back_url: where it sends browsers back. secret: of the client; None: public."""

    provider: Provider
    back_url: str
    secret: str | None = field(default=None, repr=False)
    now: Callable[[], float] = time.time
    _begun: dict[str, _Begun] = field(default_factory=dict, repr=False)
    _places: _Places | None = None
    _keys: KeySet | None = field(default=None, repr=False)
    _keys_at: float = 0.0

    async def begin(self, back: str, *, is_again: bool = False) -> tuple[str, str]:
        """(address at the provider, state). The state belongs in the browser's cookie. back: the page to show
        afterwards. is_again: whoever is logged in there shows anew who he is.

        Raises:
            ProviderError: it cannot be reached.
        """
        places = await self._found()
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        if len(self._begun) >= _MOST_BEGUN:
            del self._begun[next(iter(self._begun))]
        self._begun[state] = _Begun(nonce, verifier, back, self.now(), is_again)
        asked = {
            "response_type": "code", "client_id": self.provider.client_id, "redirect_uri": self.back_url,
            "scope": " ".join(self.provider.scopes), "state": state, "nonce": nonce,
            "code_challenge": _challenge(verifier), "code_challenge_method": "S256",
        }  # fmt: skip
        if is_again:
            asked |= {"prompt": "login", "max_age": "0"}
        mark = "&" if "?" in places.authorization_endpoint else "?"
        return f"{places.authorization_endpoint}{mark}{urlencode(asked)}", state

    async def finish(self, given: Mapping[str, str], state_of_browser: str) -> tuple[Known, str]:
        """(whom the provider names, the page to show). given: what the browser brought back.

        Raises:
            LoginFailedError: the login was not begun by this browser, is over or was used, or the token is
                not for it.
            ProviderError: it cannot be reached.
        """
        state = given.get("state", "")
        begun = self._begun.pop(state, None)  # a state works once
        is_own = hmac.compare_digest(state.encode(), state_of_browser.encode())
        if begun is None or not is_own or self.now() - begun.began > LOGIN_SECONDS:
            raise LoginFailedError("the login was not begun by this browser, or is over; begin it once more")
        if not given.get("code") or given.get("iss", self.provider.issuer) != self.provider.issuer:
            raise LoginFailedError("the code of the provider is missing, was used, or is another one's")
        claims = await self._claims(await self._token(given["code"], begun.verifier))
        self._check(claims, begun)
        name, groups = claims.get(self.provider.name_claim), claims.get(self.provider.groups_claim, [])
        if not isinstance(name, str):
            raise LoginFailedError("the token has no claim that could name the account; see name_claim")
        told = groups if isinstance(groups, list) else [groups]
        return Known(claims["sub"], name, frozenset(one for one in told if isinstance(one, str))), begun.back

    async def _token(self, code: str, verifier: str) -> str:
        places = await self._found()
        sent = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": self.back_url,
            "client_id": self.provider.client_id, "code_verifier": verifier,
        }  # fmt: skip
        basic = None
        if self.secret is not None and "client_secret_post" in places.token_endpoint_auth_methods_supported:
            sent["client_secret"] = self.secret
        elif self.secret is not None:
            basic = httpx.BasicAuth(self.provider.client_id, self.secret)
        async with httpx.AsyncClient(timeout=_TIMEOUT, auth=basic) as client:
            try:
                answer = await client.post(places.token_endpoint, data=sent)
            except httpx.HTTPError:
                raise ProviderError(
                    "the provider of logins does not answer for a code; try it later"
                ) from None
        if answer.status_code in (400, 401):  # a code that was used, or is another one's
            raise LoginFailedError("the code of the provider is missing, was used, or is another one's")
        given: _Given = _decoded(answer, _Given)
        return given.id_token

    async def _claims(self, token: str) -> dict[str, Any]:
        """The claims of a token that the provider signed."""
        for again in (False, True):
            keys = await self._signing_keys(again=again)
            try:
                decoded = jwt.decode(token, keys, algorithms=list(_ALGORITHMS))
            except (JoseError, ValueError, KeyError, TypeError):
                if again or not self._may_refetch():
                    raise LoginFailedError("no key of the provider signed the token") from None
                continue  # the provider may have taken a new key
            return dict(decoded.claims)
        raise LoginFailedError("no key of the provider signed the token")

    def _check(self, claims: Mapping[str, Any], begun: _Begun) -> None:
        audience = claims.get("aud")
        audiences = audience if isinstance(audience, list) else [audience]
        client, moment = self.provider.client_id, self.now()
        is_for_us = client in audiences and claims.get("azp", client) == client
        is_for_us = is_for_us and (len(audiences) == 1 or claims.get("azp") == client)
        until, issued = claims.get("exp"), claims.get("iat")
        is_now = (
            isinstance(until, int | float) and isinstance(issued, int | float)
            and until > moment - _LEEWAY_SECONDS and issued < moment + _LEEWAY_SECONDS
        )  # fmt: skip
        nonce, subject = claims.get("nonce"), claims.get("sub")
        is_own = isinstance(nonce, str) and hmac.compare_digest(nonce.encode(), begun.nonce.encode())
        if not (is_for_us and is_now and is_own and claims.get("iss") == self.provider.issuer):
            raise LoginFailedError("the token is of another provider, client, login or time")
        if not isinstance(subject, str) or not subject:
            raise LoginFailedError("the token does not say whom it is about")
        if begun.is_again:
            shown_at = claims.get("auth_time")
            if not isinstance(shown_at, int | float) or shown_at < begun.began - _LEEWAY_SECONDS:
                raise LoginFailedError("the provider did not ask anew who somebody is")

    async def _found(self) -> _Places:
        """Where the provider's endpoints are, as it says."""
        if self._places is None:
            answer = await _fetched(f"{self.provider.issuer.rstrip('/')}/.well-known/openid-configuration")
            found = _decoded(answer, _Places)
            places = (found.authorization_endpoint, found.token_endpoint, found.jwks_uri)
            if found.issuer != self.provider.issuer or not all(map(is_safe_address, places)):
                raise ProviderError("the provider names another issuer, or addresses without TLS")
            self._places = found
        return self._places

    def _may_refetch(self) -> bool:
        return self.now() - self._keys_at > _REFETCH_SECONDS

    async def _signing_keys(self, *, again: bool) -> KeySet:
        if self._keys is None or again or self.now() - self._keys_at > _KEYS_SECONDS:
            answer = await _fetched((await self._found()).jwks_uri)
            try:
                self._keys = KeySet.import_key_set(_decoded(answer, dict[str, Any]))
            except (JoseError, ValueError, KeyError, TypeError):
                raise ProviderError("the keys of the provider cannot be read") from None
            self._keys_at = self.now()
        return self._keys


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode("ascii")).digest()).rstrip(b"=").decode()


async def _fetched(url: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=_TIMEOUT) as client:
        try:
            return await client.get(url)
        except httpx.HTTPError:
            raise ProviderError("the provider of logins cannot be reached; try it later") from None


def _decoded(answer: httpx.Response, kind: Any) -> Any:
    """Raises ProviderError for an answer that is none of this kind."""
    if answer.status_code != 200 or len(answer.content) > _MOST_BYTES:
        raise ProviderError("the provider of logins answered with an error; try it later")
    try:
        return msgspec.json.decode(answer.content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ProviderError("the answer of the provider is not what the protocol asks") from None
