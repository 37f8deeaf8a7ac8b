"""A provider of OpenID Connect on this machine, for tests: it names whom it is told to, and can lie."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT: Final = "nymlink-test"
SECRET: Final = "a secret of tests"  # noqa: S105


@dataclass
class LocalProvider:
    """claims: of whoever logs in. lies: claims of the token in place of the true ones. key: signs; published:
    is told as the key. asked: the last questions at the authorization endpoint.
    """

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=lambda: {"sub": "s-1", "groups": ["analysts"]})
    lies: dict[str, Any] = field(default_factory=dict)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    published: RSAKey | None = None
    secret: str | None = SECRET
    asked: dict[str, str] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def code_for(self, asked: dict[str, str]) -> str:
        self.asked = asked
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        return code

    def configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }  # fmt: skip

    def keys(self) -> dict[str, Any]:
        return {"keys": [(self.published or self.key).as_dict(private=False)]}

    def token(self, sent: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """The answer to a code; None for one that is wrong, was used, or is another one's."""
        begun = self.codes.pop(sent["code"], None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if begun is None or (self.secret is not None and authorization != f"Basic {basic}"):
            return None
        digest = hashlib.sha256(sent["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if begun["code_challenge"] != challenge or begun["redirect_uri"] != sent["redirect_uri"]:
            return None
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "auth_time": now,
            "nonce": begun["nonce"], **self.claims, **self.lies,
        }  # fmt: skip
        told = {name: value for name, value in claims.items() if value is not None}
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, told, self.key, algorithms=["RS256"])
        return {"access_token": "none", "token_type": "Bearer", "id_token": signed}


@contextmanager
def local_provider() -> Iterator[LocalProvider]:
    """A provider that answers, at an address of this machine."""
    made = LocalProvider()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            del format, args

        def _answer(self, status: int, body: Any, **headers: str) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/.well-known/openid-configuration":
                self._answer(200, made.configuration())
            elif parts.path == "/keys":
                self._answer(200, made.keys())
            elif parts.path == "/authorize":
                asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
                back = urlencode({"code": made.code_for(asked), "state": asked["state"]})
                self._answer(302, None, Location=f"{asked['redirect_uri']}?{back}")
            else:
                self._answer(404, None)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            sent = {name: values[0] for name, values in parse_qs(body).items()}
            answer = made.token(sent, self.headers.get("Authorization", ""))
            self._answer(200 if answer else 400, answer or {"error": "invalid_grant"})

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.issuer = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
