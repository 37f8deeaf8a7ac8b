"""A browser without a window, for tests of logins."""

from typing import Any

import httpx

from tests.pseudonymizer.web.served import Service


class Browser:
    """It keeps cookies by hand, since httpx drops those that are Secure here, and follows nothing."""

    def __init__(self, served: Service) -> None:
        self._served = served
        self.cookies: dict[str, str] = {}

    def get(self, place: str, **headers: str) -> httpx.Response:
        return self.send("GET", place, headers)

    def post(self, place: str, fields: dict[str, str], **headers: str) -> httpx.Response:
        return self.send("POST", place, {"Sec-Fetch-Site": "same-origin", **headers}, data=fields)

    def send(self, method: str, place: str, headers: dict[str, str], **content: Any) -> httpx.Response:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        given = {"Accept": "text/html", "Accept-Language": "en", "Cookie": cookie, **headers}
        with self._served.client() as client:
            answer = client.request(method, place, headers=given, **content)
        for line in answer.headers.get_list("set-cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
            assert all(word in line for word in ("HttpOnly", "Secure", "Path=/")), line
        return answer

    def to_the_provider(self, back: str = "/text") -> str:
        """Where the provider sends the browser back."""
        answer = self.get(f"/login/provider?back={back}")
        assert answer.status_code == 303, answer.text
        there = httpx.get(answer.headers["location"], trust_env=False)
        return str(there.headers["location"])

    def log_in(self, back: str = "/text") -> httpx.Response:
        return self.get(self.to_the_provider(back))
