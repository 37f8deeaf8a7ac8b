"""Forms: text stays text, and what is no form is refused."""

import pytest

from tests.pseudonymizer.web.served import Service


@pytest.mark.parametrize("text", ["null", "true", "1e5", "[1]", "  x ", "a\r\nb", "\U0001f44d", "a=b&c;d"])
def test_a_text_stays_as_it_is(fake: Service, text: str) -> None:
    with fake.client(fake.token()) as client:
        shown = client.post("/text/pseudonymized", data={"text": text}, headers={"HX-Request": "true"}).text
    view = shown.split('data-view="before"')[1].partition("</div></div></div>")[0]
    lines = [line.partition(">")[2] for line in view.split("<div class=line")[1:]]
    assert "\r\n".join(line.removesuffix("</div>") for line in lines) == text.replace("&", "&amp;")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"text=%ff", "application/x-www-form-urlencoded"),
        (b"text", "application/x-www-form-urlencoded"),
        ("text=\u00e9".encode(), "application/x-www-form-urlencoded"),
        (b"&".join([b"a=b"] * 501), "application/x-www-form-urlencoded"),
        (b'{"text": "x"}', "application/json"),
        (b"text=x", "text/plain"),
    ],
)
def test_what_is_no_form_is_refused(fake: Service, content: bytes, kind: str) -> None:
    with fake.client(fake.token()) as client:
        answer = client.post("/text/pseudonymized", content=content, headers={"Content-Type": kind})
    assert answer.status_code == (400 if "form" in kind else 415)
    assert answer.headers["content-type"].startswith("text/html")
